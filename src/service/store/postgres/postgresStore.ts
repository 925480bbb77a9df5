// The index in PostgreSQL: many chains and many processes over one database, one of them following each chain.
import { HexLensError } from '../../../base/errors.ts';
import type { Log } from '../../../base/log.ts';
import { packHex } from '../encoding.ts';
import { createIndexing } from '../postgresIndexes.ts';
import { noteValues } from '../postgresValues.ts';
import { type OpenStore, type Store, type StoreInfo, subjectName } from '../store.ts';
import { LOCKS } from './advisoryLocks.ts';
import { applyBatch, rollBack } from './batchWrites.ts';
import {
  blockAt,
  blocksDown,
  countMints,
  countTransfers,
  coverageOf,
  firstBlockAt,
  headOf,
  readMints,
  readTransfers,
} from './blockReads.ts';
import { type Database, openDatabase } from './database.ts';
import { postgresFault } from './faults.ts';
import {
  countCollections,
  countOwners,
  readCollections,
  readLowestTrade,
  readOwners,
  readTokens,
} from './ownerReads.ts';
import { readStoreUrl } from './postgresUrl.ts';
import { chainPartitions } from './schema.ts';
import { noteMetadataSyncs, readMetadataSyncs } from './tokens.ts';

export interface PostgresDeps {
  /** As {@link readStoreUrl} has it. */
  readonly url: string;
  readonly log: Log;
  /** Connections at most; 8 when absent. */
  readonly connections?: number | undefined;
}

/** Opens stores in one database, over one pool, which is closed with the last of them. Rejects with `internal` when it can not be used. */
export function openPostgresStore({ url: text, log, connections }: PostgresDeps): OpenStore {
  const place = readStoreUrl(text);
  let users = 0;
  let opening: Promise<Database> | undefined;

  const use = async (): Promise<Database> => {
    users++;
    opening ??= openDatabase({ ...place, log, connections });
    try {
      return await opening;
    } catch (error) {
      users--;
      opening = undefined; // the next one tries again
      throw postgresFault(error);
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
async function registerChain(database: Database, { chainId, genesisHash, subject }: StoreInfo): Promise<number> {
  const values = [chainId, packHex(genesisHash, 32), subjectName(subject)];
  const wanted = 'SELECT id FROM chain WHERE chain_id = $1 AND genesis = $2 AND subject = $3';
  const find = () => database.all<{ id: number }>(wanted, values);
  const [known] = await find();
  if (known !== undefined) return known.id;
  return database.write(async queries => {
    await queries.all(
      'INSERT INTO chain (chain_id, genesis, subject) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      values,
    );
    const [made] = await queries.all<{ id: number }>(`${wanted} FOR UPDATE`, values);
    if (made === undefined) throw new HexLensError('internal', 'PostgreSQL did not keep the chain.');
    await queries.all(chainPartitions(made.id, subject !== undefined));
    return made.id;
  });
}

function createStore(database: Database, chain: number, info: StoreInfo, leave: () => Promise<void>): Store {
  const { addresses } = database;
  const writing = { database, chain, addresses, info, partitions: new Set<number>() };
  const indexed = createIndexing(database, chain);
  let closed: Promise<void> | null = null;
  const use = <T>(work: () => Promise<T>): Promise<T> =>
    closed === null ? work() : Promise.reject(new HexLensError('backend-stopped', 'The index of the chain is closed.'));
  /** For what needs the secondary indexes. */
  const read = <T>(work: () => Promise<T>): Promise<T> => use(async () => indexed().then(work));

  return {
    info,
    head: () => use(() => headOf(database, chain)),
    block: number => use(() => blockAt(database, chain, number)),
    blocksDown: (fromBlock, limit) => use(() => blocksDown(database, chain, fromBlock, limit)),
    firstBlockAt: time => read(() => firstBlockAt(database, chain, time)),
    coverage: () => use(() => coverageOf(database, chain)),
    apply: batch => use(() => applyBatch(writing, batch)),
    rollback: block => read(() => rollBack(writing, block)),
    transfers: (query, slice) => read(() => readTransfers(database, chain, addresses, query, slice)),
    countTransfers: query => read(() => countTransfers(database, chain, addresses, query)),
    owners: (query, slice) => read(() => readOwners(database, chain, addresses, query, slice)),
    countOwners: query => read(() => countOwners(database, chain, addresses, query)),
    collections: (owner, slice) => read(() => readCollections(database, chain, addresses, owner, slice)),
    countCollections: owner => read(() => countCollections(database, chain, addresses, owner)),
    mints: (query, slice) => read(() => readMints(database, chain, addresses, query, slice)),
    countMints: query => read(() => countMints(database, chain, addresses, query)),
    lowestTrade: query => read(() => readLowestTrade(database, chain, addresses, query)),
    metadataSyncs: keys => use(() => readMetadataSyncs(database, chain, keys)),
    noteMetadataSyncs: syncs => use(() => noteMetadataSyncs(database, chain, syncs)),
    noteValues: values => use(() => noteValues(database, chain, values)),
    tokens: list => use(() => readTokens(database, chain, addresses, list)),
    lead: () => use(async () => (database.readOnly ? null : database.lock(LOCKS, chain))),
    close() {
      closed ??= leave();
      return closed;
    },
  };
}
