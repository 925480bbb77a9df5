// Amounts: raw integers to and from decimal text, without ever passing through floating point.

/** `1500000000000000000n, 18` is `1.5`; no exponent, no trailing zeros. */
export function formatUnits(amount: bigint, decimals: number): string {
  const negative = amount < 0n;
  const digits = (negative ? -amount : amount).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? '' : digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');

/** The same with thousands separators and at most `places` decimals (cut, not rounded): for people, not machines. */
export function formatAmount(amount: bigint, decimals: number, places = 6): string {
  const [whole = '0', fraction = ''] = formatUnits(amount, decimals).split('.');
  const digits = grouped(whole);
  const cut = fraction.slice(0, places).replace(/0+$/, '');
  if (cut !== '') return `${digits}.${cut}`;
  if (fraction === '' || whole.replace('-', '') !== '0') return digits;
  const least = `0.${'0'.repeat(places - 1)}1`;
  return amount < 0n ? `>-${least}` : `<${least}`;
}

/** All of it, with thousands separators. */
export const formatFullAmount = (amount: bigint, decimals: number): string =>
  formatAmount(amount, decimals, Math.max(1, decimals));

/** `10,000.5`: about a number that has passed through floating point, to six digits. */
export function formatApproximate(value: number): string {
  const [whole = '', fraction] = String(Number(value.toPrecision(6))).split('.');
  if (/e/.test(whole)) return whole;
  return fraction === undefined ? grouped(whole) : `${grouped(whole)}.${fraction}`;
}

export function formatInteger(value: number | bigint): string {
  return grouped(value.toString());
}
