// Move type tags as text, normalized to the spelling of records.
import { toShortAddress } from './address.ts';

export const APT_COIN_TYPE = '0x1::aptos_coin::AptosCoin';

/** The official processors skip longer coin types too. */
export const MAX_COIN_TYPE_LENGTH = 1000;

/** Matches an address only where a type begins: a module may be named `a0x1`. */
const ADDRESSES = /(^|[<,])0x([0-9a-f]{1,64})(?=::)/gi;

/** `0x01::a::B<0x02::c::D,u8>` becomes `0x1::a::B<0x2::c::D, u8>`. Text that is not a type only loses its spaces. */
export function normalizeMoveType(type: string): string {
  return type
    .replace(/\s+/g, '')
    .replace(ADDRESSES, (_match, before: string, digits: string) => `${before}${toShortAddress(`0x${digits}`)}`)
    .replaceAll(',', ', ');
}

/** `X` of `<name><X>`; `null` for other types. Not normalized: nodes print types in the spelling of records. */
export function getTypeArgument(type: string, name: string): string | null {
  if (!type.startsWith(name) || type.charCodeAt(name.length) !== 0x3c || !type.endsWith('>')) return null;
  return type.slice(name.length + 1, -1);
}
