// The index in SQLite, by the module that comes with Node: one file per chain, or memory.
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Clock, systemClock } from '../../base/clock.ts';
import { HexLensError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { type Addresses, createAddresses } from './addresses.ts';
import { applyBatch } from './sqliteApply.ts';
import type { Connection } from './sqliteConnection.ts';
import { meansDamage, storeFault } from './sqliteFaults.ts';
import { type FileDeps, fileName, moveAside, openFile, openMemory } from './sqliteFile.ts';
import {
  countCollections,
  countOwners,
  readCollections,
  readLowestTrade,
  readOwners,
  readTokens,
} from './sqliteHoldings.ts';
import { blockAt, blocksDown, firstBlockAt, headOf } from './sqlitePlaces.ts';
import { rollBack } from './sqliteRollback.ts';
import { countMints, countTransfers, readMints, readTransfers } from './sqliteTransfers.ts';
import type { OpenStore, Store, StoreInfo } from './store.ts';

export interface SqliteDeps {
  /** Where the files are; made when it is not there. `null` keeps everything in memory. */
  readonly folder: string | null;
  readonly log: Log;
  readonly clock?: Clock | undefined;
}

/** A file that is found damaged again and again is on a disk that is; this often one store begins anew. */
const MOST_HEALINGS = 3;

/**
 * Opens stores in one folder. Rejects with `internal` when the folder or the file can not be used. A store whose file
 * turns out to be damaged while it is in use rejects once, and is an empty one from then on.
 */
export function openSqliteStore({ folder, log, clock = systemClock }: SqliteDeps): OpenStore {
  return async info => {
    try {
      return createStore(folder, { info, log, clock });
    } catch (error) {
      throw storeFault(error, folder);
    }
  };
}

interface Open {
  readonly connection: Connection;
  readonly addresses: Addresses;
}

function createStore(folder: string | null, deps: FileDeps): Store {
  const info: StoreInfo = deps.info;
  const path = folder === null ? null : join(folder, fileName(info));
  const begin = (): Open => {
    const connection = path === null ? openMemory(deps) : openFile(path, deps);
    return { connection, addresses: createAddresses(connection) };
  };
  let open: Open | null = begin();
  let closed = false;
  let healings = 0;

  /** Drops the damaged file; the next call begins a new one. */
  const heal = () => {
    if (path === null || healings >= MOST_HEALINGS) return;
    healings++;
    open?.connection.close();
    open = null;
    moveAside(path, 'it is damaged', deps);
  };
  const use = async <T>(work: (connection: Connection, addresses: Addresses) => T): Promise<T> => {
    if (closed) throw new HexLensError('backend-stopped', 'The index of the chain is closed.');
    try {
      open ??= begin();
      return work(open.connection, open.addresses);
    } catch (error) {
      const fault = storeFault(error, folder);
      if (meansDamage(error)) {
        try {
          heal();
        } catch (further) {
          deps.log.error(`The damaged index could not be moved aside: ${storeFault(further, folder).details ?? ''}`);
        }
      }
      throw fault;
    }
  };
  /** Makes the secondary indexes, one at a time: over a large first load they take seconds, and others have questions too. */
  const indexed = async (): Promise<void> => {
    while (await use(connection => connection.indexNext())) await setImmediate();
  };
  /** For what needs the secondary indexes. */
  const query = async <T>(work: (connection: Connection, addresses: Addresses) => T): Promise<T> => {
    await indexed();
    return use((connection, addresses) => connection.read(() => work(connection, addresses)));
  };

  return {
    info,
    head: () => use(headOf),
    block: number => use(connection => blockAt(connection, number)),
    blocksDown: (fromBlock, limit) => use(connection => blocksDown(connection, fromBlock, limit)),
    firstBlockAt: time => use(connection => connection.read(() => firstBlockAt(connection, time))),
    apply: batch =>
      use((connection, addresses) => applyBatch(connection, addresses, info, () => headOf(connection), batch)),
    async rollback(block) {
      await indexed();
      await use(connection => rollBack(connection, block));
    },
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
    async close() {
      closed = true;
      open?.connection.close();
      open = null;
    },
  };
}
