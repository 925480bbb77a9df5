// The store in PostgreSQL: many chains and many processes over one database, with one leader per chain.
import { formatFaultWithDetails, HexLensError } from '../../../base/errors.ts';
import type { Log } from '../../../base/log.ts';
import { packHex } from '../encoding.ts';
import { getScopeName, type OpenStore, type Store, type StoreInfo } from '../store.ts';
import type { PostgresIndex } from './addressTable.ts';
import {
  applyBatch,
  rollBackTo,
  type WriteContext,
  writeInternalRecipients,
  writeTransactionValues,
} from './batchWrites.ts';
import { readBlock, readBlocksDownFrom, readCoverage, readFirstBlockAt, readHead } from './blockReads.ts';
import { type LeaseState, lockChain } from './chainLock.ts';
import { type Database, openDatabase } from './database.ts';
import { toPostgresFault } from './faults.ts';
import { countCollections, countOwners, readCollections, readOwners } from './ownerReads.ts';
import { parsePostgresUrl } from './postgresUrl.ts';
import { getAnalyzeSql, getPartitionSql, getSecondaryIndexSql } from './schema.ts';
import { readMetadataSyncs, readNamedTokens, readTokens, writeMetadataSyncs } from './tokens.ts';
import { readTransactions, readUntracedTransactions } from './transactionReads.ts';
import {
  countMints,
  countRows,
  countTransfers,
  readErc20Tokens,
  readErc20Transfers,
  readLowestTrade,
  readMints,
  readTransfers,
} from './transferReads.ts';

// Here, so that it is in the bundle that contains `pg`.
export { openPostgresNonces } from './postgresNonces.ts';

export interface PostgresStoreDeps {
  /** As {@link parsePostgresUrl} accepts it. */
  readonly url: string;
  readonly log: Log;
  /** Aborted when the program stops: then no connection is waited for. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens stores in one database, over one pool, which is closed with the last of them. Rejects with `store-unavailable` when
 * the database can not be reached, with `internal` when it can not be used.
 */
export function createPostgresStoreOpener({ url, log, signal }: PostgresStoreDeps): OpenStore {
  const location = parsePostgresUrl(url);
  let users = 0;
  let opening: Promise<Database> | undefined;
  let isHeldByCheck = false;
  let wasUsable = true;

  const acquire = async (): Promise<Database> => {
    users++;
    opening ??= openDatabase({ ...location, log, signal });
    try {
      return await opening;
    } catch (error) {
      users--;
      opening = undefined; // the next call tries again
      throw toPostgresFault(error);
    }
  };
  const release = async (): Promise<void> => {
    if (--users > 0) return;
    const last = opening;
    opening = undefined;
    await (await last)?.close();
  };

  const open = async (info: StoreInfo): Promise<Store> => {
    const database = await acquire();
    try {
      return createStore(database, await registerChain(database, info), info, release);
    } catch (error) {
      await release();
      throw error;
    }
  };
  /** The database stays open after the first check, so that the next ones do not connect again. */
  const queryDatabase = async (): Promise<void> => {
    const database = await acquire();
    try {
      await database.query('SELECT 1');
      if (isHeldByCheck || signal?.aborted) await release();
      else isHeldByCheck = true;
    } catch (error) {
      await release();
      throw error;
    }
  };

  /** Shared, so that health checks of a database that does not answer never take all connections. */
  let checking: Promise<void> | null = null;
  const check = async () => {
    try {
      await queryDatabase();
      if (!wasUsable) log.info('The PostgreSQL database of the index can be used again.');
      wasUsable = true;
    } catch (error) {
      const fault = toPostgresFault(error);
      if (wasUsable && signal?.aborted !== true)
        log.warn(`Requests that need an index fail: ${formatFaultWithDetails(fault)}`);
      wasUsable = false;
      throw fault;
    }
  };

  return Object.assign(open, {
    check() {
      checking ??= check().finally(() => {
        checking = null;
      });
      return checking;
    },
    async close() {
      if (!isHeldByCheck) return;
      isHeldByCheck = false;
      await release();
    },
  });
}

const SELECT_CHAIN = 'SELECT id FROM @chain WHERE chain_id = $1 AND genesis = $2 AND subject = $3';

const INSERT_CHAIN = `
  INSERT INTO @chain (id, indexed, chain_id, genesis, subject) VALUES (nextval('@NUMBERS'), $4, $1, $2, $3)
  ON CONFLICT DO NOTHING`;

/** The id of a chain; a new one is inserted, with its partitions. Sparse chains share a partition, which has its indexes. */
async function registerChain(database: Database, { chainId, genesisHash, scope }: StoreInfo): Promise<number> {
  const values = [chainId, packHex(genesisHash, 32), getScopeName(scope)];
  const [existing] = await database.query<{ id: number }>(SELECT_CHAIN, values);
  if (existing !== undefined) return existing.id;
  return database.transaction(async queries => {
    const isSparse = scope !== undefined;
    const numbers = isSparse ? 'sparse_chain_number' : 'chain_number';
    await queries.query(INSERT_CHAIN.replace('NUMBERS', numbers), [...values, isSparse]);
    const [inserted] = await queries.query<{ id: number }>(`${SELECT_CHAIN} FOR UPDATE`, values);
    if (inserted === undefined) throw new HexLensError('internal', 'PostgreSQL did not store the chain.');
    if (!isSparse) for (const sql of getPartitionSql(inserted.id)) await queries.query(sql);
    return inserted.id;
  });
}

function createStore(database: Database, chain: number, info: StoreInfo, release: () => Promise<void>): Store {
  const { addresses } = database;
  let lease: LeaseState = 'unclaimed';
  const context: WriteContext = { database, chain, addresses, info, getLease: () => lease };
  const ensureIndexes = createIndexBuilder(database, chain);
  let closing: Promise<void> | null = null;
  const run = <T>(task: () => Promise<T>): Promise<T> =>
    closing === null
      ? task()
      : Promise.reject(new HexLensError('backend-stopped', 'The index of the chain is closed.'));
  /** For tasks that need the secondary indexes. */
  const runIndexed = <T>(task: () => Promise<T>): Promise<T> => run(async () => ensureIndexes().then(task));

  const index: PostgresIndex = { queries: database, chain, addresses };
  type Task<Args extends readonly unknown[], T> = (index: PostgresIndex, ...args: Args) => Promise<T>;
  /** A method of the store. */
  const read =
    <Args extends readonly unknown[], T>(task: Task<Args, T>) =>
    (...args: Args): Promise<T> =>
      run(() => task(index, ...args));
  /** One that needs secondary indexes. */
  const readIndexed =
    <Args extends readonly unknown[], T>(task: Task<Args, T>) =>
    (...args: Args): Promise<T> =>
      runIndexed(() => task(index, ...args));

  return {
    info,
    readHead: read(readHead),
    readBlock: read(readBlock),
    readBlocksDownFrom: read(readBlocksDownFrom),
    readFirstBlockAt: readIndexed(readFirstBlockAt),
    readCoverage: read(readCoverage),
    countRows: read(countRows),
    readTransactions: readIndexed(readTransactions),
    readUntracedTransactions: readIndexed(readUntracedTransactions),
    readTransfers: readIndexed(readTransfers),
    countTransfers: readIndexed(countTransfers),
    readOwners: readIndexed(readOwners),
    countOwners: readIndexed(countOwners),
    readCollections: readIndexed(readCollections),
    countCollections: readIndexed(countCollections),
    readErc20Transfers: readIndexed(readErc20Transfers),
    readErc20Tokens: readIndexed(readErc20Tokens),
    readMints: readIndexed(readMints),
    countMints: readIndexed(countMints),
    readLowestTrade: readIndexed(readLowestTrade),
    readTokens: read(readTokens),
    readNamedTokens: read(readNamedTokens),
    readMetadataSyncs: read(readMetadataSyncs),
    applyBatch: batch => run(() => applyBatch(context, batch)),
    rollBackTo: block => runIndexed(() => rollBackTo(context, block)),
    writeMetadataSyncs: syncs => run(() => writeMetadataSyncs(database, chain, syncs)),
    writeTransactionValues: values => run(() => writeTransactionValues(database, chain, values)),
    writeInternalRecipients: list => run(() => writeInternalRecipients(context, list)),
    leaderLock: {
      tryAcquire: () =>
        run(async () => {
          const acquired = await database.leases.tryAcquire(chain);
          if (acquired === null) return null;
          lease = acquired;
          return async () => {
            if (lease === acquired) lease = 'released';
            await acquired.release();
          };
        }),
    },
    close() {
      closing ??= (async () => {
        if (typeof lease === 'object') await lease.release();
        await release();
      })();
      return closing;
    },
  };
}

const SELECT_INDEXED = 'SELECT indexed FROM @chain WHERE id = $1';

/**
 * Builds the secondary indexes of a chain at the first read, in whichever process that is. Without the right to build them
 * the chain is read without; a standby may be promoted later.
 */
function createIndexBuilder(database: Database, chain: number): () => Promise<void> {
  let building: Promise<boolean> | null = null;
  const build = async (): Promise<boolean> => {
    const [row] = await database.query<{ indexed: boolean }>(SELECT_INDEXED, [chain]);
    if (row?.indexed === true) return true;
    if ((await database.fetchReadOnlyReason()) !== null) return false;
    const isBuilder = await database.transaction(async queries => {
      // Writers lock this row too: while the indexes are built, no process writes the chain or builds them again.
      const { isIndexed } = await lockChain(queries, chain, LONG);
      if (isIndexed) return false;
      await queries.query('SET LOCAL statement_timeout = 0'); // over a large load they take minutes
      for (const sql of getSecondaryIndexSql(chain)) await queries.query(sql, [], LONG);
      await queries.query('UPDATE @chain SET indexed = true WHERE id = $1', [chain]);
      return true;
    });
    if (isBuilder) for (const sql of getAnalyzeSql(chain)) await database.query(sql, [], LONG);
    return true;
  };
  return async () => {
    building ??= build();
    const current = building;
    const isDone = await current.catch((error: unknown) => {
      building = null;
      throw error;
    });
    if (!isDone && building === current) building = null;
  };
}

const LONG = { isLong: true } as const;
