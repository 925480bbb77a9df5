// Amounts: raw integers to and from decimal text, without ever passing through floating point.

/** `1500000000000000000n, 18` is `1.5`; no exponent, no trailing zeros. */
export function formatUnits(amount: bigint, decimals: number): string {
  const negative = amount < 0n;
  const digits = (negative ? -amount : amount).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? '' : digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** The same with thousands separators and at most `places` decimals (cut, not rounded): for people, not machines. */
export function formatAmount(amount: bigint, decimals: number, places = 6): string {
  const [whole = '0', fraction = ''] = formatUnits(amount, decimals).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  const cut = fraction.slice(0, places).replace(/0+$/, '');
  if (cut !== '') return `${grouped}.${cut}`;
  if (fraction === '' || whole.replace('-', '') !== '0') return grouped;
  const least = `0.${'0'.repeat(places - 1)}1`;
  return amount < 0n ? `>-${least}` : `<${least}`;
}

export function formatInteger(value: number | bigint): string {
  return value.toString().replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}
