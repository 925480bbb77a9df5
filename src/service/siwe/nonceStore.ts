// The interface of stores of consumed nonces, and the key under which they store a nonce.
import type { SiweMessage } from '../../api/siwe/siweMessage.ts';

export type NonceResult = 'accepted' | 'used' | 'evicted';

export type NonceMessage = Pick<SiweMessage, 'domain' | 'nonce' | 'issuedAt' | 'expirationTime'>;
export type Digest = (bytes: Uint8Array) => Uint8Array;

export interface NonceStore {
  /**
   * Consumes the nonce of a message for its domain. `used`: it was consumed before. `evicted`: the message is as old as
   * evicted ones, so it may have been used. Call it only after the signature is verified: otherwise anyone could consume
   * the nonces of others. Nonces may be thousands of characters long; only their 32-byte `digest` is stored.
   */
  consume(message: NonceMessage, digest: Digest): NonceResult | Promise<NonceResult>;
  close?(): Promise<void>;
}

const encoder = new TextEncoder();

/** Domains contain no line feed, so different pairs have different keys. */
export function toNonceKey({ domain, nonce }: NonceMessage, digest: Digest): Uint8Array {
  return digest(encoder.encode(`${domain.toLowerCase()}\n${nonce}`));
}
