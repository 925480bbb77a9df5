// Progress of long work as others should hear of it: not of work that is over in a moment, and not too often.

import type { Progress } from '../../api/workerProtocol.ts';
import type { Clock } from '../../base/clock.ts';
import type { IndexProgress } from './chainIndex.ts';

export interface ProgressReporterDeps {
  readonly clock: Clock;
  report(progress: Progress): void;
}

/** Milliseconds that work lasts before it is spoken of. */
export const FIRST_REPORT_MS = 500;
/** Milliseconds between two words on the same work. */
export const REPORT_INTERVAL_MS = 250;

export type ProgressStep = Pick<Progress, 'isRunning' | 'done' | 'total'>;

export function toProgressStep({
  isRunning: running,
  fromBlock: from,
  indexedBlock: indexed,
  nodeHead: head,
}: IndexProgress): ProgressStep {
  const begin = from ?? 0;
  const done = indexed === null ? 0 : Math.max(0, indexed - begin + 1);
  return { isRunning: running, done, total: head === null ? null : Math.max(done, head - begin + 1) };
}

/**
 * Takes each step of one work; reports those that are worth it. The end of work that was reported, that was long without a
 * step, or that had ended unfinished before, is reported too: `running` false, whether it is done, was paused, or failed.
 */
export function createProgressReporter(
  { clock, report }: ProgressReporterDeps,
  of: Pick<Progress, 'task' | 'kind' | 'chain' | 'address' | 'scope'>,
): (step: ProgressStep) => void {
  let since: number | null = null;
  let reportedAt: number | null = null;
  /** The last word was that it ended before it was done. */
  let unfinished = false;

  return ({ isRunning: running, done, total }) => {
    const now = clock.now();
    if (running) {
      since ??= now;
      const due = reportedAt === null ? now - since >= FIRST_REPORT_MS : now - reportedAt >= REPORT_INTERVAL_MS;
      if (!due) return;
      reportedAt = now;
      report({ ...of, done, total, isRunning: true });
      return;
    }
    const short = since === null || now - since < FIRST_REPORT_MS;
    since = null;
    if (short && reportedAt === null && !unfinished) return;
    unfinished = total !== null && done < total;
    reportedAt = null;
    report({ ...of, done, total, isRunning: false });
  };
}

/** The name of an index's work; `subject` as `subjectName` gives it. */
export const getTaskName = (selector: string, subject: string): string =>
  subject === '' ? `index ${selector}` : `index ${selector} ${subject}`;
