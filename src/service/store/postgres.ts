// The index in PostgreSQL: many chains and many processes over one database, one of them following each chain.
import { HexLensError } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import { packHex } from './encoding.ts';
import { applyBatch, rollBack } from './postgresApply.ts';
import { postgresFault } from './postgresFaults.ts';
import {
  countCollections,
  countOwners,
  readCollections,
  readLowestTrade,
  readOwners,
  readTokens,
} from './postgresHoldings.ts';
import { noteMetadataSyncs, readMetadataSyncs } from './postgresMetadataSyncs.ts';
import { type Database, LOCKS, openDatabase } from './postgresPool.ts';
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
} from './postgresReads.ts';
import { chainPartitions } from './postgresSchema.ts';
import { type OpenStore, type Store, type StoreInfo, subjectName } from './store.ts';

export interface PostgresDeps {
  /** `postgres://user:password@host:port/database`; `?schema=NAME` keeps everything in a schema of that name. */
  readonly url: string;
  readonly log: Log;
  /** Connections at most; 8 when absent. */
  readonly connections?: number | undefined;
}

export const DEFAULT_SCHEMA = 'hexlens';

/** The URL without what only we understand, and the schema that it names. Throws `bad-input`. */
export function readStoreUrl(text: string): { readonly url: string; readonly schema: string } {
  const url = URL.parse(text);
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new HexLensError('bad-input', 'The store is no PostgreSQL database.', {
      fix: 'Write it as postgres://user:password@host:5432/database.',
    });
  }
  const schema = url.searchParams.get('schema') ?? DEFAULT_SCHEMA;
  url.searchParams.delete('schema');
  return { url: url.href, schema };
}

/** Opens stores in one database, over one pool, which is closed with the last of them. Rejects with `internal` when it can not be used. */
export function openPostgresStore({ url: text, log, connections }: PostgresDeps): OpenStore {
  const { url, schema } = readStoreUrl(text);
  let users = 0;
  let opening: Promise<Database> | undefined;

  const use = async (): Promise<Database> => {
    users++;
    opening ??= openDatabase({ url, schema, log, connections });
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
  const partitions = new Set<number>();
  let closed: Promise<void> | null = null;
  const use = <T>(work: () => Promise<T>): Promise<T> =>
    closed === null ? work() : Promise.reject(new HexLensError('backend-stopped', 'The index of the chain is closed.'));
  const lower = (list: readonly Hex[]) => list.map(address => address.toLowerCase() as Hex);

  return {
    info,
    head: () => use(() => headOf(database, chain)),
    block: number => use(() => blockAt(database, chain, number)),
    blocksDown: (fromBlock, limit) => use(() => blocksDown(database, chain, fromBlock, limit)),
    firstBlockAt: time => use(() => firstBlockAt(database, chain, time)),
    coverage: () => use(() => coverageOf(database, chain)),
    apply: batch => use(() => applyBatch(database, chain, info, partitions, batch)),
    rollback: block => use(() => rollBack(database, chain, block)),
    transfers: (query, slice) => use(() => readTransfers(database, chain, query, slice)),
    countTransfers: query => use(() => countTransfers(database, chain, query)),
    owners: (query, slice) => use(() => readOwners(database, chain, query, slice)),
    countOwners: query => use(() => countOwners(database, chain, query)),
    collections: (owner, slice) => use(() => readCollections(database, chain, owner, slice)),
    countCollections: owner => use(() => countCollections(database, chain, owner)),
    mints: (query, slice) => use(() => readMints(database, chain, query, slice)),
    countMints: query => use(() => countMints(database, chain, query)),
    lowestTrade: query => use(() => readLowestTrade(database, chain, query)),
    tokens: addresses => use(() => readTokens(database, chain, lower(addresses))),
    metadataSyncs: keys => use(() => readMetadataSyncs(database, chain, keys)),
    noteMetadataSyncs: syncs => use(() => noteMetadataSyncs(database, chain, syncs)),
    lead: () => use(() => database.lock(LOCKS, chain)),
    close() {
      closed ??= leave();
      return closed;
    },
  };
}
