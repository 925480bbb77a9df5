// Which of several processes over one store writes its index: the one that holds the store's leader lock.
import { HexLensError } from '../../base/errors.ts';
import { localizable } from '../../base/localize.ts';
import type { Log } from '../../base/log.ts';
import type { BlockRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';

export interface LeaderElection {
  /** Whether this process may write to the store: takes the lock when it is free. Always true for unshared stores. */
  isLeader(store: Store): Promise<boolean>;
  /** Releases the lock, if this process holds it: others may be waiting for it. */
  release(): Promise<void>;
}

export function createLeaderElection(): LeaderElection {
  let held: { readonly store: Store; releaseLock(): Promise<void> } | null = null;
  const release = async () => {
    const lock = held;
    held = null;
    await lock?.releaseLock();
  };
  return {
    release,
    async isLeader(store) {
      if (store.leaderLock === null) return true;
      if (held?.store === store) return true;
      await release();
      const releaseLock = await store.leaderLock.tryAcquire();
      if (releaseLock !== null) held = { store, releaseLock };
      return releaseLock !== null;
    },
  };
}

/** Warns that the leading process writes nothing. Throws `internal` when there is nothing yet to answer requests with. */
export function warnLeaderStalled(chain: string, head: BlockRow | null, log: Log): void {
  log.warn(
    `The index of ${chain} makes no progress: the process that may write it hangs, or there is none. End it, or start one.`,
  );
  if (head !== null) return;
  throw new HexLensError('internal', localizable('Another process makes the index of this chain, and is stuck.'), {
    fix: localizable('End the HexLens that hangs, or another editor with it, then try again.'),
  });
}
