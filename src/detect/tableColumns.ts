// The name of the column that a literal is in: of a Markdown, AsciiDoc or HTML table, of one that a program printed, of a
// CSV or a TSV file.
import type { ScannedLiteral } from './scanLiterals.ts';
import { isAccountName, mentionsAccount } from './secretWords.ts';
import { splitWords, wordSet } from './splitWords.ts';

export interface TableSource {
  readonly fileName?: string | undefined;
  readonly languageId?: string | undefined;
  /** The names of the columns where the text is a part of the file; `null` when they were not found. */
  readonly tableHeader?: string | null | undefined;
}

/** How far above a literal the header row of its table is searched. */
const TABLE_REACH = 6_000;
/** A longer line is not a row of a table. */
const MAX_ROW_LENGTH = 2_000;
const TABLE_FILE = /\.(?:csv|tsv|psv)$/i;
/** Between the cells of `| a | b |` and ` a | b`. */
const BAR = /[|│]/;
/** `|---|---|`, `---+---`, `├───┼───┤`, `==== ====` */
const RULE = /^(?:[^\n]{0,60}[\]|:>mZ\w]\s)?[\s#*/|:+=│├┼┤─═╞╪╡-]{3,}$/;
/** A rule ends with a dash, before other marks: `anvil-1  | ` is an empty line of a log. */
const RULE_END = /[=─═-][\s#*/|:+│├┼┤╞╪╡]*$/;
const isRule = (line: string): boolean => RULE.test(line) && RULE_END.test(line);
/** What a log puts before each line, when two lines begin with it. */
const TAG = /^.{0,80}[\]|:>.]\S{0,8}\s+/;
/** Characters that begin a line of a comment or a list. */
const MARKS = /^[\s#*/>-]+/;
const EMPTY_CELL = /^[\s"'`[]*$/;
/** Between cells that only blanks separate. */
const GAP = /(?: {2}|\t)\s*/;
const ALIGNED_ROW = /\S(?: {2}|\t)\s*["'`]?$/;

export interface Column {
  readonly name: string;
  /** The names of all columns. */
  readonly header: string;
  /** The title of the table or what else is above it. */
  readonly above: string;
  /** What the column for remarks has in the row of the literal. */
  readonly remark?: string;
}

/** `null` outside of tables, and for columns without a name. */
export function findColumn(text: string, { start }: ScannedLiteral, source: TableSource): Column | null {
  const from = Math.max(0, start - MAX_ROW_LENGTH);
  const lineStart = from + text.slice(from, start).lastIndexOf('\n') + 1;
  if (lineStart === from && from > 0) return null;
  const row = text.slice(lineStart, start);
  const marked =
    findElementColumn(text, start) ??
    findAsciiDocColumn(text, start, row) ??
    findSqlColumn(text, start) ??
    findCopiedColumn(text, start, row);
  if (marked !== null) return marked;
  const rest = /^[^\n]{0,2000}/.exec(text.slice(start, start + MAX_ROW_LENGTH))?.[0] ?? '';
  const header = findFileHeader(text, lineStart, source);
  if (header !== null) {
    const delimiter = ['\t', ';', ',', '|'].find(char => header.includes(char)) ?? ',';
    const name = getColumnName(row, rest, header, delimiter);
    if (name !== null) return { name, header, above: '', remark: readRemark(row, rest, header, delimiter) };
  }
  const bar = BAR.exec(row.trim() === '' ? rest : row)?.[0];
  if (bar !== undefined && EMPTY_CELL.test(row.slice(row.lastIndexOf(bar) + 1))) {
    const ruled = findRuledHeader(text, lineStart);
    const name = ruled === null ? null : getColumnName(row, row.trimStart().startsWith(bar) ? null : rest, ruled, bar);
    if (name === null || ruled === null) return null;
    const above = readAbove(text, text.lastIndexOf(ruled, start));
    return { name, header: ruled, above, remark: readRemark(row, rest, ruled, bar) };
  }
  const aligned = ALIGNED_ROW.test(row) ? findAlignedHeader(text, lineStart, row) : null;
  if (aligned === null) return null;
  const { names } = aligned;
  const before = row.slice(aligned.tag).replace(MARKS, '');
  if (`${before}${rest}`.trimEnd().split(GAP).length !== names.length) return null;
  return toColumn(names, before.split(GAP).length - 1, '');
}

const CELL_START = /<td\b[^<>]{0,200}>(?:\s{0,20}<[a-z][^<>]{0,100}>){0,4}\s{0,40}$/i;

/** Columns of tables whose first column has the names. */
const VALUES = /^(?:values?|examples?|default|samples?|content)$/i;

/** `transactionHash` of the row `| transactionHash | 0x… |` below `| Field | Example |`. */
export function findRowName(text: string, { start }: ScannedLiteral, { name }: Column): string | null {
  if (!VALUES.test(name.trim())) return null;
  const row =
    text
      .slice(Math.max(0, start - MAX_ROW_LENGTH), start)
      .split('\n')
      .at(-1) ?? '';
  return /^[\s#*/-]*\|[\s`*"]{0,4}(\w{1,60})[\s`*"]{0,20}\|/.exec(row)?.[1] ?? null;
}

/** The `<th>` of the row, or the one above the `<td>`. */
function findElementColumn(text: string, start: number): Column | null {
  if (!CELL_START.test(text.slice(Math.max(0, start - 400), start))) return null;
  const before = text.slice(Math.max(0, start - TABLE_REACH), start);
  const table = before.slice(Math.max(0, before.lastIndexOf('<table')));
  const row = table.slice(Math.max(0, table.lastIndexOf('<tr')));
  const [own] = readHeaderCells(row);
  const above = readAbove(before, before.length - table.length) + table.slice(0, table.indexOf('<tr'));
  if (own !== undefined) return { name: own, header: own, above };
  const column = (row.match(/<td\b/g) ?? []).length - 1;
  if (/\scolspan=/i.test(table)) return null;
  return toColumn(readHeaderCells(table), column, above.replace(/<[^<>]*>/g, ' '));
}

function readHeaderCells(text: string): readonly string[] {
  const cells = text.split(/<th(?![\w-])/).slice(1);
  return cells.map(cell => cell.slice(cell.indexOf('>') + 1, cell.indexOf('</th')).replace(/<[^<>]*>/g, ' '));
}

/** The cell of the first block below `|===`, whose cells may be on one line or on one each. */
function findAsciiDocColumn(text: string, start: number, row: string): Column | null {
  if (!row.includes('|') || !EMPTY_CELL.test(row.slice(row.lastIndexOf('|') + 1))) return null;
  const before = text.slice(Math.max(0, start - TABLE_REACH), start);
  const rule = before.lastIndexOf('\n|===');
  if (rule < 0 && !before.startsWith('|===')) return null;
  const [block = '', ...others] = before.slice(before.indexOf('\n', rule + 1) + 1).split('\n\n');
  // A header of one line needs no blank one below it.
  const [line = '', ...below] = block.split('\n');
  const isOneLine = others.length === 0 && line.split('|').length > 2;
  const [header, rows] = isOneLine ? [line, below] : [block, others];
  const names = header.split('|').slice(1);
  const cells = rows.join('\n').split('|').length - 1;
  return toColumn(names, (cells - 1) % names.length, readAbove(before, rule + 1));
}

/** Characters between `INSERT` and a value of its rows. */
const SQL_REACH = 2_000;
const INSERT = /^insert into\s{1,20}([\w."`]{1,80})\s{0,20}\(([^()]{1,400})\)\s{0,20}values/i;
/** A quoted text, which may not have ended, a comment, or another character. */
const SQL_TOKEN = /'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?|--[^\n]*|./gs;

const SQL_CELL = /[(,\s](?:[xX]?'|"|[eE]?'\\{1,2}x)?$/;

/** `tx_hash` of `INSERT INTO payments (id, tx_hash) VALUES (1, '0x…')`. */
function findSqlColumn(text: string, start: number): Column | null {
  if (!SQL_CELL.test(text.slice(Math.max(0, start - 8), start))) return null;
  const before = text.slice(Math.max(0, start - SQL_REACH), start);
  const statement = before.slice(Math.max(0, before.toLowerCase().lastIndexOf('insert into')));
  const [insert, table, names] = INSERT.exec(statement) ?? [];
  if (insert === undefined || table === undefined || names === undefined) return null;
  const row = readSqlRow(statement.slice(insert.length));
  if (row === null || !/^\s*(?:[xX]?'|"|[eE]?'\\{1,2}x)?$/.test(row.at(-1) ?? '')) return null;
  const column = toColumn(names.split(','), row.length - 1, '');
  return column === null ? null : { ...column, header: `${table} ${names}`, above: table };
}

const COPY = /^copy ([\w."]{1,80}) ?\(([^()]{1,400})\) from stdin[^\n]{0,80}\n/i;

/** `hash` of `COPY transactions (hash, block) FROM stdin;` above rows with tabs. */
function findCopiedColumn(text: string, start: number, row: string): Column | null {
  const cells = row.split('\t');
  if (!/^(?:\\{1,2}x)?$/.test(cells.at(-1) ?? '')) return null;
  const before = text.slice(Math.max(0, start - SQL_REACH), start);
  const statement = before.slice(Math.max(0, before.toLowerCase().lastIndexOf('copy ')));
  const [copy, table = '', names = ''] = COPY.exec(statement) ?? [];
  const column = toColumn(names.split(','), cells.length - 1, table);
  return copy === undefined || column === null || statement.includes('\n\\.')
    ? null
    : { ...column, header: `${table} ${names}` };
}

/** The cells of the row that the text of an INSERT ends in; `null` when it ends behind the rows. */
function readSqlRow(values: string): readonly string[] | null {
  let cells: string[] = [];
  let depth = 0;
  let isRowNext = true;
  let token = '';
  for ([token] of values.matchAll(SQL_TOKEN)) {
    if (token === ')') depth--;
    // A comment in a cell may be about the value behind it.
    if (depth > 1 || (depth === 1 && token !== ',')) cells[cells.length - 1] += token;
    else if (depth === 1) cells.push('');
    else if (token === '(' && isRowNext) [cells, isRowNext] = [[''], false];
    else if (token === ',') isRowNext = true;
    else if (!/^(?:[\s)]|--.*)$/.test(token)) return null;
    if (token === '(') depth++;
    if (depth < 0) return null;
  }
  return depth > 0 && !token.startsWith('--') ? cells : null;
}

/** The text above a table: a heading or its title. */
function readAbove(text: string, at: number): string {
  return text
    .slice(Math.max(0, at - 200), Math.max(0, at))
    .trimEnd()
    .split('\n')
    .slice(-2)
    .join(' ');
}

function toColumn(names: readonly string[], index: number, above: string): Column | null {
  const name = names[index]?.trim();
  return name === undefined ? null : { name, header: names.join(' '), above };
}

const OF_REMARKS =
  /^[\s"*_]{0,20}(?:(?:comment|note|remark|name|title|label|what|purpose|description|item|thing|key|memo|info|usage|use)s?|desc|for|used for|where|who|)[\s"*_]{0,20}$/i;

/** What has such columns too, and a name. */
const OF_NAMED_BLOCK = /\b(?:block|deploy|slot|gas)/i;

function readRemark(row: string, rest: string, header: string, delimiter: string): string {
  const isNamed = OF_NAMED_BLOCK.test(header);
  const cells = splitCells(row + rest, delimiter);
  return splitCells(header, delimiter)
    .flatMap((name, at) => (OF_REMARKS.test(name) && !(isNamed && /^[\s*"]*name/i.test(name)) ? (cells[at] ?? '') : []))
    .join(' ');
}

/** Under another number of names it is no row of that table, unless `rest` is null. */
function getColumnName(row: string, rest: string | null, header: string, delimiter: string): string | null {
  const cells = splitCells(row, delimiter);
  // Other text before the literal says what it is, or the file is no table.
  if (!EMPTY_CELL.test(cells.at(-1) ?? '')) return null;
  const names = splitCells(header, delimiter);
  if (rest !== null && splitCells(row + rest, delimiter).length !== names.length) return null;
  return names[cells.length - 1] ?? null;
}

/** Whether the file is a table without marks, whose columns have their names in its first line. */
export const isTableFile = ({ fileName, languageId }: TableSource): boolean =>
  TABLE_FILE.test(fileName ?? '') || /^(?:csv|tsv)/i.test(languageId ?? '');

/**
 * The names of the columns among the lines above a row, nearest first: the line below a blank one, or a line without digits. A
 * file may have several tables.
 */
export function findTableHeader(linesAbove: Iterable<string>): string | null {
  let below: string | null = null;
  for (const line of linesAbove) {
    if (line.trim() === '') return below;
    if (!/\d/.test(line)) return line;
    below = line;
  }
  return null;
}

function findFileHeader(text: string, lineStart: number, source: TableSource): string | null {
  if (!isTableFile(source)) return null;
  return source.tableHeader === undefined ? findTableHeader(readLinesAbove(text, lineStart)) : source.tableHeader;
}

/** The line above the rule. */
function findRuledHeader(text: string, rowStart: number): string | null {
  let below = '';
  for (const line of readLinesAbove(text, rowStart)) {
    if (!BAR.test(line) && !isRule(line)) return null;
    if (isRule(below) && BAR.test(line)) return line;
    below = line;
  }
  return null;
}

/** The names in the first line of the paragraph, if there are at least two, and where the tag of a log ends in each line. */
function findAlignedHeader(text: string, rowStart: number, row: string): { names: string[]; tag: number } | null {
  let first = '';
  for (const line of readLinesAbove(text, rowStart)) {
    if (line.trim() === '') break;
    if (!isRule(line)) first = line;
  }
  let same = 0;
  while (same < row.length && row[same] === first[same]) same++;
  const tag = TAG.exec(row.slice(0, same))?.[0].length ?? 0;
  const names = first.slice(tag).replace(MARKS, '').trimEnd().split(GAP);
  return names.length > 1 && names.every(name => /^\p{L}[\p{L}\p{N}_ -]{0,60}$/u.test(name)) ? { names, tag } : null;
}

/** Nearest first; at the begin of the text a blank one. */
function* readLinesAbove(text: string, start: number): Generator<string> {
  const floor = Math.max(0, start - TABLE_REACH);
  for (let end = start - 1; end > floor; ) {
    const lineStart = text.lastIndexOf('\n', end - 1) + 1;
    yield text.slice(lineStart, end);
    end = lineStart - 1;
  }
  if (floor === 0) yield '';
}

/** Cells of one line; delimiters in double quotes do not count. */
function splitCells(line: string, delimiter: string): string[] {
  const cells = [''];
  let isQuoted = false;
  for (const char of line) {
    if (char === '"') isQuoted = !isQuoted;
    if (char === delimiter && !isQuoted) cells.push('');
    else cells[cells.length - 1] += char;
  }
  return cells;
}

/** Columns of a list of accounts, and those that a list of transactions has. */
const ADDRESSED =
  /address|addr\b|wallet|account|pub(?:lic)?.?key|\bbalance|participant|\brole\b|e-?mail|user ?name|\bwho\b/i;
const OF_TRANSACTION =
  /block|gas|contract|chain|network|date|time|nonce|\bfrom\b|\bto\b|value|amount|method|status|fee|event|log|\baction|step|token|explorer|url|link/i;

/** What only keys have. */
const OF_KEYS = /\b(?:funds|last.?used|expir\w{1,6}|scopes?|pub|unlocks|rotated|env|environment)\b/i;
const OF_SETTINGS = /\b(?:env|environment|variable|setting|secret)s?\b/i;
const OF_AMOUNT = /\b(?:amount|value)s?\b/i;
const OF_PAYMENT = wordSet('from created miner producer proposer sealer user account sender recipient payee customer');
const OF_TRANSFER = wordSet('from created');
const OF_CHAIN = wordSet('from created executor miner producer proposer sealer');

/** Whether the other columns of a table, or its title, are about accounts. */
export function isInTableOfAccounts(column: Column | null): boolean {
  const { name, header, above } = column ?? { name: '', header: '', above: '' };
  // `| TX_HASH | 0x… |` below `| Env var | Value |`
  if (VALUES.test(name.trim()) && OF_SETTINGS.test(header)) return true;
  if (OF_KEYS.test(header) && !/\b(?:block|gas)/i.test(header)) return true;
  const isOfDeployment = /^\W*(?:deploy|creation)/i.test(name);
  if (ADDRESSED.test(header) && !isOfDeployment && !OF_TRANSACTION.test(header.replace(name, ''))) return true;
  // `from` is a column of transactions, `miner` one of blocks.
  const isOfChain = /\b(?:block|height|nonce|gas)/i.test(header);
  const participants = OF_AMOUNT.test(header) ? OF_PAYMENT : isOfChain ? OF_CHAIN : OF_TRANSFER;
  // Each by itself too: `block,key` has no key of a block.
  const names = [header, ...header.split(/[,;\t|│]/)].map(splitWords);
  return (
    names.some(words => isAccountName(words.filter(word => !participants.has(word)))) ||
    mentionsAccount(splitWords(above), false)
  );
}
