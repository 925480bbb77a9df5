// The refusals of a well-formed sign-in message: out of its time, for another domain, used before.

import { MAX_TOLERATED_SKEW_MS, normalizeDomain, type SiwePolicy, siweDefaults } from '../../api/configuration.ts';
import type { SiweMessage } from '../../api/siwe/siweMessage.ts';
import { HexLensError } from '../../base/errors.ts';

/** Every refusal of a message or signature that is well formed: status 401. */
export const createUnauthorizedFault = (message: string, fix: string) =>
  new HexLensError('unauthorized', message, { fix });

export interface CompleteSignInPolicy extends Required<SiwePolicy> {
  /** Canonical; empty binds nothing. */
  readonly expectedDomains: readonly string[];
}

function canonical(text: string): string {
  const domain = normalizeDomain(text);
  if (domain !== null) return domain;
  throw new HexLensError('bad-input', `"${text}" is not a domain that sign-in messages can be bound to.`, {
    fix: 'Write host or host:port, as in the first line of the message: example.com, localhost:3000.',
  });
}

/** The policy with every default. Throws `bad-input` for a domain that no message could ever name. */
export function completeSignInPolicy(policy: SiwePolicy = {}): CompleteSignInPolicy {
  const skew = policy.toleratedSkewMs ?? siweDefaults.maxSkewMs;
  return {
    ...siweDefaults,
    ...policy,
    expectedDomains: (policy.expectedDomains ?? siweDefaults.expectedDomains).map(canonical),
    toleratedSkewMs: skew > 0 ? Math.min(skew, MAX_TOLERATED_SKEW_MS) : 0,
  };
}

const at = (time: number) => new Date(time).toISOString();

/** Throws when `now` (milliseconds since 1970) is not within the message's times. */
export function checkTimes(
  { issuedAt, notBefore, expirationTime }: Pick<SiweMessage, 'issuedAt' | 'notBefore' | 'expirationTime'>,
  now: number,
  maxSkewMs: number,
): void {
  const again = 'Let the user sign a new message.';
  if (expirationTime !== null && !(now < expirationTime.time))
    throw createUnauthorizedFault(
      `The message expired: its Expiration Time is ${expirationTime.text}, it is ${at(now)} now.`,
      again,
    );
  const later = 'Wait until then, or correct the clock that is wrong.';
  if (notBefore !== null && !(now + maxSkewMs >= notBefore.time))
    throw createUnauthorizedFault(
      `The message is not valid yet: its Not Before is ${notBefore.text}, it is ${at(now)} now.`,
      later,
    );
  if (!(now + maxSkewMs >= issuedAt.time))
    throw createUnauthorizedFault(
      `The message was issued in the future: its Issued At is ${issuedAt.text}, it is ${at(now)} now.`,
      later,
    );
}

/** Throws when domains are expected and the message names none of them. A user name in front is part of no domain. */
export function checkDomain({ domain }: Pick<SiweMessage, 'domain'>, expectedDomains: readonly string[]): void {
  if (expectedDomains.length === 0) return;
  const fix = 'Sign a message of the site itself, or add the domain to those that are expected (--domain).';
  if (domain.includes('@'))
    throw createUnauthorizedFault(
      `The message names a user in its domain (${domain}), which hides what site it is for.`,
      fix,
    );
  if (expectedDomains.map(canonical).includes(domain.toLowerCase())) return;
  throw createUnauthorizedFault(`The message is for ${domain}, not for ${expectedDomains.join(' or ')}.`, fix);
}

/** Throws when a nonce is expected and the message has another one. */
export function checkNonce({ nonce }: Pick<SiweMessage, 'nonce'>, expected: string | undefined): void {
  if (expected === undefined || nonce === expected) return;
  throw createUnauthorizedFault(
    `The message has the nonce ${shorten(nonce)}, which is not the one that is expected.`,
    'Let the user sign the message that was made for this sign-in.',
  );
}

/** For sentences: nonces may be thousands of characters long. */
export const shorten = (text: string) => (text.length > 40 ? `${text.slice(0, 37)}...` : text);
