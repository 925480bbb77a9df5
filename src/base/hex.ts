// Hex strings, and their conversion to and from bytes, numbers and bigints.

export type Hex = `0x${string}`;

const HEX = /^0x[0-9a-fA-F]*$/;

export function isHex(value: unknown): value is Hex {
  return typeof value === 'string' && HEX.test(value);
}

export const toLowerHex = (hex: Hex): Hex => hex.toLowerCase() as Hex;

/** 20 bytes: `0x` and 40 hex digits, in any case; the EIP-55 checksum is not checked (see checksumAddress.ts). */
export function isAddress(value: unknown): value is Hex {
  return typeof value === 'string' && value.length === 42 && HEX.test(value);
}

/** 32 bytes: `0x` and 64 hex digits, in any case. */
export function isHash(value: unknown): value is Hex {
  return typeof value === 'string' && value.length === 66 && HEX.test(value);
}

/** `0x` and 64 digits: nothing on a chain has more than 256 bits. A number of a million digits would take seconds. */
const MAX_QUANTITY_LENGTH = 66;

const isQuantity = (value: unknown): value is Hex =>
  typeof value === 'string' && value.length >= 3 && value.length <= MAX_QUANTITY_LENGTH && HEX.test(value);

/** Parses a JSON-RPC quantity (`0x1a`) of at most 256 bits; `null` when it is not one. */
export const parseQuantity = (value: unknown): bigint | null => (isQuantity(value) ? BigInt(value) : null);

/** Parses a JSON-RPC quantity of at most 2^53 - 1; `null` when it is not one or is larger. */
export function parseSafeQuantity(value: unknown): number | null {
  const number = isQuantity(value) ? Number(value) : null;
  return number !== null && Number.isSafeInteger(number) ? number : null;
}

export function toQuantity(value: number | bigint): Hex {
  return `0x${value.toString(16)}`;
}

/** 32 bytes, with leading zeros. */
export const toWordHex = (word: bigint): Hex => `0x${word.toString(16).padStart(64, '0')}`;

export const bytesToBigInt = (bytes: Uint8Array): bigint => (bytes.length === 0 ? 0n : BigInt(bytesToHex(bytes)));

const DIGITS = '0123456789abcdef';

/** The value of a hex digit by its character code; `a` and `A` differ in the bit 32. */
const toNibble = (code: number): number => (code <= 57 ? code - 48 : (code | 32) - 87);

/** @param target Gets the first bytes, as many as it holds, instead of a new array. */
export function hexToBytes(hex: Hex, target?: Uint8Array): Uint8Array {
  if (!isHex(hex) || hex.length % 2 !== 0) throw new RangeError('Not a hex string of whole bytes.');
  const bytes = target ?? new Uint8Array((hex.length - 2) / 2);
  for (let i = 0; i < bytes.length; i++)
    bytes[i] = (toNibble(hex.charCodeAt(2 + 2 * i)) << 4) | toNibble(hex.charCodeAt(3 + 2 * i));
  return bytes;
}

/** Bytes per call of `String.fromCharCode`, whose arguments must fit on the stack. */
const CHUNK_BYTES = 4_096;

/** The result is one flat string: built by concatenation, a hash would take 1,600 bytes of memory instead of 80. */
export function bytesToHex(bytes: Uint8Array): Hex {
  let text = '';
  for (let from = 0; from === 0 || from < bytes.length; from += CHUNK_BYTES) {
    const to = Math.min(bytes.length, from + CHUNK_BYTES);
    const codes: number[] = from === 0 ? [48, 120] : []; // 0x
    for (let i = from; i < to; i++) {
      const byte = bytes[i] ?? 0;
      codes.push(DIGITS.charCodeAt(byte >> 4), DIGITS.charCodeAt(byte & 15));
    }
    const chunk = String.fromCharCode(...codes);
    text = from === 0 ? chunk : text + chunk;
  }
  return text as Hex; // it starts with 0x
}

export const ZERO_ADDRESS: Hex = `0x${'0'.repeat(40)}`;
export const ZERO_HASH: Hex = `0x${'0'.repeat(64)}`;
