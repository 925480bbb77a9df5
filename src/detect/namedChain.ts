// Which chain the text around an address names: its own key, those of the objects around it, or a `chainId` or `network` beside.
import { parseWrittenChain } from '../api/chainNames.ts';
import { getChainByName, LOCAL_CHAIN } from '../api/chains.ts';

/** `local`: a chain of this machine, whatever its id. */
export type NamedChain = number | 'local';

/** Characters on each side of an address in which keys are looked for. */
const MAX_TEXT = 4_000;
const LOCAL_NAMES = new Set([
  'local',
  'localhost',
  'localnet',
  'hardhat',
  'anvil',
  'ganache',
  'foundry',
  'development',
]);
/** Of these, other things are named too: only a whole key of that name is a chain. */
const COMMON_WORDS = new Set(['local', 'development', 'foundry']);
/** `sepolia:`, `"10":`, `SEPOLIA_VAULT=`, `[sepolia.id]:`; of `sepoliaVault: Address =` the name, not the type. */
const KEY =
  /(?:\[\s*([\w$]{1,40})\.id\s*\]|["'`]?([\w-]{1,40})["'`]?)\s*(?::\s*[\w.]{1,60}(?:<[\w.,\s]{1,60}>)?(?:\[\])?\s*=|[:=])\s*(?:\{\s*)?$/;
const OWN_KEY = new RegExp(KEY.source.replace('(?:\\{\\s*)?$', '["\'`]?$'));
const CHAIN_ID = /["']?chain_?id["']?\s*[:=]\s*["']?(?:(0x[0-9a-f]{1,13}|\d{1,15})\b|([\w$]{1,40})\.id\b)/i;
const NETWORK = /["']?\b(?:network|chain)(?:_?name)?["']?\s*[:=]\s*["'`]?([\w-]{1,40})/i;

function toNamedChain(key: string): NamedChain | null {
  if (LOCAL_NAMES.has(key.toLowerCase())) return 'local';
  if (/^\d{1,15}$/.test(key)) return Number(key) > 0 ? Number(key) : null;
  const selector = parseWrittenChain(key);
  if (selector === null) return null;
  return selector === LOCAL_CHAIN ? 'local' : (getChainByName(selector)?.id ?? null);
}

/** By the whole key, else by its words, unless they name several: `SEPOLIA_VAULT`, `vaultOnSepolia`. */
function toKeyChain(key: string): NamedChain | null {
  const words = key.split(/[_-]|(?<=[a-z])(?=[A-Z])/).map(word => word.toLowerCase());
  const named = (word: string) => (/^\d/.test(word) || COMMON_WORDS.has(word) ? null : toNamedChain(word));
  const [chain = null, ...others] = new Set(words.map(named).filter(each => each !== null));
  return toNamedChain(key) ?? (others.length === 0 ? chain : null);
}

function readKey(pattern: RegExp, text: string): NamedChain | null {
  const [, variable, key] = pattern.exec(text) ?? [];
  return variable !== undefined ? toNamedChain(variable) : key === undefined ? null : toKeyChain(key);
}

/** What is written beside an address or the object that has it. */
function readSiblings(text: string): NamedChain | null {
  const [, id, variable] = CHAIN_ID.exec(text) ?? [];
  if (id !== undefined) return Number(id);
  const name = variable ?? NETWORK.exec(text)?.[1];
  return name === undefined ? null : toNamedChain(name);
}

/** The text after `start` up to the end of the object that it is in, without the objects inside. */
function readAfter(text: string, start: number): string {
  let depth = 0;
  let found = '';
  for (let at = start; at < Math.min(text.length, start + MAX_TEXT); at++) {
    const character = text[at];
    if (character === '}' && depth-- === 0) break;
    if (character === '{') depth++;
    else if (depth === 0) found += character;
  }
  return found;
}

/** Commas, colons and braces inside of strings are rare in such files. */
function findInBraces(text: string, start: number, isListOfValues: boolean): NamedChain | null {
  const from = Math.max(0, start - MAX_TEXT);
  let depth = 0;
  let end = start;
  let siblings: string[] = [];
  let [blockStart, blockEnd] = [start, start];
  const flush = () => {
    if (blockEnd > blockStart) siblings.unshift(text.slice(blockStart, blockEnd));
  };
  for (let at = start - 1; at >= from; at--) {
    const character = text[at];
    if (character === '}') {
      if (depth++ === 0) flush();
      continue;
    }
    if (character !== '{') {
      if (depth === 0) blockStart = at;
      continue;
    }
    if (depth > 0) {
      if (--depth === 0) [blockStart, blockEnd] = [at, at];
      continue;
    }
    flush();
    const named =
      readSiblings(`${siblings.join('')}\n${readAfter(text, end)}`) ??
      readKey(KEY, text.slice(Math.max(from, at - 80), at));
    if (named !== null) return named;
    siblings = [];
    [blockStart, blockEnd, end] = [at, at, at];
  }
  if (depth === 0) flush();
  const top = siblings.join('');
  // Of prose and code only what is in the same paragraph.
  return readSiblings(isListOfValues ? top : (top.split(/\n\s*\n/).at(-1) ?? ''));
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
  const own = readKey(OWN_KEY, text.slice(Math.max(0, start - 80), start));
  if (own !== null) return own;
  if (/\.ya?ml$/i.test(fileName)) return findInIndentedLines(text, start);
  const name = fileName.split(/[/\\]/).at(-1) ?? '';
  return findInBraces(text, start, /^\.?env\b|\.(?:env|ini|toml|properties)$/i.test(name));
}
