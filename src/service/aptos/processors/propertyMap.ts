// Property maps of tokens as flat objects of text; a value of an unknown type, or not of its type, stays as its hex.
import { bytesToHex } from '../../../base/hex.ts';
import { asArray, asString, asUnsigned, getField, type JsonValue } from '../jsonFields.ts';
import type { TokenProperties } from '../models.ts';
import { type BcsProperty, type BcsReader, decodeBcs } from './bcs.ts';

type Read = (reader: BcsReader) => string;

const whole =
  (size: number): Read =>
  reader =>
    String(reader.unsigned(size));
const text: Read = reader => reader.text();
const address: Read = reader => reader.address();
const bool: Read = reader => String(reader.bool());

const NAMED: ReadonlyMap<string, Read> = new Map([
  ['bool', bool],
  ['u8', whole(1)],
  ['u16', whole(2)],
  ['u32', whole(4)],
  ['u64', whole(8)],
  ['u128', whole(16)],
  ['u256', whole(32)],
  ['address', address],
  ['0x1::string::String', text],
]);

/** Types of `0x4::property_map`, by their number. */
const NUMBERED: readonly Read[] = [
  bool,
  whole(1),
  whole(2),
  whole(4),
  whole(8),
  whole(16),
  whole(32),
  address,
  reader => bytesToHex(reader.bytes()),
  text,
];

export function flattenProperties(raw: readonly BcsProperty[]): TokenProperties {
  // Without a prototype: a key may be `__proto__`.
  const flat: Record<string, string> = Object.create(null);
  for (const { key, type, value } of raw) {
    const read = typeof type === 'bigint' ? NUMBERED[Number(type)] : NAMED.get(type);
    flat[key] = (read === undefined ? null : decodeBcs(value, read)) ?? value;
  }
  return flat;
}

/** The entries of a decoded map: `{ map: { data } }` of 0x3, `{ inner: { data } }` of 0x4; `null` when it is none. */
export function parsePropertyMap(map: JsonValue): TokenProperties | null {
  const data = getField(map, 'map', 'data') ?? getField(map, 'inner', 'data');
  if (!Array.isArray(data)) return null;
  const raw: BcsProperty[] = [];
  for (const entry of asArray(data)) {
    const key = asString(getField(entry, 'key'));
    const value = asString(getField(entry, 'value', 'value'));
    const type = asString(getField(entry, 'value', 'type')) ?? asUnsigned(getField(entry, 'value', 'type'));
    if (key !== null && value !== null && type !== null) raw.push({ key, value, type });
  }
  return flattenProperties(raw);
}
