// Aptos addresses: padded as records have them, stripped as type strings have them.
import type { Hex } from '../../base/hex.ts';

const ADDRESS = /^0x([0-9a-f]{1,64})$/i;

/** `0x` and 64 digits, lower case, of any address with 1 to 64 digits; `null` of anything else. */
export function toLongAddress(value: unknown): Hex | null {
  if (typeof value !== 'string') return null;
  if (value.length === 66 && LONG.test(value)) return value as Hex;
  const digits = ADDRESS.exec(value)?.[1];
  return digits === undefined ? null : `0x${digits.toLowerCase().padStart(64, '0')}`;
}

const LONG = /^0x[0-9a-f]{64}$/;

/** Without leading zeros: `0x1`; zero itself is `0x0`. */
export function toShortAddress(address: string): Hex {
  const digits = address.slice(2).toLowerCase().replace(/^0+/, '');
  return `0x${digits === '' ? '0' : digits}`;
}

export const ZERO_APTOS_ADDRESS: Hex = `0x${'0'.repeat(64)}`;
/** The metadata object of APT; not made from its coin type as all others are. */
export const APT_METADATA_ADDRESS: Hex = `0x${'a'.padStart(64, '0')}`;
