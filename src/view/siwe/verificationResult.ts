// Shows the result of a verification: the identity record as JSON, the signer, and the part that a rejection is about.

import { type Output, operations } from '../../api/operations/operations.ts';
import { decimalTokenIds } from '../../api/records/valueKinds.ts';
import type { SiweField, SiweMessage } from '../../api/siwe/siweMessage.ts';
import { encodeReply } from '../../api/wire/reply.ts';
import { checksumAddress } from '../../base/checksumAddress.ts';
import { sanitizeText, shortenHex } from '../../base/displayText.ts';
import { isAddress } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { getChainTitleById } from '../chainTitle.ts';

export type VerifiedIdentity = Output<'verifySignIn'>;

/** The record as the service sends it, without empty fields. */
export function formatIdentityJson(identity: VerifiedIdentity): string {
  const body = encodeReply(operations.verifySignIn.reply, identity, decimalTokenIds) as Readonly<
    Record<string, unknown>
  >;
  const present = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
  return `${JSON.stringify(present, null, 2)}\n`;
}

/** Name of the document with the record, without characters that are special in paths. */
export function getResultFileName({ address }: VerifiedIdentity): string {
  const who = address !== null && isAddress(address) ? shortenHex(checksumAddress(address)) : t('unknown address');
  return `${t('Verified sign-in of {0}', who)}.json`;
}

export interface SiweSigner {
  readonly address: string;
  readonly domain: string;
  readonly chain: string;
}

/** Sanitized for a notification: a remote host may send anything. */
export function toSigner({ address, domain, chainId }: VerifiedIdentity): SiweSigner {
  const title = chainId === null ? null : getChainTitleById(chainId);
  const chain = title === null ? t('chain {0}', chainId ?? '?') : `${title} (${chainId})`;
  return { address: sanitizeText(address ?? '?', 42), domain: sanitizeText(domain ?? '?', 100), chain };
}

/** The part of the message, or its signature, that a rejection is about. */
export type RejectedPart = SiweField | 'signature';

const PART_PATTERNS: readonly (readonly [RegExp, RejectedPart])[] = [
  [/expir/i, 'expirationTime'],
  [/not[ -]?before|not (?:yet )?(?:valid|in force)/i, 'notBefore'],
  [/issued|future/i, 'issuedAt'],
  [/nonce|replay|already (?:been )?used/i, 'nonce'],
  [/domain|is for \S+, not for/i, 'domain'],
  [/chain/i, 'chainId'],
];

/**
 * Which part of a valid message was rejected. Times are checked here; otherwise only the rejection's text can tell, and if it
 * names no part, it is the signature.
 */
export function findRejectedPart(reason: string, message: SiweMessage, now: number): RejectedPart {
  const { expirationTime, notBefore } = message;
  if (expirationTime !== null && now >= expirationTime.time) return 'expirationTime';
  if (notBefore !== null && now < notBefore.time) return 'notBefore';
  if (/signature|recover|signed by/i.test(reason)) return 'signature';
  return PART_PATTERNS.find(([pattern]) => pattern.test(reason))?.[1] ?? 'signature';
}
