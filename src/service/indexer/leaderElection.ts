// Which of several processes over one store follows the chain: this one while it has the right, or another one.
import { HexLensError } from '../../base/errors.ts';
import { localizable } from '../../base/localize.ts';
import type { Log } from '../../base/log.ts';
import type { BlockRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';

export interface LeaderElection {
  /** Whether this process may write: always, unless the store is shared and another one follows the chain just now. */
  isLeader(store: Store): Promise<boolean>;
  /** Gives the right back: others may be waiting for it. */
  release(): Promise<void>;
}

export function createLeaderElection(): LeaderElection {
  let held: { readonly store: Store; release(): Promise<void> } | null = null;
  const letGo = async () => {
    const given = held;
    held = null;
    await given?.release();
  };
  return {
    release: letGo,
    async isLeader(store) {
      if (store.leaderLock === null) return true;
      if (held?.store === store) return true;
      await letGo();
      const release = await store.leaderLock.tryAcquire();
      if (release !== null) held = { store, release };
      return release !== null;
    },
  };
}

/** The one who leads stores nothing any more. Throws `internal` when there is nothing yet to answer with. */
export function warnLeaderStalled(chain: string, head: BlockRow | null, log: Log): void {
  log.warn(
    `The index of ${chain} does not move: the process that has the right to write it hangs, or there is none. End it, or start one.`,
  );
  if (head !== null) return;
  throw new HexLensError(
    'internal',
    localizable('Another process makes the index of this chain, and does not go on.'),
    {
      fix: localizable('End the HexLens that hangs, or another editor with it, then try again.'),
    },
  );
}
