// The key of a service that we run ourselves: what one may be, and a new one.
import { randomBytes } from 'node:crypto';

/** Whether it can be sent in a header as it is: 1 to 256 visible ASCII characters. */
export function isValidApiKey(key: string): boolean {
  return /^[\x21-\x7e]{1,256}$/.test(key);
}

/** 192 random bits in 32 characters. */
export function generateApiKey(): string {
  return randomBytes(24).toString('base64url');
}

/** Whether nobody guesses it over a network: 16 characters or more. */
export function isStrongApiKey(key: string): boolean {
  return isValidApiKey(key) && key.length >= 16;
}
