// How the database of an index is opened: its code is loaded at first need, since whoever only hovers needs none.
import type { Log } from '../../base/log.ts';
import type { OpenStore } from '../store/store.ts';

/** One file per chain in `folder`, which is made when it is absent; in memory when `folder` is `null`. */
export function openStoreIn(folder: string | null, log: Log): OpenStore {
  return async info => {
    const { openSqliteStore } = await import('../store/sqlite.ts');
    return openSqliteStore({ folder, log })(info);
  };
}
