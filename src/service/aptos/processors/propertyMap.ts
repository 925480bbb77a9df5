// Property maps of tokens as flat objects of text; a value of an unknown type, or not of its type, stays as its hex.
import { bytesToHex } from '../../../base/hex.ts';
import { at, listOf, textOf, type Value, wholeOf } from '../jsonFields.ts';
import type { Properties } from '../models.ts';
import { type RawProperty, type Reader, readBcs } from './bcs.ts';

type Read = (reader: Reader) => string;

const whole =
  (size: number): Read =>
  reader =>
    String(reader.whole(size));
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

export function flatProperties(raw: readonly RawProperty[]): Properties {
  // Without a prototype: a key may be `__proto__`.
  const flat: Record<string, string> = Object.create(null);
  for (const { key, type, value } of raw) {
    const read = typeof type === 'bigint' ? NUMBERED[Number(type)] : NAMED.get(type);
    flat[key] = (read === undefined ? null : readBcs(value, read)) ?? value;
  }
  return flat;
}

/** The entries of a decoded map: `{ map: { data } }` of 0x3, `{ inner: { data } }` of 0x4; `null` when it is none. */
export function propertiesOf(map: Value): Properties | null {
  const data = at(map, 'map', 'data') ?? at(map, 'inner', 'data');
  if (!Array.isArray(data)) return null;
  const raw: RawProperty[] = [];
  for (const entry of listOf(data)) {
    const key = textOf(at(entry, 'key'));
    const value = textOf(at(entry, 'value', 'value'));
    const type = textOf(at(entry, 'value', 'type')) ?? wholeOf(at(entry, 'value', 'type'));
    if (key !== null && value !== null && type !== null) raw.push({ key, value, type });
  }
  return flatProperties(raw);
}
