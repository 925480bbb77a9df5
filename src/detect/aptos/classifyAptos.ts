// Says whether a literal is an address, a type or a transaction of Aptos, from how it is written and what surrounds it.
import { mayEnd, mayStart } from '../characters.ts';
import { secretIn } from '../hintWords.ts';
import { contextOf, type SourceFacts } from '../literalContext.ts';
import type { Found } from '../scannedLiteral.ts';
import { type AddressWord, aptosAddressWord, inAddressTable, isMove, isMoveToml, speaksAptos } from './aptosContext.ts';
import { aptosLinkBefore } from './aptosLinks.ts';
import type { AptosAddressSubject, AptosSubject, AptosTransactionSubject, AptosTypeSubject } from './aptosLiteral.ts';
import { frameworkAddress, frameworkName, longAddress } from './moveAddresses.ts';
import { isStruct, type MovePath, normalPath } from './movePath.ts';

interface Place {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** `name` of a named address in this file; `null` when nobody gives it one. */
export function resolveName(name: string, { moveNames }: SourceFacts) {
  return moveNames?.get(name) ?? frameworkAddress(name);
}

function addressSubject(
  place: Place,
  evidence: AptosAddressSubject['evidence'],
  more: Partial<Pick<AptosAddressSubject, 'network' | 'secret'>> = {},
): AptosAddressSubject {
  const address = longAddress(place.text.replace(/^@/, ''));
  const facts = { address, named: null, name: frameworkName(address), network: null, secret: null };
  return { kind: 'aptosAddress', ...place, ...facts, ...more, evidence };
}

/** `@name` of Move. */
export function namedSubject(place: Place, source: SourceFacts): AptosAddressSubject {
  const named = place.text.replace(/^@\s*/, '');
  const address = resolveName(named, source);
  const evidence = { by: 'syntax', word: '@' } as const;
  const name = address === null ? null : frameworkName(address);
  return { kind: 'aptosAddress', ...place, address, named, name, evidence, secret: null, network: null };
}

/** The type that a path is; `null` when its root is a name that is no address here. */
export function typeSubject(
  text: string,
  path: MovePath,
  source: SourceFacts,
  network: string | null,
): AptosTypeSubject | null {
  const literal = /^0x/i.test(path.root);
  const address = literal ? longAddress(path.root) : resolveName(path.root, source);
  if (!literal && address === null && source.moveNames?.has(path.root) !== true) return null;
  const written = text.slice(path.start, path.end);
  return {
    kind: 'aptosType',
    start: path.start,
    end: path.end,
    text: written,
    network,
    form: path.item === null ? 'module' : isStruct(path.item) ? 'struct' : 'function',
    path: address === null ? null : normalPath(written, name => resolveName(name, source)),
    address,
    root: path.root,
    module: path.module,
    item: path.item,
    typeArguments: path.typeArguments,
  };
}

/** A number of an explorer's link: a version or a block height. */
export function numberSubject(text: string, place: Place): AptosSubject | null {
  const link = aptosLinkBefore(text, place.start, place.end);
  if (link === null || place.text.length > 20 || !mayEnd(text, place.end)) return null;
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
export function aptosLiteral(text: string, start: number, end: number, source: SourceFacts): AptosSubject | null {
  const digits = end - start - 2;
  if (digits < 1 || digits > 64) return null;
  const place = { start, end, text: text.slice(start, end) };
  const root = /^\s{0,2}::\s{0,2}[A-Za-z_]/.test(text.slice(end, end + 6));
  if (!mayStart(text, start) || !(root || mayEnd(text, end))) return null;
  if (root) return speaksAptos(text, start, end, source) ? addressSubject(place, { by: 'syntax', word: '::' }) : null;
  const link = aptosLinkBefore(text, start, end);
  if (link !== null) return linked(place, digits, link.kind, link.network, link.host);
  if (!speaksAptos(text, start, end, source)) return null;
  if (isMove(source) && /@\s{0,2}$/.test(text.slice(Math.max(0, start - 3), start)))
    return addressSubject(place, { by: 'syntax', word: '@' });
  if (isMoveToml(source))
    return inAddressTable(text, start) ? addressSubject(place, { by: 'syntax', word: '[addresses]' }) : null;
  // Move writes numbers with 0x too: there only words speak for whole addresses, and quotes elsewhere.
  if (digits < 60 && (isMove(source) || digits === 40 || !QUOTES.includes(text.charAt(start - 1) || ' '))) return null;
  if (digits < 60 && !DIRECTLY_NAMED.test(text.slice(Math.max(0, start - 80), start - 1))) return null;
  return named(text, place, digits);
}

function linked(
  place: Place,
  digits: number,
  kind: 'account' | 'transaction' | 'block' | 'type',
  network: string | null,
  word: string,
): AptosSubject | null {
  if (kind === 'account') return addressSubject(place, { by: 'syntax', word }, { network });
  return kind === 'transaction' && digits === 64 ? hashSubject(place, word, network) : null;
}

function hashSubject(place: Place, word: string, network: string | null): AptosTransactionSubject {
  return { kind: 'aptosTransaction', ...place, transaction: place.text.toLowerCase(), by: 'hash', word, network };
}

/** By the names that were given to the literal. */
function named(text: string, place: Place, digits: number): AptosSubject | null {
  const found: Found = { shape: 'bytes32', ...place };
  const { labels, evidence, secret } = contextOf(text, found);
  // What may be a secret stays what it was: 32 bytes that go nowhere.
  if (secret !== null || labels.some(({ words }) => secretIn(words) !== null)) return null;
  let best: AddressWord | null = null;
  for (const { role, words } of labels) {
    if (role === 'around' || role === 'comment' || role === 'among') continue;
    if (role === 'heading' && words.length > 4) continue;
    best ??= aptosAddressWord(words);
  }
  if (digits === 64 && evidence?.kind === 'transaction' && !evidence.other)
    return hashSubject(place, evidence.word, null);
  if (best === null || evidence !== null) return null;
  return addressSubject(place, { by: best.weak && digits >= KEY_DIGITS ? 'weak' : 'word', word: best.word });
}
