// The Aptos index in SQLite: one file per chain id and genesis, or in memory.
import { type Clock, systemClock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import type { SqliteConnection } from '../../store/sqlite/connection.ts';
import { toSqliteFault } from '../../store/sqlite/faults.ts';
import { getIndexFileName } from '../../store/sqlite/indexFile.ts';
import { RecoveringDatabase } from '../../store/sqlite/recoveringDatabase.ts';
import { aptosSchema } from './aptosSchema.ts';
import type { OpenAptosStore } from './aptosStore.ts';
import { BatchWriter, readProgress } from './batchWriter.ts';
import { readCoinActivitiesByBlock, readCoinActivitiesByOwner, readCoinActivitiesByType } from './coinActivityReads.ts';
import type { IdTables } from './idTables.ts';
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
      new RecoveringDatabase(
        folder,
        `aptos-${getIndexFileName(info)}`,
        { info, schema: aptosSchema, log, clock },
        connection => new BatchWriter(connection),
      );
    let database: ReturnType<typeof open>;
    try {
      database = open();
    } catch (error) {
      throw toSqliteFault(error, folder);
    }
    const toQuery =
      <Filter, Page, Rows>(
        read: (connection: SqliteConnection, tables: IdTables, filter: Filter, page: Page) => Rows,
      ) =>
      async (filter: Filter, page: Page): Promise<Rows> => {
        await database.buildIndexes(); // these queries name no index, so SQLite must have all of them to choose from
        return database.read((connection, { idTables }) => read(connection, idTables, filter, page));
      };
    return {
      info,
      readProgress: () => database.run(readProgress),
      writeBatch: (firstVersion, batch) => database.write((_connection, writer) => writer.write(firstVersion, batch)),
      clear: firstVersion => database.write((_connection, writer) => writer.clear(firstVersion)),
      readCoinActivitiesByType: toQuery(readCoinActivitiesByType),
      readCoinActivitiesByOwner: toQuery(readCoinActivitiesByOwner),
      readCoinActivitiesByBlock: toQuery(readCoinActivitiesByBlock),
      readTokenActivities: toQuery(readTokenActivities),
      readTokensByCreator: toQuery(readTokensByCreator),
      readCollectionOwners: toQuery(readCollectionOwners),
      readOwnedTokens: toQuery(readOwnedTokens),
      close: () => database.close(),
    };
  };
}
