// Where consumed nonces are stored: with the indexes of chains, where other processes see them, or in the memory of this process.
import type { Clock } from '../../base/clock.ts';
import { lazy } from '../../base/lazy.ts';
import type { Log } from '../../base/log.ts';
import type { StoreLocation } from '../indexer/openStore.ts';
import type { SharedNonces } from '../store/nonces.ts';
import { type NonceStore, toNonceKey } from './nonceStore.ts';

export interface NonceStoreOpenerDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Used where there is no shared store, or none that this process may write. */
  readonly memory: NonceStore;
}

/** Opens the database at the first sign-in. `consume` rejects with a HexLensError when it cannot be used. */
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
  return {
    async consume(message, digest) {
      const shared = await getShared();
      if (shared === null) return memory.consume(message, digest);
      const expires = message.expirationTime?.time ?? null;
      return (await shared.insert(toNonceKey(message, digest), expires, clock.now())) ? 'accepted' : 'used';
    },
    async close() {
      await (await getShared.peek()?.catch(() => null))?.close();
    },
  };
}
