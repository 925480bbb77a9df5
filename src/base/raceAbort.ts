// Waiting for shared work: a caller that cancels stops to wait, and the work continues for the others.
import { createCancelledFault } from './errors.ts';

/** Settles as `work` does; rejects with `cancelled` when the signal aborts before. */
export function raceAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(createCancelledFault());
    if (signal.aborted) abort(); // the fault of the work is handled all the same
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
