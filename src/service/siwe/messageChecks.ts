// Checks of a well-formed sign-in message against the policy: its times, domain and nonce.
import { MAX_CLOCK_SKEW_MS, normalizeDomain, type SiwePolicy, siweDefaults } from '../../api/configuration.ts';
import { isTimeConstraintMet, type SiweMessage } from '../../api/siwe/siweMessage.ts';
import { HexLensError } from '../../base/errors.ts';

/** The fault of every check that a well-formed message or signature fails: status 401. */
export const createUnauthorizedFault = (message: string, fix: string) =>
  new HexLensError('unauthorized', message, { fix });

export interface CompleteSiwePolicy extends Required<SiwePolicy> {
  /** Normalized. Any domain is accepted when empty. */
  readonly expectedDomains: readonly string[];
}

function requireDomain(text: string): string {
  const domain = normalizeDomain(text);
  if (domain !== null) return domain;
  throw new HexLensError('bad-input', `"${text}" is not a domain that sign-in messages can be bound to.`, {
    fix: 'Write host or host:port, as in the first line of the message: example.com, localhost:3000.',
  });
}

/** Fills in the defaults. Throws `bad-input` for a domain that no message can contain. */
export function completeSiwePolicy(policy: SiwePolicy = {}): CompleteSiwePolicy {
  const skewMs = policy.clockSkewMs ?? siweDefaults.clockSkewMs;
  return {
    ...siweDefaults,
    ...policy,
    expectedDomains: (policy.expectedDomains ?? siweDefaults.expectedDomains).map(requireDomain),
    clockSkewMs: skewMs > 0 ? Math.min(skewMs, MAX_CLOCK_SKEW_MS) : 0,
  };
}

/** @param now Milliseconds since 1970. */
export function checkTimes(
  { issuedAt, notBefore, expirationTime }: Pick<SiweMessage, 'issuedAt' | 'notBefore' | 'expirationTime'>,
  now: number,
  clockSkewMs: number,
): void {
  const describeNow = () => `it is ${new Date(now).toISOString()} now`;
  if (expirationTime !== null && !isTimeConstraintMet('expirationTime', expirationTime.time, now))
    throw createUnauthorizedFault(
      `The message expired: its Expiration Time is ${expirationTime.text}, ${describeNow()}.`,
      'Let the user sign a new message.',
    );
  const fix = 'Wait until then, or correct the clock that is wrong.';
  if (notBefore !== null && !isTimeConstraintMet('notBefore', notBefore.time, now, clockSkewMs))
    throw createUnauthorizedFault(
      `The message is not valid yet: its Not Before is ${notBefore.text}, ${describeNow()}.`,
      fix,
    );
  if (!isTimeConstraintMet('issuedAt', issuedAt.time, now, clockSkewMs))
    throw createUnauthorizedFault(
      `The message was issued in the future: its Issued At is ${issuedAt.text}, ${describeNow()}.`,
      fix,
    );
}

/** Accepts any domain when none is expected. */
export function checkDomain({ domain }: Pick<SiweMessage, 'domain'>, expectedDomains: readonly string[]): void {
  if (expectedDomains.length === 0) return;
  const fix = 'Sign a message of the site itself, or add the domain to those that are expected.';
  if (domain.includes('@'))
    throw createUnauthorizedFault(
      `The message names a user in its domain (${domain}), which hides what site it is for.`,
      fix,
    );
  if (expectedDomains.map(requireDomain).includes(domain.toLowerCase())) return;
  throw createUnauthorizedFault(`The message is for ${domain}, not for ${expectedDomains.join(' or ')}.`, fix);
}

/** Accepts any nonce when none is expected. */
export function checkNonce({ nonce }: Pick<SiweMessage, 'nonce'>, expectedNonce: string | undefined): void {
  if (expectedNonce === undefined || nonce === expectedNonce) return;
  throw createUnauthorizedFault(
    `The message has the nonce ${shorten(nonce)}, which is not the one that is expected.`,
    'Let the user sign the message that was made for this sign-in.',
  );
}

/** For messages: a nonce may be thousands of characters long. */
export const shorten = (text: string) => (text.length > 40 ? `${text.slice(0, 37)}...` : text);
