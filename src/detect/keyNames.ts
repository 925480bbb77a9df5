// Finds the names whose values a text uses as keys, as `tx` of `new Wallet(tx)` and `--private-key $TX`, or looks up.
import { findHashHint, isLookupVerb } from './hintWords.ts';
import { findLogTagEnd, type Label } from './labels.ts';
import { findCalleeStart, findLineStart, findOpenerBefore, isWordChar } from './readBackwards.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { findSecretWord, mentionsAccount } from './secretWords.ts';
import { splitWords } from './splitWords.ts';

/** Longer texts are read in parts of this length. */
const PART_LENGTH = 500_000;
/** Characters of lines in a part that may use keys; more are data. */
const MAX_KEY_LINES_LENGTH = 100_000;
const MAX_LINE_LENGTH = 400;
/** Assignments from the key of a call back to the literal: `secret = tx`, `raw = secret.slice(2)`. */
const MAX_ASSIGNMENTS = 3;
const MAX_CALLS = 4;

/** Words of lines that may use a key; what they really say is decided by `secretWords.ts`. */
const KEY_WORD =
  /priv|secret|key|wallet|sign|account|signer|mnemonic|seed|credential|ecdsa|broadcast|addr|\bpk\b|\bsk\b/gi;
const IDENTIFIER = /[A-Za-z_$][\w$]{0,80}/g;
const HEX = /\b0x[0-9a-f]{6,}/gi;
/** Between the name of an option, field or variable and what it gets. */
const VALUE_START =
  /(?:[:=]>?|\s)\s{0,8}(?:&|\*|f?["'`]|new\s|await\s|\$?\{{1,2}\s?|\$\(?|%|@|\.|\[|\(|[A-Za-z_]\w{0,40}\.){0,6}$/;
/** `tx.parse::<PrivateKeySigner>()`, `tx.toPrivateKey()` */
const CONVERTED = /^(?:\(\))?\.(\w{1,60}(?:::<[\w:]{1,60}>)?)\(/;
/** A call without parentheses: `importKey tx`, `(wallet/from-private-key tx)`, `cast wallet address $tx`. */
const COMMAND = /(?:^|[\s(|;&"'`])((?:[\w./:-]{1,60}\s){1,4})["'`]?([$%]?)\{{0,2}$/;
const COMMENT = /^\s*(?:\/\/|#|\*|--|;|<!--|>)/;
const ASSIGNMENT = /([A-Za-z_$][\w$]{0,80})[\])]?(?:\s?:\s?[^=\n;(]{1,60})?\s{0,8}[:?+]?=\s{0,8}([^=\n>][^\n]{0,200})/g;
/** `tx` of `const tx = getenv('TX') or '0x…'`, whatever the nearest name is. */
const TARGET = /^[^=\n"'`]{0,120}?([A-Za-z_$][\w$]{0,80})[\])]?(?:\s?:\s?[^=\n]{1,60})?\s{0,8}[:?+]?=(?![=>])/;
const LOOP = /\b(?:for|foreach|forEach|map|flatMap|each|iter|select|range)\b/;

/** Characters that begin a line of a comment or a list. */
const MARKS = /^[\s#/*>]{0,20}(?:-\s{1,20})?/;
const FUNCTION = /\b(?:def|function|func|fn|fun)\s(\w{1,60})/;
const RETURN = /\breturn\s([A-Za-z_$][\w$.]{0,80})\s{0,4};?\s{0,4}\}?$/;

interface Uses {
  readonly text: string;
  readonly part: number;
  /** The names of keys: the words of each, joined by blanks. */
  readonly names: ReadonlySet<string>;
  /** The names whose values are looked up. */
  readonly lookedUp: ReadonlySet<string>;
}

/** Cached for the text that was read last, since its literals are classified one after another. */
let last: Uses | null = null;

function readUses(text: string, start: number): Uses {
  const part = Math.floor(start / PART_LENGTH);
  if (last === null || last.part !== part || last.text !== text) {
    const partText = text.slice(part * PART_LENGTH, (part + 1) * PART_LENGTH);
    last = { text, part, names: findKeyNames(partText), lookedUp: findLookedUpNames(partText) };
  }
  return last;
}

/** `getTransaction(tx)`, `getTransactionReceipt({ hash })` */
const LOOKUP =
  /(?:get|wait|fetch|trace|replay)\w{0,20}(?:transaction|tx|receipt|block)(?:_?(?:receipt|by_?hash|confirmations|trace))?(?:\.send\w{1,20})?\((?:\{\s?(?:hash: ?)?)?(\w{1,60})\s?[,)}]/gi;

function findLookedUpNames(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(LOOKUP), ([, name = '']) => getName(name)));
}

/** Whether the text looks up the value of the name of the literal, as `getTransaction(tx)` does that of `const tx = '0x…'`. */
export function isLookedUp(text: string, { start }: ScannedLiteral, { role, words }: Label): boolean {
  return role === 'name' && readUses(text, start).lookedUp.has(words.join(' '));
}

/** Whether the text uses the value of a name among the labels of the literal as a key. */
export function isUsedAsKey(text: string, { start }: ScannedLiteral, labels: readonly Label[]): boolean {
  const line = text.slice(findLineStart(text, start, 0), start);
  const { names } = readUses(text, start);
  if (names.size === 0) return false;
  const target = TARGET.exec(line)?.[1];
  if (target !== undefined && names.has(getName(target))) return true;
  return labels.some(({ role, words }) => {
    if (!NAMING.has(role)) return false;
    // After a type or another word that names no hash, as in `bytes32 constant tx`.
    for (let at = 0; at < words.length; at++) {
      if (names.has(words.slice(at).join(' '))) return true;
      if (findHashHint(words.slice(0, at + 1)) !== null) return false;
    }
    return false;
  });
}
const NAMING: ReadonlySet<string> = new Set(['name', 'around', 'among', 'argument', 'prose']);

const getName = (identifier: string) => splitWords(identifier).join(' ');

function findKeyNames(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  let end = -1;
  let length = 0;
  for (const { index } of text.matchAll(KEY_WORD)) {
    if (index < end) continue;
    const start = findLineStart(text, index, 0);
    end = findLineEnd(text, index);
    // `privateKeyToAccount(` above its argument, `--private-key \` above its value.
    if (/[\\(,=:]\s{0,2}$/.test(text.slice(end - 3, end))) end = findLineEnd(text, end + 1);
    length += end - start;
    if (length > MAX_KEY_LINES_LENGTH) break;
    addKeys(text.slice(start, end), names);
  }
  let flows = names.size === 0 ? [] : findFlows(text);
  for (let hops = 0, size = 0; names.size > size && hops < MAX_ASSIGNMENTS; hops++) {
    size = names.size;
    const sources = new Set<string>();
    flows = flows.filter(({ target, source }) => {
      const isKey = typeof target === 'string' ? names.has(target) : target.some(name => names.has(name));
      if (isKey) sources.add(source);
      return !isKey;
    });
    for (const source of sources) for (const name of readNames(source)) names.add(name);
  }
  return names;
}

function findLineEnd(text: string, at: number): number {
  const newLine = text.indexOf('\n', at);
  return Math.min(newLine < 0 ? text.length : newLine, at + MAX_LINE_LENGTH);
}

/** Adds what one line, with the one below that continues it, uses as a key. */
function addKeys(line: string, names: Set<string>): void {
  const isComment = COMMENT.test(line);
  const lines = line.split('\n').map(part => part.slice(findLogTagEnd(part)).replace(MARKS, ' '));
  const text = lines.join('\n').replace(HEX, '');
  for (const { 0: identifier, index } of text.matchAll(IDENTIFIER)) {
    const after = text.slice(index + identifier.length);
    // Assigned or called, so not used here.
    if (/^\s{0,8}(?:[:?]?=(?![=>])|\((?!\)))/.test(after)) continue;
    const isUsed =
      isKeyArgument(text, index) ||
      isKeyValue(text.slice(0, index), isComment) ||
      mentionsAccount(splitWords(CONVERTED.exec(after)?.[1] ?? ''), false);
    if (isUsed) names.add(getName(identifier));
  }
}

/** `new Wallet(tx)`, `Credentials.create(ECKeyPair.create(tx))`, unlike `wallet.getTransaction(tx)`. */
function isKeyArgument(line: string, start: number): boolean {
  let at = start;
  for (let calls = 0; calls < MAX_CALLS; calls++) {
    at = findOpenerBefore(line, at, MAX_LINE_LENGTH);
    if (at < 0) return false;
    if (line[at] !== '(') continue;
    const callee = line.slice(findCalleeStart(line, at, 0), at);
    if (callee === '') continue;
    const method = splitWords(callee.split(/[.:>]/).at(-1) ?? '');
    if (isKeyCall(method)) return true;
    if (isLookupVerb(method) || method.includes('verify')) return false;
    if (mentionsAccount(splitWords(callee), false)) return true;
  }
  return false;
}

const DERIVES = /\b(?:public key|to address|compute address|to ecdsa|from key)\b/;

function isKeyCall(method: readonly string[]): boolean {
  return DERIVES.test(method.join(' ')) || findSecretWord(method) !== null;
}

/** `privateKey: tx`, `--private-key $tx`, `PRIVATE_KEY=$TX`, `importKey tx` */
function isKeyValue(before: string, isComment: boolean): boolean {
  const value = VALUE_START.exec(before);
  if (value === null || /\bkey=\{$/.test(before)) return false; // of a component
  const isSeparated = /[:=]/.test(value[0]);
  const name = readNameBefore(before, value.index);
  const isOption = /^--?\w/.test(name);
  if (isSeparated || isOption) return mentionsAccount(splitWords(name), false);
  const [, words = '', variable = ''] = COMMAND.exec(before) ?? [];
  if (
    words === '' ||
    (variable === '' && (isComment || !/\w[-_/.]\w|[a-z][A-Z]/.test(words.trimEnd().split(' ').at(-1) ?? '')))
  )
    return false;
  return mentionsAccount(splitWords(words), false);
}

function readNameBefore(text: string, at: number): string {
  let end = at;
  while (end > 0 && /[\s"'`\])}\\]/.test(text.charAt(end - 1))) end--;
  let start = end;
  while (start > 0 && end - start < 80 && (isWordChar(text[start - 1]) || text[start - 1] === '-')) start--;
  return text.slice(start, end);
}

/** If the target is a key, or one of several is, the names in the source are too. */
interface Flow {
  readonly target: string | readonly string[];
  readonly source: string;
}

/** What assignments, loops and functions get their values from. */
function findFlows(text: string): readonly Flow[] {
  const flows: Flow[] = [];
  let [loop, callable] = ['', ''];
  for (const line of text.split('\n')) {
    if (line.includes('='))
      for (const [, name = '', value = ''] of line.matchAll(ASSIGNMENT))
        if (isSameValue(value)) flows.push({ target: getName(name), source: value });
    if (line.length > MAX_LINE_LENGTH) continue;
    callable = FUNCTION.exec(line)?.[1] ?? callable;
    const returned = RETURN.exec(line)?.[1];
    if (returned !== undefined) flows.push({ target: getName(callable), source: returned });
    const isLoop = LOOP.test(line);
    if (isLoop || loop !== '') flows.push({ target: readNames(line), source: isLoop ? line : loop });
    loop = isLoop ? line : '';
  }
  return flows;
}

const readNames = (expression: string): readonly string[] =>
  Array.from(expression.replace(HEX, '').matchAll(IDENTIFIER), ([identifier]) => getName(identifier));

/** Whether an expression only converts its values, unlike one that requests or signs something. */
function isSameValue(expression: string): boolean {
  if (/\bawait\b/.test(expression)) return false;
  if (!expression.includes('(')) return true;
  const callees = expression.matchAll(/(\w{1,80})\s?\(/g);
  for (const [, callee = ''] of callees) {
    const words = splitWords(callee);
    if (isLookupVerb(words) || words.some(word => /^(?:send|sign|broadcast)$/.test(word))) return false;
  }
  return true;
}
