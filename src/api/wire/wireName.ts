// The two spellings of a field name: camelCase inside HexLens, snake_case on the wire.

/** `blockNumberMinted` -> `block_number_minted`; digits stay with their word (`topic0`, `sha3_uncles`). */
export function wireName(name: string): string {
  let wire = known.get(name);
  if (wire === undefined) {
    wire = name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
    known.set(name, wire);
  }
  return wire;
}

/** Names are our own and few, and every request needs some of them. */
const known = new Map<string, string>();
