// Formats amounts of tokens and coins without floating point.
import { sanitizeText } from './displayText.ts';
import { t } from './localize.ts';

/**
 * Formats an amount in its smallest unit as a decimal number without exponent and trailing zeros, in any language with a point:
 * for records, exports and copies.
 *
 * @example
 * ```ts
 * formatUnits(1_500_000_000_000_000_000n, 18); // '1.5'
 * ```
 */
export function formatUnits(amount: bigint, decimals: number): string {
  const negative = amount < 0n;
  const digits = (negative ? -amount : amount).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? '' : digits.slice(digits.length - decimals).replace(/(?<!0)0+$/, '');
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Separators of thousands and decimals in the display language. */
function getSeparators(): { readonly group: string; readonly decimal: string } {
  const example = t('1,234.5');
  return { group: example.charAt(1), decimal: example.charAt(5) };
}

/** `-1,234,567` of `-1234567`, for people: in German `-1.234.567`. */
export function groupThousands(integer: string): string {
  const { group } = getSeparators();
  const sign = integer.startsWith('-') ? 1 : 0;
  const first = sign + ((integer.length - sign) % 3 || 3);
  let grouped = integer.slice(0, first);
  for (let at = first; at < integer.length; at += 3) grouped += `${group}${integer.slice(at, at + 3)}`;
  return grouped;
}

/** Formats for people: thousands separators, and at most `places` decimals (cut off, not rounded); smaller amounts exactly. */
export function formatAmount(amount: bigint, decimals: number, places = 6): string {
  const [whole = '0', fraction = ''] = formatUnits(amount, decimals).split('.');
  const digits = groupThousands(whole);
  const { decimal } = getSeparators();
  const cut = fraction.slice(0, places).replace(/(?<!0)0+$/, '');
  if (cut !== '') return `${digits}${decimal}${cut}`;
  return fraction === '' || whole.replace('-', '') !== '0' ? digits : `${digits}${decimal}${fraction}`;
}

/** Formats all decimals, with thousands separators. */
export const formatFullAmount = (amount: bigint, decimals: number): string =>
  formatAmount(amount, decimals, Math.max(1, decimals));

/** Tokens that claim more decimals than this are not trusted: their amounts stay raw numbers. */
export const MAX_TOKEN_DECIMALS = 36;

/** A token's symbol, sanitized, and its decimals. */
export interface TokenAmountUnit {
  readonly symbol: string | null;
  readonly decimals: number;
}

const UNLIMITED = 2n ** 256n - 1n;

/** `1,234.5 HEX` with all decimals, or at most `places`; `Unlimited HEX` for 2^256 - 1, the allowance without a limit. */
export function formatTokenAmount(amount: bigint, { symbol, decimals }: TokenAmountUnit, places?: number): string {
  const text = amount === UNLIMITED ? t('Unlimited') : formatAmount(amount, decimals, places ?? Math.max(1, decimals));
  return symbol === null ? text : `${text} ${sanitizeText(symbol, 24)}`;
}

/** Formats a floating-point number to six digits: `10,000.5`. */
export function formatApproximate(value: number): string {
  const [whole = '', fraction] = String(Number(value.toPrecision(6))).split('.');
  if (/e/.test(whole)) return whole;
  return fraction === undefined
    ? groupThousands(whole)
    : `${groupThousands(whole)}${getSeparators().decimal}${fraction}`;
}

export function formatInteger(value: number | bigint): string {
  return groupThousands(value.toString());
}
