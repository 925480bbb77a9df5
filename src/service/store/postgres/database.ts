// A PostgreSQL database: connections to one or several hosts, shared by all its chains, its schema migrated before the first use.
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolClient } from 'pg';
import { HexLensError } from '../../../base/errors.ts';
import type { Log } from '../../../base/log.ts';
import { raceAbort } from '../../../base/raceAbort.ts';
import { type AddressTable, createAddressTable } from './addressTable.ts';
import { isConflict, toPostgresFault } from './faults.ts';
import { createLeases, type Leases } from './leases.ts';
import { fetchReadOnlyReason, migrate } from './migrations.ts';
import type { SessionTarget } from './postgresUrl.ts';
import { createQueryRunner, IDLE_TRANSACTION_TIMEOUT_MS, isQueryTimeout, type QueryRunner } from './queryRunner.ts';

export interface Database extends QueryRunner {
  /** Shared by all chains. */
  readonly addresses: AddressTable;
  readonly leases: Leases;
  /** Rolled back when `work` rejects. `work` runs again when the server undid it because of another transaction. */
  transaction<T>(work: (queries: QueryRunner) => Promise<T>): Promise<T>;
  /** Why this user may not write or the server takes no writes at this moment; `null` when it does. */
  fetchReadOnlyReason(): Promise<string | null>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`, for each host. */
  readonly urls: readonly [string, ...string[]];
  /** Which of the hosts are used. */
  readonly target: SessionTarget;
  /** Schema of all tables; created when it does not exist. */
  readonly schema: string;
  /** Further settings of each session, from the URL. */
  readonly options: string;
  readonly log: Log;
  /** Aborted when the program stops: then no connection is waited for. */
  readonly signal?: AbortSignal | undefined;
  /** 8 when absent. */
  readonly maxConnections?: number | undefined;
  /** After this a statement without response counts as lost, with its connection; `QUERY_TIMEOUT_MS` when absent. */
  readonly queryTimeoutMs?: number | undefined;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Longer than the largest batch takes: a connection may break without a sign of it (half-open TCP). */
const QUERY_TIMEOUT_MS = 60_000;
const KEEPALIVE_DELAY_MS = 10_000;
/** SQLSTATE of a server that has no connection left. */
const TOO_MANY_CONNECTIONS = '53300';
/** How long a connection is waited for when the server has none left. */
const MAX_CONNECTION_WAIT_MS = 5_000;
const CONNECTION_RETRY_MS = 100;
/** How often a statement or transaction is repeated that was undone because of another one. */
const MAX_CONFLICT_RETRIES = 6;
/** Wait before the first of these; doubled for each further one, and of random length: the other one waits too. */
const CONFLICT_WAIT_MS = 20;

const SELECT_ROLE =
  "SELECT current_setting('transaction_read_only') = 'on' AS read_only, pg_is_in_recovery() AS standby";

/** Rejects a new session on a host that does not have the role that is looked for. */
async function verifyTarget(client: PoolClient, target: SessionTarget): Promise<void> {
  if (target === 'any') return;
  const { rows } = await client.query<{ read_only: boolean; standby: boolean }>(SELECT_ROLE);
  const { read_only: isReadOnly, standby: isStandby } = rows[0] ?? { read_only: true, standby: true };
  const fits = { 'read-write': !isReadOnly, 'read-only': isReadOnly, primary: !isStandby, standby: isStandby }[target];
  if (!fits) throw new Error(`target_session_attrs=${target} does not fit`);
}

const createStoppedFault = () => new HexLensError('backend-stopped', 'The index of the chain is closed.');

/** Rejects with `store-unavailable` when the database can not be reached, with `internal` when it can not be used. */
export async function openDatabase({
  urls,
  target,
  schema,
  options,
  log,
  signal = new AbortController().signal,
  maxConnections = 8,
  queryTimeoutMs = QUERY_TIMEOUT_MS,
}: DatabaseOptions): Promise<Database> {
  const pools = urls.map(url => {
    const pool = new Pool({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: queryTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_DELAY_MS,
      // No JIT: compiling a statement would take longer than running it.
      options: `-c timezone=UTC -c jit=off -c idle_in_transaction_session_timeout=${IDLE_TRANSACTION_TIMEOUT_MS} ${options}`,
      max: maxConnections,
      application_name: 'hexlens',
      verify: (client, done) => void verifyTarget(client, target).then(() => done(), done),
    });
    // A client that breaks between two queries of a transaction emits an error: without a listener it would end this process.
    pool.on('connect', client => client.on('error', () => {}));
    // An idle connection broke; the next query gets another one.
    pool.on('error', error => log.warn(`A connection to PostgreSQL broke: ${error.message}`));
    return pool;
  });
  /** Connections that are being made: a pool that ends waits for them, for up to `CONNECT_TIMEOUT_MS`. */
  let connecting = 0;
  const connectTo = async (pool: Pool): Promise<PoolClient> => {
    // One that exists is still used, so that a stopping process gives back its leases.
    if (signal.aborted && pool.idleCount === 0) throw createStoppedFault();
    connecting++;
    const connection = pool.connect().finally(() => connecting--);
    if (signal.aborted) return connection;
    try {
      return await raceAbort(connection, signal);
    } catch (error) {
      connection.then(
        client => client.release(true),
        () => {},
      );
      throw signal.aborted ? createStoppedFault() : error;
    }
  };
  /** The host that was used last. */
  let current = 0;
  /** A connection to the host used last, or to the next one that can be reached and has the right role. */
  const connectToAny = async (): Promise<PoolClient> => {
    let failure: unknown;
    for (let tried = 0; tried < pools.length; tried++) {
      const index = (current + tried) % pools.length;
      try {
        const pool = pools[index];
        if (pool === undefined) continue;
        const client = await connectTo(pool);
        current = index;
        return client;
      } catch (error) {
        if (signal.aborted) throw error;
        failure ??= error;
      }
    }
    throw failure;
  };
  /** Other programs may use all connections of the server for a moment: then waits until one is free. */
  const connect = async () => {
    for (let waitedMs = 0; ; waitedMs += CONNECTION_RETRY_MS) {
      try {
        return await connectToAny();
      } catch (error) {
        const isCrowded = (error as { code?: unknown }).code === TOO_MANY_CONNECTIONS;
        if (!isCrowded || waitedMs >= MAX_CONNECTION_WAIT_MS) throw toPostgresFault(error);
        await sleep(CONNECTION_RETRY_MS);
      }
    }
  };
  const retryConflicts = async <T>(attempt: () => Promise<T>): Promise<T> => {
    for (let retries = 0; ; retries++) {
      try {
        return await attempt();
      } catch (error) {
        const fault = toPostgresFault(error);
        if (!isConflict(fault) || retries === MAX_CONFLICT_RETRIES) throw fault;
        log.debug(`PostgreSQL undid a transaction because of another one (${fault.details}): it is repeated.`);
        await sleep(CONFLICT_WAIT_MS * 2 ** retries * (0.5 + Math.random()));
      }
    }
  };
  const attemptQuery: QueryRunner['query'] = async (sql, values, queryOptions) => {
    const client = await connect();
    let hasFailed = false;
    try {
      return await createQueryRunner(client, schema).query(sql, values, queryOptions);
    } catch (error) {
      hasFailed = true;
      throw error;
    } finally {
      client.release(hasFailed); // a failed connection is not reused
    }
  };
  const query: QueryRunner['query'] = (...statement) => retryConflicts(() => attemptQuery(...statement));
  const attemptTransaction: Database['transaction'] = async work => {
    const client = await connect();
    let brokenBy: Error | undefined;
    try {
      await client.query('BEGIN');
      const result = await work(createQueryRunner(client, schema));
      await client.query('COMMIT');
      return result;
    } catch (error) {
      const fault = toPostgresFault(error);
      // The server may still run the statement that has timed out: it ends with its connection.
      if (isQueryTimeout(fault)) brokenBy = fault;
      else
        await client.query('ROLLBACK').catch((failure: Error) => {
          brokenBy = failure;
        });
      throw fault;
    } finally {
      client.release(brokenBy);
    }
  };
  const transaction: Database['transaction'] = work => retryConflicts(() => attemptTransaction(work));
  const queries = { query, transaction, fetchReadOnlyReason: () => fetchReadOnlyReason({ query }) };
  const endPools = async () => {
    const ended = Promise.all(pools.map(pool => pool.end()));
    if (!signal.aborted || connecting === 0) await ended;
  };
  let closing: Promise<void> | null = null;

  try {
    await migrate({ ...queries, schema }, log);
    const reason = await queries.fetchReadOnlyReason();
    if (reason !== null)
      log.warn(`The index in PostgreSQL is only read, since ${reason}: other processes have to write it.`);
  } catch (error) {
    await endPools();
    throw toPostgresFault(error);
  }
  const leases = createLeases({ ...queries, schema, log });
  return {
    ...queries,
    addresses: createAddressTable(),
    leases,
    close() {
      closing ??= (async () => {
        await leases.close();
        await endPools();
      })();
      return closing;
    },
  };
}
