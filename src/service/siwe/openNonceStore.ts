// Where consumed nonces are stored: with the indexes of chains, where other processes see them, or in the memory of this process.
import type { Clock } from '../../base/clock.ts';
import { bytesToHex, type Hex } from '../../base/hex.ts';
import { lazy } from '../../base/lazy.ts';
import type { Log } from '../../base/log.ts';
import { FreshRequestDeduplicator } from '../../base/requestDeduplicator.ts';
import { yieldToEventLoop } from '../../base/yieldToEventLoop.ts';
import type { StoreLocation } from '../indexer/openStore.ts';
import type { SharedNonces } from '../store/nonces.ts';
import { type NonceStore, toNonceKey } from './nonceStore.ts';

export interface NonceStoreOpenerDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Used where there is no shared store, or none that this process may write. */
  readonly memory: NonceStore;
}

/**
 * Opens the database at the first sign-in. Nonces that come while others are being inserted are inserted together after
 * them, in one statement: each would otherwise wait for a round trip, or for a disk, of its own. `consume` rejects with a
 * HexLensError when the database cannot be used.
 */
export function openNonceStore(
  { folder, url, signal }: StoreLocation,
  { clock, log, memory }: NonceStoreOpenerDeps,
): NonceStore {
  if (folder === null && !url) return memory;
  const getShared = lazy(async (): Promise<SharedNonces | null> => {
    if (url) return (await import('../store/postgres/postgresStore.ts')).openPostgresNonces(url, log, signal);
    if (folder === null) return null;
    return (await import('../store/sqlite/sqliteStore.ts')).openSqliteNonces(folder);
  });
  const statements = new FreshRequestDeduplicator<ReadonlySet<Hex>>(yieldToEventLoop);
  let waiting = new Map<Hex, number | null>();
  const insertWaiting = (shared: SharedNonces) =>
    statements.join('', async () => {
      const nonces = waiting;
      waiting = new Map();
      return nonces.size === 0 ? new Set() : shared.insert(nonces, clock.now());
    });
  return {
    async consume(message, digest) {
      const shared = await getShared();
      if (shared === null) return memory.consume(message, digest);
      const key = bytesToHex(toNonceKey(message, digest));
      const isFirst = !waiting.has(key);
      if (isFirst) waiting.set(key, message.expirationTime?.time ?? null);
      const inserted = await insertWaiting(shared);
      return isFirst && inserted.has(key) ? 'accepted' : 'used';
    },
    async close() {
      const shared = await getShared.peek()?.catch(() => null);
      if (!shared) return;
      await insertWaiting(shared).catch(() => {}); // those who wait learn of it
      await shared.close();
    },
  };
}
