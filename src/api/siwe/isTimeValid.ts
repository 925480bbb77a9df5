// The time check of sign-in messages, shared by verification and hover.
import type { SiweField } from './siweMessage.ts';

export type SiweTimeField = Extract<SiweField, 'issuedAt' | 'notBefore' | 'expirationTime'>;

/**
 * Whether the message can be valid now, as far as this field says.
 *
 * @param time The field's value, in milliseconds since 1970.
 * @param now Milliseconds since 1970.
 * @param toleratedSkewMs How far the clocks of signer and verifier may differ. It does not prolong `expirationTime`.
 */
export function isTimeValid(field: SiweTimeField, time: number, now: number, toleratedSkewMs = 0): boolean {
  return field === 'expirationTime' ? now < time : now + toleratedSkewMs >= time;
}
