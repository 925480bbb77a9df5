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
  return `${id} ${JSON.stringify(Object.entries(input).sort(), isPlain ? undefined : toText)}`;
}

/** Chains as canonical selectors and hex in lower case; names and URLs unchanged. */
export function normalizeLookupInput<Input extends object>(input: Input): Input {
  const normalize = ([name, value]: [string, unknown]) => {
    if (typeof value !== 'string') return [name, value];
    if (name === 'chain') return [name, parseChainSelector(value) ?? value];
    // Only pure hex: names in a Move type (`0x1::coin::Coin`) are case-sensitive.
    return [name, /^0x[0-9a-f]*$/i.test(value) ? value.toLowerCase() : value];
  };
  return Object.fromEntries(Object.entries(input).map(normalize)) as Input; // the same names with values of the same types
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

export interface ResultCache {
  /**
   * The value of `key` if it is still valid, else `undefined`. `isStrict`: the caller may have written to the chain a
   * moment ago, so values that depend on the head are compared with a head read after this call.
   */
  read(key: string, options?: { readonly isStrict?: boolean; readonly signal?: AbortSignal }): Promise<unknown>;
  /** Whether there is a value for `key`, valid or not. */
  has(key: string): boolean;
  write(key: string, value: unknown, freshness: Freshness | TimedFreshness): void;
  clear(): void;
  readonly size: number;
  readonly sizeBytes: number;
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

export function createResultCache({
  clock,
  log,
  chainState,
  maxEntries = 2_000,
  maxBytes = 32 * 1024 * 1024,
}: ResultCacheDeps): ResultCache {
  const maxEntryBytes = Math.floor(maxBytes / 4);
  const entries = new LRUCache<string, Entry>({ max: maxEntries, maxSize: maxBytes, maxEntrySize: maxEntryBytes });
  const genesisHashes = new Map<string, Hex>();
  /** Changes when the cache is cleared, so that a read in progress does not return what was cleared. */
  let generation = 0;

  const deleteEntry = (key: string, entry: Entry) => {
    if (entries.peek(key) === entry) entries.delete(key);
  };

  /** A known chain with another genesis block was reset: drops everything read from it before. */
  const observeChain = (chain: string, state: ChainState) => {
    const knownGenesis = genesisHashes.get(chain);
    genesisHashes.set(chain, state.genesisHash);
    if (knownGenesis === undefined || knownGenesis === state.genesisHash) return;
    let dropped = 0;
    for (const [key, { freshness }] of [...entries.entries()]) {
      if (freshness.validity === 'timed' || freshness.chain !== chain) continue;
      if (freshness.state.genesisHash === state.genesisHash) continue;
      entries.delete(key);
      dropped++;
    }
    // On debug level: the service reports the reset to the user.
    log.debug(`The chain "${chain}" was reset (another genesis block): ${dropped} cached results were dropped.`);
  };

  const isValid = ({ validity, state }: Freshness, current: ChainState, ageMs: number, isStrict: boolean): boolean => {
    if (state.genesisHash !== current.genesisHash) return false;
    if (validity === 'untilStateChange' && ageMs >= STATE_TTL_MS) return false;
    if (dependsOnHead(validity, isStrict)) return state.headHash === current.headHash;
    // A lower head than before is a dev chain that was reverted: even its final blocks may be gone.
    if (current.headNumber < state.headNumber) return false;
    return validity === 'finalized' || ageMs < SECONDS_TTL_MS;
  };

  return {
    async read(key, { isStrict = false, signal } = {}) {
      const entry = entries.peek(key);
      if (entry === undefined) return undefined;
      const ageMs = clock.now() - entry.storedAt;
      const { freshness } = entry;
      if (freshness.validity === 'timed') {
        if (ageMs >= freshness.ttlMs) {
          deleteEntry(key, entry);
          return undefined;
        }
      } else {
        if (isStrict && freshness.validity === 'untilStateChange') return undefined;
        const generationBefore = generation;
        const isFresh = isStrict && dependsOnHead(freshness.validity, isStrict);
        let state: ChainState;
        try {
          state = await chainState(freshness.chain, isFresh, signal);
        } catch {
          return undefined;
        }
        if (generation !== generationBefore) return undefined;
        observeChain(freshness.chain, state);
        if (!isValid(freshness, state, ageMs, isStrict)) {
          // Other readers may still take a value that is too old for a strict one.
          if (!isValid(freshness, state, ageMs, false)) deleteEntry(key, entry);
          return undefined;
        }
      }
      if (entries.peek(key) === entry) entries.get(key); // marks it as recently used
      return entry.value;
    },
    has: key => entries.has(key),
    write(key, value, freshness) {
      if (freshness.validity !== 'timed') observeChain(freshness.chain, freshness.state);
      const size = 2 * key.length + approximateBytes(value, maxEntryBytes);
      entries.set(key, { value, freshness, storedAt: clock.now() }, { size });
    },
    clear() {
      entries.clear();
      genesisHashes.clear();
      generation++;
    },
    get size() {
      return entries.size;
    },
    get sizeBytes() {
      return entries.calculatedSize;
    },
  };
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
