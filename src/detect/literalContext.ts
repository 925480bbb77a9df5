// Reads what surrounds a literal: its link, its names, and what they prove or forbid.
import type { Hex } from '../base/hex.ts';
import { type ExplorerLink, findChainIdBeside, findExplorerLinkBefore } from './explorerLinks.ts';
import {
  findAddressWord,
  findCallHint,
  findHashHint,
  findSecretCallWord,
  findSecretWord,
  findSelectorWord,
  type HashHint,
  mentionsAccount,
} from './hintWords.ts';
import { findLabelAfter, findLabelsBefore, type Label } from './labels.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { splitWords } from './splitWords.ts';

/** Where the text comes from, as far as the caller knows. */
export interface TextSource {
  /** Path or name of the file, with either slash. */
  readonly fileName?: string | undefined;
  /** VS Code's language id. */
  readonly languageId?: string | undefined;
  /** The file as a whole speaks of Aptos (`fileSpeaksAptos`), also where the text at hand is only a part of it. */
  readonly isAptos?: boolean | undefined;
  /** Named addresses of the Move package that the file belongs to; `null` where the package leaves one open. */
  readonly moveAddresses?: ReadonlyMap<string, Hex | null> | undefined;
}

export interface LiteralContext {
  readonly link: ExplorerLink | null;
  readonly chainId: number | null;
  readonly labels: readonly Label[];
  readonly hint: HashHint | null;
  readonly secretWord: string | null;
}

function secretOf({ role, words }: Label): string | null {
  return role === 'call' || role === 'among' ? findSecretCallWord(words) : findSecretWord(words);
}

/** A heading of many words is a sentence about something; a comment above a list is rarely about its values. */
const HEADING_WORDS = 4;

function evidenceOf({ role, words }: Label): HashHint | null {
  if (role === 'among' || role === 'around' || role === 'comment') return null;
  if (role === 'heading' && words.length > HEADING_WORDS) return null;
  return role === 'call' ? findCallHint(words) : findHashHint(words);
}

const decides = (label: Label): boolean => secretOf(label) !== null || evidenceOf(label) !== null;

/** Everything a 32-byte value needs: link, evidence and secrets. */
export function getLiteralContext(text: string, found: ScannedLiteral): LiteralContext {
  const link = linkOf(text, found);
  const labels = findLabelsBefore(text, found.start, decides);
  const linked = link === null ? null : findHashHint(link.words);
  let evidence = linked;
  let secret: string | null = link === null ? null : findSecretWord(link.words);
  for (const label of labels) {
    secret ??= secretOf(label);
    const said = evidenceOf(label);
    // `txHash := common.HexToHash("0x…")`: the nearer label knows less.
    if (evidence === null || (evidence.kind === 'hash' && !evidence.isUnsearchable)) evidence = said ?? evidence;
  }
  evidence ??= rpcMethod(text, found, labels);
  if (evidence === null && secret === null) {
    const note = findLabelAfter(text, found.end);
    if (note !== null) {
      secret = secretOf(note);
      // `accounts: ['0x…'] // sends tx` has a name, and the comment speaks of something else.
      if (labels.length === 0) evidence = evidenceOf(note);
    }
  }
  return { link, chainId: chainIdOf(text, found, link), labels, hint: evidence, secretWord: secret };
}

/** The chain a literal's surroundings name. */
export function getNamedChainId(text: string, found: ScannedLiteral): number | null {
  return chainIdOf(text, found, linkOf(text, found));
}

function chainIdOf(text: string, found: ScannedLiteral, link: ExplorerLink | null): number | null {
  return link?.chainId ?? findChainIdBeside(text, found.start, found.end);
}

const NEAR = 320;

/** The link the literal is part of, or the text of: `[0x…](https://…/0x…)`, `<a href="…/0x…">0x…</a>`. */
function linkOf(text: string, found: ScannedLiteral): ExplorerLink | null {
  const own = findExplorerLinkBefore(text, found.start);
  if (own !== null) return own;
  if (text[found.end] === ']' || (text[found.end] === '`' && text[found.end + 1] === ']')) {
    const again = text.slice(found.end, found.end + NEAR).indexOf(found.text);
    return again < 0 ? null : findExplorerLinkBefore(text, found.end + again);
  }
  if (text[found.start - 1] !== '>') return null;
  const from = Math.max(0, found.start - NEAR);
  const before = text.slice(from, found.start).lastIndexOf(found.text);
  return before < 0 ? null : findExplorerLinkBefore(text, from + before);
}

const RPC_METHOD = /\b(?:eth|debug|trace|ots|erigon|parity|personal)_(\w{3,50})/g;

/** `{"method":"eth_getTransactionByHash","params":["0x…"]}`: the method names the parameter. */
function rpcMethod(text: string, found: ScannedLiteral, labels: readonly Label[]): HashHint | null {
  if (!labels.some(label => label.words.includes('params'))) return null;
  const before = [...text.slice(Math.max(0, found.start - 240), found.start).matchAll(RPC_METHOD)].at(-1);
  const method = before ?? [...text.slice(found.end, found.end + 120).matchAll(RPC_METHOD)][0];
  return method === undefined ? null : findHashHint(splitWords(method[1] ?? ''));
}

/** The word that makes four bytes a selector; `null` when they may be any number. */
export function getSelectorContext(text: string, found: ScannedLiteral): string | null {
  return firstWord(text, found, findSelectorWord);
}

/** The word that makes 20 bytes an address. */
export function getAddressContext(text: string, found: ScannedLiteral): string | null {
  return firstWord(text, found, findAddressWord);
}

function firstWord(
  text: string,
  found: ScannedLiteral,
  wordIn: (words: readonly string[]) => string | null,
): string | null {
  const labels = findLabelsBefore(text, found.start, label => wordIn(label.words) !== null);
  for (const { words } of labels) {
    const word = wordIn(words);
    if (word !== null) return word;
  }
  const note = labels.length === 0 ? findLabelAfter(text, found.end) : null;
  return note === null ? null : wordIn(note.words);
}

const LOG_FILE = /\.log(?:\.\d+)?$/i;

/** Whether a literal in a log file stands on a line that speaks of no secret. */
export function isLogOutput(text: string, found: ScannedLiteral, { fileName, languageId }: TextSource): boolean {
  if (languageId !== 'log' && languageId !== 'Log' && !LOG_FILE.test(fileName ?? '')) return false;
  const before = text.slice(Math.max(0, found.start - 300), found.start);
  const after = text.slice(found.end, found.end + 300);
  const line = `${before.slice(before.lastIndexOf('\n') + 1)} ${/^[^\n]*/.exec(after)?.[0] ?? ''}`;
  return /\p{L}{3}/u.test(line) && !mentionsAccount(splitWords(line));
}
