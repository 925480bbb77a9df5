// EIP-55: the mixed-case checksum of an EVM address.
import { keccak256 } from 'ox/Hash';
import { type Hex, isAddress } from './hex.ts';

const encoder = new TextEncoder();

/**
 * The address in EIP-55 form.
 *
 * @param address `0x` and 40 hex digits in any case.
 * @throws RangeError when it is not an address.
 */
export function checksumAddress(address: string): Hex {
  if (!isAddress(address)) throw new RangeError('Not a 20-byte hex address.');
  const lower = address.slice(2).toLowerCase();
  const hash = keccak256(encoder.encode(lower), { as: 'Bytes' });
  let text = '0x';
  for (let i = 0; i < 40; i++) {
    const char = lower.charAt(i);
    const nibble = ((hash[i >> 1] ?? 0) >> (i % 2 === 0 ? 4 : 0)) & 15;
    text += nibble >= 8 ? char.toUpperCase() : char;
  }
  return text as Hex;
}

/** `none`: all lower or all upper case, so there is no checksum. The others have mixed case. */
export type ChecksumState = 'valid' | 'invalid' | 'none';

export function getChecksumState(address: Hex): ChecksumState {
  const digits = address.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return 'none';
  return checksumAddress(address) === address ? 'valid' : 'invalid';
}
