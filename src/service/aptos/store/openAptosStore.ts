// Opens the Aptos index. Its SQLite code is loaded at first need, because hovers do not use it.
import { lazy } from '../../../base/lazy.ts';
import type { Log } from '../../../base/log.ts';
import type { OpenAptosStore } from './aptosStore.ts';

/** Stores one file per chain in `folder`, which is created when necessary; in memory when `folder` is `null`. */
export function createAptosStoreOpener(folder: string | null, log: Log): OpenAptosStore {
  const getOpener = lazy(async () => {
    const { createAptosSqliteOpener } = await import('./aptosSqliteStore.ts');
    return createAptosSqliteOpener({ folder, log });
  });
  return async info => (await getOpener())(info);
}
