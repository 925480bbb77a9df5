// Connections to PostgreSQL: one pool for all chains of a database, its schema made and migrated before the first use.
import { Client, Pool, type PoolClient, type QueryResultRow } from 'pg';
import { HexLensError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { type Addresses, createAddresses } from './postgresAddresses.ts';
import { postgresFault } from './postgresFaults.ts';
import { migrations } from './postgresSchema.ts';

/** One connection within a transaction, or any of the pool. */
export interface Queries {
  /** All rows. `$1` stands for the first value. */
  all<Row extends QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

export interface Database extends Queries {
  /** Addresses by number, for all chains. */
  readonly addresses: Addresses;
  /** All of it or nothing. */
  write<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /**
   * Holds a lock until the function is called, the process ends or its connection breaks; `null` when somebody has it,
   * this process included.
   */
  lock(space: number, key: number): Promise<(() => Promise<void>) | null>;
  close(): Promise<void>;
}

export interface DatabaseDeps {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** Schema that everything is kept in; made when it is not there. */
  readonly schema: string;
  readonly log: Log;
  /** Connections at most. */
  readonly connections?: number | undefined;
}

/** `hexl` in ASCII: the space of our advisory locks. */
export const LOCKS = 0x6865_786c;
const MIGRATING = 0;
const CONNECT_MS = 10_000;

const queriesOf = (client: Pick<Client | PoolClient, 'query'>): Queries => ({
  async all(sql, values = []) {
    try {
      return (await client.query(sql, [...values])).rows;
    } catch (error) {
      throw postgresFault(error);
    }
  },
});

async function migrate(client: PoolClient, schema: string, log: Log): Promise<void> {
  await client.query('SELECT pg_advisory_lock($1, $2)', [LOCKS, MIGRATING]);
  try {
    await client.query('BEGIN');
    await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
    await client.query('CREATE TABLE IF NOT EXISTS migration (version integer PRIMARY KEY)');
    const { rows } = await client.query<{ version: number | null }>('SELECT max(version) AS version FROM migration');
    const version = rows[0]?.version ?? 0;
    if (version > migrations.length) {
      throw new HexLensError('internal', `The index in PostgreSQL was made by a newer HexLens (version ${version}).`, {
        fix: 'Update this HexLens, or give it a schema of its own with ?schema=NAME at the end of --store.',
      });
    }
    for (const [index, sql] of migrations.entries()) {
      if (index < version) continue;
      await client.query(sql);
      await client.query('INSERT INTO migration VALUES ($1)', [index + 1]);
      log.info(`The index in PostgreSQL is at version ${index + 1}.`);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    await client.query('SELECT pg_advisory_unlock($1, $2)', [LOCKS, MIGRATING]).catch(() => {});
  }
}

/** Rejects with `internal` when the database can not be used. */
export async function openDatabase({ url, schema, log, connections = 8 }: DatabaseDeps): Promise<Database> {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new HexLensError('bad-input', `The schema "${schema}" can not be used.`, {
      fix: 'Use lower-case letters, digits and _, beginning with a letter.',
    });
  }
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'hexlens',
    // Compiling a statement takes longer than any of ours runs.
    options: `-c search_path=${schema} -c timezone=UTC -c jit=off`,
  });
  // A connection that breaks while nobody uses it; the next query gets another one.
  pool.on('error', error => log.warn(`A connection to PostgreSQL broke: ${error.message}`));
  const connect = async () => {
    try {
      return await pool.connect();
    } catch (error) {
      throw postgresFault(error);
    }
  };
  /** All our locks are held by one session of its own: they end with it, whatever becomes of this process. */
  const held = new Set<string>();
  let keeper: Promise<Client> | undefined;
  const keep = (): Promise<Client> => {
    keeper ??= (async () => {
      const client = new Client({ connectionString: url, application_name: 'hexlens lock', keepAlive: true });
      client.on('error', () => {
        // The server let go of the locks: whoever asks first has them next.
        held.clear();
        keeper = undefined;
      });
      try {
        await client.connect();
        return client;
      } catch (error) {
        keeper = undefined;
        throw postgresFault(error);
      }
    })();
    return keeper;
  };
  /** That session answers one question at a time. */
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    const mine = turn.then(async () => work(await keep()));
    turn = mine.catch(() => {});
    return mine;
  };
  let ending: Promise<void> | null = null;

  try {
    const client = await connect();
    try {
      await migrate(client, schema, log);
    } finally {
      client.release();
    }
  } catch (error) {
    await pool.end();
    throw postgresFault(error);
  }

  return {
    ...queriesOf(pool),
    addresses: createAddresses(),
    async write(work) {
      const client = await connect();
      let broken: Error | undefined;
      try {
        await client.query('BEGIN');
        const result = await work(queriesOf(client));
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch((failure: Error) => {
          broken = failure;
        });
        throw postgresFault(error);
      } finally {
        client.release(broken);
      }
    },
    async lock(space, key) {
      const name = `${space} ${key}`;
      if (held.has(name)) return null;
      held.add(name); // at once: two questions of one session would both get it
      let got = false;
      try {
        const sql = 'SELECT pg_try_advisory_lock($1, $2) AS got';
        const [row] = await inTurn(client => queriesOf(client).all<{ got: boolean }>(sql, [space, key]));
        got = row?.got === true;
      } finally {
        if (!got) held.delete(name);
      }
      if (!got) return null;
      return async () => {
        if (!held.delete(name) || keeper === undefined) return;
        const sql = 'SELECT pg_advisory_unlock($1, $2)';
        await inTurn(client => client.query(sql, [space, key])).catch(() => {}); // gone with the session
      };
    },
    close() {
      ending ??= (async () => {
        held.clear();
        await (await keeper?.catch(() => undefined))?.end();
        await pool.end();
      })();
      return ending;
    },
  };
}
