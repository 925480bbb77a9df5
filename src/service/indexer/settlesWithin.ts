// Waiting for something, but not for long.
import type { Clock } from '../../base/clock.ts';

/** Whether `work` is over, either way, within `ms` milliseconds. Rejects when the signal aborts. */
export async function settlesWithin(
  work: Promise<unknown>,
  ms: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
  const over = new AbortController();
  const done = work.then(
    () => true,
    () => true,
  );
  const late = clock.sleep(ms, AbortSignal.any([signal, over.signal])).then(() => false);
  try {
    return await Promise.race([done, late]);
  } finally {
    over.abort();
  }
}
