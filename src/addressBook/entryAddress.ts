// Addresses as the book keeps them: one form each, so that any spelling finds the entry.

const ADDRESS = /^0x([0-9a-f]{1,64})$/;

/**
 * `0x` and 40 digits for what has 40 (EVM), `0x` and 64 for every other length (Aptos, padded), in lower case; `null`
 * when the text is no address. An Aptos address that was shortened to exactly 40 digits is taken for an EVM one.
 */
export function normalizeEntryAddress(text: string): string | null {
  const digits = ADDRESS.exec(text.trim().toLowerCase())?.[1];
  if (digits === undefined) return null;
  return `0x${digits.length === 40 ? digits : digits.padStart(64, '0')}`;
}

export function isAptosEntryAddress(canonical: string): boolean {
  return canonical.length === 66;
}

/** No chain named is every chain, so two entries of one address only stand side by side when both name different ones. */
export function haveCommonChain(left: readonly string[], right: readonly string[]): boolean {
  return left.length === 0 || right.length === 0 || left.some(chain => right.includes(chain));
}
