// Aptos addresses in the long form that records use and the short form that type strings use (AIP-40).
import type { Hex } from '../../base/hex.ts';

const ADDRESS = /^0x([0-9a-f]{1,64})$/i;
const LONG_ADDRESS = /^0x[0-9a-f]{64}$/;

export const ZERO_APTOS_ADDRESS: Hex = `0x${'0'.repeat(64)}`;
/** The metadata object of APT: the only one whose address is not derived from its coin type. */
export const APT_METADATA_ADDRESS: Hex = `0x${'a'.padStart(64, '0')}`;

/** `0x` and 64 lower-case digits for an address of 1 to 64 digits; `null` for anything else. */
export function toLongAddress(value: unknown): Hex | null {
  if (typeof value !== 'string') return null;
  if (value.length === 66 && LONG_ADDRESS.test(value)) return value as Hex;
  const digits = ADDRESS.exec(value)?.[1];
  return digits === undefined ? null : `0x${digits.toLowerCase().padStart(64, '0')}`;
}

/** The address without leading zeros: `0x1`; the zero address is `0x0`. */
export function toShortAddress(address: string): Hex {
  const digits = address.slice(2).toLowerCase().replace(/^0+/, '');
  return `0x${digits === '' ? '0' : digits}`;
}
