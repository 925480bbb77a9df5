// The `token_hash` of an NFT: one name for contract and id together, as hosts of the service compute it.
import { createHash } from 'node:crypto';
import type { Hex } from '../../base/hex.ts';

/** MD5 of the lower-case address followed by the decimal id, in hex without `0x`: a name, not a proof of anything. */
export function computeTokenHash(token: Hex, tokenId: bigint): string {
  return createHash('md5').update(`${token.toLowerCase()}${tokenId}`).digest('hex');
}
