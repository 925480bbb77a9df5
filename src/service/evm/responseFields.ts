// Reading what nodes answer: each reader gives a value of the promised shape or says what is wrong with it.
import { type Hex, isAddress, isHash, isHex, parseQuantity, parseSafeQuantity } from '../../base/hex.ts';

/** A node's answer that cannot be true; caught where the node's name is known and told as its `node-answer` fault. */
export class InvalidResponseError extends Error {}

export type WireObject = Readonly<Record<string, unknown>>;

const fail = (key: string, what: string): never => {
  throw new InvalidResponseError(`${key} is not ${what}`);
};

export function requireObject(value: unknown, name: string): WireObject {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return fail(name, 'an object');
  return value as WireObject; // checked above: any own property may be missing, none is believed unread
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

/** Seconds since the epoch, as hex or (Anvil's receipts) as a JSON number; `null` when the node does not send it. */
export function optionalSeconds(source: WireObject, key: string): number | null {
  const value = source[key];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  return parseSafeQuantity(value);
}

export const toHashOrNull = (value: unknown): Hex | null => (isHash(value) ? value : null);
export const toHexOrNull = (value: unknown): Hex | null => (isHex(value) ? value : null);
export const toAddressOrNull = (value: unknown): Hex | null => (isAddress(value) ? value : null);

/** The latest moment that a `Date` can hold, in seconds. */
const LAST_SECOND = 8.64e12;

export function toDate(seconds: number): Date {
  if (seconds > LAST_SECOND) throw new InvalidResponseError('timestamp is past every calendar');
  return new Date(seconds * 1000);
}

/** What every use of a block needs of it. */
export interface BlockHeader {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex | null;
  readonly time: Date;
  readonly wire: WireObject;
}

/** A header of a mined block, or `null` where the node says `null`. */
export function parseHeader(value: unknown): BlockHeader | null {
  if (value === null || value === undefined) return null;
  const wire = requireObject(value, 'the block');
  return {
    number: requireNumber(wire, 'number'),
    hash: requireHash(wire, 'hash'),
    parentHash: toHashOrNull(wire['parentHash']),
    time: toDate(requireNumber(wire, 'timestamp')),
    wire,
  };
}

/** The header that was asked for by number, or `null`; another one is refused. */
export function parseHeaderAt(value: unknown, number: number): BlockHeader | null {
  const header = parseHeader(value);
  if (header !== null && header.number !== number)
    throw new InvalidResponseError(`block ${header.number} came instead of block ${number}`);
  return header;
}
