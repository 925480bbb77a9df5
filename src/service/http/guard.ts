// Who may ask: the key, compared in constant time, and no web page that reached us by a trick of names.
import { createHash, timingSafeEqual } from 'node:crypto';
import { badInput, HexLensError } from '../../base/errors.ts';
import { isLoopbackHost } from '../../base/loopback.ts';

type HeaderReader = { get(name: string): string | null };

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Throws `unauthorized` unless `X-API-Key` or `Authorization: Bearer` carries the key. */
export function keyGuard(key: string): (headers: HeaderReader) => void {
  const wanted = digest(key);
  // Digests have one length, so that the comparison tells nothing about the key's.
  const matches = (given: string | undefined | null) =>
    given !== undefined && given !== null && timingSafeEqual(digest(given), wanted);
  return headers => {
    const apiKey = headers.get('x-api-key');
    const bearer = /^bearer +(.+)$/i.exec(headers.get('authorization') ?? '')?.[1];
    // Both are looked at in any case: some clients send the key in one and something else in the other.
    const right = [matches(apiKey), matches(bearer)].includes(true);
    if (right) return;
    if (apiKey === null && bearer === undefined) {
      throw new HexLensError('unauthorized', 'The API key is missing.', {
        fix: 'Send it in the X-API-Key header.',
      });
    }
    throw new HexLensError('unauthorized', 'The API key is not valid.', {
      fix: 'Send the key that this service was started with in the X-API-Key header.',
    });
  };
}

/**
 * Throws `bad-input` for a request that a web page of another site made: a name that someone else's name server points
 * at this machine (DNS rebinding), or an `Origin` that is not this service itself.
 */
export function refuseForeignPages(url: URL, headers: HeaderReader): void {
  if (!isLoopbackHost(url.hostname)) {
    throw badInput([
      { field: 'Host', message: 'Host must be localhost or 127.0.0.1: this service answers no other name' },
    ]);
  }
  const origin = headers.get('origin');
  if (origin !== null && origin !== url.origin) {
    throw badInput([
      { field: 'Origin', message: 'Origin must be this service itself: web pages of other origins are not answered' },
    ]);
  }
}
