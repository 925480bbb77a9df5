// Reports the progress of long tasks: not of tasks that end in a moment, and not too often.
import type { Progress } from '../../api/workerProtocol.ts';
import type { Clock } from '../../base/clock.ts';
import type { IndexProgress } from './chainIndex.ts';

export interface ProgressReporterDeps {
  readonly clock: Clock;
  report(progress: Progress): void;
}

/** A task that is shorter than this is not reported. */
export const FIRST_REPORT_MS = 500;
/** Time between two reports of the same task. */
export const REPORT_INTERVAL_MS = 250;

export type ProgressStep = Pick<Progress, 'isRunning' | 'done' | 'total'>;

export function toProgressStep({ isRunning, fromBlock, indexedBlock, nodeHead }: IndexProgress): ProgressStep {
  const first = fromBlock ?? 0;
  const done = indexedBlock === null ? 0 : Math.max(0, indexedBlock - first + 1);
  return { isRunning, done, total: nodeHead === null ? null : Math.max(done, nodeHead - first + 1) };
}

/**
 * Takes each step of one task and reports those that are due. The end (`isRunning` false: done, paused or failed) is
 * reported when the task was, when it took long without a step, or when its end before was one of unfinished work.
 */
export function createProgressReporter(
  { clock, report }: ProgressReporterDeps,
  task: Pick<Progress, 'task' | 'kind' | 'chain' | 'address' | 'scope'>,
): (step: ProgressStep) => void {
  let runningSince: number | null = null;
  let reportedAt: number | null = null;
  /** Whether the last report was of an end before the work was done. */
  let isUnfinished = false;

  return ({ isRunning, done, total }) => {
    const now = clock.now();
    if (isRunning) {
      runningSince ??= now;
      const isDue =
        reportedAt === null ? now - runningSince >= FIRST_REPORT_MS : now - reportedAt >= REPORT_INTERVAL_MS;
      if (!isDue) return;
      reportedAt = now;
      report({ ...task, done, total, isRunning: true });
      return;
    }
    const wasShort = runningSince === null || now - runningSince < FIRST_REPORT_MS;
    runningSince = null;
    if (wasShort && reportedAt === null && !isUnfinished) return;
    isUnfinished = total !== null && done < total;
    reportedAt = null;
    report({ ...task, done, total, isRunning: false });
  };
}

/** The name of the task of an index; `scopeName` as `getScopeName` returns it. */
export const getTaskName = (selector: string, scopeName: string): string =>
  scopeName === '' ? `index ${selector}` : `index ${selector} ${scopeName}`;
