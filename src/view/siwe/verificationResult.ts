// The form of a signature before its verification; the identity record, the signer or the rejected part after it.

import { type Output, operations } from '../../api/operations/operations.ts';
import { decimalTokenIds } from '../../api/records/valueKinds.ts';
import type { SiweField, SiweMessage } from '../../api/siwe/siweMessage.ts';
import { encodeReply } from '../../api/wire/reply.ts';
import { toShortDisplayAddress } from '../../base/displayAddress.ts';
import { sanitizeText } from '../../base/displayText.ts';
import { isAddress } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { getChainTitleById } from '../chainTitle.ts';

/** `error`: not a signature. `warning`: only a contract wallet can have created it. */
export interface SignatureIssue {
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** 65 bytes (r, s, v) as hex digits. */
const DIGITS = 130;
/** 64 bytes, the compact form of EIP-2098. */
const COMPACT_DIGITS = 128;

/** `null` when the form is valid. */
export function checkSignatureText(text: string): SignatureIssue | null {
  const error = (message: string): SignatureIssue => ({ severity: 'error', message });
  if (text === '') return error(t('A signature is 0x and 130 hex digits.'));
  if (!text.startsWith('0x')) return error(t('A signature starts with 0x.'));
  const digits = text.slice(2);
  const wrong = digits.search(/[^0-9a-f]/i);
  if (wrong >= 0) return error(t('The character at position {0} is not a hex digit.', wrong + 3));
  if (digits.length === DIGITS || digits.length === COMPACT_DIGITS) return null;
  const count = digits.length;
  const difference = Math.abs(DIGITS - count);
  const few = difference === 1 ? t('1 digit too few') : t('{0} digits too few', difference);
  const many = difference === 1 ? t('1 digit too many') : t('{0} digits too many', difference);
  const message = t('A signature has {0} hex digits; this has {1}, {2}.', DIGITS, count, count < DIGITS ? few : many);
  // Keys sign in 65 bytes; only contracts accept other lengths, in whole bytes.
  if (count < DIGITS || count % 2 === 1) return error(message);
  return { severity: 'warning', message: `${message} ${t('Only contract wallets have longer ones.')}` };
}

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
  const who = address !== null && isAddress(address) ? toShortDisplayAddress(address) : t('unknown address');
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
