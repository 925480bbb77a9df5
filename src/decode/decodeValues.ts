// ABI-encoded data to values: exact, bounded, and strict enough that data of another signature is refused (Solidity ABI specification).
import { bytesToHex } from '../base/hex.ts';
import { type AbiField, type AbiType, getHeadSize, isDynamicType } from './abiType.ts';

/** A value as text: decimal numbers, lower-case hex for addresses and bytes, `true`/`false`, strings as they are (hostile). */
export interface DecodedValue {
  readonly name: string;
  /** Canonical: `uint256`, `(address,uint256)[]`. */
  readonly type: string;
  readonly value: string | readonly DecodedValue[];
  /** Only the keccak-256 of the value is known: an indexed parameter of a dynamic type. */
  readonly hashed?: true;
}

/** Values of one decoding: more than any honest call has, and few enough to stay fast. */
const MAX_VALUES = 50_000;

/** The data is not what the types say; never leaves this file. */
class Mismatch extends Error {}

interface Reader {
  readonly bytes: Uint8Array;
  /** Values that may still be read: nested arrays could otherwise claim more than the data could hold. */
  left: number;
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

function word(reader: Reader, at: number): Uint8Array {
  if (at + 32 > reader.bytes.length) throw new Mismatch();
  return reader.bytes.subarray(at, at + 32);
}

const bigintOf = (bytes: Uint8Array): bigint => BigInt(bytesToHex(bytes));

/** An offset or a length: whoever points beyond the data is wrong. */
function small(reader: Reader, at: number): number {
  const bytes = word(reader, at);
  for (let i = 0; i < 26; i++) if (bytes[i] !== 0) throw new Mismatch();
  let number = 0;
  for (let i = 26; i < 32; i++) number = number * 256 + (bytes[i] ?? 0);
  if (number > reader.bytes.length) throw new Mismatch();
  return number;
}

function zeros(bytes: Uint8Array): void {
  for (const byte of bytes) if (byte !== 0) throw new Mismatch();
}

function tail(reader: Reader, at: number): Uint8Array {
  const length = small(reader, at);
  if (at + 32 + length > reader.bytes.length) throw new Mismatch();
  return reader.bytes.subarray(at + 32, at + 32 + length);
}

function integer(bytes: Uint8Array, bits: number, signed: boolean): string {
  const value = bigintOf(bytes);
  if (!signed) {
    if (value >> BigInt(bits) !== 0n) throw new Mismatch();
    return value.toString();
  }
  const number = BigInt.asIntN(256, value);
  if (BigInt.asIntN(bits, number) !== number) throw new Mismatch();
  return number.toString();
}

function sequence(reader: Reader, fields: readonly AbiField[], base: number): readonly DecodedValue[] {
  let head = base;
  return fields.map(({ name, canonicalType: typeText, type }) => {
    const at = isDynamicType(type) ? base + small(reader, head) : head;
    head += getHeadSize(type);
    return { name, type: typeText, value: read(reader, type, at) };
  });
}

function elements(reader: Reader, type: Extract<AbiType, { kind: 'array' }>, at: number): readonly DecodedValue[] {
  const length = type.length ?? small(reader, at);
  const base = type.length === null ? at + 32 : at;
  if (length > reader.left || base + length * Math.min(32, getHeadSize(type.item)) > reader.bytes.length)
    throw new Mismatch();
  const fields = Array.from({ length }, (_, index) => ({
    name: String(index),
    typeText: type.itemText,
    type: type.item,
  }));
  return sequence(reader, fields, base);
}

function read(reader: Reader, type: AbiType, at: number): DecodedValue['value'] {
  if (--reader.left < 0) throw new Mismatch();
  switch (type.kind) {
    case 'address': {
      const bytes = word(reader, at);
      zeros(bytes.subarray(0, 12));
      return bytesToHex(bytes.subarray(12));
    }
    case 'bool': {
      const bytes = word(reader, at);
      zeros(bytes.subarray(0, 31));
      if ((bytes[31] ?? 0) > 1) throw new Mismatch();
      return bytes[31] === 1 ? 'true' : 'false';
    }
    case 'uint':
      return integer(word(reader, at), type.bits, false);
    case 'int':
      return integer(word(reader, at), type.bits, true);
    case 'fixedBytes': {
      const bytes = word(reader, at);
      zeros(bytes.subarray(type.size));
      return bytesToHex(bytes.subarray(0, type.size));
    }
    case 'bytes':
      return bytesToHex(tail(reader, at));
    case 'string':
      return utf8.decode(tail(reader, at));
    case 'array':
      return elements(reader, type, at);
    case 'tuple':
      return sequence(reader, type.fields, at);
  }
}

/** The values behind `fields`; `null` when the data is not of these types. Bytes after the last value are allowed. */
export function decodeValues(fields: readonly AbiField[], data: Uint8Array): readonly DecodedValue[] | null {
  try {
    return sequence({ bytes: data, left: MAX_VALUES }, fields, 0);
  } catch (error) {
    if (error instanceof Mismatch) return null;
    throw error;
  }
}

/** An indexed parameter: its value, or its hash when the value itself is not in the topic. */
export function decodeTopic({ name, canonicalType: typeText, type }: AbiField, topic: Uint8Array): DecodedValue | null {
  if (isDynamicType(type) || type.kind === 'array' || type.kind === 'tuple')
    return { name, type: typeText, value: bytesToHex(topic), hashed: true };
  const [value] = decodeValues([{ name, canonicalType: typeText, type }], topic) ?? [];
  return value ?? null;
}
