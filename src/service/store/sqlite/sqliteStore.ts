// The index in SQLite, by the module that comes with Node: one file per chain, or memory.
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Clock, systemClock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import type { OpenStore, Store } from '../store.ts';
import { createAddressTable } from './addressTable.ts';
import { applyBatch, rollBackTo, writeTransactionValues } from './batchWrites.ts';
import { readBlock, readBlocksDownFrom, readCoverage, readFirstBlockAt, readHead } from './blockReads.ts';
import { toSqliteFault } from './faults.ts';
import { getIndexFileName, type IndexFileDeps } from './indexFile.ts';
import { tryAcquireLockFile } from './leaderLock.ts';
import {
  countCollections,
  countOwners,
  readCollections,
  readLowestTrade,
  readOwners,
  readTokens,
} from './ownerReads.ts';
import { openRecoveringDatabase } from './recoveringDatabase.ts';
import { migrations, secondaryIndexes } from './schema.ts';
import { readMetadataSyncs, writeMetadataSyncs } from './tokens.ts';
import { countMints, countTransfers, readMints, readTransfers } from './transferReads.ts';
import { encodeBatch } from './workerMessages.ts';

export interface SqliteStoreDeps {
  /** Where the files are; made when it is not there. `null` keeps everything in memory. */
  readonly folder: string | null;
  readonly log: Log;
  readonly clock?: Clock | undefined;
}

/**
 * Opens stores in one folder. Rejects with `internal` when the folder or the file can not be used. A store whose file
 * turns out to be damaged while it is in use rejects once, and is an empty one from then on.
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

/** Beyond this, storing takes longer than to hand the rows to another thread: some 15 milliseconds. */
export const MIN_WORKER_ROWS = 2_000;

const schema = { migrations, secondaryIndexes };

function createStore(folder: string | null, deps: IndexFileDeps): Store {
  const { info, log } = deps;
  const {
    run: use,
    write: change,
    runInWorker: changeAside,
    buildIndexes: indexed,
    read: query,
    close,
  } = openRecoveringDatabase(folder, getIndexFileName(info), deps, createAddressTable);

  return {
    info,
    readHead: () => use(readHead),
    readBlock: number => use(connection => readBlock(connection, number)),
    readBlocksDownFrom: (fromBlock, limit) => use(connection => readBlocksDownFrom(connection, fromBlock, limit)),
    readFirstBlockAt: time => use(connection => connection.readTransaction(() => readFirstBlockAt(connection, time))),
    readCoverage: () => use(connection => connection.readTransaction(() => readCoverage(connection))),
    async applyBatch(batch) {
      const large = batch.transfers.length + batch.mints.length >= MIN_WORKER_ROWS;
      if (large && folder !== null && (await changeAside({ info, batch: encodeBatch(batch) }))) return;
      await change((connection, addresses) =>
        applyBatch(connection, addresses, info, () => readHead(connection), batch),
      );
    },
    rollBackTo: block => change(connection => rollBackTo(connection, block)),
    queryTransfers: (wanted, slice) =>
      query((connection, addresses) => readTransfers(connection, addresses, wanted, slice)),
    countTransfers: wanted => query((connection, addresses) => countTransfers(connection, addresses, wanted)),
    queryOwners: (wanted, slice) => query((connection, addresses) => readOwners(connection, addresses, wanted, slice)),
    countOwners: wanted => query((connection, addresses) => countOwners(connection, addresses, wanted)),
    queryCollections: (owner, slice) =>
      query((connection, addresses) => readCollections(connection, addresses, owner, slice)),
    countCollections: owner => query((connection, addresses) => countCollections(connection, addresses, owner)),
    queryMints: (wanted, slice) => query((connection, addresses) => readMints(connection, addresses, wanted, slice)),
    countMints: wanted => query((connection, addresses) => countMints(connection, addresses, wanted)),
    queryLowestTrade: wanted => query((connection, addresses) => readLowestTrade(connection, addresses, wanted)),
    readTokens: addressList =>
      use((connection, addresses) => connection.readTransaction(() => readTokens(connection, addresses, addressList))),
    readMetadataSyncs: keys => use((connection, addresses) => readMetadataSyncs(connection, addresses, keys)),
    writeMetadataSyncs: syncs => change((connection, addresses) => writeMetadataSyncs(connection, addresses, syncs)),
    writeTransactionValues: values => change(connection => writeTransactionValues(connection, values)),
    ...(folder !== null && {
      acquireLeaderLock: () => use(() => tryAcquireLockFile(`${join(folder, getIndexFileName(info))}.lead`)),
    }),
    async prepareReads() {
      await setImmediate(); // whoever waits for the load comes first
      await indexed().catch(error =>
        log.debug(`The indexes of ${getIndexFileName(info)} are made when they are needed: ${error}`),
      );
    },
    close,
  };
}
