// A part of gas in percent.
import { formatAmount, formatInteger } from '../base/formatUnits.ts';
import { t } from '../base/localize.ts';

/** `51%`, `4.2%`: small ones with one decimal. */
export function formatShare(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  return t(
    '{0}%',
    percent >= 10 ? formatInteger(Math.round(percent)) : formatAmount(BigInt(Math.round(10 * percent)), 1),
  );
}
