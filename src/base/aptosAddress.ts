// Aptos addresses in the long form that records use and the short form that type strings use (AIP-40).
import type { Hex } from './hex.ts';

const ADDRESS = /^0x[0-9a-f]{1,64}$/i;
const LONG_ADDRESS = /^0x[0-9a-f]{64}$/;

/** The long form, `0x` and 64 lower-case digits, of 1 to 64 hex digits with or without `0x`; they are not checked. */
export const padAptosAddress = (digits: string): Hex =>
  `0x${digits.replace(/^0x/i, '').toLowerCase().padStart(64, '0')}`;

/** Long addresses that were parsed last, by their ends: most occur several times in a transaction. A power of two. */
const recentAddresses: string[] = Array(1024).fill('');

/** The long form of an address in any form; `null` for anything that is not `0x` and 1 to 64 hex digits. */
export function parseAptosAddress(value: unknown): Hex | null {
  if (typeof value !== 'string') return null;
  if (value.length === 66) {
    const slot = (value.charCodeAt(65) + 31 * value.charCodeAt(64) + 961 * value.charCodeAt(63)) & 1023;
    const recent = recentAddresses[slot];
    if (recent === value) return recent as Hex;
    if (LONG_ADDRESS.test(value)) {
      recentAddresses[slot] = value;
      return value as Hex;
    }
  }
  return ADDRESS.test(value) ? padAptosAddress(value) : null;
}

/** The address without leading zeros: `0x1`; the zero address is `0x0`. */
export const toShortAptosAddress = (address: string): Hex =>
  `0x${address.slice(2).toLowerCase().replace(/^0+/, '') || '0'}`;
