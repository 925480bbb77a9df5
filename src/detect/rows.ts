// Rows of different things in lists: `[["0x…", "0xaddress", 1], …]`, and the names of their columns.
import { findHashHint, isConversion, isHashName, isPlainHash } from './hintWords.ts';
import { isOwner } from './owners.ts';
import { findCalleeStart, findLineStart, findOpenerBefore } from './readBackwards.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { isAccountName } from './secretWords.ts';
import { splitWords } from './splitWords.ts';

/** Characters before and after a literal in which its row, and the names of columns, are searched. */
const ROW_REACH = 600;
const BEFORE = 2_000;
const AFTER = 3_000;
const NAME = String.raw`&?[A-Za-z_$][\w$]{0,40}(?:\s?:\s?[\w<>]{1,40}| hash)?`;
const NAMES = String.raw`(${NAME}(?:\s{0,4},\s{0,4}${NAME}){1,12})`;
/** `for pk, to in rows`, `for (const [pk, to] of rows)`, `rows.map(([pk, to]) =>`, `rows.each { |pk, to|`. */
const UNPACKED = new RegExp(
  String.raw`(?:\bfor\s{1,4}\(?(?:const\s|let\s|var\s|auto\s?)?|\bforeach\s?\(|\(|\||\bfn\s?|\bval\s)\s{0,4}[[({]{0,2}\s{0,4}${NAMES}\s{0,4}[\])}|]{0,3}\s{0,4}(?:\bof\b|\bin\b|=>|->|:=|\||\{)`,
  'g',
);
/** `.each([["0x…", 21000]])("reads tx %s", async (hash, gas) =>` */
const TITLE_OF_TEST = /(\b(?:tx|transaction|receipt) %s[^"'`\n]{0,40}["'`], (?:async )?\()hash\b/g;
/** `// [privateKey, txHash]` */
const HEADER = new RegExp(
  String.raw`(?:\/\/|#|--|\/\*|;)\s{0,4}[[({]?\s{0,2}${NAMES}\s{0,2}[\])}]?\s{0,4}(?:\*\/\s{0,4})?$`,
  'gm',
);
/** `parametrize("tx_hash,calls", [` */
const PARAMETERS = new RegExp(String.raw`parametrize\(\s{0,20}["']${NAMES}["']`, 'g');
/** `[txHash: Hash, status: string][]`, `Vec<(TxHash, u64)>` */
const TYPE =
  /[[(<]\s{0,4}([\w.]{1,40}\??(?:\s?:\s?[\w.]{1,40})?(?:\s{0,4},\s{0,4}[\w.]{1,40}\??(?:\s?:\s?[\w.]{1,40})?){1,12})\s{0,4}[\])>]/g;
const HASH_TYPE = /(?:Hash|[BH]256|Txid)$/i;
/** Characters of an element that only quote a literal. */
const QUOTES = /^[\s"'`&*#/-]*$/;
const LITERAL = /^[\s"'`#/-]*0[xX][0-9a-fA-F]{64}[\s"'`]*$/;

/** An element without a name. */
const UNNAMED = /(?:[[({,]|^|\n)[\s"'`&*#/-]{0,40}$/;
/** Behind the number of an element: `{"0": "0x…"`, `[1 => '0x…'`, `{ [1] = "0x…"`. */
const AFTER_NUMBER = /(?:[[({,]|^|\n)[\s#*/-]{0,40}\[?["']?\d{1,3}["']?\]?\s{0,4}(?::|=>?)\s{0,4}["'`]?$/;
const ADDRESS = /0[xX][0-9a-fA-F]{40}(?![0-9a-fA-F])/;

interface Row {
  readonly index: number;
  readonly length: number;
  /** It is a key of an object: `{ '0x…': 1 }`. */
  readonly isKey: boolean;
  /** It is behind one text only: `['swap', '0x…']`. */
  readonly isEntry?: boolean;
  /** Where the list of rows begins. */
  readonly listStart: number;
}

/** The row of a list that a literal is in, if its values are different things; `null` otherwise. */
function findRow(text: string, { start, end }: Range): Row | null {
  const near = text.slice(Math.max(0, start - 60), start);
  if (AFTER_NUMBER.test(near)) return findNumberedRow(text, { start, end });
  if (!UNNAMED.test(near.slice(-40))) return null;
  const opener = findRowStart(text, start);
  if (opener < 0 || (text[opener] === '(' && isCall(text, opener))) return null;
  const elements = splitElements(readRow(text, opener, end));
  const before = splitElements(text.slice(opener + 1, start));
  const index = before.length - 1;
  if (!QUOTES.test((before[index] ?? '').trimStart().replace(CONVERSION, ''))) return null;
  // `{ '0x…': 1 }`
  const pair = /^["'`]?\s{0,4}(:|=>|to\s)\s{0,4}[^\s{[]/.exec(text.slice(end, end + 12))?.[1];
  const isKey = pair !== undefined && (text[opener] === '{' || pair !== ':');
  if (isKey) return { index: 0, length: 2, isKey, listStart: opener };
  // Clojure has no commas.
  const isSpaced =
    elements.length === 1 && /^["']\s{1,4}["'\d:]/.test(text.slice(end, end + 8)) && '[('.includes(text[opener] ?? '');
  if (isSpaced) return { index: 0, length: 0, isKey, listStart: opener };
  const values = elements.filter(element => element.trim() !== '');
  if (values.length < 2 || values.every(element => LITERAL.test(element))) return null;
  const list = findOpenerBefore(text, opener, BEFORE);
  if (text[list] === '(' && (text[opener] === '[' || isCall(text, list))) return null;
  const isItem = /(?:^|\s)-[ \t]{1,8}$/.test(text.slice(Math.max(0, opener - 40), opener));
  if (list < 0 && !isItem) return null;
  const { length } = elements.filter((element, at) => element.trim() !== '' || at <= index);
  return { index, length, isKey, isEntry: isMapEntry(elements, index), listStart: Math.max(list, 0) };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where the row opens that a literal is in, itself or converted: `{"swap", common.HexToHash("0x…")}`. */
function findRowStart(text: string, start: number): number {
  const opener = findOpenerBefore(text, start, ROW_REACH);
  const callee =
    text[opener] === '(' && QUOTES.test(text.slice(opener + 1, start)) ? findCalleeStart(text, opener, 0) : opener;
  if (callee === opener || !isConversion(splitWords(text.slice(callee, opener)))) return opener;
  const around = findOpenerBefore(text, callee, ROW_REACH);
  return '[{'.includes(text[around] ?? '-') && /[,{[]\s{0,40}$/.test(text.slice(Math.max(0, callee - 41), callee))
    ? around
    : opener;
}
/** Before the literal that an element is made of. */
const CONVERSION = /^[\w.]{1,40}\(/;

/** `{"0": "0x…", "1": "0xaddress"}`, unlike hashes by the ids of chains. */
function findNumberedRow(text: string, { start, end }: Range): Row | null {
  const opener = findOpenerBefore(text, start, ROW_REACH);
  const elements = splitElements(readRow(text, opener, end));
  if (opener < 0 || !elements.some(element => ADDRESS.test(element))) return null;
  const index = splitElements(text.slice(opener + 1, start)).length - 1;
  return { index, length: elements.length, isKey: false, listStart: opener };
}

function isCall(text: string, opener: number): boolean {
  const callee = splitWords(text.slice(findCalleeStart(text, opener, 0), opener));
  return (
    callee.length > 0 &&
    (!isConversion(callee) || callee.join(' ') === 'case') && // of Rust
    !/^(?:pair|triple|tuple|(?:list|array|set|seq)(?: of)?$|(?:as|new) list)/.test(callee.join(' '))
  );
}

/** `['mainnet', '0x…']`, `[17, '0x…']` */
function isMapEntry([key = '', , ...others]: readonly string[], index: number): boolean {
  return (
    index === 1 && others.every(other => other.trim() === '') && !/0x/i.test(key) && !isAccountName(splitWords(key))
  );
}

/** What is behind a bracket, without the element in which the reach ends. */
function readRow(text: string, opener: number, end: number): string {
  const row = text.slice(opener + 1, end + ROW_REACH);
  return end + ROW_REACH < text.length ? row.slice(0, Math.max(end - opener - 1, row.lastIndexOf(','))) : row;
}

/** The elements up to the closing bracket, by the commas at their depth. */
function splitElements(text: string): readonly string[] {
  const elements = [''];
  let depth = 0;
  for (const char of text) {
    if (char === '\n' && depth === 0 && elements.at(-1)?.trim() === '') continue;
    if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char) && --depth < 0) break;
    if (char === ',' && depth === 0) elements.push('');
    else elements[elements.length - 1] += char;
  }
  return elements;
}

/**
 * The name of the column of a literal that is in a row of different things, if a comment with the names of the columns, the
 * variables that the rows are unpacked to, or their type prove that it holds hashes, and none is of accounts; otherwise `null`:
 * the name of the list tells of the rows, not of it. `undefined` outside of such rows.
 */
export function findRowColumn(text: string, scanned: ScannedLiteral): RowColumn | undefined {
  const row = findRow(text, scanned);
  if (row === null) return undefined;
  const before = text.slice(Math.max(0, row.listStart - BEFORE), scanned.start);
  const around = text
    .slice(Math.max(0, row.listStart - BEFORE), scanned.end + AFTER)
    .replace(TITLE_OF_TEST, '$1txHash');
  const type = text.slice(findLineStart(text, row.listStart, 0), row.listStart);
  const lists = [
    ...before.matchAll(HEADER),
    ...around.matchAll(PARAMETERS),
    ...around.matchAll(UNPACKED),
    ...type.matchAll(TYPE),
    ...around.matchAll(COLUMNS),
  ].map(([, names = '']) => names.replace(/["']/g, '').split(','));
  const struct = /\}\s?$/.test(type)
    ? readStruct(text.slice(Math.max(0, row.listStart - ROW_REACH), row.listStart))
    : [];
  const columns = [...lists, struct]
    .filter(names => names.length === row.length)
    .map(names => (names.some(isOfAddress) ? '' : toColumn(names[row.index]?.trim() ?? '')));
  if (row.isEntry && !columns.every(name => name === '' || isHashColumn(name))) return undefined;
  if (row.isEntry && columns.length === 0) return undefined;
  return { isKey: row.isKey, name: columns.length > 0 && columns.every(isHashColumn) ? (columns[0] ?? null) : null };
}

/** `{"columns": ["tx_hash", "block"], "rows": [["0x…", 12]]}` */
const COLUMNS = /["'](?:columns|fields|headers?)["']\s?:\s?\[([^[\]]{1,300})\]/g;
/** `[]struct{ name, txHash string }{`, also with a field on each line. */
const STRUCT = /struct\s?\{([^{}()]{1,400})\}\s?$/;

/** The names of the fields of a struct of Go whose values follow, and their types: `hash: common.Hash`. */
function readStruct(before: string): readonly string[] {
  const fields =
    STRUCT.exec(before)?.[1]
      ?.trim()
      .split(/\s{0,8}[;\n]\s{0,8}/) ?? [];
  return fields.flatMap(field => field.replace(/\s{1,20}([^\s,]{1,40})(?:\s{1,8}\/\/.{0,100})?$/, ': $1').split(','));
}

export interface RowColumn {
  readonly name: string | null;
  /** The literal is a key of an object: `{ '0x…': 1 }`. */
  readonly isKey: boolean;
}

/** Only the type of a `hash` tells more than its name. */
function toColumn(column: string): string {
  const [name = ''] = column.split(':', 1);
  return /hash/i.test(name) ? column : name;
}

/** `owner`, `want common.Address`: what else the row has may belong to it. */
const isOfAddress = (column: string): boolean => isOwner(column) || /:\s?[\w.*]{0,20}Address$/.test(column);

function isHashColumn(column: string): boolean {
  const [name = '', type = ''] = column.split(':').map(part => part.trim());
  const words = splitWords(name);
  if (isAccountName(words)) return false;
  if (type === '' && HASH_TYPE.test(name) && /^[A-Z]/.test(name)) return true;
  const hint = findHashHint(words);
  // Code writes any 32 bytes as a `Hash`.
  if (HASH_TYPE.test(type) && hint !== null) return true;
  return hint !== null && (isHashName(words) || !isPlainHash(hint));
}
