// Functions that ERC-20 and ERC-721 share: only the contract's standard tells whether the number is an amount or an id.
import type { DecodedItem } from './decodeAbi.ts';

export type TokenStandard = 'ERC20' | 'ERC721' | 'ERC1155';

/** Index of the number, and its name in an ERC-721; without one, collections differ (an id or a quantity). */
const SHARED_FUNCTIONS: Readonly<Record<string, { readonly index: number; readonly erc721: string }>> = {
  'approve(address,uint256)': { index: 1, erc721: 'tokenId' },
  'transferFrom(address,address,uint256)': { index: 2, erc721: 'tokenId' },
  'burn(uint256)': { index: 0, erc721: 'tokenId' },
  'mint(address,uint256)': { index: 1, erc721: '' },
  'mint(uint256)': { index: 0, erc721: '' },
};

/** Whether the called contract's standard matters for the names of the parameters. */
export const hasSharedSignature = ({ item, isFromWorkspace }: DecodedItem): boolean =>
  item.kind === 'function' && !isFromWorkspace && Object.hasOwn(SHARED_FUNCTIONS, item.canonical);

/**
 * A call of a bundled signature with the parameter names of the called contract's standard; a name that would be a guess is
 * omitted. What a file of the workspace declares stays as it is.
 */
export function nameByStandard(decoded: DecodedItem, standard: TokenStandard | null): DecodedItem {
  const { item, values } = decoded;
  const shared = hasSharedSignature(decoded) ? SHARED_FUNCTIONS[item.canonical] : undefined;
  if (shared === undefined || standard === 'ERC20') return decoded;
  const { index, erc721 } = shared;
  const rename = <T extends { readonly name: string }>(part: T, at: number): T =>
    at === index ? { ...part, name: standard === 'ERC721' ? erc721 : '' } : part;
  return { ...decoded, item: { ...item, inputs: item.inputs.map(rename) }, values: values.map(rename) };
}
