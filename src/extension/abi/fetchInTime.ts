// Requests for what is shown in a moment: what takes longer continues, and is in the worker's cache for the next look.
import type { Clock } from '../../base/clock.ts';
import { createCancelledFault } from '../../base/errors.ts';

/** A late request continues no longer than that. */
const MAX_LATE_MS = 60_000;

interface InTimeOptions {
  readonly clock: Clock;
  readonly maxMs: number;
  /** Whether it continues when it is late; else it is aborted, as where the node may be paid by request. */
  readonly continues: boolean;
}

/** `late` when it takes longer than `maxMs`, `null` where it fails. Rejects with `cancelled` when `signal` aborts before. */
export async function fetchInTime<T>(
  fetch: (signal: AbortSignal) => Promise<T>,
  { clock, maxMs, continues }: InTimeOptions,
  signal: AbortSignal,
): Promise<T | 'late' | null> {
  const work = new AbortController();
  const timer = new AbortController();
  const stop = () => {
    work.abort();
    timer.abort();
  };
  if (signal.aborted) throw createCancelledFault();
  signal.addEventListener('abort', stop, { once: true });
  const fetched = fetch(work.signal)
    .catch(() => null)
    .finally(() => timer.abort());
  const late = clock.sleep(maxMs, timer.signal).then(
    () => 'late' as const,
    () => fetched,
  );
  const result = await Promise.race([fetched, late]);
  signal.removeEventListener('abort', stop);
  if (signal.aborted) throw createCancelledFault();
  if (result !== 'late') return result;
  if (!continues) stop();
  else clock.sleep(MAX_LATE_MS, timer.signal).then(stop, () => {});
  return result;
}
