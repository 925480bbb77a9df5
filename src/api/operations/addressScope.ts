// Which lists make sense for an address, by what it is.

/**
 * Addresses that a list makes sense for: all, those with code, contracts of NFTs, ERC-20 contracts, and those that may hold
 * tokens: accounts and contracts that are no tokens themselves. What a contract holds is not shown while it is empty, where
 * finding out costs nothing: on a development chain, whose index is whole.
 */
export type AddressScope = 'all' | 'contract' | 'nft' | 'erc20' | 'holder';

/** What decides about it, as a look-up of the address (`AddressSummary`) tells. */
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
