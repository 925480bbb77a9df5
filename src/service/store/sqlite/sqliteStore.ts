import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Clock, systemClock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import type { OpenStore, Store } from '../store.ts';
import { AddressTable, type SqliteIndex } from './addressTable.ts';
import { toBatchColumns } from './batchColumns.ts';
import { applyBatch, rollBackTo, writeInternalRecipients, writeTransactionValues } from './batchWrites.ts';
import { readBlock, readBlocksDownFrom, readCoverage, readFirstBlockAt, readHead } from './blockReads.ts';
import { toSqliteFault } from './faults.ts';
import { getIndexFileName, type IndexFileDeps, type SqliteSchema } from './indexFile.ts';
import { tryAcquireLockFile } from './leaderLock.ts';
import { countCollections, countOwners, readCollections, readOwners } from './ownerReads.ts';
import { RecoveringDatabase } from './recoveringDatabase.ts';
import { countRows } from './rowIds.ts';
import { migrations, secondaryIndexes } from './schema.ts';
import { readMetadataSyncs, readNamedTokens, readTokens, writeMetadataSyncs } from './tokens.ts';
import { readTransactions, readUntracedTransactions } from './transactionReads.ts';
import {
  countMints,
  countTransfers,
  readErc20Tokens,
  readErc20Transfers,
  readLowestTrade,
  readMints,
  readTransfers,
} from './transferReads.ts';

// Here, so that it is in the bundle that is loaded with SQLite.
export { openSqliteNonces } from './sqliteNonces.ts';

interface SqliteStoreDeps {
  /** Where the files are; created when it does not exist. `null` keeps everything in memory. */
  readonly folder: string | null;
  readonly log: Log;
  readonly clock?: Clock | undefined;
}

const schema: SqliteSchema = {
  migrations,
  migrationEffect: 'it is emptied, and its chain is read again',
  secondaryIndexes,
};

/**
 * Opens stores in one folder. Rejects with `internal` when the folder or the file can not be used. A store whose file
 * turns out to be corrupt while it is in use rejects once and is empty from then on.
 */
export function createSqliteStoreOpener({ folder, log, clock = systemClock }: SqliteStoreDeps): OpenStore {
  return async info => {
    try {
      return createStore(folder, { info, schema, log, clock });
    } catch (error) {
      throw toSqliteFault(error, folder);
    }
  };
}

/** From this many rows on, about 15 ms of work, writing takes longer than handing the rows to the worker thread. */
export const MIN_WORKER_ROWS = 2_000;

function createStore(folder: string | null, deps: IndexFileDeps): Store {
  const { info, log } = deps;
  const fileName = getIndexFileName(info);
  const database = new RecoveringDatabase(folder, fileName, deps, connection => new AddressTable(connection));

  type Task<Args extends readonly unknown[], T> = (index: SqliteIndex, ...args: Args) => T;
  /** A method of the store, of a single statement. */
  const run =
    <Args extends readonly unknown[], T>(task: Task<Args, T>) =>
    (...args: Args): Promise<T> =>
      database.run((connection, addresses) => task({ connection, addresses }, ...args));
  /** One of several statements, which see one state of the file. */
  const runInTransaction =
    <Args extends readonly unknown[], T>(task: Task<Args, T>) =>
    (...args: Args): Promise<T> =>
      database.run((connection, addresses) =>
        connection.readTransaction(() => task({ connection, addresses }, ...args)),
      );
  /** One that needs secondary indexes. */
  const read =
    <Args extends readonly unknown[], T>(task: Task<Args, T>) =>
    (...args: Args): Promise<T> =>
      database.read((connection, addresses) => task({ connection, addresses }, ...args));

  return {
    info,
    readHead: run(readHead),
    readBlock: run(readBlock),
    readBlocksDownFrom: run(readBlocksDownFrom),
    readFirstBlockAt: runInTransaction(readFirstBlockAt),
    readCoverage: runInTransaction(readCoverage),
    countRows: runInTransaction(countRows),
    readTransactions: read(readTransactions),
    readUntracedTransactions: read(readUntracedTransactions),
    readTransfers: read(readTransfers),
    countTransfers: read(countTransfers),
    readOwners: read(readOwners),
    countOwners: read(countOwners),
    readCollections: read(readCollections),
    countCollections: read(countCollections),
    readErc20Transfers: read(readErc20Transfers),
    readErc20Tokens: read(readErc20Tokens),
    readMints: read(readMints),
    countMints: read(countMints),
    readLowestTrade: read(readLowestTrade),
    readTokens: runInTransaction(readTokens),
    readNamedTokens: runInTransaction(readNamedTokens),
    readMetadataSyncs: run(readMetadataSyncs),
    async applyBatch(batch) {
      const { transactions, transfers, erc20Transfers } = batch;
      const isLarge = transactions.length + transfers.length + erc20Transfers.length >= MIN_WORKER_ROWS;
      const columns = toBatchColumns(batch);
      if (isLarge && folder !== null && (await database.runInWorker({ info, batch: columns }))) return;
      await database.write((connection, addresses) => applyBatch(connection, addresses, info, columns));
    },
    rollBackTo: block => database.write(connection => rollBackTo(connection, block)),
    writeMetadataSyncs: syncs =>
      database.write((connection, addresses) => writeMetadataSyncs(connection, addresses, syncs)),
    writeTransactionValues: values => database.write(connection => writeTransactionValues(connection, values)),
    writeInternalRecipients: list =>
      database.write((connection, addresses) => writeInternalRecipients(connection, addresses, list)),
    leaderLock:
      folder === null
        ? null
        : { tryAcquire: () => database.run(() => tryAcquireLockFile(join(folder, `${fileName}.lead`))) },
    async prepareReads() {
      await setImmediate(); // requests that wait for the load come first
      await database
        .buildIndexes()
        .catch(error => log.debug(`The indexes of ${fileName} will be built when they are needed: ${error}`));
    },
    close: () => database.close(),
  };
}
