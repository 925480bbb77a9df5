// How the database of an Aptos index is opened: its code is loaded at first need, since whoever only hovers needs none.
import type { Log } from '../../../base/log.ts';
import type { OpenAptosStore } from './aptosStore.ts';

/** One file per chain in `folder`, which is made when it is absent; in memory when `folder` is `null`. */
export function createAptosStoreOpener(folder: string | null, log: Log): OpenAptosStore {
  return async info => {
    const { openAptosSqlite: createAptosSqliteOpener } = await import('./aptosSqliteStore.ts');
    return createAptosSqliteOpener({ folder, log })(info);
  };
}
