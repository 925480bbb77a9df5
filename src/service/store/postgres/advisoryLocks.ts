// Locks that several processes share through PostgreSQL: held by one session, which ends with its process, hung ones too.
import { Client, type ClientConfig } from 'pg';
import { toPostgresFault } from './faults.ts';

/** `hexl` in ASCII: the space of our advisory locks. */
export const LOCK_SPACE = 0x6865_786c;

/** Says that this process is alive, this often while it holds a lock. */
const BEAT_MS = 5_000;
/** A session that holds a lock and says nothing for so long is ended by the server: its process hangs, or is gone. */
const SILENT_MS = 15_000;

export interface AdvisoryLocks {
  /**
   * Holds a lock until the function is called, the process ends or hangs, or its connection breaks; `null` when somebody
   * has it, this process included.
   */
  tryAcquire(space: number, key: number): Promise<(() => Promise<void>) | null>;
  close(): Promise<void>;
}

/** The session of all locks of this process; it begins with the first of them. */
export function createAdvisoryLocks(config: ClientConfig): AdvisoryLocks {
  const held = new Set<string>();
  let keeper: Promise<Client> | undefined;
  let beat: NodeJS.Timeout | undefined;

  const lost = () => {
    // The server let go of the locks: whoever asks first has them next.
    held.clear();
    keeper = undefined;
    clearInterval(beat);
    beat = undefined;
  };
  const keep = (): Promise<Client> => {
    keeper ??= (async () => {
      const client = new Client({ ...config, application_name: `hexlens lock ${process.pid}`, keepAlive: true });
      client.on('error', lost);
      try {
        await client.connect();
        return client;
      } catch (error) {
        keeper = undefined;
        throw toPostgresFault(error);
      }
    })();
    return keeper;
  };

  /** The session answers one question at a time. */
  let turn: Promise<unknown> = Promise.resolve();
  const ask = <Row>(sql: string, values: readonly unknown[]): Promise<Row | undefined> => {
    const mine = turn.then(async () => {
      const client = await keep();
      try {
        return (await client.query(sql, [...values])).rows[0] as Row | undefined;
      } catch (error) {
        throw toPostgresFault(error);
      }
    });
    turn = mine.catch(() => {});
    return mine;
  };

  /** From the first lock to the last: the server expects to hear of us. */
  const watched = async (on: boolean) => {
    clearInterval(beat);
    beat = on ? setInterval(() => void ask('SELECT 1', []).catch(() => {}), BEAT_MS).unref() : undefined;
    const limit = on ? String(SILENT_MS) : '0';
    // Databases that speak PostgreSQL's protocol may have no such setting.
    await ask("SELECT set_config('idle_session_timeout', $1, false)", [limit]).catch(() => {});
  };

  return {
    async tryAcquire(space, key) {
      const name = `${space} ${key}`;
      if (held.has(name)) return null;
      held.add(name); // at once: two questions of one session would both get it
      let got = false;
      try {
        const row = await ask<{ got: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS got', [space, key]);
        got = row?.got === true;
      } finally {
        if (!got) held.delete(name);
      }
      if (!got) return null;
      if (beat === undefined) await watched(true);
      return async () => {
        if (!held.delete(name) || keeper === undefined) return;
        await ask('SELECT pg_advisory_unlock($1, $2)', [space, key]).catch(() => {}); // gone with the session
        if (held.size === 0 && beat !== undefined) await watched(false);
      };
    },
    async close() {
      const last = keeper;
      lost();
      await (await last?.catch(() => undefined))?.end();
    },
  };
}
