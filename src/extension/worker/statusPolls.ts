// Polls of chain statuses: how often, and one request for several views that poll at the same time.
import type { ChainStatus } from '../../api/lookups.ts';
import type { Clock } from '../../base/clock.ts';
import { formatFault } from '../../base/errors.ts';

/** Between two polls of a chain. A node on this machine costs nothing, and is often started again soon. */
export const POLL_INTERVALS_MS = {
  /** On this machine: what the status bar, the sidebar and Activity show. */
  local: 3_000,
  unreachableLocal: 4_000,
  /** What a page shows of the newest block. */
  localPage: 1_000,
  remotePage: 6_000,
  /** On other machines: Activity, and how many blocks are newer than what is shown. */
  remote: 30_000,
} as const;

/** Of a node on this machine. */
export const getLocalPollMs = (isReachable: boolean): number =>
  isReachable ? POLL_INTERVALS_MS.local : POLL_INTERVALS_MS.unreachableLocal;

/** Below the delay between two polls. */
export const MAX_STATUS_AGE_MS = 2_000;

export function createStatusPolls(fetchStatus: (selector: string) => Promise<ChainStatus>, clock: Pick<Clock, 'now'>) {
  const polls = new Map<string, { readonly at: number; readonly status: Promise<ChainStatus> }>();
  return {
    /** The status, or that of another poll a moment ago. */
    poll(selector: string): Promise<ChainStatus> {
      const last = polls.get(selector);
      if (last !== undefined && clock.now() - last.at < MAX_STATUS_AGE_MS) return last.status;
      const status = fetchStatus(selector);
      polls.set(selector, { at: clock.now(), status });
      return status;
    },
    /** The next poll of the chain is a request: its head may have changed. Without a chain, that of all: the nodes changed. */
    clear(selector?: string) {
      if (selector === undefined) polls.clear();
      else polls.delete(selector);
    },
  };
}

/** That of a chain whose status could not be read. */
export const createFailedStatus = (selector: string, error: unknown): ChainStatus => ({
  selector,
  chain: null,
  source: 'node',
  head: null,
  headTime: null,
  client: null,
  problem: formatFault(error),
});

/**
 * One reading of a chain at a time, for heads that are announced faster than a status is read: requests meanwhile share the
 * next one. `read` never rejects.
 */
export function createSingleReads(read: (selector: string) => Promise<void>): (selector: string) => Promise<void> {
  /** Chains that are being read, and whether they are to be read once more. */
  const running = new Map<string, boolean>();
  return async selector => {
    const isRunning = running.has(selector);
    running.set(selector, isRunning);
    if (isRunning) return;
    do {
      running.set(selector, false);
      await read(selector);
    } while (running.get(selector));
    running.delete(selector);
  };
}
