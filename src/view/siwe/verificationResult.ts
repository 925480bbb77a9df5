// The outcome of a verification for people: the identity record as JSON, one sentence, and the line a refusal is about.

import { type Output, operations } from '../../api/operations/operations.ts';
import { decimalTokenIds } from '../../api/records/valueKinds.ts';
import type { SiweField, SiweMessage } from '../../api/siwe/siweMessage.ts';
import { encodeReply } from '../../api/wire/reply.ts';
import { checksumAddress } from '../../base/checksumAddress.ts';
import { sanitizeText, shortenHex } from '../../base/displayText.ts';
import { isAddress } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { getChainTitleById } from './explainField.ts';

export type VerifiedIdentity = Output<'verifySignIn'>;

/** The record as the service sends it, without what it does not have. */
export function formatIdentityJson(identity: VerifiedIdentity): string {
  const body = encodeReply(operations.verifySignIn.reply, identity, decimalTokenIds) as Readonly<
    Record<string, unknown>
  >;
  const there = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
  return `${JSON.stringify(there, null, 2)}\n`;
}

/** Name of the document that shows the record: no character that a path could take for its own. */
export function getResultFileName({ address }: VerifiedIdentity): string {
  const who = address !== null && isAddress(address) ? shortenHex(checksumAddress(address)) : t('unknown address');
  return `${t('Verified sign-in of {0}', who)}.json`;
}

export interface SiweSigner {
  readonly address: string;
  readonly domain: string;
  readonly chain: string;
}

/** Who signed for what, harmless in a notification: a remote host may answer anything. */
export function toSigner({ address, domain, chainId }: VerifiedIdentity): SiweSigner {
  const title = chainId === null ? null : getChainTitleById(chainId);
  const chain = title === null ? t('chain {0}', chainId ?? '?') : `${title} (${chainId})`;
  return { address: sanitizeText(address ?? '?', 42), domain: sanitizeText(domain ?? '?', 100), chain };
}

/** The part of the message, or its signature, that a refusal is about. */
export type RejectedPart = SiweField | 'signature';

const WORDS: readonly (readonly [RegExp, RejectedPart])[] = [
  [/expir/i, 'expirationTime'],
  [/not[ -]?before|not (?:yet )?(?:valid|in force)/i, 'notBefore'],
  [/issued|future/i, 'issuedAt'],
  [/nonce|replay|already (?:been )?used/i, 'nonce'],
  [/domain|is for \S+, not for/i, 'domain'],
  [/chain/i, 'chainId'],
];

/**
 * Which part a refusal means, of a message that was read well. The times are judged here; for the rest only the words
 * of the refusal are left, and what is not named can only be the signature.
 */
export function findRejectedPart(said: string, message: SiweMessage, now: number): RejectedPart {
  const { expirationTime, notBefore } = message;
  if (expirationTime !== null && now >= expirationTime.time) return 'expirationTime';
  if (notBefore !== null && now < notBefore.time) return 'notBefore';
  if (/signature|recover|signed by/i.test(said)) return 'signature';
  return WORDS.find(([pattern]) => pattern.test(said))?.[1] ?? 'signature';
}
