// Reads fields of JSON from a fullnode or indexer: a value of the expected shape or `null`, never an exception.

import { parseAptosAddress } from '../../base/aptosAddress.ts';
import type { Hex } from '../../base/hex.ts';

/** JSON as it was received. Integers beyond 2^53 are strings or bigints, never rounded numbers. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

export type JsonValue = Json | undefined;

export function isJsonObject(value: JsonValue): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

export const asObject = (value: JsonValue): JsonObject | null => (isJsonObject(value) ? value : null);

export const asArray = (value: JsonValue): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

/** The value at a path of field names; `undefined` when a part of the path is missing. */
export function getField(value: JsonValue, ...path: readonly string[]): JsonValue {
  let current = value;
  for (const name of path) {
    if (!isJsonObject(current)) return undefined;
    current = current[name];
  }
  return current;
}

export const asString = (value: JsonValue): string | null => (typeof value === 'string' ? value : null);

export const asBoolean = (value: JsonValue): boolean | null => (typeof value === 'boolean' ? value : null);

/** An unsigned integer of any size: nodes send u8 and u16 as JSON numbers, u64 and larger as strings. */
export function asUnsigned(value: JsonValue): bigint | null {
  if (typeof value === 'string') return value.length < 16 ? parseShort(value) : parseLong(value);
  if (typeof value === 'bigint') return value >= 0n ? value : null;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null;
}

const parseLong = (text: string): bigint | null => (/^\d{16,80}$/.test(text) ? BigInt(text) : null);

const SMALL_INTEGERS = Array.from({ length: 256 }, (_, number) => BigInt(number));

/** Up to 15 digits, which a number has exactly: takes half as long as the conversion of a text. */
function parseShort(text: string): bigint | null {
  if (text === '') return null;
  let number = 0;
  for (let index = 0; index < text.length; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return null;
    number = 10 * number + digit;
  }
  return SMALL_INTEGERS[number] ?? BigInt(number);
}

/** An unsigned integer of at most 20 digits, as a u64 has. */
export function parseU64(value: JsonValue): bigint | null {
  return typeof value === 'string' && value.length > 20 ? null : asUnsigned(value);
}

/** An address in its long form. */
export const asAddress = (value: JsonValue): Hex | null => parseAptosAddress(value);

/** The address of an object reference (`{ inner }`) or a plain address. */
export const asObjectAddress = (value: JsonValue): Hex | null =>
  parseAptosAddress(typeof value === 'string' ? value : getField(value, 'inner'));
