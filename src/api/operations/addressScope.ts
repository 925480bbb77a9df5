// Which lists make sense for an address, by what it is.

/**
 * The addresses that a list makes sense for.
 * - `all`: every address.
 * - `contract`: those with code.
 * - `nft`, `erc20`: contracts of that standard.
 * - `holder`: those that may hold tokens: accounts, and contracts that are no tokens themselves. On a development chain the
 *   list of a contract is left out while it is empty.
 */
export type AddressScope = 'all' | 'contract' | 'nft' | 'erc20' | 'holder';

/** The fields of an `AddressSummary` that decide it. */
export interface AddressTraits {
  readonly codeSize: number | null;
  readonly token: { readonly standard: string } | null;
}

export function isInScope(scope: AddressScope, { codeSize, token }: AddressTraits): boolean {
  switch (scope) {
    case 'all':
      return true;
    case 'contract':
      return (codeSize ?? 0) > 0;
    case 'nft':
      return token?.standard === 'ERC721' || token?.standard === 'ERC1155';
    case 'erc20':
      return token?.standard === 'ERC20';
    case 'holder':
      return token === null;
  }
}
