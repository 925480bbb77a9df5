// Parses the input of the Look Up box: all meanings, the likeliest first, without network requests.

import { formatByteCount } from '../../base/formatByteCount.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import type { AbiItem } from '../../decode/abiItem.ts';
import type { AbiRegistry } from '../../decode/abiRegistry.ts';
import type { Signature } from '../../decode/signatures/findSignatures.ts';
import { addWorkspaceSignatures } from '../../detect/addWorkspaceSignatures.ts';
import { detectLiterals } from '../../detect/detectLiterals.ts';
import type { DataLiteral, HexLiteral } from '../../detect/hexLiteral.ts';
import { parseRawTransaction, type RawTransaction } from './rawTransaction.ts';

export type LookUpMeaning =
  /** `literal`: for the privacy check. */
  | { readonly kind: 'address'; readonly address: Hex; readonly chainId: number | null; readonly literal: HexLiteral }
  | { readonly kind: 'hash'; readonly hash: Hex; readonly chainId: number | null; readonly literal: HexLiteral }
  | { readonly kind: 'block'; readonly block: number; readonly chainId: number | null }
  /** `isGuess`: only digits, which may just as well belong to an EVM chain. */
  | { readonly kind: 'aptosAddress'; readonly address: Hex; readonly literal: HexLiteral; readonly isGuess: boolean }
  /** A version in decimal digits, or a hash; `network`: `null` where the text names none. */
  | {
      readonly kind: 'aptosTransaction';
      readonly transaction: string;
      readonly network: string | null;
      readonly literal: HexLiteral;
    }
  /** As it is sent to a node. */
  | { readonly kind: 'rawTransaction'; readonly transaction: RawTransaction; readonly chainId: number | null }
  | { readonly kind: 'coinType'; readonly coinType: string }
  | { readonly kind: 'ens'; readonly name: string }
  /** Known without a chain: an event topic, a selector, a constant, a number. */
  | {
      readonly kind: 'known';
      readonly what: WellKnownKind;
      readonly value: string;
      readonly meaning: string;
      /** What may be decoded. */
      readonly data?: DataLiteral;
    }
  /** A block that moves. */
  | { readonly kind: 'latest' }
  /** Digits are missing in the middle: what is known may complete them. */
  | { readonly kind: 'shortened'; readonly start: string; readonly end: string }
  /** Nothing can be looked up. */
  | { readonly kind: 'refused'; readonly why: RejectionReason };

export type WellKnownKind =
  | 'event'
  | 'function'
  | 'error'
  | 'selector'
  | 'interface'
  | 'constant'
  | 'number'
  | 'text'
  | 'data';
export type RejectionReason = 'key' | 'truncated' | 'digits';

/** Characters of a pasted text that are read. */
const MAX_INPUT_LENGTH = 4_096;
const MAX_MEANINGS = 6;

const COIN_TYPE = /^0x[0-9a-f]{1,64}::[^\s:]+::\S/i;
const HEX = /^0x[0-9a-f]{1,64}$/i;
/** JSON-RPC writes block numbers like this: without zeros in front. Eight digits are a selector. */
const QUANTITY = /^0x(?:0|[1-9a-f][0-9a-f]{0,6})$/i;
const DECIMAL = /^\d{1,3}(?:[,._' ]\d{3})+$|^\d{1,16}$/;
/** Top-level domains of names in ENS. Others are mostly file names and hosts, which must not be sent to a node. */
const ENS_DOMAINS: ReadonlySet<string> = new Set(
  'eth xyz com org net io co app me id art box club luxe kred limo finance fi money dao cash link'.split(' '),
);
const LABEL = /^[^\s/:@?#\\[\]()<>"'`|]+$/u;
const APTOS_ACCOUNT = /\/\/explorer\.aptoslabs\.com\/(?:account|object)\/(0x[0-9a-f]{1,64})\b/i;

const padded = (hex: string): Hex => `0x${hex.slice(2).toLowerCase().padStart(64, '0')}`;
const formatNames = (signatures: readonly Signature[]): string =>
  [...new Set(signatures.map(({ canonical }) => canonical))].slice(0, 3).join(', ');

function toMeaning(literal: HexLiteral): LookUpMeaning | null {
  switch (literal.kind) {
    case 'address':
    case 'paddedAddress':
      return { kind: 'address', address: lower(literal.address), chainId: literal.chainId, literal };
    case 'hash32':
      return { kind: 'hash', hash: lower(literal.hash), chainId: literal.chainId, literal };
    case 'blockNumber':
      return { kind: 'block', block: literal.number, chainId: literal.chainId };
    case 'topic':
      return { kind: 'known', what: 'event', value: literal.topic, meaning: formatNames(literal.events) };
    case 'selector': {
      const { functions, errors, interfaceName, selector } = literal;
      if (functions.length > 0)
        return { kind: 'known', what: 'function', value: selector, meaning: formatNames(functions) };
      if (errors.length > 0) return { kind: 'known', what: 'error', value: selector, meaning: formatNames(errors) };
      return interfaceName === null
        ? null
        : { kind: 'known', what: 'interface', value: selector, meaning: interfaceName };
    }
    case 'constant':
      return {
        kind: 'known',
        what: 'constant',
        value: literal.hash,
        meaning:
          literal.differences === 0
            ? literal.name
            : t('{0} of 64 digits differ from: {1}', literal.differences, literal.name),
      };
    case 'word':
      return literal.content === null
        ? { kind: 'known', what: 'number', value: literal.text, meaning: formatInteger(literal.value) }
        : { kind: 'known', what: 'text', value: literal.text, meaning: literal.content };
    case 'data': {
      const meaning = formatNames(literal.functions) || formatNames(literal.errors);
      const size = formatByteCount(literal.size);
      return {
        kind: 'known',
        what: 'data',
        value: literal.text,
        meaning: meaning === '' ? size : `${meaning}, ${size}`,
        data: literal,
      };
    }
    case 'aptosAddress':
      return literal.address === null
        ? null
        : { kind: 'aptosAddress', address: literal.address, literal, isGuess: false };
    case 'aptosType':
      return literal.form === 'struct' && literal.path !== null ? { kind: 'coinType', coinType: literal.path } : null;
    case 'aptosTransaction':
      return { kind: 'aptosTransaction', transaction: literal.transaction, network: literal.network, literal };
    // Heights of Aptos cannot be looked up.
    case 'aptosBlock':
      return null;
    case 'developmentKey':
      return { kind: 'refused', why: 'key' };
    case 'truncated':
      return { kind: 'refused', why: 'truncated' };
    case 'nearMiss':
      return { kind: 'refused', why: 'digits' };
  }
}

/** Fewer digits are no private key. */
const MIN_KEY_DIGITS = 60;

/** What the user typed as an account of Aptos. */
function toAptosMeaning(text: string, isGuess = false): LookUpMeaning {
  const address = padded(text);
  const place = { start: 0, end: text.length, text };
  const facts = { network: null, namedAddress: null, name: null, secretWord: null };
  const basis = text.length - 2 < MIN_KEY_DIGITS ? 'syntax' : 'none';
  const hint = { basis, word: text } as const;
  return {
    kind: 'aptosAddress',
    isGuess,
    address,
    literal: { kind: 'aptosAddress', ...place, address, hint, ...facts },
  };
}

const lower = (hex: string): Hex => hex.toLowerCase() as Hex; // it has 0x already

function isEnsName(text: string): boolean {
  const labels = text.split('.');
  const domain = labels.at(-1)?.toLowerCase() ?? '';
  return text.length <= 255 && labels.length > 1 && ENS_DOMAINS.has(domain) && labels.every(label => LABEL.test(label));
}

/** `0x1234…abcd`, with an ellipsis or two or more dots. */
const SHORTENED = /^(0x[0-9a-f]{2,40})(?:…|\.{2,3})([0-9a-f]{2,40})$/i;

/**
 * All meanings of `typed`; none when it can only be part of a saved name. Linear. `registry`: events, functions and errors of
 * the workspace.
 */
export function parseLookUp(typed: string, registry: AbiRegistry | null = null): readonly LookUpMeaning[] {
  const transaction = parseRawTransaction(addPrefix(typed.trim()));
  if (transaction !== null) return [{ kind: 'rawTransaction', transaction, chainId: transaction.chainId }];
  const text = addPrefix(typed.trim().slice(0, MAX_INPUT_LENGTH));
  if (text === '') return [];
  if (/^(?:latest|head)$/i.test(text)) return [{ kind: 'latest' }];
  const [, start, end] = SHORTENED.exec(text) ?? [];
  if (start !== undefined && end !== undefined)
    return [{ kind: 'shortened', start: start.toLowerCase(), end: end.toLowerCase() }];
  if (DECIMAL.test(text)) {
    const block = Number(text.replace(/\D/g, ''));
    return Number.isSafeInteger(block) ? [{ kind: 'block', block, chainId: null }] : [];
  }
  if (COIN_TYPE.test(text)) return [{ kind: 'coinType', coinType: text.split(/\s/, 1)[0] ?? text }];
  const aptos = APTOS_ACCOUNT.exec(text)?.[1];
  if (aptos !== undefined) return [toAptosMeaning(aptos)];
  const meanings: LookUpMeaning[] = [];
  const seen = new Set<string>();
  for (const literal of detectLiterals(text)) {
    if (meanings.length === MAX_MEANINGS) break;
    const meaning = toMeaning(addWorkspaceSignatures(literal, registry));
    const key = `${literal.kind} ${literal.text.toLowerCase()}`;
    if (meaning !== null && !seen.has(key)) meanings.push(meaning);
    seen.add(key);
  }
  if (HEX.test(text)) {
    const literalMeaning = meanings.find(({ kind }) => kind === 'address' || kind === 'hash' || kind === 'known');
    const rest = meanings.filter(({ kind }) => kind !== 'refused' || literalMeaning !== undefined);
    const key = meanings.some(meaning => meaning.kind === 'refused' && meaning.why === 'key');
    if (key) return meanings;
    const known = literalMeaning === undefined ? getSelectorMeanings(text, registry) : [];
    const isSelector = text.length === 10 && (literalMeaning?.kind === 'known' || known.length > 0);
    if (isSelector) return [...rest, ...known];
    const others: LookUpMeaning[] = [];
    if (QUANTITY.test(text)) others.push({ kind: 'block', block: Number(text), chainId: null });
    if (text.length === 10) others.push({ kind: 'known', what: 'selector', value: text, meaning: text });
    if (text.length !== 42) others.push(toAptosMeaning(text, true));
    // A mistyped address is likelier than an account of Aptos with that many zeros in front.
    if (text.length !== 42 && Math.abs(text.length - 42) <= 2) others.unshift({ kind: 'refused', why: 'digits' });
    return [...rest, ...others];
  }
  if (meanings.length === 0 && isEnsName(text)) return [{ kind: 'ens', name: text }];
  return meanings;
}

/** 40 and 64 digits are an address and a hash without `0x` too, and so is a longer transaction. */
const addPrefix = (text: string): string =>
  /^(?:[0-9a-f]{40}|[0-9a-f]{64}|0[1-4][c-f][0-9a-f]{100,}|f[0-9a-f]{100,})$/i.test(text) ? `0x${text}` : text;

/** A selector that only the workspace declares. */
function getSelectorMeanings(text: string, registry: AbiRegistry | null): LookUpMeaning[] {
  if (registry === null || text.length !== 10) return [];
  const toMeanings = (what: WellKnownKind, items: readonly AbiItem[]): LookUpMeaning[] =>
    items.slice(0, 1).map(({ canonical }) => ({ kind: 'known', what, value: text, meaning: canonical }));
  return [
    ...toMeanings('function', registry.functions(text).workspace),
    ...toMeanings('error', registry.errors(text).workspace),
  ];
}

/** Whether a hash or an address is the shortened one. */
export const isShortenedFrom = (
  value: string,
  { start, end }: { readonly start: string; readonly end: string },
): boolean => value.length >= 42 && value.toLowerCase().startsWith(start) && value.toLowerCase().endsWith(end);

/** Initializes tables, so that the first keystroke is not slow. */
export function warmUpLookUp(): void {
  parseLookUp(`https://etherscan.io/tx/0x${'5a'.repeat(31)}01 0x${'5b'.repeat(19)}01`);
}
