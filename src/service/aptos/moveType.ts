// Move type tags as text, normalized to the spelling of records.

import { toShortAptosAddress } from '../../base/aptosAddress.ts';
import { bytesToText } from '../../base/base64.ts';
import { type Hex, hexToBytes } from '../../base/hex.ts';
import { asAddress, asString, getField, type JsonValue } from './jsonFields.ts';

export const APT_COIN_TYPE = '0x1::aptos_coin::AptosCoin';

/** The official processors skip longer coin types too. */
export const MAX_COIN_TYPE_LENGTH = 1000;

/** Matches an address only where a type begins: a module may be named `a0x1`. */
const ADDRESSES = /(^|[<,])0x([0-9a-f]{1,64})(?=::)/gi;

/** A few types are in most transactions. */
let normalizedTypes = new Map<string, string>();
const MAX_CACHED_TYPES = 1_000;

/** `0x01::a::B<0x02::c::D,u8>` becomes `0x1::a::B<0x2::c::D, u8>`. Text that is not a type only loses its spaces. */
export function normalizeMoveType(type: string): string {
  const cached = normalizedTypes.get(type);
  if (cached !== undefined) return cached;
  if (normalizedTypes.size >= MAX_CACHED_TYPES) normalizedTypes = new Map();
  const normalized = type
    .replace(/\s+/g, '')
    .replace(ADDRESSES, (_match, before: string, digits: string) => `${before}${toShortAptosAddress(`0x${digits}`)}`)
    .replaceAll(',', ', ');
  if (type.length <= MAX_COIN_TYPE_LENGTH) normalizedTypes.set(type, normalized);
  return normalized;
}

/** `X` of `<name><X>`; `null` for other types. Not normalized: nodes print types in the spelling of records. */
export function getTypeArgument(type: string, name: string): string | null {
  if (!type.startsWith(name) || type.charCodeAt(name.length) !== 0x3c || !type.endsWith('>')) return null;
  return type.slice(name.length + 1, -1);
}

/** The type of a `0x1::type_info::TypeInfo` `{account_address, module_name, struct_name}`, whose names are hex text. */
export function parseTypeInfo(typeInfo: JsonValue): string | null {
  const account = asAddress(getField(typeInfo, 'account_address'));
  const names = ['module_name', 'struct_name'].map(name => asString(getField(typeInfo, name)));
  if (account === null || !names.every(name => name !== null && /^0x([0-9a-f]{2})+$/i.test(name))) return null;
  const [module, struct] = names.map(name => bytesToText(hexToBytes(name as Hex)));
  return normalizeMoveType(`${account}::${module}::${struct}`);
}
