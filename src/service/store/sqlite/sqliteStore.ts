// The index in SQLite, by the module that comes with Node: one file per chain, or memory.
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Clock, systemClock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import { countCollections, readCollections } from '../sqliteCollections.ts';
import { rollBack } from '../sqliteRollback.ts';
import { noteValues } from '../sqliteValues.ts';
import type { OpenStore, Store } from '../store.ts';
import { createAddresses } from './addressTable.ts';
import { applyBatch } from './batchWrites.ts';
import { blockAt, blocksDown, coverageOf, firstBlockAt, headOf } from './blockReads.ts';
import { storeFault } from './faults.ts';
import { type FileDeps, fileName } from './indexFile.ts';
import { takeLead } from './leaderLock.ts';
import { countOwners, readLowestTrade, readOwners, readTokens } from './ownerReads.ts';
import { openHealing } from './recoveringDatabase.ts';
import { migrations, secondaryIndexes } from './schema.ts';
import { noteMetadataSyncs, readMetadataSyncs } from './tokens.ts';
import { countMints, countTransfers, readMints, readTransfers } from './transferReads.ts';
import { toColumns } from './workerMessages.ts';

export interface SqliteDeps {
  /** Where the files are; made when it is not there. `null` keeps everything in memory. */
  readonly folder: string | null;
  readonly log: Log;
  readonly clock?: Clock | undefined;
}

/**
 * Opens stores in one folder. Rejects with `internal` when the folder or the file can not be used. A store whose file
 * turns out to be damaged while it is in use rejects once, and is an empty one from then on.
 */
export function openSqliteStore({ folder, log, clock = systemClock }: SqliteDeps): OpenStore {
  return async info => {
    try {
      return createStore(folder, { info, schema, log, clock });
    } catch (error) {
      throw storeFault(error, folder);
    }
  };
}

/** Beyond this, storing takes longer than to hand the rows to another thread: some 15 milliseconds. */
export const ASIDE_ROWS = 2_000;

const schema = { migrations, secondaryIndexes };

function createStore(folder: string | null, deps: FileDeps): Store {
  const { info, log } = deps;
  const { use, change, changeAside, indexed, query, close } = openHealing(
    folder,
    fileName(info),
    deps,
    createAddresses,
  );

  return {
    info,
    head: () => use(headOf),
    block: number => use(connection => blockAt(connection, number)),
    blocksDown: (fromBlock, limit) => use(connection => blocksDown(connection, fromBlock, limit)),
    firstBlockAt: time => use(connection => connection.read(() => firstBlockAt(connection, time))),
    coverage: () => use(connection => connection.read(() => coverageOf(connection))),
    async apply(batch) {
      const large = batch.transfers.length + batch.mints.length >= ASIDE_ROWS;
      if (large && folder !== null && (await changeAside({ info, batch: toColumns(batch) }))) return;
      await change((connection, addresses) => applyBatch(connection, addresses, info, () => headOf(connection), batch));
    },
    rollback: block => change(connection => rollBack(connection, block)),
    transfers: (wanted, slice) => query((connection, addresses) => readTransfers(connection, addresses, wanted, slice)),
    countTransfers: wanted => query((connection, addresses) => countTransfers(connection, addresses, wanted)),
    owners: (wanted, slice) => query((connection, addresses) => readOwners(connection, addresses, wanted, slice)),
    countOwners: wanted => query((connection, addresses) => countOwners(connection, addresses, wanted)),
    collections: (owner, slice) =>
      query((connection, addresses) => readCollections(connection, addresses, owner, slice)),
    countCollections: owner => query((connection, addresses) => countCollections(connection, addresses, owner)),
    mints: (wanted, slice) => query((connection, addresses) => readMints(connection, addresses, wanted, slice)),
    countMints: wanted => query((connection, addresses) => countMints(connection, addresses, wanted)),
    lowestTrade: wanted => query((connection, addresses) => readLowestTrade(connection, addresses, wanted)),
    tokens: addressList =>
      use((connection, addresses) => connection.read(() => readTokens(connection, addresses, addressList))),
    metadataSyncs: keys => use((connection, addresses) => readMetadataSyncs(connection, addresses, keys)),
    noteMetadataSyncs: syncs => change((connection, addresses) => noteMetadataSyncs(connection, addresses, syncs)),
    noteValues: values => change(connection => noteValues(connection, values)),
    ...(folder !== null && {
      lead: () => use(() => takeLead(`${join(folder, fileName(info))}.lead`)),
    }),
    async prepareReads() {
      await setImmediate(); // whoever waits for the load comes first
      await indexed().catch(error =>
        log.debug(`The indexes of ${fileName(info)} are made when they are needed: ${error}`),
      );
    },
    close,
  };
}
