// ERC-165 interface ids of well-known standards.

const INTERFACES: Readonly<Record<string, string>> = {
  '01ffc9a7': 'ERC-165',
  '36372b07': 'ERC-20',
  a219a025: 'ERC-20 metadata',
  '80ac58cd': 'ERC-721',
  '5b5e139f': 'ERC-721 metadata',
  '780e9d63': 'ERC-721 enumerable',
  '150b7a02': 'ERC-721 receiver',
  d9b67a26: 'ERC-1155',
  '0e89341c': 'ERC-1155 metadata URI',
  '4e2312e0': 'ERC-1155 receiver',
  '2a55205a': 'ERC-2981 royalties',
  '49064906': 'ERC-4906 metadata update',
  '7f5828d0': 'ERC-173 ownership',
  '7965db0b': 'AccessControl',
  '1626ba7e': 'ERC-1271 signature validation',
  '9d8ff7da': 'ERC-2612 permit',
  '48e2b093': 'ERC-2535 diamond loupe',
  b0202a11: 'ERC-1363',
  '5604e225': 'ERC-4494 permit',
  ad092b5c: 'ERC-4907 rental',
};

/** The standard whose ERC-165 interface id this is, given as `0x` and 8 digits in any case; `null` when unknown. */
export function getInterfaceName(id: string): string | null {
  const digits = id.slice(2).toLowerCase();
  return Object.hasOwn(INTERFACES, digits) ? (INTERFACES[digits] ?? null) : null;
}
