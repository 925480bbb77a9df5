// How the database of an index is opened: its code is loaded at first need, since whoever only hovers needs none.
import type { Log } from '../../base/log.ts';
import type { OpenStore } from '../store/store.ts';

export interface StoreLocation {
  /** One file per chain in this folder, which is made when it is absent; in memory when `null`. */
  readonly folder: string | null;
  /** A PostgreSQL database that is used instead. */
  readonly url?: string | null | undefined;
}

export function createStoreOpener({ folder, url = null }: StoreLocation, log: Log): OpenStore {
  if (url === null)
    return async info => {
      const { createSqliteStoreOpener } = await import('../store/sqlite/sqliteStore.ts');
      return createSqliteStoreOpener({ folder, log })(info);
    };
  let opening: Promise<OpenStore> | undefined;
  return async info => {
    // One pool of connections for all chains.
    opening ??= import('../store/postgres/postgresStore.ts').then(({ createPostgresStoreOpener }) =>
      createPostgresStoreOpener({ url, log }),
    );
    return (await opening)(info);
  };
}
