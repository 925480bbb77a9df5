// The interface of stores of consumed nonces, and the key under which they store a nonce.
import type { SiweMessage } from '../../api/siwe/siweMessage.ts';
import { encodeText } from './encodeText.ts';

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

/** Domains contain no line feed, so different pairs have different texts. */
export const toNonceText = ({ domain, nonce }: NonceMessage): string => `${domain.toLowerCase()}\n${nonce}`;

export const toNonceKey = (message: NonceMessage, digest: Digest): Uint8Array =>
  digest(encodeText(toNonceText(message)));
