// Polls of chain statuses: several views that poll at the same time share one request.
import type { ChainStatus } from '../../api/lookups.ts';
import type { Clock } from '../../base/clock.ts';
import { formatFault } from '../../base/errors.ts';

export interface StatusPolls {
  /** The status, or that of another poll a moment ago. */
  poll(selector: string): Promise<ChainStatus>;
  /** The next poll of the chain is a request: its head may have changed. Without a chain, that of all: the nodes changed. */
  clear(selector?: string): void;
}

/** Below the delay between two polls. */
export const MAX_STATUS_AGE_MS = 2_000;

export function createStatusPolls(
  fetchStatus: (selector: string) => Promise<ChainStatus>,
  clock: Pick<Clock, 'now'>,
): StatusPolls {
  const polls = new Map<string, { readonly at: number; readonly status: Promise<ChainStatus> }>();
  return {
    poll(selector) {
      const last = polls.get(selector);
      if (last !== undefined && clock.now() - last.at < MAX_STATUS_AGE_MS) return last.status;
      const status = fetchStatus(selector);
      polls.set(selector, { at: clock.now(), status });
      return status;
    },
    clear(selector) {
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
