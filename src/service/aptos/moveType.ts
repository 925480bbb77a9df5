// Move types as text, in the one spelling that records have: addresses stripped, generic arguments joined by comma and space.
import { toShortAddress } from './address.ts';

export const APT_COIN_TYPE = '0x1::aptos_coin::AptosCoin';

/** Longer coin types make no rows, as with the official processors. */
export const MAX_COIN_TYPE_LENGTH = 1000;

/** Only an address at the start of a type: a module may be named `a0x1`. */
const ADDRESSES = /(^|[<,])0x([0-9a-f]{1,64})(?=::)/gi;

/** `0x01::a::B<0x02::c::D,u8>` becomes `0x1::a::B<0x2::c::D, u8>`; what is no type is only freed of its spaces. */
export function normalizeMoveType(type: string): string {
  return type
    .replace(/\s+/g, '')
    .replace(ADDRESSES, (_whole, before: string, digits: string) => `${before}${toShortAddress(`0x${digits}`)}`)
    .replaceAll(',', ', ');
}

/** `X` of `<name><X>`; `null` of other types. Not normalised: nodes print types as records have them. */
export function getTypeArgument(type: string, name: string): string | null {
  if (!type.startsWith(name) || type.charCodeAt(name.length) !== 0x3c || !type.endsWith('>')) return null;
  return type.slice(name.length + 1, -1);
}
