// ERC-165: which NFT standard a contract says it follows.
import type { Hex } from '../../base/hex.ts';
import { decodeUint256At } from './abiWords.ts';

/** Call data of `supportsInterface(bytes4)`. */
const encodeSupportsInterface = (interfaceId: string): Hex => `0x01ffc9a7${interfaceId}${'0'.repeat(56)}`;

/** Call data of the probe, in the order in which `parseErc165` reads the results. */
export const ERC165_CALLS: readonly Hex[] = [
  encodeSupportsInterface('01ffc9a7'), // ERC-165 itself
  encodeSupportsInterface('ffffffff'), // must be false: a contract that says yes to everything tells nothing
  encodeSupportsInterface('80ac58cd'), // ERC-721
  encodeSupportsInterface('9a20483d'), // the draft of ERC-721 that CryptoKitties implements
  encodeSupportsInterface('d9b67a26'), // ERC-1155
];

export interface Erc165Result {
  /** Whether the contract implements ERC-165 correctly. */
  readonly isSupported: boolean;
  readonly standard: 'ERC721' | 'ERC1155' | null;
  /** Whether the contract says yes to whatever it is called with, so that no other answer of it means anything either. */
  readonly acceptsEverything: boolean;
}

/** `results` are the data that the calls returned, `0x` for a call that reverted. */
export function parseErc165(results: readonly Hex[]): Erc165Result {
  const [erc165, everything, erc721, draft721, erc1155] = results.map(isTrue);
  const isSupported = erc165 === true && everything !== true;
  let standard: Erc165Result['standard'] = null;
  if (isSupported && (erc721 || draft721)) standard = 'ERC721';
  else if (isSupported && erc1155) standard = 'ERC1155';
  return { isSupported, standard, acceptsEverything: everything === true };
}

const isTrue = (data: Hex) => decodeUint256At(data, 0) === 1n;
