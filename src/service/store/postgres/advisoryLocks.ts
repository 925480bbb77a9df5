// Locks that several processes share through PostgreSQL: held by one session, which ends with its process or when that hangs.
import { Client, type ClientConfig } from 'pg';
import { SerialQueue } from '../../../base/serialQueue.ts';
import { toPostgresFault } from './faults.ts';

/** `hexl` in ASCII: the first key of our advisory locks. */
export const LOCK_SPACE = 0x6865_786c;

const HEARTBEAT_MS = 5_000;
/** The server ends a session that holds a lock but sent no heartbeat for so long: its process hangs, and another one takes over. */
const TAKEOVER_TIMEOUT_MS = 15_000;

export interface AdvisoryLocks {
  /**
   * Holds a lock until the returned function is called, the process ends or hangs, or its connection breaks. `null` while
   * it is held, by this process too.
   */
  tryAcquire(space: number, key: number): Promise<(() => Promise<void>) | null>;
  close(): Promise<void>;
}

/** One session for all locks of this process, opened with the first of them. */
export function createAdvisoryLocks(config: ClientConfig): AdvisoryLocks {
  const held = new Set<string>();
  const queue = new SerialQueue();
  let session: Promise<Client> | undefined;
  let heartbeat: NodeJS.Timeout | undefined;

  const onSessionEnd = () => {
    // The server has released the locks.
    held.clear();
    session = undefined;
    clearInterval(heartbeat);
    heartbeat = undefined;
  };
  const openSession = (): Promise<Client> => {
    session ??= (async () => {
      const client = new Client({ ...config, application_name: `hexlens lock ${process.pid}`, keepAlive: true });
      client.on('error', onSessionEnd);
      try {
        await client.connect();
        return client;
      } catch (error) {
        session = undefined;
        throw toPostgresFault(error);
      }
    })();
    return session;
  };

  /** A session runs one statement at a time. */
  const query = <Row>(sql: string, values: readonly unknown[]): Promise<Row | undefined> =>
    queue.run(async () => {
      const client = await openSession();
      try {
        return (await client.query(sql, [...values])).rows[0] as Row | undefined;
      } catch (error) {
        throw toPostgresFault(error);
      }
    });

  /** Enabled while a lock is held: then the server ends the session when no heartbeat arrives. */
  const setHeartbeat = async (enabled: boolean) => {
    clearInterval(heartbeat);
    heartbeat = enabled
      ? setInterval(() => void query('SELECT 1', []).catch(() => {}), HEARTBEAT_MS).unref()
      : undefined;
    const timeout = enabled ? String(TAKEOVER_TIMEOUT_MS) : '0';
    // Databases that only speak PostgreSQL's protocol may not have this setting.
    await query("SELECT set_config('idle_session_timeout', $1, false)", [timeout]).catch(() => {});
  };

  return {
    async tryAcquire(space, key) {
      const name = `${space} ${key}`;
      if (held.has(name)) return null;
      held.add(name); // before the query: PostgreSQL grants a lock twice to the same session
      let isAcquired = false;
      try {
        const row = await query<{ acquired: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS acquired', [space, key]);
        isAcquired = row?.acquired === true;
      } finally {
        if (!isAcquired) held.delete(name);
      }
      if (!isAcquired) return null;
      if (heartbeat === undefined) await setHeartbeat(true);
      return async () => {
        if (!held.delete(name) || session === undefined) return;
        await query('SELECT pg_advisory_unlock($1, $2)', [space, key]).catch(() => {}); // released with the session
        if (held.size === 0 && heartbeat !== undefined) await setHeartbeat(false);
      };
    },
    async close() {
      const last = session;
      onSessionEnd();
      await (await last?.catch(() => undefined))?.end();
    },
  };
}
