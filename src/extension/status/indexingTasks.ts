// Running and paused indexing tasks, with their status bar text and the notification of long ones.

import type { Progress } from '../../api/workerProtocol.ts';
import type { Clock } from '../../base/clock.ts';
import { toShortDisplayAddress } from '../../base/displayAddress.ts';
import { disposable } from '../../base/disposable.ts';
import { t } from '../../base/localize.ts';
import { formatTaskProgress, getPercent } from '../../view/progress.ts';

/** Tasks that run longer than this show a notification. */
export const NOTIFY_AFTER_MS = 4_000;

export interface TaskNotification {
  /** Adds `increment` percent to the bar. */
  report(step: { readonly message: string; readonly increment: number }): void;
  end(): void;
}

export interface TaskSummary {
  readonly text: string;
  /** A line of plain text per task. */
  readonly lines: readonly string[];
}

export interface IndexingTasksPorts {
  readonly clock: Clock;
  /** Updates the status bar; `null` when there is no task. */
  show(summary: TaskSummary | null): void;
  notify(title: string, cancel: () => void): TaskNotification;
  pause(task: string): void;
  resume(task: string): void;
}

export interface IndexingTask {
  readonly progress: Progress;
  /** Paused by the user, who can resume it. */
  readonly isPaused: boolean;
}

const getChainName = ({ chain, aptosNetwork }: Progress): string =>
  aptosNetwork === undefined ? (chain ?? '') : `Aptos ${aptosNetwork}`;

export function formatTaskTitle(progress: Progress): string {
  const { address } = progress;
  return address === null
    ? t('Indexing {0}', getChainName(progress))
    : t('Indexing {0} on {1}', toShortDisplayAddress(address), getChainName(progress));
}

const formatTask = ({ progress, isPaused }: IndexingTask): string => {
  const line = `${formatTaskTitle(progress)}: ${formatTaskProgress(progress)}`;
  return isPaused ? t('{0}, paused', line) : line;
};

/** Running tasks come before paused ones. */
function summarizeTasks(tasks: readonly IndexingTask[]): TaskSummary | null {
  const ordered = [...tasks.filter(({ isPaused }) => !isPaused), ...tasks.filter(({ isPaused }) => isPaused)];
  const [first] = ordered;
  if (first === undefined) return null;
  const percent = getPercent(first.progress);
  const icon = first.isPaused ? '$(debug-pause)' : '$(sync~spin)';
  const more = ordered.length > 1 ? ` +${ordered.length - 1}` : '';
  return {
    text: `${icon} ${getChainName(first.progress)}${percent === null ? '' : ` ${percent}%`}${more}`,
    lines: ordered.map(formatTask),
  };
}

interface TaskState {
  progress: Progress;
  isPaused: boolean;
  /** `null` until the task has run for `NOTIFY_AFTER_MS`. */
  notification: TaskNotification | null;
  /** Whether the service has reported the pause: when it runs without one afterwards, another request has resumed it. */
  isPauseReported: boolean;
  /** Percentage that the notification shows. */
  reportedPercent: number;
  readonly ended: AbortController;
}

export function createIndexingTasks({ clock, show, notify, pause, resume }: IndexingTasksPorts) {
  const states = new Map<string, TaskState>();
  const list = (): readonly IndexingTask[] =>
    [...states.values()].map(({ progress, isPaused }) => ({ progress, isPaused }));
  const render = () => show(summarizeTasks(list()));

  const report = (state: TaskState) => {
    if (state.notification === null) return;
    const percent = getPercent(state.progress) ?? state.reportedPercent;
    state.notification.report({
      message: formatTaskProgress(state.progress),
      increment: Math.max(0, percent - state.reportedPercent),
    });
    state.reportedPercent = Math.max(state.reportedPercent, percent);
  };

  const pauseTask = (task: string) => {
    const state = states.get(task);
    if (state === undefined || state.isPaused) return;
    state.isPaused = true;
    pause(task);
    endNotification(state);
    render();
  };

  const start = (progress: Progress): TaskState => {
    const state: TaskState = {
      progress,
      isPaused: false,
      isPauseReported: false,
      notification: null,
      reportedPercent: 0,
      ended: new AbortController(),
    };
    states.set(progress.task, state);
    clock.sleep(NOTIFY_AFTER_MS, state.ended.signal).then(
      () => {
        if (state.ended.signal.aborted) return;
        state.notification = notify(formatTaskTitle(state.progress), () => pauseTask(progress.task));
        report(state);
      },
      () => {}, // ended before
    );
    return state;
  };

  const endNotification = (state: TaskState) => {
    state.ended.abort();
    state.notification?.end();
    state.notification = null;
  };

  const clear = () => {
    for (const state of states.values()) endNotification(state);
    states.clear();
  };

  return {
    update(progress: Progress) {
      const { task, isRunning, done, total } = progress;
      if (progress.kind !== 'index') return;
      const existing = states.get(task);
      if (isRunning) {
        const wasResumed = existing?.isPauseReported === true && progress.isPaused !== true;
        const state = existing === undefined || wasResumed ? start(progress) : existing;
        state.isPauseReported = progress.isPaused === true;
        state.progress = progress;
        report(state);
      } else if (existing?.isPaused === true && (total === null || done < total)) {
        existing.progress = progress;
        existing.isPauseReported = true;
      } else if (existing !== undefined) {
        endNotification(existing);
        states.delete(task);
      }
      render();
    },
    /** Removes all tasks, such as when the worker has exited. */
    clear() {
      clear();
      render();
    },
    list,
    pause: pauseTask,
    resume(task: string) {
      const state = states.get(task);
      if (state?.isPaused !== true) return;
      states.delete(task);
      start(state.progress); // shown as running until its first progress event
      resume(task);
      render();
    },
    ...disposable(clear),
  };
}
