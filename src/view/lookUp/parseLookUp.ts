// What was typed or pasted into the look-up box can mean: every reading, the likeliest first, without asking anybody.

import { formatInteger } from '../../base/formatUnits.ts';
import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import type { Signature } from '../../decode/signatures/signature.ts';
import { detectLiterals } from '../../detect/detectLiterals.ts';
import type { HexLiteral } from '../../detect/hexLiteral.ts';

export type LookUpMeaning =
  /** `subject` tells whether it may leave this machine. */
  | { readonly kind: 'address'; readonly address: Hex; readonly chainId: number | null; readonly subject: HexLiteral }
  | { readonly kind: 'hash'; readonly hash: Hex; readonly chainId: number | null; readonly subject: HexLiteral }
  | { readonly kind: 'block'; readonly block: number; readonly chainId: number | null }
  | { readonly kind: 'aptosAddress'; readonly address: Hex }
  | { readonly kind: 'coinType'; readonly coinType: string }
  | { readonly kind: 'ens'; readonly name: string }
  /** HexLens knows it itself: an event topic, a selector, a constant, a number. */
  | { readonly kind: 'known'; readonly what: WellKnownKind; readonly value: string; readonly meaning: string }
  /** Nothing can be looked up. */
  | { readonly kind: 'refused'; readonly why: RejectionReason };

export type WellKnownKind = 'event' | 'function' | 'error' | 'interface' | 'constant' | 'number' | 'text' | 'data';
export type RejectionReason = 'key' | 'truncated' | 'digits';

/** A page may be pasted; what is wanted stands near its front. */
const MAX_INPUT_LENGTH = 4_096;
const MAX_MEANINGS = 6;

const COIN_TYPE = /^0x[0-9a-f]{1,64}::[^\s:]+::\S/i;
const HEX = /^0x[0-9a-f]{1,64}$/i;
const DECIMAL = /^\d{1,3}(?:[,_' ]\d{3})+$|^\d{1,16}$/;
/** Labels with dots between, the last one with a letter of any script; nothing that belongs to a URL or a path. */
const NAME = /^(?=.{3,255}$)(?:[^\s./:@?#\\[\]()<>"'`|]+\.)+[^\s./:@?#\\[\]()<>"'`|\d][^\s./:@?#\\[\]()<>"'`|]+$/u;
const APTOS_ACCOUNT = /\/\/explorer\.aptoslabs\.com\/(?:account|object)\/(0x[0-9a-f]{1,64})\b/i;

const padded = (hex: string): Hex => `0x${hex.slice(2).toLowerCase().padStart(64, '0')}`;
const names = (signatures: readonly Signature[]): string =>
  [...new Set(signatures.map(({ canonical }) => canonical))].slice(0, 3).join(', ');

function readingOf(subject: HexLiteral): LookUpMeaning | null {
  switch (subject.kind) {
    case 'address':
    case 'paddedAddress':
      return { kind: 'address', address: lower(subject.address), chainId: subject.chainId, subject };
    case 'hash32':
      return { kind: 'hash', hash: lower(subject.hash), chainId: subject.chainId, subject };
    case 'blockNumber':
      return { kind: 'block', block: subject.number, chainId: subject.chainId };
    case 'topic':
      return { kind: 'known', what: 'event', value: subject.topic, meaning: names(subject.events) };
    case 'selector': {
      const { functions, errors, interfaceName, selector } = subject;
      if (functions.length > 0) return { kind: 'known', what: 'function', value: selector, meaning: names(functions) };
      if (errors.length > 0) return { kind: 'known', what: 'error', value: selector, meaning: names(errors) };
      return interfaceName === null
        ? null
        : { kind: 'known', what: 'interface', value: selector, meaning: interfaceName };
    }
    case 'constant':
      return { kind: 'known', what: 'constant', value: subject.hash, meaning: subject.name };
    case 'word':
      return subject.content === null
        ? { kind: 'known', what: 'number', value: subject.text, meaning: formatInteger(subject.value) }
        : { kind: 'known', what: 'text', value: subject.text, meaning: subject.content };
    case 'data': {
      const meaning = names(subject.functions) || names(subject.errors);
      const size = subject.size === 1 ? t('1 byte') : t('{0} bytes', formatInteger(subject.size));
      return {
        kind: 'known',
        what: 'data',
        value: subject.text,
        meaning: meaning === '' ? size : `${meaning}, ${size}`,
      };
    }
    case 'aptosAddress':
      return subject.address === null || subject.secretWord !== null
        ? null
        : { kind: 'aptosAddress', address: subject.address };
    case 'aptosType':
      return subject.form === 'struct' && subject.path !== null ? { kind: 'coinType', coinType: subject.path } : null;
    // The box has no reading of a version or a height of Aptos.
    case 'aptosTransaction':
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

const lower = (hex: string): Hex => hex.toLowerCase() as Hex; // it began with 0x before

/** Every reading of `typed`; none when it can only be part of a saved name. Linear in its length. */
export function parseLookUp(typed: string): readonly LookUpMeaning[] {
  const text = typed.trim().slice(0, MAX_INPUT_LENGTH);
  if (text === '') return [];
  if (DECIMAL.test(text)) {
    const block = Number(text.replace(/\D/g, ''));
    return Number.isSafeInteger(block) ? [{ kind: 'block', block, chainId: null }] : [];
  }
  if (COIN_TYPE.test(text)) return [{ kind: 'coinType', coinType: text.split(/\s/, 1)[0] ?? text }];
  const aptos = APTOS_ACCOUNT.exec(text)?.[1];
  if (aptos !== undefined) return [{ kind: 'aptosAddress', address: padded(aptos) }];
  const readings: LookUpMeaning[] = [];
  const seen = new Set<string>();
  for (const subject of detectLiterals(text)) {
    if (readings.length === MAX_MEANINGS) break;
    const reading = readingOf(subject);
    const key = `${subject.kind} ${subject.text.toLowerCase()}`;
    if (reading !== null && !seen.has(key)) readings.push(reading);
    seen.add(key);
  }
  if (HEX.test(text)) {
    const whole = readings.find(({ kind }) => kind === 'address' || kind === 'hash' || kind === 'known');
    const rest = readings.filter(({ kind }) => kind !== 'refused' || whole !== undefined);
    const key = readings.some(reading => reading.kind === 'refused' && reading.why === 'key');
    if (key) return readings;
    const others: LookUpMeaning[] = [];
    // JSON-RPC writes block numbers in hex; beyond that a short hex text is an account of Aptos, such as 0x1.
    if (text.length <= 11) others.push({ kind: 'block', block: Number(text), chainId: null });
    if (text.length !== 42) others.push({ kind: 'aptosAddress', address: padded(text) });
    return [...rest, ...others];
  }
  if (readings.length === 0 && NAME.test(text)) return [{ kind: 'ens', name: text }];
  return readings;
}

/** Makes the tables that the first hash needs, so that no keystroke has to. */
export function warmUpLookUp(): void {
  parseLookUp(`https://etherscan.io/tx/0x${'5a'.repeat(31)}01 0x${'5b'.repeat(19)}01`);
}
