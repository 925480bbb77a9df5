// Cache of results read from chains, valid as long as their freshness says; emptied per chain when the chain is reset.

import { LRUCache } from 'lru-cache';
import { parseChainSelector } from '../api/chains.ts';
import type { ChainState, Freshness, Validity } from '../api/freshness.ts';
import type { LookupId } from '../api/lookups.ts';
import { formatQueryString } from '../api/wire/queryString.ts';
import type { WireRequest } from '../api/wire/request.ts';
import type { Clock } from '../base/clock.ts';
import { getOrInsert } from '../base/getOrInsert.ts';
import type { Hex } from '../base/hex.ts';
import type { Log } from '../base/log.ts';

/** The server caches request objects of targets that clients repeat, so most keys are found here. */
const requestKeyCache = new WeakMap<WireRequest, string>();

/** One spelling for requests that mean the same. */
export function getCacheKey(request: WireRequest): string {
  return getOrInsert(
    requestKeyCache,
    request,
    () => `${request.operation} ${request.path}?${formatQueryString(request.query)}`,
  );
}

/** `input` as `normalizeLookupInput` returns it. */
export function getLookupCacheKey(id: LookupId, input: object): string {
  const toText = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value);
  // A replacer makes it several times slower.
  const isPlain = Object.values(input).every(value => typeof value === 'string' || typeof value === 'number');
  return `${id} ${JSON.stringify(input, isPlain ? undefined : toText)}`;
}

function normalizeValue(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (name === 'chain') return parseChainSelector(value) ?? value;
  // Only pure hex: names in a Move type (`0x1::coin::Coin`) are case-sensitive.
  return /^0x[0-9a-f]*$/i.test(value) ? value.toLowerCase() : value;
}

/** Chains as canonical selectors and hex in lower case; names and URLs unchanged. The properties are in one order. */
export function normalizeLookupInput<Input extends object>(input: Input): Input {
  const values = input as Readonly<Record<string, unknown>>;
  const normalized: Record<string, unknown> = {};
  for (const name of Object.keys(input).sort()) normalized[name] = normalizeValue(name, values[name]);
  return normalized as Input; // the same names with values of the same types
}

/** Compares plain values; the order of properties counts, because the first configured node is the default chain. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

interface ResultCacheDeps {
  readonly clock: Clock;
  readonly log: Log;
  /**
   * The current state of the chain, queried before a cached value is used; if it rejects, the read is a miss. `isFresh`:
   * the state must be read after this call, not a moment before.
   */
  chainState(chain: string, isFresh: boolean, signal?: AbortSignal): Promise<ChainState>;
  readonly maxEntries?: number;
  /**
   * Approximate bytes of all values together (32 MB when absent); one value may take a quarter of them. The HTTP server
   * holds about as much again: the serialized text of each reply that it sent.
   */
  readonly maxBytes?: number;
}

/** Freshness of results from a remote host, which come without a chain state: valid for a time and no longer. */
export interface TimedFreshness {
  readonly validity: 'timed';
  readonly ttlMs: number;
}

/** How long the validity `fewSeconds` lasts: shorter than the block time of the chains that it is used for. */
export const SECONDS_TTL_MS = 5_000;

/** For views that request the same at once: a cheat code of a dev node changes balances and code without a new head. */
export const STATE_TTL_MS = 1_000;

/** A strict read must not be older than the head, so that for it `fewSeconds` is `untilNextHead`. */
const dependsOnHead = (validity: Validity, isStrict: boolean) =>
  validity === 'untilNextHead' || validity === 'untilStateChange' || (isStrict && validity === 'fewSeconds');

interface Entry {
  readonly value: unknown;
  readonly freshness: Freshness | TimedFreshness;
  readonly storedAt: number;
}

/** Whatever state the chain is in now. */
const isTooOld = ({ validity }: Freshness, ageMs: number, isStrict: boolean): boolean =>
  validity === 'untilStateChange'
    ? ageMs >= STATE_TTL_MS
    : validity === 'fewSeconds' && !isStrict && ageMs >= SECONDS_TTL_MS;

const isValid = (freshness: Freshness, current: ChainState, ageMs: number, isStrict: boolean): boolean => {
  const { validity, state } = freshness;
  if (state.genesisHash !== current.genesisHash || isTooOld(freshness, ageMs, isStrict)) return false;
  if (dependsOnHead(validity, isStrict)) return state.headHash === current.headHash;
  // A lower head than before is a dev chain that was reverted: even its final blocks may be gone.
  return current.headNumber >= state.headNumber;
};

export class ResultCache {
  readonly #deps: ResultCacheDeps;
  readonly #entries: LRUCache<string, Entry>;
  readonly #maxEntryBytes: number;
  /** The genesis block that each chain had when it was read last. */
  readonly #genesisHashes = new Map<string, Hex>();
  /** Changes when the cache is cleared, so that a read in progress does not return what was cleared. */
  #generation = 0;

  constructor(deps: ResultCacheDeps) {
    const { maxEntries = 2_000, maxBytes = 32 * 1024 * 1024 } = deps;
    this.#deps = deps;
    this.#maxEntryBytes = Math.floor(maxBytes / 4);
    this.#entries = new LRUCache({ max: maxEntries, maxSize: maxBytes, maxEntrySize: this.#maxEntryBytes });
  }

  get size(): number {
    return this.#entries.size;
  }

  get sizeBytes(): number {
    return this.#entries.calculatedSize;
  }

  /**
   * The value of `key` if it is still valid, else `undefined`. `isStrict`: the caller may have written to the chain a
   * moment ago, so values that depend on the head are compared with a head read after this call.
   */
  async read(
    key: string,
    { isStrict = false, signal }: { readonly isStrict?: boolean; readonly signal?: AbortSignal } = {},
  ): Promise<unknown> {
    const entry = this.#entries.peek(key);
    if (entry === undefined) return undefined;
    const ageMs = this.#deps.clock.now() - entry.storedAt;
    const { freshness } = entry;
    if (freshness.validity === 'timed') {
      if (ageMs >= freshness.ttlMs) {
        this.#delete(key, entry);
        return undefined;
      }
    } else {
      if (isStrict && freshness.validity === 'untilStateChange') return undefined;
      // To ask for the state would take a round trip before the one that reads the value again.
      if (isTooOld(freshness, ageMs, isStrict)) {
        this.#delete(key, entry);
        return undefined;
      }
      const generationBefore = this.#generation;
      const isFresh = isStrict && dependsOnHead(freshness.validity, isStrict);
      let state: ChainState;
      try {
        state = await this.#deps.chainState(freshness.chain, isFresh, signal);
      } catch {
        return undefined;
      }
      if (this.#generation !== generationBefore) return undefined;
      this.#observeChain(freshness.chain, state);
      if (!isValid(freshness, state, ageMs, isStrict)) {
        // Other readers may still take a value that is too old for a strict one.
        if (!isValid(freshness, state, ageMs, false)) this.#delete(key, entry);
        return undefined;
      }
    }
    if (this.#entries.peek(key) === entry) this.#entries.get(key); // marks it as recently used
    return entry.value;
  }

  /** Whether there is a value for `key`, valid or not. */
  has(key: string): boolean {
    return this.#entries.has(key);
  }

  write(key: string, value: unknown, freshness: Freshness | TimedFreshness): void {
    if (freshness.validity !== 'timed') this.#observeChain(freshness.chain, freshness.state);
    const size = 2 * key.length + approximateBytes(value, this.#maxEntryBytes);
    this.#entries.set(key, { value, freshness, storedAt: this.#deps.clock.now() }, { size });
  }

  clear(): void {
    this.#entries.clear();
    this.#genesisHashes.clear();
    this.#generation++;
  }

  #delete(key: string, entry: Entry): void {
    if (this.#entries.peek(key) === entry) this.#entries.delete(key);
  }

  /** A known chain with another genesis block was reset: drops everything read from it before. */
  #observeChain(chain: string, state: ChainState): void {
    const knownGenesis = this.#genesisHashes.get(chain);
    this.#genesisHashes.set(chain, state.genesisHash);
    if (knownGenesis === undefined || knownGenesis === state.genesisHash) return;
    let dropped = 0;
    for (const [key, { freshness }] of [...this.#entries.entries()]) {
      if (freshness.validity === 'timed' || freshness.chain !== chain) continue;
      if (freshness.state.genesisHash === state.genesisHash) continue;
      this.#entries.delete(key);
      dropped++;
    }
    // On debug level: the service reports the reset to the user.
    this.#deps.log.debug(
      `The chain "${chain}" was reset (another genesis block): ${dropped} cached results were dropped.`,
    );
  }
}

/** Approximate bytes in memory of a plain value; stops counting above `limit`. */
export function approximateBytes(value: unknown, limit = Number.POSITIVE_INFINITY): number {
  let bytes = 0;
  const pending: unknown[] = [value];
  while (pending.length > 0 && bytes <= limit) {
    const next = pending.pop();
    if (typeof next === 'string') bytes += 16 + next.length;
    else if (typeof next === 'bigint') bytes += 48;
    else if (next === null || typeof next !== 'object') bytes += 8;
    else if (Array.isArray(next)) {
      bytes += 32 + 8 * next.length;
      for (const item of next) pending.push(item);
    } else {
      bytes += 32;
      for (const inner of Object.values(next)) {
        bytes += 8;
        pending.push(inner);
      }
    }
  }
  return bytes;
}
