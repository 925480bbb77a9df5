// Connections to one or several hosts of PostgreSQL, each with its pool.
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolClient } from 'pg';
import { HexLensError } from '../../../base/errors.ts';
import type { Log } from '../../../base/log.ts';
import { raceAbort } from '../../../base/raceAbort.ts';
import { toPostgresFault } from './faults.ts';
import type { SessionTarget } from './postgresUrl.ts';
import { IDLE_TRANSACTION_TIMEOUT_MS } from './queryRunner.ts';

export interface ConnectionOptions {
  /** `postgres://user:password@host:port/database`, for each host. */
  readonly urls: readonly [string, ...string[]];
  /** Which of the hosts are used. */
  readonly target: SessionTarget;
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

function createPool(
  url: string,
  { target, options, log, maxConnections = 8, queryTimeoutMs = QUERY_TIMEOUT_MS }: ConnectionOptions,
): Pool {
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
}

export class ConnectionPools {
  readonly #pools: readonly Pool[];
  readonly #signal: AbortSignal;
  /** Connections that are being made: a pool that ends waits for them, for up to `CONNECT_TIMEOUT_MS`. */
  #connecting = 0;
  /** The host that was used last. */
  #current = 0;

  constructor(options: ConnectionOptions) {
    this.#pools = options.urls.map(url => createPool(url, options));
    this.#signal = options.signal ?? new AbortController().signal;
  }

  /** Other programs may use all connections of the server for a moment: then waits until one is free. */
  async connect(): Promise<PoolClient> {
    for (let waitedMs = 0; ; waitedMs += CONNECTION_RETRY_MS) {
      try {
        return await this.#connectToAny();
      } catch (error) {
        const isCrowded = (error as { code?: unknown }).code === TOO_MANY_CONNECTIONS;
        if (!isCrowded || waitedMs >= MAX_CONNECTION_WAIT_MS) throw toPostgresFault(error);
        await sleep(CONNECTION_RETRY_MS);
      }
    }
  }

  async end(): Promise<void> {
    const ended = Promise.all(this.#pools.map(pool => pool.end()));
    if (!this.#signal.aborted || this.#connecting === 0) await ended;
  }

  /** A connection to the host used last, or to the next one that can be reached and has the right role. */
  async #connectToAny(): Promise<PoolClient> {
    let failure: unknown;
    for (let tried = 0; tried < this.#pools.length; tried++) {
      const index = (this.#current + tried) % this.#pools.length;
      try {
        const pool = this.#pools[index];
        if (pool === undefined) continue;
        const client = await this.#connectTo(pool);
        this.#current = index;
        return client;
      } catch (error) {
        if (this.#signal.aborted) throw error;
        failure ??= error;
      }
    }
    throw failure;
  }

  async #connectTo(pool: Pool): Promise<PoolClient> {
    const signal = this.#signal;
    // One that exists is still used, so that a stopping process gives back its leases.
    if (signal.aborted && pool.idleCount === 0) throw createStoppedFault();
    this.#connecting++;
    const connection = pool.connect().finally(() => this.#connecting--);
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
  }
}
