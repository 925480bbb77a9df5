// Reads the surroundings of a literal: its link and labels, and what they tell about it.
import type { Hex } from '../base/hex.ts';
import { type ExplorerLink, findChainIdBeside, findExplorerLinkBefore } from './explorerLinks.ts';
import {
  findAddressWord,
  findCallHint,
  findCastHint,
  findCheatcodeHint,
  findHashHint,
  findSelectorWord,
  type HashHint,
  isConversion,
} from './hintWords.ts';
import { findLabelAfter, findLabelsBefore, type Label } from './labels.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { findSecretCallWord, findSecretWord, isAccountName, mentionsAccount } from './secretWords.ts';
import { splitWords } from './splitWords.ts';
import { findColumnName } from './tableColumns.ts';

/** Where the text comes from, as far as known. */
export interface TextSource {
  /** Path or name of the file, with either slash. */
  readonly fileName?: string | undefined;
  /** VS Code's language id. */
  readonly languageId?: string | undefined;
  /** The whole file mentions Aptos (`mentionsAptos`), even if the text is only a part of it. */
  readonly isAptos?: boolean | undefined;
  /** Named addresses of the Move package that the file belongs to; `null` for one that the package leaves open. */
  readonly moveAddresses?: ReadonlyMap<string, Hex | null> | undefined;
  /** The first line of the file, which names the columns of a CSV file; the text may begin further down. */
  readonly firstLine?: string | undefined;
}

export interface LiteralContext {
  readonly link: ExplorerLink | null;
  readonly chainId: number | null;
  readonly labels: readonly Label[];
  readonly hint: HashHint | null;
  readonly secretWord: string | null;
}

function findLabelSecret({ role, words }: Label): string | null {
  return role === 'call' || role === 'among' ? findSecretCallWord(words) : findSecretWord(words);
}

/** A longer heading is a sentence; a comment above a list is rarely about its values. */
const HEADING_WORDS = 4;

function findLabelHint({ role, words }: Label): HashHint | null {
  if (role === 'around' || role === 'comment') return null;
  if (role === 'heading' && words.length > HEADING_WORDS) return null;
  if (role === 'among') return findCheatcodeHint(words);
  if (role === 'prose') return findCastHint(words) ?? findHashHint(words);
  return role === 'call' ? findCallHint(words) : findHashHint(words);
}

/** `DEPLOY_TXS = { mainnet: '0x…' }`: the map's plural tells what its values are, unless the key may be an account's name. */
function findMapHint([key, map]: readonly Label[]): HashHint | null {
  if (key?.role !== 'name' || map?.role !== 'around' || isAccountName(key.words)) return null;
  return map.words.at(-1)?.endsWith('s') ? findHashHint(map.words) : null;
}

/**
 * Whether labels further away tell nothing about the literal: it is an argument of a function, and they name the result,
 * as in `const tx = deploy('0x…')`.
 */
const endsHints = ({ role, words }: Label): boolean => (role === 'call' || role === 'among') && !isConversion(words);

/** After a mere `hash:` the search continues, because it may be in an object named `secrets`. */
function isDecisive(label: Label): boolean {
  const hint = findLabelHint(label);
  return findLabelSecret(label) !== null || (hint !== null && !isPlainHash(hint));
}

const isPlainHash = ({ kind, isUnsearchable }: HashHint): boolean => kind === 'hash' && !isUnsearchable;

const MAX_BLOCK_LENGTH = 2_000;

/** The word that makes a YAML block above the line at `start` a list of secrets: `secrets:`, `stringData:` of Kubernetes. */
function findSecretBlock(text: string, start: number): string | null {
  const lines = text.slice(Math.max(0, start - MAX_BLOCK_LENGTH), start).split('\n');
  // With the name of the process that printed the line, and marks of lists and comments.
  const getIndent = (line: string) => /^(?:[^|\n]{1,40}\| |\[[^\]\n]{1,60}\] )?[\s#*/-]*/.exec(line)?.[0].length ?? 0;
  let indent = getIndent(lines.pop() ?? '');
  for (const line of lines.reverse()) {
    if (indent === 0) return null;
    if (line.trim() === '' || getIndent(line) >= indent) continue;
    indent = getIndent(line);
    const name = /^([\w.-]{1,80}):$/.exec(line.slice(indent).trimEnd())?.[1];
    if (name === undefined) continue;
    const word = name === 'stringData' ? name : findSecretWord(splitWords(name));
    if (word !== null) return word;
  }
  return null;
}

/** The context of a 32-byte value. */
export function getLiteralContext(text: string, scanned: ScannedLiteral, source: TextSource): LiteralContext {
  const link = findLink(text, scanned);
  const labels = findLabelsBefore(text, scanned.start, isDecisive);
  const linkHint = link === null ? null : findHashHint(link.words);
  let hint = linkHint;
  let secretWord: string | null = link === null ? null : findSecretWord(link.words);
  const columnWords = splitWords(findColumnName(text, scanned, source) ?? '');
  const column: Label | null = columnWords.length === 0 ? null : { role: 'name', words: columnWords };
  let hasEnded = false;
  for (const label of column === null ? labels : [column, ...labels]) {
    secretWord ??= findLabelSecret(label);
    // `txHash := common.HexToHash("0x…")`: the nearer label is less specific.
    if (!hasEnded && (hint === null || isPlainHash(hint))) hint = findLabelHint(label) ?? hint;
    hasEnded ||= label === column || endsHints(label);
  }
  const method = findRpcMethod(text, scanned, labels);
  if (method !== null) {
    secretWord ??= findSecretCallWord(method) ?? method.find(word => RAW_METHOD_WORDS.has(word)) ?? null;
    hint ??= findHashHint(method);
  }
  hint ??= findMapHint(labels);
  if (hint !== null && isPlainHash(hint)) secretWord ??= findSecretBlock(text, scanned.start);
  if (hint === null && secretWord === null) {
    const note = findLabelAfter(text, scanned.end);
    if (note !== null) {
      secretWord = findLabelSecret(note);
      // `accounts: ['0x…'] // sends tx` has a name, and the comment is about something else.
      if (labels.length === 0) hint = findLabelHint(note);
    }
  }
  return { link, chainId: findChainId(text, scanned, link), labels, hint, secretWord };
}

/** The chain that the surroundings of a literal name. */
export function getNamedChainId(text: string, scanned: ScannedLiteral): number | null {
  return findChainId(text, scanned, findLink(text, scanned));
}

function findChainId(text: string, scanned: ScannedLiteral, link: ExplorerLink | null): number | null {
  return link?.chainId ?? findChainIdBeside(text, scanned.start, scanned.end);
}

const MAX_LINK_DISTANCE = 320;

/** The link the literal is part of, or the text of: `[0x…](https://…/0x…)`, `<a href="…/0x…">0x…</a>`. */
function findLink(text: string, scanned: ScannedLiteral): ExplorerLink | null {
  const own = findExplorerLinkBefore(text, scanned.start);
  if (own !== null) return own;
  if (text[scanned.end] === ']' || (text[scanned.end] === '`' && text[scanned.end + 1] === ']')) {
    const repeated = text.slice(scanned.end, scanned.end + MAX_LINK_DISTANCE).indexOf(scanned.text);
    return repeated < 0 ? null : findExplorerLinkBefore(text, scanned.end + repeated);
  }
  if (text[scanned.start - 1] !== '>') return null;
  const from = Math.max(0, scanned.start - MAX_LINK_DISTANCE);
  const before = text.slice(from, scanned.start).lastIndexOf(scanned.text);
  return before < 0 ? null : findExplorerLinkBefore(text, from + before);
}

const RPC_METHOD = /\b(?:eth|debug|trace|ots|erigon|parity|personal)_(\w{3,50})/g;

/** Methods whose parameter is something else than the hash that they name. */
const RAW_METHOD_WORDS = new Set(['send', 'import', 'raw', 'unlock', 'fill']);

/** The words of the method that the literal is a parameter of: `{"method":"eth_getTransactionByHash","params":["0x…"]}`. */
function findRpcMethod(text: string, scanned: ScannedLiteral, labels: readonly Label[]): readonly string[] | null {
  if (!labels.some(label => label.words.includes('params'))) return null;
  const before = [...text.slice(Math.max(0, scanned.start - 240), scanned.start).matchAll(RPC_METHOD)].at(-1);
  const method = before ?? [...text.slice(scanned.end, scanned.end + 120).matchAll(RPC_METHOD)][0];
  return method === undefined ? null : splitWords(method[1] ?? '');
}

/** The word that makes four bytes a selector; `null` when they may be any number. */
export function getSelectorContext(text: string, scanned: ScannedLiteral): string | null {
  return findFirstWord(text, scanned, findSelectorWord);
}

/** The word that makes 20 bytes an address. */
export function getAddressContext(text: string, scanned: ScannedLiteral): string | null {
  return findFirstWord(text, scanned, findAddressWord);
}

function findFirstWord(
  text: string,
  scanned: ScannedLiteral,
  findWord: (words: readonly string[]) => string | null,
): string | null {
  const labels = findLabelsBefore(text, scanned.start, label => findWord(label.words) !== null);
  for (const { words } of labels) {
    const word = findWord(words);
    if (word !== null) return word;
  }
  const note = labels.length === 0 ? findLabelAfter(text, scanned.end) : null;
  return note === null ? null : findWord(note.words);
}

const LOG_FILE = /\.log(?:\.\d+)?$/i;

/** `operator=0x…`, `"signer":"0x…"`, `as('0x…')`: a name or a call says what it is, whatever else the line is about. */
const NAMED = /(?:[\w"'][=:]|\w\()\s?["'`]?$/;

/** Whether words before a literal on its line of a log file name a hash, and the line mentions no key or account. */
export function isLogOutput(text: string, scanned: ScannedLiteral, { fileName, languageId }: TextSource): boolean {
  if (languageId !== 'log' && languageId !== 'Log' && !LOG_FILE.test(fileName ?? '')) return false;
  const before = text.slice(Math.max(0, scanned.start - 300), scanned.start);
  const after = text.slice(scanned.end, scanned.end + 300);
  const lineStart = before.slice(before.lastIndexOf('\n') + 1);
  const line = `${lineStart} ${/^[^\n]*/.exec(after)?.[0] ?? ''}`;
  if (NAMED.test(lineStart) || mentionsAccount(splitWords(line))) return false;
  return findHashHint(splitWords(lineStart.replace(/0x[0-9a-fA-F]+/g, ' '))) !== null;
}
