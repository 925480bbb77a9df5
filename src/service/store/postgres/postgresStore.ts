// The index in PostgreSQL: many chains and many processes over one database, one of them following each chain.

import { HexLensError } from '../../../base/errors.ts';
import type { Log } from '../../../base/log.ts';
import { packHex } from '../encoding.ts';
import { getScopeName, type OpenStore, type Store, type StoreInfo } from '../store.ts';
import { LOCK_SPACE } from './advisoryLocks.ts';
import { applyBatch, rollBackTo, writeTransactionValues } from './batchWrites.ts';
import {
  countMints,
  countTransfers,
  readBlock,
  readBlocksDownFrom,
  readCoverage,
  readFirstBlockAt,
  readHead,
  readMints,
  readTransfers,
} from './blockReads.ts';
import { type Database, openDatabase } from './database.ts';
import { toPostgresFault } from './faults.ts';
import {
  countCollections,
  countOwners,
  readCollections,
  readLowestTrade,
  readOwners,
  readTokens,
} from './ownerReads.ts';
import { parsePostgresUrl } from './postgresUrl.ts';
import { getChainPartitionSql, getSecondaryIndexSql } from './schema.ts';
import { readMetadataSyncs, writeMetadataSyncs } from './tokens.ts';

// The secondary indexes of a chain in PostgreSQL: made by whoever reads first, whichever process that is.
/** A function that resolves once the chain has all its indexes; who may not make them reads without. */
export function createIndexBuilder(database: Database, chain: number): () => Promise<void> {
  let done: Promise<void> | undefined;
  const sql = 'SELECT indexed FROM chain WHERE id = $1';
  const make = async () => {
    const [known] = await database.query<{ indexed: boolean }>(sql, [chain]);
    if (known?.indexed === true || database.isReadOnly) return;
    await database.transaction(async queries => {
      // Writers take this row first, too: nobody writes meanwhile, and nobody makes them twice.
      const [locked] = await queries.query<{ indexed: boolean }>(`${sql} FOR UPDATE`, [chain]);
      if (locked?.indexed === true) return;
      await queries.query('SET LOCAL statement_timeout = 0'); // over a large load they take minutes
      await queries.query(getSecondaryIndexSql(chain));
      await queries.query('UPDATE chain SET indexed = true WHERE id = $1', [chain]);
    });
  };
  return () => {
    done ??= make().catch(error => {
      done = undefined; // the next one tries again
      throw error;
    });
    return done;
  };
}

export interface PostgresStoreDeps {
  /** As {@link parsePostgresUrl} has it. */
  readonly url: string;
  readonly log: Log;
  /** Connections at most; 8 when absent. */
  readonly maxConnections?: number | undefined;
}

/** Opens stores in one database, over one pool, which is closed with the last of them. Rejects with `internal` when it can not be used. */
export function createPostgresStoreOpener({
  url: text,
  log,
  maxConnections: connections,
}: PostgresStoreDeps): OpenStore {
  const place = parsePostgresUrl(text);
  let users = 0;
  let opening: Promise<Database> | undefined;

  const use = async (): Promise<Database> => {
    users++;
    opening ??= openDatabase({ ...place, log, maxConnections: connections });
    try {
      return await opening;
    } catch (error) {
      users--;
      opening = undefined; // the next one tries again
      throw toPostgresFault(error);
    }
  };
  const leave = async (): Promise<void> => {
    if (--users > 0) return;
    const last = opening;
    opening = undefined;
    await (await last)?.close();
  };

  return async info => {
    const database = await use();
    try {
      return createStore(database, await registerChain(database, info), info, leave);
    } catch (error) {
      await leave();
      throw error;
    }
  };
}

/** The number of a chain, which is made with its partitions when it is new. */
async function registerChain(database: Database, { chainId, genesisHash, scope: subject }: StoreInfo): Promise<number> {
  const values = [chainId, packHex(genesisHash, 32), getScopeName(subject)];
  const wanted = 'SELECT id FROM chain WHERE chain_id = $1 AND genesis = $2 AND subject = $3';
  const find = () => database.query<{ id: number }>(wanted, values);
  const [known] = await find();
  if (known !== undefined) return known.id;
  return database.transaction(async queries => {
    await queries.query(
      'INSERT INTO chain (chain_id, genesis, subject) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      values,
    );
    const [made] = await queries.query<{ id: number }>(`${wanted} FOR UPDATE`, values);
    if (made === undefined) throw new HexLensError('internal', 'PostgreSQL did not keep the chain.');
    await queries.query(getChainPartitionSql(made.id, subject !== undefined));
    return made.id;
  });
}

function createStore(database: Database, chain: number, info: StoreInfo, leave: () => Promise<void>): Store {
  const { addresses } = database;
  const writing = { database, chain, addresses, info, partitions: new Set<number>() };
  const indexed = createIndexBuilder(database, chain);
  let closed: Promise<void> | null = null;
  const use = <T>(work: () => Promise<T>): Promise<T> =>
    closed === null ? work() : Promise.reject(new HexLensError('backend-stopped', 'The index of the chain is closed.'));
  /** For what needs the secondary indexes. */
  const read = <T>(work: () => Promise<T>): Promise<T> => use(async () => indexed().then(work));

  return {
    info,
    readHead: () => use(() => readHead(database, chain)),
    readBlock: number => use(() => readBlock(database, chain, number)),
    readBlocksDownFrom: (fromBlock, limit) => use(() => readBlocksDownFrom(database, chain, fromBlock, limit)),
    readFirstBlockAt: time => read(() => readFirstBlockAt(database, chain, time)),
    readCoverage: () => use(() => readCoverage(database, chain)),
    applyBatch: batch => use(() => applyBatch(writing, batch)),
    rollBackTo: block => read(() => rollBackTo(writing, block)),
    queryTransfers: (query, slice) => read(() => readTransfers(database, chain, addresses, query, slice)),
    countTransfers: query => read(() => countTransfers(database, chain, addresses, query)),
    queryOwners: (query, slice) => read(() => readOwners(database, chain, addresses, query, slice)),
    countOwners: query => read(() => countOwners(database, chain, addresses, query)),
    queryCollections: (owner, slice) => read(() => readCollections(database, chain, addresses, owner, slice)),
    countCollections: owner => read(() => countCollections(database, chain, addresses, owner)),
    queryMints: (query, slice) => read(() => readMints(database, chain, addresses, query, slice)),
    countMints: query => read(() => countMints(database, chain, addresses, query)),
    queryLowestTrade: query => read(() => readLowestTrade(database, chain, addresses, query)),
    readMetadataSyncs: keys => use(() => readMetadataSyncs(database, chain, keys)),
    writeMetadataSyncs: syncs => use(() => writeMetadataSyncs(database, chain, syncs)),
    writeTransactionValues: values => use(() => writeTransactionValues(database, chain, values)),
    readTokens: list => use(() => readTokens(database, chain, addresses, list)),
    acquireLeaderLock: () => use(async () => (database.isReadOnly ? null : database.tryAcquire(LOCK_SPACE, chain))),
    close() {
      closed ??= leave();
      return closed;
    },
  };
}
