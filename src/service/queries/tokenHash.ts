// The `token_hash` of an NFT: one name for contract and id, computed as hosts of the service do.
import { createHash } from 'node:crypto';
import type { Hex } from '../../base/hex.ts';

/** MD5 of the lower-case address followed by the decimal id, in hex without `0x`: a name, not a security feature. */
export function computeTokenHash(token: Hex, tokenId: bigint): string {
  return createHash('md5').update(`${token.toLowerCase()}${tokenId}`).digest('hex');
}
