// Which chains are polled, and when: one round of each at a time, at most one more waits, and after failures ever longer.
import type { Configuration } from '../../api/configuration.ts';
import { toUrlList } from '../../api/nodeUrls.ts';
import { getBackOffMs } from '../../base/backOff.ts';
import type { Clock } from '../../base/clock.ts';
import { isLoopbackUrl } from '../../base/loopback.ts';

export interface PollRoundsDeps {
  readonly clock: Pick<Clock, 'now'>;
  /** Polls a chain; resolves with whether that succeeded, and never rejects. */
  poll(selector: string): Promise<boolean>;
  /** Time between two rounds of the chain without failures. */
  getIntervalMs(selector: string): number;
}

export type PollRounds = ReturnType<typeof createPollRounds>;

/** A node that fails is polled half as often after each failure: on another machine down to once in 16 minutes. */
const MAX_DOUBLINGS = 5;

export function createPollRounds({ clock, poll, getIntervalMs }: PollRoundsDeps) {
  const running = new Map<string, Promise<void>>();
  const waiting = new Map<string, Promise<void>>();
  const failures = new Map<string, { readonly count: number; readonly retryAt: number }>();

  const isDue = (selector: string) => (failures.get(selector)?.retryAt ?? 0) <= clock.now();
  const run = async (selector: string): Promise<void> => {
    if (!isDue(selector)) return;
    if (await poll(selector)) {
      failures.delete(selector);
      return;
    }
    const count = (failures.get(selector)?.count ?? 0) + 1;
    const intervalMs = getIntervalMs(selector);
    const delay = { firstMs: intervalMs * 2, maxMs: intervalMs * 2 ** MAX_DOUBLINGS };
    const retryAt = clock.now() + getBackOffMs(count, delay);
    failures.set(selector, { count, retryAt });
  };
  const start = (selector: string): Promise<void> => {
    const round = run(selector).finally(() => running.delete(selector));
    running.set(selector, round);
    return round;
  };

  return {
    /** Resolves when a round that began after the call has ended; at once when the chain is not due. */
    request(selector: string): Promise<void> {
      const queued = waiting.get(selector);
      if (queued !== undefined) return queued;
      const current = running.get(selector);
      if (current === undefined) return start(selector);
      const next = current.then(() => {
        waiting.delete(selector);
        return start(selector);
      });
      waiting.set(selector, next);
      return next;
    },
    /** Whether no failure delays the next round. */
    isDue,
    /** Forgets the failures. */
    reset(selectors: readonly string[] = [...failures.keys()]) {
      for (const selector of selectors) failures.delete(selector);
    },
  };
}

/**
 * Whether watched addresses may be sent to the nodes of a chain again and again: all nodes of the chain, and the remote host
 * where one serves the lists, are on this machine or allowed.
 *
 * @param allowedHosts `hexlens.watch.allowedHosts`: in lower case, with the port where the URL has one.
 */
export function canPoll(
  selector: string,
  { nodes, groups }: Pick<Configuration, 'nodes' | 'groups'>,
  allowedHosts: readonly string[],
): boolean {
  const { mode, baseUrl } = groups.evm;
  const urls = [...toUrlList(nodes[selector]), ...(mode === 'remote' ? [baseUrl] : [])];
  return urls.every(url => isLoopbackUrl(url) || allowedHosts.includes(URL.parse(url)?.host.toLowerCase() ?? ''));
}
