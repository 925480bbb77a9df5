// Opens the database of an index. Its code is loaded at first need: hovers do not need it.
import { lazy } from '../../base/lazy.ts';
import type { Log } from '../../base/log.ts';
import type { OpenStore, StoreInfo } from '../store/store.ts';

export interface StoreLocation {
  /** One file per chain in this folder, which is created when it is absent; in memory when `null`. */
  readonly folder: string | null;
  /** A PostgreSQL database to use instead. */
  readonly url?: string | null | undefined;
  /** Aborted when the program stops: then no connection to the database is waited for. */
  readonly signal?: AbortSignal | undefined;
}

export function createStoreOpener({ folder, url = null, signal }: StoreLocation, log: Log): OpenStore {
  // One opener for all chains: they share the connections of a PostgreSQL database.
  const getOpener =
    url === null
      ? lazy(async () => (await import('../store/sqlite/sqliteStore.ts')).createSqliteStoreOpener({ folder, log }))
      : lazy(async () =>
          (await import('../store/postgres/postgresStore.ts')).createPostgresStoreOpener({ url, log, signal }),
        );
  return Object.assign(async (info: StoreInfo) => (await getOpener())(info), {
    check: async () => (await getOpener()).check?.(),
    close: async () => (await getOpener.peek())?.close?.(),
  });
}
