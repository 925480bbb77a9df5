// Reads what a node sent, field by field: a value of the expected shape or `null`, never an error.
import type { Hex } from '../../base/hex.ts';
import { toLongAddress } from './address.ts';
import type { Json, JsonObject } from './transaction.ts';

export type JsonValue = Json | undefined;

export const asObject = (value: JsonValue): JsonObject | null =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : null;

export const asArray = (value: JsonValue): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

/** The value at a path of fields; `undefined` where it breaks off. */
export function getField(value: JsonValue, ...path: readonly string[]): JsonValue {
  let inner = value;
  for (const name of path) {
    const outer = asObject(inner);
    if (outer === null || !Object.hasOwn(outer, name)) return undefined;
    inner = outer[name];
  }
  return inner;
}

export const asString = (value: JsonValue): string | null => (typeof value === 'string' ? value : null);

export const asBoolean = (value: JsonValue): boolean | null => (typeof value === 'boolean' ? value : null);

/** A whole number, not negative: u8 and u16 come as JSON numbers, u64 and more as strings. */
export function asUnsigned(value: JsonValue): bigint | null {
  if (typeof value === 'string') return /^\d{1,80}$/.test(value) ? BigInt(value) : null;
  if (typeof value === 'bigint') return value >= 0n ? value : null;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null;
}

export const asAddress = (value: JsonValue): Hex | null => toLongAddress(value);

/** `{ inner }` of an object reference, or a plain address. */
export const asObjectAddress = (value: JsonValue): Hex | null =>
  toLongAddress(typeof value === 'string' ? value : getField(value, 'inner'));
