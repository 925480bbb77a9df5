// Kinds of values in reply fields: decoded leniently (hosts differ), encoded exactly as the description types them.

import type { Hex } from '../../base/hex.ts';
import { isObject } from '../../base/isObject.ts';
import { parseDate } from '../wire/parseDate.ts';
import type { JsonSchema } from './jsonSchema.ts';

/** What parameters say about the form of records. */
export interface Presentation {
  /** How token ids are written: the `format` parameter. */
  readonly tokenIds: 'decimal' | 'hex';
  /** Parameters that request further fields (`mediaItems`); none when absent. */
  readonly requested?: readonly string[];
}

export const decimalTokenIds: Presentation = { tokenIds: 'decimal' };

export interface ValueKind<T> {
  readonly name: string;
  /** JSON Schema of the encoded value. */
  readonly schema: JsonSchema;
  /** The value of whatever a host sent; `null` when it holds none. Never throws. */
  decode(wire: unknown): T | null;
  encode(value: T, presentation: Presentation): unknown;
}

const asText = (wire: unknown): string | null => {
  if (typeof wire === 'string') return wire;
  return typeof wire === 'number' || typeof wire === 'boolean' || typeof wire === 'bigint' ? String(wire) : null;
};

const asWhole = (wire: unknown): bigint | null => {
  if (typeof wire === 'bigint') return wire;
  if (typeof wire === 'number') return Number.isInteger(wire) ? BigInt(wire) : null;
  if (typeof wire !== 'string') return null;
  const text = wire.trim();
  if (/^-?\d{1,400}$/.test(text) || /^0x[0-9a-f]{1,330}$/i.test(text)) return BigInt(text);
  const whole = /^(-?\d{1,400})\.0+$/.exec(text)?.[1];
  return whole === undefined ? null : BigInt(whole);
};

const asNumber = (wire: unknown): number | null => {
  const whole = asWhole(wire);
  if (whole === null) return null;
  const number = Number(whole);
  return Number.isSafeInteger(number) ? number : null;
};

const asBoolean = (wire: unknown): boolean | null => {
  if (typeof wire === 'boolean') return wire;
  if (wire === 1 || wire === '1') return true;
  if (wire === 0 || wire === '0') return false;
  if (typeof wire !== 'string') return null;
  const word = wire.toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : null;
};

const asDate = (wire: unknown): Date | null => {
  const text = asText(wire);
  if (text === null || text === '') return null;
  const parsed = parseDate(text);
  if (parsed !== null) return parsed;
  const loose = new Date(text);
  return Number.isNaN(loose.getTime()) ? null : loose;
};

/** Any text; numbers and booleans become text, an object becomes its JSON. */
export const text: ValueKind<string> = {
  name: 'text',
  schema: { type: 'string' },
  decode(wire) {
    if (wire === null || typeof wire !== 'object') return asText(wire);
    try {
      return JSON.stringify(wire);
    } catch {
      return null; // nested too deeply for the stack
    }
  },
  encode: value => value,
};

/** Hex data of any length; its case is not changed. */
export const hex: ValueKind<Hex> = {
  name: 'hex',
  schema: { type: 'string', pattern: '^0x[0-9a-fA-F]*$' },
  decode: wire => (typeof wire === 'string' && /^0x[0-9a-f]*$/i.test(wire) ? (wire as Hex) : null),
  encode: value => value,
};

const lowerHex = (name: string, digits: number): ValueKind<Hex> => ({
  name,
  schema: { type: 'string', pattern: `^0x[0-9a-f]{${digits}}$` },
  decode: wire =>
    typeof wire === 'string' && wire.length === digits + 2 && /^0x[0-9a-f]*$/i.test(wire)
      ? (wire.toLowerCase() as Hex)
      : null,
  encode: value => value.toLowerCase(),
});

export const address = lowerHex('address', 40);
export const hash = lowerHex('hash', 64);

/** An address with its EIP-55 checksum. */
export const checksummed: ValueKind<Hex> = {
  name: 'checksummed',
  schema: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' },
  decode: wire => (typeof wire === 'string' && /^0x[0-9a-f]{40}$/i.test(wire) ? (wire as Hex) : null),
  encode: value => value,
};

/** A whole number sent as a decimal string: amounts, counts of any size. */
export const amount: ValueKind<bigint> = {
  name: 'amount',
  schema: { type: 'string', pattern: '^-?\\d+$' },
  decode: asWhole,
  encode: value => value.toString(),
};

/** A whole number within 2^53 sent as a decimal string: block numbers, indexes. */
export const count: ValueKind<number> = {
  name: 'count',
  schema: { type: 'string', pattern: '^\\d+$' },
  decode: asNumber,
  encode: value => String(value),
};

/** A whole number sent as a JSON number. */
export const number: ValueKind<number> = {
  name: 'number',
  schema: { type: 'integer' },
  decode: asNumber,
  encode: value => value,
};

/** Decimal text that is not a whole number (`1.5`); a string, so that no digit is lost. */
export const decimal: ValueKind<string> = {
  name: 'decimal',
  schema: { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' },
  decode: asText,
  encode: value => value,
};

/** A boolean sent as the string "true" or "false". */
export const flag: ValueKind<boolean> = {
  name: 'flag',
  schema: { type: 'string', enum: ['true', 'false'] },
  decode: asBoolean,
  encode: value => String(value),
};

export const boolean: ValueKind<boolean> = {
  name: 'boolean',
  schema: { type: 'boolean' },
  decode: asBoolean,
  encode: value => value,
};

/** A moment, sent as ISO 8601 in UTC with milliseconds. */
export const time: ValueKind<Date> = {
  name: 'time',
  schema: { type: 'string', format: 'date-time' },
  decode: asDate,
  encode: value => value.toISOString(),
};

/** A token id of 256 bits: decimal, or hex with `format=hex`. */
export const tokenId: ValueKind<bigint> = {
  name: 'tokenId',
  schema: { type: 'string', pattern: '^(\\d+|0x[0-9a-f]+)$' },
  decode: asWhole,
  encode: (value, presentation) => (presentation.tokenIds === 'hex' ? `0x${value.toString(16)}` : value.toString()),
};

export const enumeration = <const T extends string>(...values: readonly T[]): ValueKind<T> => ({
  name: 'oneOf',
  schema: { type: 'string', enum: [...values] },
  decode: wire => values.find(value => value === wire) ?? null,
  encode: value => value,
});

/** A JSON object sent as a string that holds it; hosts also send the object itself. */
export const jsonText: ValueKind<Readonly<Record<string, unknown>>> = {
  name: 'jsonText',
  schema: { type: 'string' },
  decode(wire) {
    if (isObject(wire)) return wire;
    if (typeof wire !== 'string') return null;
    try {
      const value: unknown = JSON.parse(wire);
      return isObject(value) ? value : null;
    } catch {
      return null;
    }
  },
  encode: value => JSON.stringify(value),
};

/** Any JSON value, passed through: metadata and media have any shape. */
export const json: ValueKind<unknown> = {
  name: 'json',
  schema: {},
  decode: wire => wire ?? null,
  encode: value => value,
};

export interface ListValueKind<T> extends ValueKind<readonly T[]> {
  readonly item: ValueKind<T>;
}

/** A list of one kind; items without a value are left out. */
export const array = <T>(item: ValueKind<T>): ListValueKind<T> => ({
  item,
  name: `list of ${item.name}`,
  schema: { type: 'array', items: item.schema },
  decode: wire => (Array.isArray(wire) ? wire.map(entry => item.decode(entry)).filter(entry => entry !== null) : null),
  encode: (value, presentation) => value.map(entry => item.encode(entry, presentation)),
});
