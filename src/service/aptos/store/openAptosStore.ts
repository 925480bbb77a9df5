// How the database of an Aptos index is opened: its code is loaded at first need, since whoever only hovers needs none.
import type { Log } from '../../../base/log.ts';
import type { OpenAptosStore } from './aptosStore.ts';

/** One file per chain in `folder`, which is made when it is absent; in memory when `folder` is `null`. */
export function openAptosStoreIn(folder: string | null, log: Log): OpenAptosStore {
  return async info => {
    const { openAptosSqlite } = await import('./aptosSqliteStore.ts');
    return openAptosSqlite({ folder, log })(info);
  };
}
