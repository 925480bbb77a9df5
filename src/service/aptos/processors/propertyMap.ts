// Property maps of tokens as flat objects of text. A value that does not match its type stays hex.
import { type BcsReader, bcs } from '@mysten/bcs';
import { asArray, asString, asUnsigned, getField, type JsonValue } from '../jsonFields.ts';
import type { TokenProperties } from '../models.ts';
import { addressType, decodeBcs, hexBytesType } from './bcs.ts';

export interface Property {
  readonly key: string;
  /** A Move type such as `u64` or `0x1::string::String` (0x3), or a type number (0x4). */
  readonly type: string | bigint;
  /** BCS bytes as hex. */
  readonly value: string;
}

interface TextType {
  read(reader: BcsReader): string | number | boolean;
}

const TYPES_BY_NAME: ReadonlyMap<string, TextType> = new Map<string, TextType>([
  ['bool', bcs.bool()],
  ['u8', bcs.u8()],
  ['u16', bcs.u16()],
  ['u32', bcs.u32()],
  ['u64', bcs.u64()],
  ['u128', bcs.u128()],
  ['u256', bcs.u256()],
  ['address', addressType],
  ['0x1::string::String', bcs.string()],
]);

/** The types of `0x4::property_map` in the order of their numbers. */
const TYPES_BY_NUMBER: readonly TextType[] = [
  bcs.bool(),
  bcs.u8(),
  bcs.u16(),
  bcs.u32(),
  bcs.u64(),
  bcs.u128(),
  bcs.u256(),
  addressType,
  hexBytesType,
  bcs.string(),
];

export function flattenProperties(properties: readonly Property[]): TokenProperties {
  // Without a prototype, because a key may be `__proto__`.
  const flat: Record<string, string> = Object.create(null);
  for (const { key, type, value } of properties) {
    const bcsType = typeof type === 'bigint' ? TYPES_BY_NUMBER[Number(type)] : TYPES_BY_NAME.get(type);
    const decoded = bcsType === undefined ? null : decodeBcs(value, bcsType);
    flat[key] = decoded === null ? value : String(decoded);
  }
  return flat;
}

/** The entries of a decoded map: `{ map: { data } }` of 0x3 or `{ inner: { data } }` of 0x4; `null` for other values. */
export function parsePropertyMap(map: JsonValue): TokenProperties | null {
  const data = getField(map, 'map', 'data') ?? getField(map, 'inner', 'data');
  if (!Array.isArray(data)) return null;
  const properties: Property[] = [];
  for (const entry of asArray(data)) {
    const key = asString(getField(entry, 'key'));
    const value = asString(getField(entry, 'value', 'value'));
    const type = asString(getField(entry, 'value', 'type')) ?? asUnsigned(getField(entry, 'value', 'type'));
    if (key !== null && value !== null && type !== null) properties.push({ key, value, type });
  }
  return flattenProperties(properties);
}
