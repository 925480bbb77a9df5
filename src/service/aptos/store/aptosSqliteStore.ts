// The Aptos index in SQLite: one file per chain id and genesis, or in memory.
import { type Clock, systemClock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import { toSqliteFault } from '../../store/sqlite/faults.ts';
import { getIndexFileName } from '../../store/sqlite/indexFile.ts';
import { openRecoveringDatabase } from '../../store/sqlite/recoveringDatabase.ts';
import { aptosSchema } from './aptosSchema.ts';
import type { OpenAptosStore } from './aptosStore.ts';
import { clearIndex, createBatchWriter, readProgress, writeBatch } from './batchWriter.ts';
import { readCoinActivitiesByBlock, readCoinActivitiesByOwner, readCoinActivitiesByType } from './coinActivityReads.ts';
import { readCollectionOwners, readOwnedTokens } from './tokenOwnershipReads.ts';
import { readTokenActivities, readTokensByCreator } from './tokenReads.ts';

export interface AptosSqliteOptions {
  /** The folder of the files, which is created when necessary; `null` for an index in memory. */
  readonly folder: string | null;
  readonly log: Log;
  readonly clock?: Clock | undefined;
}

/**
 * Opening rejects with `internal` when the folder or the file cannot be used. When a file turns out to be corrupt while
 * it is in use, one call rejects and the store continues with an empty file.
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
    let database: ReturnType<typeof open>;
    try {
      database = open();
    } catch (error) {
      throw toSqliteFault(error, folder);
    }
    const { run, write, close } = database;
    const query: typeof database.read = async task => {
      await database.buildIndexes(); // these queries name no index, so SQLite must have all of them to choose from
      return database.read(task);
    };
    return {
      info,
      readProgress: () => run(readProgress),
      writeBatch: (firstVersion, batch) =>
        write((connection, writer) => writeBatch(connection, writer, firstVersion, batch)),
      clear: firstVersion => write((connection, writer) => clearIndex(connection, writer, firstVersion)),
      readCoinActivitiesByType: (filter, page) =>
        query((connection, { idTables }) => readCoinActivitiesByType(connection, idTables, filter, page)),
      readCoinActivitiesByOwner: (filter, page) =>
        query((connection, { idTables }) => readCoinActivitiesByOwner(connection, idTables, filter, page)),
      readCoinActivitiesByBlock: (filter, page) =>
        query((connection, { idTables }) => readCoinActivitiesByBlock(connection, idTables, filter, page)),
      readTokenActivities: (filter, page) =>
        query((connection, { idTables }) => readTokenActivities(connection, idTables, filter, page)),
      readTokensByCreator: (filter, page) =>
        query((connection, { idTables }) => readTokensByCreator(connection, idTables, filter, page)),
      readCollectionOwners: (filter, page) =>
        query((connection, { idTables }) => readCollectionOwners(connection, idTables, filter, page)),
      readOwnedTokens: (filter, page) =>
        query((connection, { idTables }) => readOwnedTokens(connection, idTables, filter, page)),
      close,
    };
  };
}
