// API keys of a server of our own: validity, generation and digests.
import { hash, randomBytes } from 'node:crypto';

/** Whether it can be sent in a header as it is: 1 to 256 visible ASCII characters. */
export function isValidApiKey(key: string): boolean {
  return /^[\x21-\x7e]{1,256}$/.test(key);
}

/** Whether it cannot be guessed over a network: 16 characters or more. */
export function isStrongApiKey(key: string): boolean {
  return isValidApiKey(key) && key.length >= 16;
}

/** 192 random bits in 32 characters. */
export function generateApiKey(): string {
  return randomBytes(24).toString('base64url');
}

export function digestApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** SHA-256 in hex, as `ApiKeySpec` and the configuration file have it. */
export function hashApiKey(key: string): string {
  return digestApiKey(key).toString('hex');
}
