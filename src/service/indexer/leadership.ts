// Which of several processes over one store writes its index: the one that holds the store's leader lock.
import { HexLensError } from '../../base/errors.ts';
import { localizable } from '../../base/localize.ts';
import type { Log } from '../../base/log.ts';
import type { BlockRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';

export class Leadership {
  /** The store whose lock this process holds. */
  #held: { readonly store: Store; releaseLock(): Promise<void> } | null = null;

  /** Whether this process may write to the store: takes the lock when it is free. Always true for unshared stores. */
  async isLeader(store: Store): Promise<boolean> {
    if (store.leaderLock === null || this.#held?.store === store) return true;
    await this.release();
    const releaseLock = await store.leaderLock.tryAcquire();
    if (releaseLock !== null) this.#held = { store, releaseLock };
    return releaseLock !== null;
  }

  /** Releases the lock, if this process holds it: others may be waiting for it. */
  async release(): Promise<void> {
    const held = this.#held;
    this.#held = null;
    await held?.releaseLock();
  }
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
