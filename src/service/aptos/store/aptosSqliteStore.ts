// The Aptos index in SQLite: one file per chain id and genesis, or memory.
import { type Clock, systemClock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import { toSqliteFault } from '../../store/sqlite/faults.ts';
import { getIndexFileName } from '../../store/sqlite/indexFile.ts';
import { openRecoveringDatabase } from '../../store/sqlite/recoveringDatabase.ts';
import { readProgress } from './activityRowRange.ts';
import { aptosSchema } from './aptosSchema.ts';
import type { OpenAptosStore } from './aptosStore.ts';
import { clearIndex, createBatchWriter, writeBatch } from './batchWriter.ts';
import {
  queryCoinActivitiesByBlock,
  queryCoinActivitiesByOwner,
  queryCoinActivitiesByType,
} from './coinActivityQueries.ts';
import { queryCollectionOwners, queryOwnedTokens } from './tokenOwnershipQueries.ts';
import { queryTokenActivities, queryTokensByCreator } from './tokenQueries.ts';

export interface AptosSqliteOptions {
  /** Where the files are; made when it is not there. `null` keeps everything in memory. */
  readonly folder: string | null;
  readonly log: Log;
  readonly clock?: Clock | undefined;
}

/**
 * Opens stores in one folder. Rejects with `internal` when the folder or the file can not be used. A store whose file
 * turns out to be damaged while it is in use rejects once, and is an empty one from then on.
 */
export function createAptosSqliteOpener({ folder, log, clock = systemClock }: AptosSqliteOptions): OpenAptosStore {
  return async info => {
    const open = () =>
      openRecoveringDatabase(
        folder,
        `aptos-${getIndexFileName(info)}`,
        { info, schema: aptosSchema, log, clock },
        createBatchWriter,
      );
    let healing: ReturnType<typeof open>;
    try {
      healing = open();
    } catch (error) {
      throw toSqliteFault(error, folder);
    }
    const { run: use, write: change, close } = healing;
    const query: typeof healing.read = async work => {
      await healing.buildIndexes(); // its statements leave the choice of an index to SQLite
      return healing.read(work);
    };
    return {
      info,
      readProgress: () => use(readProgress),
      writeBatch: (from, batch) => change((connection, writer) => writeBatch(connection, writer, from, batch)),
      clear: first => change((connection, writer) => clearIndex(connection, writer, first)),
      queryCoinActivitiesByType: (wanted, slice) =>
        query((connection, { idTables: numbers }) => queryCoinActivitiesByType(connection, numbers, wanted, slice)),
      queryCoinActivitiesByOwner: (wanted, slice) =>
        query((connection, { idTables: numbers }) => queryCoinActivitiesByOwner(connection, numbers, wanted, slice)),
      queryCoinActivitiesByBlock: (wanted, slice) =>
        query((connection, { idTables: numbers }) => queryCoinActivitiesByBlock(connection, numbers, wanted, slice)),
      queryTokenActivities: (wanted, slice) =>
        query((connection, { idTables: numbers }) => queryTokenActivities(connection, numbers, wanted, slice)),
      queryTokensByCreator: (wanted, slice) =>
        query((connection, { idTables: numbers }) => queryTokensByCreator(connection, numbers, wanted, slice)),
      queryCollectionOwners: (wanted, slice) =>
        query((connection, { idTables: numbers }) => queryCollectionOwners(connection, numbers, wanted, slice)),
      queryOwnedTokens: (wanted, slice) =>
        query((connection, { idTables: numbers }) => queryOwnedTokens(connection, numbers, wanted, slice)),
      close,
    };
  };
}
