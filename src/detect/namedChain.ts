// Which chain the text around an address names: its own key, those of the objects around it, or a `chainId` or `network` beside.
import { findStatementChain, readBlockCondition } from './chainConditions.ts';
import { type NamedChain, toKeyChain, toNamedChain } from './chainKeys.ts';
import { findMarkdownChain } from './markdownChain.ts';

/** Characters on each side of an address in which keys are looked for. */
const MAX_TEXT = 4_000;
/** `sepolia:`, `"10":`, `SEPOLIA_VAULT=`, `[sepolia.id]:`, `[31337]:`; of `sepoliaVault: Address =` the name, not the type. */
const KEY =
  /(?:(?<![\w$\])])\[\s*([\w$]{1,40})(?:\.id)?\s*\]|["'`]?([\w-]{1,40})["'`]?)\s*(?::\s*[\w.]{1,60}(?:<[\w.,\s]{1,60}>)?(?:\[\])?\s*=|[:=])\s*$/;
const OWN_KEY = new RegExp(KEY.source.replace(/\$$/, '["\'`]?$'));
const CHAIN_ID = /["']?chain_?id["']?\s*[:=]\s*["']?(?:(0x[0-9a-f]{1,13}|\d{1,15})\b|([\w$]{1,40})\.id\b)/i;
const NETWORK = /["']?\b(?:network|chain)(?:_?name)?["']?\s*[:=]\s*["'`]?([\w-]{1,40})/i;

function readKey(pattern: RegExp, text: string): NamedChain | null {
  const [, variable, key] = pattern.exec(text) ?? [];
  return variable !== undefined ? toNamedChain(variable) : key === undefined ? null : toKeyChain(key);
}

/** `[31337, "0x…"]` in a list of pairs, as of a Map. */
const PAIR = /(?:\[|\],)\s*\[\s*(\d{1,15})\s*,\s*["'`]?$/;
/** As the key of an address, it is what the address pays for. */
const PURPOSE = /\bdevelopment["'`]?\s*[:=]\s*["'`]?$/i;

/** The key of the address itself. */
function readOwnKey(before: string): NamedChain | null {
  const [, id] = PAIR.exec(before) ?? [];
  if (id !== undefined) return toNamedChain(id);
  return PURPOSE.test(before) ? null : readKey(OWN_KEY, before);
}

/** What is written beside an address or the object that has it. */
function readSiblings(text: string): NamedChain | null {
  const [, id, variable] = CHAIN_ID.exec(text) ?? [];
  if (id !== undefined) return Number(id);
  const name = variable ?? NETWORK.exec(text)?.[1];
  return name === undefined ? null : toNamedChain(name);
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/** The text after `start` up to the end of the object or array that it is in, without those inside. */
function readAfter(text: string, start: number): string {
  let depth = 0;
  let found = '';
  for (let at = start; at < Math.min(text.length, start + MAX_TEXT); at++) {
    const character = text[at];
    if ((character === '}' || character === ']') && depth-- === 0) break;
    if (character === '{' || character === '[') depth++;
    else if (depth === 0) found += character;
  }
  return found;
}

/** Commas, colons and braces inside of strings are rare in such files. */
function findInBraces(text: string, start: number, isListOfValues: boolean): NamedChain | null {
  const from = Math.max(0, start - MAX_TEXT);
  /** What ends the objects and arrays that are before the address. */
  const closed: string[] = [];
  let end = start;
  let siblings: string[] = [];
  let [blockStart, blockEnd] = [start, start];
  const flush = () => {
    if (blockEnd > blockStart) siblings.unshift(text.slice(blockStart, blockEnd));
  };
  for (let at = start - 1; at >= from; at--) {
    const character = text[at] ?? '';
    if (character === '}' || character === ']') {
      if (closed.length === 0) flush();
      closed.push(character);
      continue;
    }
    const closing = CLOSING[character];
    if (closing === undefined) {
      if (closed.length === 0) blockStart = at;
      continue;
    }
    if (closed.length > 0) {
      // What is not in pairs is text.
      if (closed.pop() !== closing) return null;
      if (closed.length === 0) [blockStart, blockEnd] = [at, at];
      continue;
    }
    flush();
    const before = text.slice(Math.max(from, at - 80), at);
    const named =
      readSiblings(`${siblings.join('')}\n${readAfter(text, end)}`) ??
      (character === '{' ? readBlockCondition(before) : null) ??
      readKey(KEY, before);
    if (named !== null) return named;
    siblings = [];
    [blockStart, blockEnd, end] = [at, at, at];
  }
  if (closed.length === 0) flush();
  const top = siblings.join('');
  // Of prose and code only what is in the same paragraph.
  return readSiblings(isListOfValues ? top : (top.split(/\n\s*\n/).at(-1) ?? ''));
}

/** `[deployments.sepolia]` */
const SECTION = /^[ \t]*\[+\s*([\w.:"'-]{1,120})\s*\]+[ \t]*$/;

/** Of an address in a file with sections: by the last name of its section, else by what is beside it there. */
function findInSection(text: string, start: number): NamedChain | null {
  const lines = text.slice(Math.max(0, start - MAX_TEXT), start).split('\n');
  const header = lines.findLastIndex(line => SECTION.test(line));
  const after = text.slice(start, start + MAX_TEXT).split('\n');
  const next = after.findIndex(line => SECTION.test(line));
  const beside = readSiblings(
    [...lines.slice(header + 1), ...after.slice(0, next < 0 ? after.length : next)].join('\n'),
  );
  const [, section = ''] = SECTION.exec(lines[header] ?? '') ?? [];
  return beside ?? toKeyChain(section.split(/[.:"']+/).findLast(each => each !== '') ?? '');
}

const indentOf = (line: string): number => line.length - line.replace(/^[\s-]+/, '').length;
const isItem = (line: string): boolean => /^\s*-/.test(line);

/** Lines of YAML belong to the nearest line before them that is indented less; a dash begins the next one of a list. */
function findInIndentedLines(text: string, start: number): NamedChain | null {
  const isUsed = (line: string) => /[^\s-]/.test(line) && !/^\s*#/.test(line);
  const before = text.slice(Math.max(0, start - MAX_TEXT), start).split('\n');
  const own = before.pop() ?? '';
  const above = before.filter(isUsed).reverse();
  const below = text
    .slice(start, start + MAX_TEXT)
    .split('\n')
    .slice(1)
    .filter(isUsed);
  for (let line: string | undefined = own; line !== undefined; ) {
    const indent = indentOf(line);
    const behind = below.findIndex(each => indentOf(each) < indent || (indentOf(each) === indent && isItem(each)));
    const inside = below.slice(0, behind < 0 ? below.length : behind);
    const outside = above.findIndex(each => indentOf(each) < indent);
    const upTo = above.slice(0, outside < 0 ? above.length : outside);
    const first = isItem(line) ? -1 : upTo.findIndex(each => indentOf(each) === indent && isItem(each));
    const ahead = isItem(line) ? [] : upTo.slice(0, first < 0 ? upTo.length : first + 1);
    const siblings = [...(line === own ? [] : [line]), ...ahead, ...inside].filter(each => indentOf(each) === indent);
    line = outside < 0 ? undefined : above[outside];
    const named = readSiblings(siblings.join('\n')) ?? (line === undefined ? null : readKey(KEY, line));
    if (named !== null) return named;
    above.splice(0, outside + 1);
  }
  return null;
}

/** `null` where nothing around the address at `start` is of a chain. */
export function findNamedChain(text: string, start: number, fileName = ''): NamedChain | null {
  const own = readOwnKey(text.slice(Math.max(0, start - 80), start));
  if (own !== null) return own;
  const name = fileName.split(/[/\\]/).at(-1) ?? '';
  if (/\.ya?ml$/i.test(name)) return findInIndentedLines(text, start);
  if (/\.(?:toml|ini)$/i.test(name)) return findInSection(text, start);
  if (/\.(?:md|mdx|markdown)$/i.test(name)) {
    const inTable = findMarkdownChain(text, start);
    if (inTable !== null) return inTable;
  }
  return findStatementChain(text, start) ?? findInBraces(text, start, /^\.?env\b|\.(?:env|properties)$/i.test(name));
}
