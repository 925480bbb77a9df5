// Decodes ABI-encoded data: exact, bounded, and strict enough to reject data of another signature (Solidity ABI specification).
import { bytesToHex } from '../base/hex.ts';
import { type AbiField, type AbiType, getHeadSize, isDynamicType } from './abiType.ts';

/** A value as text: decimal numbers, lower-case hex for addresses and bytes, `true`/`false`, strings unchanged (untrusted). */
export interface DecodedValue {
  readonly name: string;
  /** Canonical: `uint256`, `(address,uint256)[]`. */
  readonly type: string;
  readonly value: string | readonly DecodedValue[];
  /** The name of a tuple's struct. */
  readonly struct?: string;
  /** The name of an enum, whose member the number is: `Vault.Status`. */
  readonly enumName?: string;
  /** Only the keccak-256 of the value is known: an indexed parameter of a dynamic type. */
  readonly hashed?: true;
}

/** Maximum number of values in one decoding. */
const MAX_VALUES = 50_000;

/** The data does not match the types; caught in this file. */
class MismatchError extends Error {}

interface Reader {
  readonly bytes: Uint8Array;
  /** Values that may still be read: nested arrays could claim any number. */
  remaining: number;
  /** Bytes of texts and byte strings that may still be read: many offsets could lead to one long one. */
  remainingTail: number;
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

function readWord(reader: Reader, at: number): Uint8Array {
  if (at + 32 > reader.bytes.length) throw new MismatchError();
  return reader.bytes.subarray(at, at + 32);
}

const toBigInt = (bytes: Uint8Array): bigint => BigInt(bytesToHex(bytes));

/** Reads an offset or a length, which must be within the data. */
function readOffset(reader: Reader, at: number): number {
  const bytes = readWord(reader, at);
  for (let i = 0; i < 26; i++) if (bytes[i] !== 0) throw new MismatchError();
  let number = 0;
  for (let i = 26; i < 32; i++) number = number * 256 + (bytes[i] ?? 0);
  if (number > reader.bytes.length) throw new MismatchError();
  return number;
}

function requireZeros(bytes: Uint8Array): void {
  for (const byte of bytes) if (byte !== 0) throw new MismatchError();
}

function readTail(reader: Reader, at: number): Uint8Array {
  const length = readOffset(reader, at);
  reader.remainingTail -= length;
  if (at + 32 + length > reader.bytes.length || reader.remainingTail < 0) throw new MismatchError();
  return reader.bytes.subarray(at + 32, at + 32 + length);
}

function decodeInteger(bytes: Uint8Array, bits: number, signed: boolean): string {
  const value = toBigInt(bytes);
  if (!signed) {
    if (value >> BigInt(bits) !== 0n) throw new MismatchError();
    return value.toString();
  }
  const number = BigInt.asIntN(256, value);
  if (BigInt.asIntN(bits, number) !== number) throw new MismatchError();
  return number.toString();
}

function readSequence(reader: Reader, fields: readonly AbiField[], base: number): readonly DecodedValue[] {
  let head = base;
  return fields.map(({ name, canonicalType, type }) => {
    const at = isDynamicType(type) ? base + readOffset(reader, head) : head;
    head += getHeadSize(type);
    const struct = type.kind === 'tuple' ? type.struct : undefined;
    const enumName = type.kind === 'uint' ? type.enumName : undefined;
    return {
      name,
      type: canonicalType,
      value: readValue(reader, type, at),
      ...(struct !== undefined && { struct }),
      ...(enumName !== undefined && { enumName }),
    };
  });
}

function readElements(reader: Reader, type: Extract<AbiType, { kind: 'array' }>, at: number): readonly DecodedValue[] {
  const length = type.length ?? readOffset(reader, at);
  const base = type.length === null ? at + 32 : at;
  if (length > reader.remaining || base + length * Math.min(32, getHeadSize(type.item)) > reader.bytes.length)
    throw new MismatchError();
  const fields = Array.from({ length }, (_, index) => ({
    name: String(index),
    canonicalType: type.itemText,
    type: type.item,
  }));
  return readSequence(reader, fields, base);
}

function readValue(reader: Reader, type: AbiType, at: number): DecodedValue['value'] {
  if (--reader.remaining < 0) throw new MismatchError();
  switch (type.kind) {
    case 'address': {
      const bytes = readWord(reader, at);
      requireZeros(bytes.subarray(0, 12));
      return bytesToHex(bytes.subarray(12));
    }
    case 'bool': {
      const bytes = readWord(reader, at);
      requireZeros(bytes.subarray(0, 31));
      if ((bytes[31] ?? 0) > 1) throw new MismatchError();
      return bytes[31] === 1 ? 'true' : 'false';
    }
    case 'uint':
      return decodeInteger(readWord(reader, at), type.bits, false);
    case 'int':
      return decodeInteger(readWord(reader, at), type.bits, true);
    case 'fixedBytes': {
      const bytes = readWord(reader, at);
      requireZeros(bytes.subarray(type.size));
      return bytesToHex(bytes.subarray(0, type.size));
    }
    case 'bytes':
      return bytesToHex(readTail(reader, at));
    case 'string':
      return utf8.decode(readTail(reader, at));
    case 'array':
      return readElements(reader, type, at);
    case 'tuple':
      return readSequence(reader, type.fields, at);
  }
}

/** The values of `fields`; `null` when the data does not match the types. Bytes after the last value are allowed. */
export function decodeValues(fields: readonly AbiField[], data: Uint8Array): readonly DecodedValue[] | null {
  try {
    return readSequence({ bytes: data, remaining: MAX_VALUES, remainingTail: data.length }, fields, 0);
  } catch (error) {
    if (error instanceof MismatchError) return null;
    throw error;
  }
}

/** An indexed parameter: its value, or the hash of it for dynamic types. */
export function decodeTopic({ name, canonicalType, type }: AbiField, topic: Uint8Array): DecodedValue | null {
  if (isDynamicType(type) || type.kind === 'array' || type.kind === 'tuple')
    return { name, type: canonicalType, value: bytesToHex(topic), hashed: true };
  const [value] = decodeValues([{ name, canonicalType, type }], topic) ?? [];
  return value ?? null;
}
