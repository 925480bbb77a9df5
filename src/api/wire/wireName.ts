// Names of fields: camelCase in code, snake_case on the wire.
import { getOrInsert } from '../../base/getOrInsert.ts';

/** There are few names, and every request needs some. */
const cache = new Map<string, string>();

/** `blockNumberMinted` -> `block_number_minted`; digits stay with their word (`topic0`, `sha3_uncles`). */
export function toWireName(name: string): string {
  return getOrInsert(cache, name, () => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`));
}
