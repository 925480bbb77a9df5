// The long tasks of a service, such as indexing a chain: reports their progress, and pauses and resumes them by name.
import type { Progress } from '../api/workerProtocol.ts';
import type { Clock } from '../base/clock.ts';

export type ProgressStep = Pick<Progress, 'isRunning' | 'isPaused' | 'done' | 'total'>;
export type TaskInfo = Omit<Progress, keyof ProgressStep>;

export interface TaskControls {
  /** Ends the work after its present step. */
  pause(): void;
  /** Starts it again. */
  resume(): void;
}

export interface RegisteredTask {
  /** Takes each step of the task and reports those that are due. */
  report(step: ProgressStep): void;
  /** From now on its name can not be paused. */
  remove(): void;
}

export type TaskRegistry = ReturnType<typeof createTaskRegistry>;

export interface TaskRegistryDeps {
  readonly clock: Clock;
  /** Called with the progress of tasks that take longer than a moment. */
  report(progress: Progress): void;
}

/** A task that is shorter than this is not reported. */
export const FIRST_REPORT_MS = 500;
/** Time between two reports of the same task. */
export const REPORT_INTERVAL_MS = 250;

export function createTaskRegistry({ clock, report }: TaskRegistryDeps) {
  const controlsByName = new Map<string, TaskControls>();
  return {
    /** Adds a task, which replaces one of the same name. Without `controls` it can not be paused. */
    add(info: TaskInfo, controls?: TaskControls): RegisteredTask {
      if (controls !== undefined) controlsByName.set(info.task, controls);
      return {
        report: createStepReporter({ clock, report }, info),
        remove() {
          if (controlsByName.get(info.task) === controls) controlsByName.delete(info.task);
        },
      };
    },
    /** Pauses the task with this name in `Progress`; the next request that needs it resumes it. */
    pause(name: string) {
      controlsByName.get(name)?.pause();
    },
    /** Resumes a paused task, if it still exists. */
    resume(name: string) {
      const controls = controlsByName.get(name);
      if (controls !== undefined) controls.resume();
      // Its index was closed for another one meanwhile: the next request opens it.
      else report({ task: name, kind: 'index', chain: null, address: null, done: 0, total: 0, isRunning: false });
    },
  };
}

/** For programs that show no progress. */
export const createSilentTaskRegistry = (clock: Clock): TaskRegistry => createTaskRegistry({ clock, report() {} });

/**
 * The end (`isRunning` false: done, paused or failed) is reported when the task was, when it took long without a step, or
 * when its end before was one of unfinished work.
 */
function createStepReporter({ clock, report }: TaskRegistryDeps, info: TaskInfo): (step: ProgressStep) => void {
  let runningSince: number | null = null;
  let reportedAt: number | null = null;
  let wasPaused = false;
  /** Whether the last report was of an end before the work was done. */
  let isUnfinished = false;

  return ({ isRunning, isPaused = false, done, total }) => {
    const now = clock.now();
    if (isRunning) {
      runningSince ??= now;
      const isDue =
        reportedAt === null
          ? now - runningSince >= FIRST_REPORT_MS
          : now - reportedAt >= REPORT_INTERVAL_MS || isPaused !== wasPaused;
      if (!isDue) return;
      reportedAt = now;
      wasPaused = isPaused;
      report({ ...info, done, total, isRunning: true, isPaused });
      return;
    }
    const wasShort = runningSince === null || now - runningSince < FIRST_REPORT_MS;
    runningSince = null;
    if (wasShort && reportedAt === null && !isUnfinished) return;
    isUnfinished = total !== null && done < total;
    reportedAt = null;
    wasPaused = isPaused;
    report({ ...info, done, total, isRunning: false, isPaused });
  };
}
