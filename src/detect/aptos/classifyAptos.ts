// Classifies Aptos literals by their syntax and surroundings.

import { padAptosAddress } from '../../base/aptosAddress.ts';
import { isRemarkedAsKey, isRemarkedAsOther } from '../hashRemark.ts';
import type { AptosAddressLiteral, AptosLiteral, AptosTransactionLiteral, AptosTypeLiteral } from '../hexLiteral.ts';
import { isConversion, isLookupVerb } from '../hintWords.ts';
import { canLiteralEnd, canLiteralStart } from '../literalBoundaries.ts';
import { getLiteralContext, type TextSource } from '../literalContext.ts';
import { isProof } from '../rules.ts';
import type { ScannedLiteral } from '../scanLiterals.ts';
import { findSecretWord, isAccountName } from '../secretWords.ts';
import {
  type AptosAddressWord,
  findAptosAddressWord,
  isAptosContext,
  isInAddressTable,
  isMoveSource,
  isMoveToml,
} from './aptosContext.ts';
import { findAptosLinkBefore } from './aptosLinks.ts';
import { getFrameworkAddress, getFrameworkName } from './moveAddresses.ts';
import { isStructName, type MovePath, resolveMoveType } from './movePath.ts';

interface LiteralRange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The address of a named address in this file; `null` when it is not assigned. */
function resolveMoveName(name: string, { moveAddresses }: TextSource) {
  return moveAddresses?.get(name) ?? getFrameworkAddress(name);
}

function toAddressLiteral(
  range: LiteralRange,
  hint: AptosAddressLiteral['hint'],
  more: Partial<Pick<AptosAddressLiteral, 'network' | 'secretWord'>> = {},
): AptosAddressLiteral {
  const address = padAptosAddress(range.text.replace(/^@/, ''));
  const facts = { address, namedAddress: null, name: getFrameworkName(address), network: null, secretWord: null };
  return { kind: 'aptosAddress', ...range, ...facts, ...more, hint };
}

/** `@name` of Move. */
export function classifyNamedAddress(range: LiteralRange, source: TextSource): AptosAddressLiteral {
  const named = range.text.replace(/^@\s*/, '');
  const address = resolveMoveName(named, source);
  const hint = { basis: 'syntax', word: '@' } as const;
  const name = address === null ? null : getFrameworkName(address);
  return {
    kind: 'aptosAddress',
    ...range,
    address,
    namedAddress: named,
    name,
    hint,
    secretWord: null,
    network: null,
  };
}

/** A Move type, module or function; `null` when its root is not an address in this file. */
export function classifyMoveType(
  text: string,
  path: MovePath,
  source: TextSource,
  network: string | null,
): AptosTypeLiteral | null {
  const literal = /^0x/i.test(path.root);
  const address = literal ? padAptosAddress(path.root) : resolveMoveName(path.root, source);
  if (!literal && address === null && source.moveAddresses?.has(path.root) !== true) return null;
  const written = text.slice(path.start, path.end);
  return {
    kind: 'aptosType',
    start: path.start,
    end: path.end,
    text: written,
    network,
    form: path.item === null ? 'module' : isStructName(path.item) ? 'struct' : 'function',
    path: address === null ? null : resolveMoveType(written, name => resolveMoveName(name, source)),
    address,
    root: path.root,
    module: path.module,
    item: path.item,
    typeArguments: path.typeArguments,
  };
}

/** A number in an explorer link: a version or a block height. */
export function classifyLinkedNumber(text: string, range: LiteralRange): AptosLiteral | null {
  const link = findAptosLinkBefore(text, range.start, range.end);
  if (link === null || range.text.length > 20 || !canLiteralEnd(text, range.end)) return null;
  const { network } = link;
  if (link.kind === 'block') return { kind: 'aptosBlock', ...range, height: range.text, network };
  if (link.kind !== 'transaction') return null;
  return { kind: 'aptosTransaction', ...range, transaction: range.text, by: 'version', word: link.host, network };
}

/** Fewer digits cannot be a key. */
const MIN_KEY_DIGITS = 56;
/** A short literal must have a name directly before it (`owner: "0x1"`, `from("0x1")`), unlike the items of a list. */
const DIRECTLY_NAMED = /[A-Za-z_]\w{0,79}["'`]?\s{0,4}[:=(]\s{0,4}$/;
const QUOTES = '"\'`';
const ADDRESS_TABLE = { basis: 'syntax', word: '[addresses]' } as const;

/**
 * What the literal from `start` to `end` is on Aptos; `null` when nothing tells that it belongs to Aptos. The root of a
 * path (`0x1::…`) is an address.
 */
export function classifyAptosLiteral(
  text: string,
  start: number,
  end: number,
  source: TextSource,
): AptosLiteral | null {
  const digits = end - start - 2;
  if (digits < 1 || digits > 64) return null;
  const range = { start, end, text: text.slice(start, end) };
  const root = /^\s{0,2}::\s{0,2}[A-Za-z_]/.test(text.slice(end, end + 6));
  if (!canLiteralStart(text, start) || !(root || canLiteralEnd(text, end))) return null;
  if (root)
    return isAptosContext(text, start, end, source) ? toAddressLiteral(range, { basis: 'syntax', word: '::' }) : null;
  const link = findAptosLinkBefore(text, start, end);
  if (link !== null) {
    const context = digits >= MIN_KEY_DIGITS ? getLiteralContext(text, { shape: 'bytes32', ...range }, source) : null;
    const isRemarked = link.kind === 'transaction' && context?.rule === 'accountRemark';
    if (isRemarked || (context !== null && context.secretWord !== null)) return null;
    return classifyLinked(range, digits, link.kind, link.network, link.host);
  }
  if (!isAptosContext(text, start, end, source)) return null;
  if (isMoveSource(source) && /@\s{0,2}$/.test(text.slice(Math.max(0, start - 3), start)))
    return toAddressLiteral(range, { basis: 'syntax', word: '@' });
  if (isMoveToml(source)) {
    const scanned: ScannedLiteral = { shape: 'bytes32', ...range };
    const context = digits >= MIN_KEY_DIGITS ? getLiteralContext(text, scanned, source) : null;
    // `owner_key = "0x…"`; an account has no name of a hash.
    if (context !== null && (context.secretWord !== null || context.hint !== null)) return null;
    if (!isInAddressTable(text, start)) return null;
    // `admin = "0x…"` may be who publishes it, whose key is as long.
    const name = context?.labels[0]?.words ?? [];
    const isWeak =
      findAptosAddressWord(name)?.isWeak === true ||
      isAccountName(name) ||
      (context !== null &&
        (context.namesAccount || isRemarkedAsKey(text, scanned) || isRemarkedAsOther(text, scanned)));
    return toAddressLiteral(range, isWeak ? { basis: 'weak', word: name.join(' ') } : ADDRESS_TABLE);
  }
  // Numbers in Move have 0x too: in Move only whole addresses can be named, elsewhere short ones must be quoted.
  if (digits < 60 && (isMoveSource(source) || digits === 40 || !QUOTES.includes(text.charAt(start - 1) || ' ')))
    return null;
  if (digits < 60 && !DIRECTLY_NAMED.test(text.slice(Math.max(0, start - 80), start - 1))) return null;
  return classifyByLabels(text, range, digits, source);
}

function classifyLinked(
  range: LiteralRange,
  digits: number,
  kind: 'account' | 'transaction' | 'block' | 'type',
  network: string | null,
  word: string,
): AptosLiteral | null {
  if (kind === 'account') return toAddressLiteral(range, { basis: 'syntax', word }, { network });
  return kind === 'transaction' && digits === 64 ? toTransactionLiteral(range, word, network) : null;
}

function toTransactionLiteral(range: LiteralRange, word: string, network: string | null): AptosTransactionLiteral {
  return { kind: 'aptosTransaction', ...range, transaction: range.text.toLowerCase(), by: 'hash', word, network };
}

/** `AccountAddress.fromString(`, `getAccountResources(`, unlike `deriveAddress(`. */
function isAddressCall(callee: readonly string[]): boolean {
  return (
    isLookupVerb(callee) ||
    (callee[0] === 'account' && isConversion(callee.filter(word => !/^(?:account|address)$/.test(word))))
  );
}

/** By the labels before the literal. */
function classifyByLabels(text: string, range: LiteralRange, digits: number, source: TextSource): AptosLiteral | null {
  const scanned: ScannedLiteral = { shape: 'bytes32', ...range };
  const { labels, hint, rule, secretWord } = getLiteralContext(text, scanned, source);
  // A possible secret stays a `hash32` literal, which is never sent anywhere.
  if (secretWord !== null || labels.some(({ words }) => findSecretWord(words) !== null)) return null;
  let best: AptosAddressWord | null = null;
  for (const { role, words } of labels) {
    if (role === 'around' || role === 'comment' || role === 'among') continue;
    if (role === 'heading' && words.length > 4) continue;
    if (role !== 'call' || isAddressCall(words)) best ??= findAptosAddressWord(words);
    if (role === 'call' && !isConversion(words)) break; // what a function returns has another name than its argument
  }
  if (digits === 64 && hint?.kind === 'transaction' && !hint.isUnsearchable && isProof(rule))
    return toTransactionLiteral(range, hint.word, null);
  if (best === null || hint !== null) return null;
  const isWeak = digits >= MIN_KEY_DIGITS && (best.isWeak || isRemarkedAsKey(text, scanned));
  return toAddressLiteral(range, { basis: isWeak ? 'weak' : 'word', word: best.word });
}
