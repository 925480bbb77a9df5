// Writes the BCS bytes of 0x3 token structs, for tests of reading them.
import { type Hex, hexToBytes } from '../../../../src/base/hex.ts';

export const length = (value: number): Buffer => {
  const bytes: number[] = [];
  let left = value;
  do {
    bytes.push(left >= 0x80 ? (left & 0x7f) | 0x80 : left);
    left >>>= 7;
  } while (left > 0);
  return Buffer.from(bytes);
};

export const text = (value: string): Buffer => bytes(Buffer.from(value));
export const bytes = (value: Uint8Array): Buffer => Buffer.concat([length(value.length), value]);
export const address = (value: Hex): Buffer => Buffer.from(hexToBytes(value));
export const bool = (value: boolean): Buffer => Buffer.of(value ? 1 : 0);

export const u64 = (value: bigint): Buffer => {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(value);
  return buffer;
};

export const struct = (...parts: readonly Buffer[]): Hex => `0x${Buffer.concat(parts).toString('hex')}`;

export const properties = (...entries: readonly (readonly [key: string, value: Buffer, type: string])[]): Buffer =>
  Buffer.concat([
    length(entries.length),
    ...entries.flatMap(([key, value, type]) => [text(key), bytes(value), text(type)]),
  ]);
