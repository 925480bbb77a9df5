// The leader lock as a table: a lease that its holder renews, with a fencing token that is checked by its writes.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Log } from '../../../base/log.ts';
import { type Lease, tryLockChain } from './chainLock.ts';
import type { QueryRunner } from './queryRunner.ts';

/** Without a renewal for so long another process may take the lease over. */
export const LEASE_SECONDS = 4;
const RENEWAL_INTERVAL_MS = 1_000;

export interface LeasesDeps extends QueryRunner {
  /** The schema of the tables, for the log. */
  readonly schema: string;
  readonly log: Log;
  transaction<T>(work: (queries: QueryRunner) => Promise<T>): Promise<T>;
  /** Why this process may not write; `null` when it may. */
  fetchReadOnlyReason(): Promise<string | null>;
}

const SELECT_LEASE = 'SELECT expires > clock_timestamp() AS held FROM @lease WHERE chain = $1';
const EXPIRES = `clock_timestamp() + interval '${LEASE_SECONDS} seconds'`;
/** The session has waited for its process for the length of a lease; one that runs a statement does not. */
const IS_HUNG = `session.wait_event_type = 'Client'
    AND session.state_change < clock_timestamp() - interval '${LEASE_SECONDS} seconds'`;
/**
 * Ends the session that holds that lock when its process hangs, maybe in the middle of a statement, where no timeout of the
 * server applies.
 */
const END_HUNG_SESSION = `
  SELECT session.pid, c.chain_id AS "chainId", pg_terminate_backend(session.pid) AS ended FROM @chain AS c
  JOIN pg_locks AS held ON held.locktype = 'transactionid' AND held.granted AND held.transactionid = c.xmax
  JOIN pg_stat_activity AS session ON session.pid = held.pid
  WHERE c.id = $1 AND ${IS_HUNG}`;
/** The session that holds that lock although its lease expired long ago: a hung one, or one that this role may not see. */
const SELECT_HUNG_SESSION = `
  SELECT held.pid, c.chain_id AS "chainId", session.usename AS role, current_user AS own FROM @chain AS c
  JOIN @lease AS l ON l.chain = c.id
  JOIN pg_locks AS held ON held.locktype = 'transactionid' AND held.granted AND held.transactionid = c.xmax
  JOIN pg_stat_activity AS session ON session.pid = held.pid
  WHERE c.id = $1 AND l.expires > '-infinity' AND l.expires < clock_timestamp() - interval '30 seconds'
    AND ((${IS_HUNG}) OR session.state IS NULL)`;
const TAKE_LEASE = `
  INSERT INTO @lease AS l (chain, fence, holder, expires) VALUES ($1, 1, $2, ${EXPIRES})
  ON CONFLICT (chain) DO UPDATE SET fence = l.fence + 1, holder = excluded.holder, expires = excluded.expires
    WHERE l.expires <= clock_timestamp()
  RETURNING fence`;
const HELD =
  'unnest($1::integer[], $2::bigint[]) AS held (chain, fence) WHERE l.chain = held.chain AND l.fence = held.fence';
/** Not of a lease that was released meanwhile: on another connection the renewal may come after the release. */
const RENEW_LEASES = `UPDATE @lease AS l SET expires = ${EXPIRES} FROM ${HELD} AND l.expires > '-infinity'`;
const RELEASE_LEASES = `UPDATE @lease AS l SET expires = '-infinity' FROM ${HELD}`;

export type Leases = ReturnType<typeof createLeases>;

export function createLeases(database: LeasesDeps) {
  const holder = `${process.pid}@${hostname()} ${randomUUID()}`;
  /** Chain -> fence. */
  const held = new Map<number, string>();
  let timer: NodeJS.Timeout | undefined;
  let isRenewing = false;

  const renew = async () => {
    if (isRenewing) return;
    isRenewing = true;
    // A renewal that fails is repeated; a lease that was lost meanwhile is noticed by the next write.
    await database.query(RENEW_LEASES, [[...held.keys()], [...held.values()]]).catch(() => {});
    isRenewing = false;
  };
  const nameIndex = (chainId: string) => `the index of chain ${chainId} in the schema "${database.schema}"`;
  const reported = new Set<number>();
  /** Ends the session of a holder that hangs; where this role may not do that, says once which session it is. */
  const replaceHungHolder = async (chain: number) => {
    const [ended] = await database
      .query<{ pid: number; chainId: string; ended: boolean }>(END_HUNG_SESSION, [chain])
      .catch(() => []);
    if (ended !== undefined) {
      if (ended.ended)
        database.log.warn(
          `PostgreSQL: ended session ${ended.pid}, whose process hangs: it held ${nameIndex(ended.chainId)} without renewing its lease.`,
        );
      return;
    }
    const [hung] = await database
      .query<{ pid: number; chainId: string; role: string; own: string }>(SELECT_HUNG_SESSION, [chain])
      .catch(() => []);
    if (hung === undefined || reported.has(hung.pid)) return;
    reported.add(hung.pid);
    database.log.warn(
      `PostgreSQL: session ${hung.pid} of the role ${hung.role} holds ${nameIndex(hung.chainId)} without renewing its lease, so that no ` +
        `process writes. End it if its process hangs, or let this role do so: GRANT pg_signal_backend, pg_read_all_stats TO ${hung.own}.`,
    );
  };
  const setTimer = () => {
    if (held.size > 0) timer ??= setInterval(() => void renew(), RENEWAL_INTERVAL_MS).unref();
    else {
      clearInterval(timer);
      timer = undefined;
    }
  };
  const release = async (chains: readonly number[], fences: readonly string[]) => {
    // Where the database can not be reached the lease expires.
    await database.query(RELEASE_LEASES, [chains, fences]).catch(() => {});
  };

  return {
    /** `null` while another holder, or another caller in this process, has the lease of this chain. */
    async tryAcquire(chain: number): Promise<Lease | null> {
      const [current] = await database.query<{ held: boolean }>(SELECT_LEASE, [chain]);
      if (current?.held === true || (await database.fetchReadOnlyReason()) !== null) return null;
      const fence = await database.transaction(async queries => {
        // The fence changes under the lock that every write of the leader holds until it is committed.
        if (!(await tryLockChain(queries, chain))) return 'locked';
        return (await queries.query<{ fence: string }>(TAKE_LEASE, [chain, holder]))[0]?.fence;
      });
      if (fence === 'locked') {
        // Its holder is writing, or hangs. Where the server has no such functions, its timeouts apply.
        await replaceHungHolder(chain);
        return null;
      }
      if (fence === undefined) return null;
      held.set(chain, fence);
      setTimer();
      return {
        fence,
        async release() {
          if (held.get(chain) !== fence) return;
          held.delete(chain);
          setTimer();
          await release([chain], [fence]);
        },
      };
    },
    /** Releases all of them. */
    async close() {
      const [chains, fences] = [[...held.keys()], [...held.values()]];
      held.clear();
      setTimer();
      if (chains.length > 0) await release(chains, fences);
    },
  };
}
