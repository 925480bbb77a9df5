// Repeats a request over an index that is behind the chain until it has caught up, or makes no progress any more.
import type { WireReply } from '../api/wire/request.ts';
import { INDEX_HEADER } from '../api/wire/responseHeaders.ts';

const REPORT_INTERVAL_MS = 5_000;
/** An index without progress for this long is not waited for. */
const STALLED_MS = 30_000;

/**
 * @param send Sends the request; the service waits for its index for a moment each time.
 * @param report Receives the progress of the index in a sentence.
 * @param now Milliseconds of a monotonic clock.
 */
export async function waitForIndex(
  send: () => Promise<WireReply>,
  report: (sentence: string) => void,
  now: () => number = () => performance.now(),
): Promise<WireReply> {
  let reportedAt = now();
  let progressedAt = reportedAt;
  let previousProgress: string | undefined;
  while (true) {
    const reply = await send();
    const progress = reply.headers[INDEX_HEADER];
    if (progress === undefined) return reply;
    const time = now();
    if (progress !== previousProgress) {
      previousProgress = progress;
      progressedAt = time;
    }
    if (time - progressedAt > STALLED_MS) {
      report(`The index of the chain makes no progress (${progress}): this is what it holds.`);
      return reply;
    }
    if (time - reportedAt < REPORT_INTERVAL_MS) continue;
    reportedAt = time;
    report(`Waiting for the index of the chain (${progress}).`);
  }
}
