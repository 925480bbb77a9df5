// The lock of a chain's row: until the transaction ends, no other process writes the chain or takes its lease over.
import { LeadershipLostError } from '../store.ts';
import { type QueryOptions, type QueryRunner, SET_IDLE_TRANSACTION_TIMEOUT } from './queryRunner.ts';

export interface Lease {
  /** Each holder has a higher one than the holder before it. */
  readonly fence: string;
  release(): Promise<void>;
}

/** What a store knows of its leader lock; `unclaimed` until it is first taken, as where one process writes alone. */
export type LeaseState = Lease | 'unclaimed' | 'released';

const LOCK_CHAIN = `SELECT indexed, ${SET_IDLE_TRANSACTION_TIMEOUT} FROM @chain WHERE id = $1 FOR UPDATE`;

/** Waits for the lock. */
export async function lockChain(
  queries: QueryRunner,
  chain: number,
  options?: QueryOptions,
): Promise<{ readonly isIndexed: boolean }> {
  const [row] = await queries.query<{ indexed: boolean }>(LOCK_CHAIN, [chain], options);
  return { isIndexed: row?.indexed === true };
}

/** False while another transaction holds the lock. */
export async function tryLockChain(queries: QueryRunner, chain: number): Promise<boolean> {
  const locked = await queries.query('SELECT id FROM @chain WHERE id = $1 FOR UPDATE SKIP LOCKED', [chain]);
  return locked.length > 0;
}

/**
 * For what only the leader may write. Rejects with `LeadershipLostError` when this process has released its lease, or
 * another one has taken it over.
 */
export async function lockChainAsLeader(queries: QueryRunner, chain: number, lease: LeaseState): Promise<void> {
  if (lease === 'released') throw new LeadershipLostError();
  await lockChain(queries, chain);
  if (lease === 'unclaimed') return;
  // A statement of its own: it sees what was committed while the lock was waited for.
  const [current] = await queries.query<{ fence: string }>('SELECT fence FROM @lease WHERE chain = $1', [chain]);
  if (current?.fence !== lease.fence) throw new LeadershipLostError();
}
