// The server's API keys: finds the holder of a key by digest in constant time, and enforces the limits of each key.
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ApiGroup } from '../api/operations/operation.ts';
import type { Clock } from '../base/clock.ts';
import { HexLensError } from '../base/errors.ts';
import { digestApiKey } from './apiKey.ts';
import { createTokenBucket, type TokenBucket } from './tokenBucket.ts';

export interface ApiKeySpec {
  /** Name of the key in logs and metrics. */
  readonly name: string;
  /** SHA-256 of the key in 64 hex digits, so that the key itself need not be stored. */
  readonly sha256: string;
  /** Requests per second, and the size of a burst. No limit when absent. */
  readonly perSecond?: number;
  /** Requests per minute, and the size of a burst. No limit when absent. */
  readonly perMinute?: number;
  /** Groups of operations that the key is for; all when absent. */
  readonly groups?: readonly ApiGroup[];
}

export class ApiKeyHolder {
  readonly name: string;
  /** The groups that the key is for; all when absent. */
  readonly #groups: readonly ApiGroup[] | undefined;
  /** One for each limit. */
  readonly #buckets: TokenBucket[] = [];

  constructor({ name, perSecond, perMinute, groups }: ApiKeySpec, clock: Clock) {
    this.name = name;
    this.#groups = groups;
    if (perSecond !== undefined) this.#buckets.push(createTokenBucket(perSecond, 1_000, clock));
    if (perMinute !== undefined) this.#buckets.push(createTokenBucket(perMinute, 60_000, clock));
  }

  /** The key is for all groups, and so for the metrics too. */
  get isUnrestricted(): boolean {
    return this.#groups === undefined;
  }

  /** Counts one request. Throws `forbidden` for a group that the key is not for, `rate-limited` over its limits. */
  admitRequest(group: ApiGroup): void {
    if (this.#groups !== undefined && !this.#groups.includes(group)) {
      throw new HexLensError('forbidden', 'The API key is not for this group of operations.', {
        fix: `It is for ${this.#groups.join(', ')}: use another key, or have this one's groups changed.`,
      });
    }
    if (this.#buckets.length === 0) return;
    // A request that one limit rejects does not count against the other.
    const waitMs = Math.max(0, ...this.#buckets.map(bucket => bucket.waitMs()));
    if (waitMs > 0) {
      throw new HexLensError('rate-limited', 'The API key is over its limit of requests.', {
        retryAfterMs: waitMs,
        fix: `Try again in ${Math.ceil(waitMs / 1000)} s.`,
      });
    }
    for (const bucket of this.#buckets) bucket.take();
  }
}

export class Keyring {
  readonly #entries: readonly { readonly digest: Buffer; readonly holder: ApiKeyHolder }[];
  /**
   * Keys that were found before: the digest takes longer than the rest of `identify`. Texts are looked up by V8's hash, whose
   * seed is secret, so that the time shows nothing of a key to those who do not have it.
   */
  readonly #knownKeys = new Map<string, ApiKeyHolder>();

  constructor(keys: readonly ApiKeySpec[], clock: Clock) {
    this.#entries = keys.map(spec => ({
      digest: Buffer.from(spec.sha256, 'hex'),
      holder: new ApiKeyHolder(spec, clock),
    }));
  }

  /**
   * The holder of the key in `X-API-Key` or `Authorization: Bearer`; `null` for a key that is not in the ring. Throws
   * `unauthorized` when there is no key at all.
   */
  identify(headers: IncomingHttpHeaders): ApiKeyHolder | null {
    const header = headers['x-api-key'];
    const apiKey = typeof header === 'string' ? header : undefined;
    const { authorization } = headers;
    const bearer = authorization === undefined ? undefined : /^bearer +(\S+)$/i.exec(authorization)?.[1];
    if (apiKey === undefined && bearer === undefined)
      throw new HexLensError('unauthorized', 'The API key is missing.', { fix: 'Send it in the X-API-Key header.' });
    // Some clients send the key in one header and something else in the other.
    return (apiKey === undefined ? null : this.#find(apiKey)) ?? (bearer === undefined ? null : this.#find(bearer));
  }

  /** Compares with every entry, so that the time shows neither which one matched nor how far. */
  #find(key: string): ApiKeyHolder | null {
    const known = this.#knownKeys.get(key);
    if (known !== undefined) return known;
    const digest = digestApiKey(key);
    let holder: ApiKeyHolder | null = null;
    for (const entry of this.#entries) if (timingSafeEqual(entry.digest, digest)) holder = entry.holder;
    if (holder !== null) this.#knownKeys.set(key, holder);
    return holder;
  }
}
