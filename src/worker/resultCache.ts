// What was read from chains and is still true: bounded, least recently used goes first, dropped when a chain is reset.

import type { ChainState, FinalityClass, Freshness } from '../api/freshness.ts';
import type { Clock } from '../base/clock.ts';
import type { Hex } from '../base/hex.ts';
import type { Log } from '../base/log.ts';

export interface ResultCacheDeps {
  readonly clock: Clock;
  readonly log: Log;
  /**
   * The chain as it is now; asked before anything that was kept is used. A rejection makes the look a miss. `fresh`: as
   * it is after this question, not a moment before.
   */
  chainState(chain: string, fresh: boolean, signal?: AbortSignal): Promise<ChainState>;
  readonly maxEntries?: number;
  /**
   * Approximate bytes of all values together (32 MB when absent); one value may take a quarter of them. The HTTP service
   * keeps as much again: the text of each answer that it sent.
   */
  readonly maxBytes?: number;
}

/** What a remote host said carries no chain state: it is kept for a time and no longer. */
export interface TimedFreshness {
  readonly class: 'timed';
  readonly ttlMs: number;
}

export interface ResultCache {
  /**
   * The value kept under `key` if it is still true, else `undefined`. `strict`: whoever asks may have written a moment
   * ago, so that what rests on the head is compared with the head as it is from now on.
   */
  read(key: string, options?: { readonly strict?: boolean; readonly signal?: AbortSignal }): Promise<unknown>;
  /** Whether something is kept under `key`, true or not. */
  has(key: string): boolean;
  write(key: string, value: unknown, freshness: Freshness | TimedFreshness): void;
  clear(): void;
  readonly size: number;
  readonly sizeBytes: number;
}

/** How long `seconds` is: shorter than the block time of the chains it is meant for, longer than a look around. */
export const SECONDS_TTL_MS = 5_000;

const restsOnHead = (finality: FinalityClass) => finality === 'head' || finality === 'now';

interface Entry {
  readonly value: unknown;
  readonly freshness: Freshness | TimedFreshness;
  readonly storedAt: number;
  readonly bytes: number;
}

export function createResultCache({
  clock,
  log,
  chainState,
  maxEntries = 2_000,
  maxBytes = 32 * 1024 * 1024,
}: ResultCacheDeps): ResultCache {
  const entries = new Map<string, Entry>(); // in the order of last use
  const genesis = new Map<string, Hex>();
  let total = 0;
  let generation = 0;

  const drop = (key: string, entry: Entry) => {
    if (entries.get(key) !== entry) return;
    entries.delete(key);
    total -= entry.bytes;
  };

  /** Notes which chain this is; a known one with another genesis block is another chain: all of the old is forgotten. */
  const observe = (chain: string, state: ChainState) => {
    const known = genesis.get(chain);
    genesis.set(chain, state.genesisHash);
    if (known === undefined || known === state.genesisHash) return;
    let dropped = 0;
    for (const [key, entry] of entries) {
      const { freshness } = entry;
      if (freshness.class === 'timed' || freshness.chain !== chain) continue;
      if (freshness.state.genesisHash === state.genesisHash) continue;
      drop(key, entry);
      dropped++;
    }
    // The service tells the user; this is for whoever looks into the cache.
    log.debug(`The chain "${chain}" was reset (another genesis block): ${dropped} remembered answers are forgotten.`);
  };

  const stillTrue = ({ class: finality, state }: Freshness, now: ChainState, age: number): boolean => {
    if (state.genesisHash !== now.genesisHash) return false;
    if (restsOnHead(finality)) return state.headHash === now.headHash;
    // A head that went back is a dev chain that was reverted: nothing read before is sure.
    if (now.headNumber < state.headNumber) return false;
    return finality === 'final' || age < SECONDS_TTL_MS;
  };

  return {
    async read(key, { strict = false, signal } = {}) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      const age = clock.now() - entry.storedAt;
      const { freshness } = entry;
      if (freshness.class === 'timed') {
        if (age >= freshness.ttlMs) {
          drop(key, entry);
          return undefined;
        }
      } else {
        // Written by hand, a dev chain's state changes without its head.
        if (strict && freshness.class === 'now') return undefined;
        const asked = generation;
        const state = await chainState(freshness.chain, strict && restsOnHead(freshness.class), signal).catch(
          () => null,
        );
        if (state === null || asked !== generation) return undefined;
        observe(freshness.chain, state);
        if (!stillTrue(freshness, state, age)) {
          drop(key, entry);
          return undefined;
        }
      }
      if (entries.get(key) === entry) {
        entries.delete(key);
        entries.set(key, entry);
      }
      return entry.value;
    },
    has: key => entries.has(key),
    write(key, value, freshness) {
      if (freshness.class !== 'timed') observe(freshness.chain, freshness.state);
      const old = entries.get(key);
      if (old !== undefined) drop(key, old);
      const bytes = 2 * key.length + approximateBytes(value, maxBytes / 4);
      if (bytes > maxBytes / 4) return;
      entries.set(key, { value, freshness, storedAt: clock.now(), bytes });
      total += bytes;
      for (const [oldest, entry] of entries) {
        if (entries.size <= maxEntries && total <= maxBytes) break;
        drop(oldest, entry);
      }
    },
    clear() {
      entries.clear();
      genesis.clear();
      total = 0;
      generation++;
    },
    get size() {
      return entries.size;
    },
    get sizeBytes() {
      return total;
    },
  };
}

/** Rough size in memory of a plain value; stops counting once it is past `limit`. */
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
