// The two spellings of a field name: camelCase inside HexLens, snake_case on the wire.

/** `blockNumberMinted` -> `block_number_minted`; digits stay with their word (`topic0`, `sha3_uncles`). */
export function wireName(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}
