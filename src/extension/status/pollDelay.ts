// How often the status of local chains is polled while it is shown.

const REACHABLE_DELAY_MS = 3_000;
/** Short too, because a local node is often restarted soon and an unused port costs almost nothing. */
const UNREACHABLE_DELAY_MS = 4_000;

export const getPollDelayMs = (isReachable: boolean): number =>
  isReachable ? REACHABLE_DELAY_MS : UNREACHABLE_DELAY_MS;

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
