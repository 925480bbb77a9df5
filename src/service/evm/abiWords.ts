// ABI-encoded data of logs and call results, word by word: what is missing or malformed is `null`, never an error.
import { type Hex, hexToBytes, isHex } from '../../base/hex.ts';

/** Hex digits of a 32-byte word. */
const WORD_DIGITS = 64;
const TWELVE_ZERO_BYTES = '0'.repeat(24);
const TWENTY_EIGHT_ZERO_BYTES = '0'.repeat(56);

/** Whole bytes of the data; a half byte at the end does not count. */
export const getByteLength = (data: Hex): number => Math.floor((data.length - 2) / 2);

/** A word as hex digits, without `0x`: an amount, or an address padded to 32 bytes. */
export const encodeWord = (value: bigint | Hex): string => BigInt(value).toString(16).padStart(WORD_DIGITS, '0');

function getWord(data: Hex, byte: number): string | null {
  const start = 2 + 2 * byte;
  return start + WORD_DIGITS <= data.length ? data.slice(start, start + WORD_DIGITS) : null;
}

export function decodeUint256At(data: Hex, byte: number): bigint | null {
  const word = getWord(data, byte);
  return word === null ? null : BigInt(`0x${word}`);
}

/** A number that fits 32 bits, such as a length, an offset or an item type; `null` for larger ones. */
export function decodeUint32At(data: Hex, byte: number): number | null {
  const word = getWord(data, byte);
  return word?.startsWith(TWENTY_EIGHT_ZERO_BYTES) ? Number.parseInt(word.slice(56), 16) : null;
}

/** `null` also when the 12 bytes before the address are not zero. */
export function decodeAddressAt(data: Hex, byte: number): Hex | null {
  const word = getWord(data, byte);
  return word?.startsWith(TWELVE_ZERO_BYTES) ? `0x${word.slice(24)}` : null;
}

/** The address in a storage slot or a returned word, in lower case; `null` for zero and for any other value. */
export function parseAddressWord(word: unknown): Hex | null {
  if (!isHex(word) || word.length !== 66 || BigInt(word) === 0n) return null;
  return decodeAddressAt(word.toLowerCase() as Hex, 0);
}

/** Addresses of topics, which repeat: equal ones are one string, so that rows of many logs take less memory. */
let addressByTopic = new Map<Hex, Hex | null>();
const MAX_CACHED_TOPICS = 10_000;

/** The address in an indexed topic of a log. */
export function decodeAddressTopic(topic: Hex | undefined): Hex | null {
  if (topic === undefined) return null;
  const cached = addressByTopic.get(topic);
  if (cached !== undefined) return cached;
  if (addressByTopic.size >= MAX_CACHED_TOPICS) addressByTopic = new Map();
  const address = decodeAddressAt(topic, 0);
  addressByTopic.set(topic, address);
  return address;
}

export interface AbiArray {
  /** Byte at which the first element begins. */
  readonly start: number;
  readonly length: number;
}

/** The dynamic array whose offset is at byte `head`; `null` when part of it would lie beyond the data. */
export function decodeArrayAt(data: Hex, head: number, bytesPerElement: number): AbiArray | null {
  const offset = decodeUint32At(data, head);
  const length = offset === null ? null : decodeUint32At(data, offset);
  if (offset === null || length === null) return null;
  const start = offset + 32;
  return start + length * bytesPerElement <= getByteLength(data) ? { start, length } : null;
}

/** The bytes of an ABI `string` that a call returned, or the first `maxBytes` of them. */
export function decodeStringBytes(data: Hex, maxBytes: number): Uint8Array | null {
  const content = decodeArrayAt(data, 0, 1);
  if (content === null) return null;
  const start = 2 + 2 * content.start;
  return hexToBytes(`0x${data.slice(start, start + 2 * Math.min(content.length, maxBytes))}`);
}

/** The same, and the `bytes32` that tokens older than that convention return, up to its first zero byte. */
export function decodeStringOrBytes32(data: Hex, maxBytes: number): Uint8Array | null {
  if (getByteLength(data) !== 32) return decodeStringBytes(data, maxBytes);
  const bytes = hexToBytes(data.slice(0, 2 + WORD_DIGITS) as Hex);
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

/** A dynamic `bytes` argument: its length, and its data padded to whole words. */
export function encodeBytesArgument(bytes: Hex): string {
  const digits = bytes.slice(2).toLowerCase();
  return (
    encodeWord(BigInt(digits.length / 2)) + digits.padEnd(Math.ceil(digits.length / WORD_DIGITS) * WORD_DIGITS, '0')
  );
}
