// Reads what a node sent, field by field: a value of the expected shape or `null`, never an error.
import type { Hex } from '../../base/hex.ts';
import { padAddress } from './address.ts';
import type { Json, JsonObject } from './transaction.ts';

export type Value = Json | undefined;

export const objectOf = (value: Value): JsonObject | null =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : null;

export const listOf = (value: Value): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

/** The value at a path of fields; `undefined` where it breaks off. */
export function at(value: Value, ...path: readonly string[]): Value {
  let inner = value;
  for (const name of path) {
    const outer = objectOf(inner);
    if (outer === null || !Object.hasOwn(outer, name)) return undefined;
    inner = outer[name];
  }
  return inner;
}

export const textOf = (value: Value): string | null => (typeof value === 'string' ? value : null);

export const boolOf = (value: Value): boolean | null => (typeof value === 'boolean' ? value : null);

/** A whole number, not negative: u8 and u16 come as JSON numbers, u64 and more as strings. */
export function wholeOf(value: Value): bigint | null {
  if (typeof value === 'string') return /^\d{1,80}$/.test(value) ? BigInt(value) : null;
  if (typeof value === 'bigint') return value >= 0n ? value : null;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null;
}

export const addressOf = (value: Value): Hex | null => padAddress(value);

/** `{ inner }` of an object reference, or a plain address. */
export const referenceOf = (value: Value): Hex | null =>
  padAddress(typeof value === 'string' ? value : at(value, 'inner'));
