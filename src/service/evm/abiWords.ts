// 32-byte words in the hex of logs and call results: anything that is not there, or not what it should be, is `null`.
import type { Hex } from '../../base/hex.ts';

const WORD = 64;
const EMPTY_UPPER_24 = '0'.repeat(24);
const EMPTY_UPPER_56 = '0'.repeat(56);

/** Whole bytes of the data. */
export const getByteLength = (data: Hex): number => Math.floor((data.length - 2) / 2);

function wordAt(data: Hex, byte: number): string | null {
  const start = 2 + 2 * byte;
  return start + WORD <= data.length ? data.slice(start, start + WORD) : null;
}

export function decodeUint256At(data: Hex, byte: number): bigint | null {
  const word = wordAt(data, byte);
  return word === null ? null : BigInt(`0x${word}`);
}

/** A number that fits 32 bits: lengths, offsets and kinds. */
export function decodeUint32At(data: Hex, byte: number): number | null {
  const word = wordAt(data, byte);
  return word?.startsWith(EMPTY_UPPER_56) ? Number.parseInt(word.slice(56), 16) : null;
}

/** `null` too when anything stands in the 12 bytes before the address. */
export function decodeAddressAt(data: Hex, byte: number): Hex | null {
  const word = wordAt(data, byte);
  return word?.startsWith(EMPTY_UPPER_24) ? `0x${word.slice(24)}` : null;
}

/** The address in a topic. */
export function decodeAddressTopic(topic: Hex | undefined): Hex | null {
  return topic === undefined ? null : decodeAddressAt(topic, 0);
}

export interface AbiArray {
  /** Byte at which the first element stands. */
  readonly start: number;
  readonly length: number;
}

/** The dynamic array whose offset stands at byte `head`; `null` when any of it would lie beyond the data. */
export function decodeArrayAt(data: Hex, head: number, bytesPerElement: number): AbiArray | null {
  const offset = decodeUint32At(data, head);
  const length = offset === null ? null : decodeUint32At(data, offset);
  if (offset === null || length === null) return null;
  const start = offset + 32;
  return start + length * bytesPerElement <= getByteLength(data) ? { start, length } : null;
}
