// Fields of what nodes return: each reader gives a value of the expected type or throws `InvalidResponseError`.
import { type Hex, isAddress, isHash, isHex, parseQuantity, parseSafeQuantity } from '../../base/hex.ts';

/** A response that cannot be true. `EvmNode.validate` turns it into a `node-answer` fault that names the node. */
export class InvalidResponseError extends Error {}

export type WireObject = Readonly<Record<string, unknown>>;

const fail = (key: string, what: string): never => {
  throw new InvalidResponseError(`${key} is not ${what}`);
};

export function requireObject(value: unknown, name: string): WireObject {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return fail(name, 'an object');
  return value as WireObject; // checked above: each field is validated when it is read
}

export function requireArray(source: WireObject, key: string): readonly unknown[] {
  const value = source[key];
  return Array.isArray(value) ? value : fail(key, 'a list');
}

export function requireHash(source: WireObject, key: string): Hex {
  const value = source[key];
  return isHash(value) ? value : fail(key, 'a hash');
}

export function requireAddress(source: WireObject, key: string): Hex {
  const value = source[key];
  return isAddress(value) ? value : fail(key, 'an address');
}

export function optionalAddress(source: WireObject, key: string): Hex | null {
  const value = source[key];
  return value === null || value === undefined ? null : requireAddress(source, key);
}

export function requireHex(source: WireObject, key: string): Hex {
  const value = source[key];
  return isHex(value) ? value : fail(key, 'hex data');
}

export function requireBigInt(source: WireObject, key: string): bigint {
  return parseQuantity(source[key]) ?? fail(key, 'a quantity');
}

export function requireNumber(source: WireObject, key: string): number {
  return parseSafeQuantity(source[key]) ?? fail(key, 'a quantity below 2^53');
}

/** Seconds since the Unix epoch, as hex or (Anvil's receipts) as a JSON number; `null` when the node does not send it. */
export function optionalSeconds(source: WireObject, key: string): number | null {
  const value = source[key];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  return parseSafeQuantity(value);
}

export const toHashOrNull = (value: unknown): Hex | null => (isHash(value) ? value : null);
export const toHexOrNull = (value: unknown): Hex | null => (isHex(value) ? value : null);
export const toAddressOrNull = (value: unknown): Hex | null => (isAddress(value) ? value : null);

/** The latest time that a `Date` can hold, in seconds. */
const MAX_SECONDS = 8.64e12;

export function toDate(seconds: number): Date {
  if (seconds > MAX_SECONDS) throw new InvalidResponseError('timestamp is past every calendar');
  return new Date(seconds * 1000);
}
