// Says whether a literal is an address, a type or a transaction of Aptos, from how it is written and what surrounds it.
import { canLiteralEnd, canLiteralStart } from '../characters.ts';
import type { AptosAddressLiteral, AptosLiteral, AptosTransactionLiteral, AptosTypeLiteral } from '../hexLiteral.ts';
import { findSecretWord } from '../hintWords.ts';
import { getLiteralContext, type TextSource } from '../literalContext.ts';
import type { ScannedLiteral } from '../scanLiterals.ts';
import {
  type AptosAddressWord,
  findAptosAddressWord,
  isAptosContext,
  isInAddressTable,
  isMoveSource,
  isMoveToml,
} from './aptosContext.ts';
import { findAptosLinkBefore } from './aptosLinks.ts';
import { getFrameworkAddress, getFrameworkName, toLongAddress } from './moveAddresses.ts';
import { isStructName, type MovePath, normalizeMoveType } from './movePath.ts';

interface Place {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** `name` of a named address in this file; `null` when nobody gives it one. */
export function resolveMoveName(name: string, { moveAddresses: moveNames }: TextSource) {
  return moveNames?.get(name) ?? getFrameworkAddress(name);
}

function addressSubject(
  place: Place,
  evidence: AptosAddressLiteral['hint'],
  more: Partial<Pick<AptosAddressLiteral, 'network' | 'secret'>> = {},
): AptosAddressLiteral {
  const address = toLongAddress(place.text.replace(/^@/, ''));
  const facts = { address, named: null, name: getFrameworkName(address), network: null, secret: null };
  return { kind: 'aptosAddress', ...place, ...facts, ...more, hint: evidence };
}

/** `@name` of Move. */
export function classifyNamedAddress(place: Place, source: TextSource): AptosAddressLiteral {
  const named = place.text.replace(/^@\s*/, '');
  const address = resolveMoveName(named, source);
  const evidence = { by: 'syntax', word: '@' } as const;
  const name = address === null ? null : getFrameworkName(address);
  return {
    kind: 'aptosAddress',
    ...place,
    address,
    namedAddress: named,
    name,
    hint: evidence,
    secretWord: null,
    network: null,
  };
}

/** The type that a path is; `null` when its root is a name that is no address here. */
export function classifyMoveType(
  text: string,
  path: MovePath,
  source: TextSource,
  network: string | null,
): AptosTypeLiteral | null {
  const literal = /^0x/i.test(path.root);
  const address = literal ? toLongAddress(path.root) : resolveMoveName(path.root, source);
  if (!literal && address === null && source.moveAddresses?.has(path.root) !== true) return null;
  const written = text.slice(path.start, path.end);
  return {
    kind: 'aptosType',
    start: path.start,
    end: path.end,
    text: written,
    network,
    form: path.item === null ? 'module' : isStructName(path.item) ? 'struct' : 'function',
    path: address === null ? null : normalizeMoveType(written, name => resolveMoveName(name, source)),
    address,
    root: path.root,
    module: path.module,
    item: path.item,
    typeArguments: path.typeArguments,
  };
}

/** A number of an explorer's link: a version or a block height. */
export function classifyLinkedNumber(text: string, place: Place): AptosLiteral | null {
  const link = findAptosLinkBefore(text, place.start, place.end);
  if (link === null || place.text.length > 20 || !canLiteralEnd(text, place.end)) return null;
  const { network } = link;
  if (link.kind === 'block') return { kind: 'aptosBlock', ...place, height: place.text, network };
  if (link.kind !== 'transaction') return null;
  return { kind: 'aptosTransaction', ...place, transaction: place.text, by: 'version', word: link.host, network };
}

/** Fewer digits are no key. */
const KEY_DIGITS = 56;
/** A short literal needs its name right before it (`owner: "0x1"`, `from("0x1")`): lists of numbers are long. */
const DIRECTLY_NAMED = /[A-Za-z_]\w*["'`]?\s{0,4}[:=(]\s{0,4}$/;
const QUOTES = '"\'`';

/**
 * What the literal from `start` to `end` is on Aptos; `null` when nothing says that it is anything there. A path's root
 * (`0x1::…`) counts as an address.
 */
export function classifyAptosLiteral(
  text: string,
  start: number,
  end: number,
  source: TextSource,
): AptosLiteral | null {
  const digits = end - start - 2;
  if (digits < 1 || digits > 64) return null;
  const place = { start, end, text: text.slice(start, end) };
  const root = /^\s{0,2}::\s{0,2}[A-Za-z_]/.test(text.slice(end, end + 6));
  if (!canLiteralStart(text, start) || !(root || canLiteralEnd(text, end))) return null;
  if (root)
    return isAptosContext(text, start, end, source) ? addressSubject(place, { basis: 'syntax', word: '::' }) : null;
  const link = findAptosLinkBefore(text, start, end);
  if (link !== null) return linked(place, digits, link.kind, link.network, link.host);
  if (!isAptosContext(text, start, end, source)) return null;
  if (isMoveSource(source) && /@\s{0,2}$/.test(text.slice(Math.max(0, start - 3), start)))
    return addressSubject(place, { basis: 'syntax', word: '@' });
  if (isMoveToml(source))
    return isInAddressTable(text, start) ? addressSubject(place, { basis: 'syntax', word: '[addresses]' }) : null;
  // Move writes numbers with 0x too: there only words speak for whole addresses, and quotes elsewhere.
  if (digits < 60 && (isMoveSource(source) || digits === 40 || !QUOTES.includes(text.charAt(start - 1) || ' ')))
    return null;
  if (digits < 60 && !DIRECTLY_NAMED.test(text.slice(Math.max(0, start - 80), start - 1))) return null;
  return named(text, place, digits);
}

function linked(
  place: Place,
  digits: number,
  kind: 'account' | 'transaction' | 'block' | 'type',
  network: string | null,
  word: string,
): AptosLiteral | null {
  if (kind === 'account') return addressSubject(place, { basis: 'syntax', word }, { network });
  return kind === 'transaction' && digits === 64 ? hashSubject(place, word, network) : null;
}

function hashSubject(place: Place, word: string, network: string | null): AptosTransactionLiteral {
  return { kind: 'aptosTransaction', ...place, transaction: place.text.toLowerCase(), by: 'hash', word, network };
}

/** By the names that were given to the literal. */
function named(text: string, place: Place, digits: number): AptosLiteral | null {
  const found: ScannedLiteral = { shape: 'bytes32', ...place };
  const { labels, hint: evidence, secretWord: secret } = getLiteralContext(text, found);
  // What may be a secret stays what it was: 32 bytes that go nowhere.
  if (secret !== null || labels.some(({ words }) => findSecretWord(words) !== null)) return null;
  let best: AptosAddressWord | null = null;
  for (const { role, words } of labels) {
    if (role === 'around' || role === 'comment' || role === 'among') continue;
    if (role === 'heading' && words.length > 4) continue;
    best ??= findAptosAddressWord(words);
  }
  if (digits === 64 && evidence?.kind === 'transaction' && !evidence.isUnsearchable)
    return hashSubject(place, evidence.word, null);
  if (best === null || evidence !== null) return null;
  return addressSubject(place, { basis: best.isWeak && digits >= KEY_DIGITS ? 'weak' : 'word', word: best.word });
}
