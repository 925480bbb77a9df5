// The Aptos index in SQLite: one file per chain id and genesis, or memory.
import { type Clock, systemClock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import { storeFault } from '../../store/sqlite/faults.ts';
import { fileName } from '../../store/sqlite/indexFile.ts';
import { openHealing } from '../../store/sqlite/recoveringDatabase.ts';
import { progressOf } from './activityRowRange.ts';
import { aptosSchema } from './aptosSchema.ts';
import type { OpenAptosStore } from './aptosStore.ts';
import { applyBatch, clearAll, createWriter } from './batchWriter.ts';
import { coinsByType, coinsInBlocks, coinsOfWallets } from './coinActivityQueries.ts';
import { collectionOwners, walletTokens } from './tokenOwnershipQueries.ts';
import { tokensByCreators, tokenTransfers } from './tokenQueries.ts';

export interface AptosSqliteDeps {
  /** Where the files are; made when it is not there. `null` keeps everything in memory. */
  readonly folder: string | null;
  readonly log: Log;
  readonly clock?: Clock | undefined;
}

/**
 * Opens stores in one folder. Rejects with `internal` when the folder or the file can not be used. A store whose file
 * turns out to be damaged while it is in use rejects once, and is an empty one from then on.
 */
export function openAptosSqlite({ folder, log, clock = systemClock }: AptosSqliteDeps): OpenAptosStore {
  return async info => {
    const open = () =>
      openHealing(folder, `aptos-${fileName(info)}`, { info, schema: aptosSchema, log, clock }, createWriter);
    let healing: ReturnType<typeof open>;
    try {
      healing = open();
    } catch (error) {
      throw storeFault(error, folder);
    }
    const { use, change, close } = healing;
    const query: typeof healing.query = async work => {
      await healing.indexed(); // its statements leave the choice of an index to SQLite
      return healing.query(work);
    };
    return {
      info,
      progress: () => use(progressOf),
      apply: (from, batch) => change((connection, writer) => applyBatch(connection, writer, from, batch)),
      clear: first => change((connection, writer) => clearAll(connection, writer, first)),
      coinsByType: (wanted, slice) =>
        query((connection, { numbers }) => coinsByType(connection, numbers, wanted, slice)),
      coinsOfWallets: (wanted, slice) =>
        query((connection, { numbers }) => coinsOfWallets(connection, numbers, wanted, slice)),
      coinsInBlocks: (wanted, slice) =>
        query((connection, { numbers }) => coinsInBlocks(connection, numbers, wanted, slice)),
      tokenTransfers: (wanted, slice) =>
        query((connection, { numbers }) => tokenTransfers(connection, numbers, wanted, slice)),
      tokensByCreators: (wanted, slice) =>
        query((connection, { numbers }) => tokensByCreators(connection, numbers, wanted, slice)),
      collectionOwners: (wanted, slice) =>
        query((connection, { numbers }) => collectionOwners(connection, numbers, wanted, slice)),
      walletTokens: (wanted, slice) =>
        query((connection, { numbers }) => walletTokens(connection, numbers, wanted, slice)),
      close,
    };
  };
}
