// EIP-55 with the keccak of a signature engine: the same as base/address.ts, in a quarter of the time.
import { bytesToHex, type Hex } from '../../base/hex.ts';

const encoder = new TextEncoder();

/** From any case; `address` is known to be `0x` and 40 hex digits. */
export function checksumAddressWith(keccak256: (bytes: Uint8Array) => Uint8Array, address: Hex): Hex {
  const lower = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak256(encoder.encode(lower)).subarray(0, 20));
  let text = '';
  for (let i = 0; i < 40; i++) text += hash.charAt(i + 2) >= '8' ? lower.charAt(i).toUpperCase() : lower.charAt(i);
  return `0x${text}`;
}
