// Who may ask: several keys by their digests, compared in constant time, each with its limits.
import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ApiGroup } from '../api/operations/operation.ts';
import type { Clock } from '../base/clock.ts';
import { HexLensError } from '../base/errors.ts';
import { createTokenBucket, type TokenBucket } from './tokenBucket.ts';

export interface ApiKeySpec {
  /** What logs and metrics call it: never the key itself. */
  readonly name: string;
  /** SHA-256 of the key, 64 hex digits: the key itself need not be written anywhere. */
  readonly sha256: string;
  /** Requests that are answered per second; as many may come at once. No limit when absent. */
  readonly perSecond?: number;
  /** Requests that are answered per minute; as many may come at once. No limit when absent. */
  readonly perMinute?: number;
  /** Groups that it may ask; all when absent. */
  readonly groups?: readonly ApiGroup[];
}

/** Whoever sent a key of ours. */
export interface ApiKeyHolder {
  readonly name: string;
  /** May see more than the operations: how the service itself is doing. */
  readonly isUnrestricted: boolean;
  /** Counts one request. Throws `forbidden` for a group that the key is not for, `rate-limited` over its limits. */
  admitRequest(group: ApiGroup): void;
}

export interface Keyring {
  /**
   * Whose key `X-API-Key` or `Authorization: Bearer` carries; `null` when it is none of ours. Throws `unauthorized` when
   * there is no key at all.
   */
  identify(headers: IncomingHttpHeaders): ApiKeyHolder | null;
}

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/** The key as `KeySpec` has it. */
export function hashApiKey(key: string): string {
  return digest(key).toString('hex');
}

interface Entry {
  readonly digest: Buffer;
  readonly caller: ApiKeyHolder;
}

export function createKeyring(keys: readonly ApiKeySpec[], clock: Clock): Keyring {
  const entries = keys.map(
    (spec): Entry => ({ digest: Buffer.from(spec.sha256, 'hex'), caller: callerOf(spec, clock) }),
  );

  /** Every key is compared, whether or not one was found: time tells neither which one nor how much of it was right. */
  const find = (given: string): ApiKeyHolder | null => {
    const wanted = digest(given);
    let found: ApiKeyHolder | null = null;
    for (const entry of entries) if (timingSafeEqual(entry.digest, wanted)) found = entry.caller;
    return found;
  };

  return {
    identify(headers) {
      const given = headers['x-api-key'];
      const apiKey = typeof given === 'string' ? given : undefined;
      const bearer = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
      // Either may be the right one: some clients send the key in one and something else in the other.
      const caller = (apiKey === undefined ? null : find(apiKey)) ?? (bearer === undefined ? null : find(bearer));
      if (caller === null && apiKey === undefined && bearer === undefined)
        throw new HexLensError('unauthorized', 'The API key is missing.', { fix: 'Send it in the X-API-Key header.' });
      return caller;
    },
  };
}

function callerOf({ name, perSecond, perMinute, groups }: ApiKeySpec, clock: Clock): ApiKeyHolder {
  const buckets: TokenBucket[] = [];
  if (perSecond !== undefined) buckets.push(createTokenBucket(perSecond, 1_000, clock));
  if (perMinute !== undefined) buckets.push(createTokenBucket(perMinute, 60_000, clock));
  return {
    name,
    isUnrestricted: groups === undefined,
    admitRequest(group) {
      if (groups !== undefined && !groups.includes(group)) {
        throw new HexLensError('forbidden', 'The API key is not for this group of operations.', {
          fix: `It is for ${groups.join(', ')}: use another key, or have this one's groups changed.`,
        });
      }
      // All or none: a request that one limit refuses does not count for the other.
      const waitMs = Math.max(0, ...buckets.map(bucket => bucket.waitMs()));
      if (waitMs > 0) {
        throw new HexLensError('rate-limited', 'The API key is over its limit of requests.', {
          retryAfterMs: waitMs,
          fix: `Try again in ${Math.ceil(waitMs / 1000)} s.`,
        });
      }
      for (const bucket of buckets) bucket.take();
    },
  };
}
