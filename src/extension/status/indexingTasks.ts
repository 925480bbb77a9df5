// Running and paused indexing tasks, with their status bar text and the notification of long ones.

import type { Progress } from '../../api/workerProtocol.ts';
import type { Clock } from '../../base/clock.ts';
import { toShortDisplayAddress } from '../../base/displayAddress.ts';
import type { Disposable } from '../../base/disposable.ts';
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

export class IndexingTasks implements Disposable {
  readonly #ports: IndexingTasksPorts;
  /** By name of the task. */
  readonly #states = new Map<string, TaskState>();

  constructor(ports: IndexingTasksPorts) {
    this.#ports = ports;
  }

  update(progress: Progress): void {
    const { task, isRunning, done, total } = progress;
    if (progress.kind !== 'index') return;
    const existing = this.#states.get(task);
    if (isRunning) {
      const wasResumed = existing?.isPauseReported === true && progress.isPaused !== true;
      const state = existing === undefined || wasResumed ? this.#start(progress) : existing;
      state.isPauseReported = progress.isPaused === true;
      state.progress = progress;
      report(state);
    } else if (existing?.isPaused === true && (total === null || done < total)) {
      existing.progress = progress;
      existing.isPauseReported = true;
    } else if (existing !== undefined) {
      endNotification(existing);
      this.#states.delete(task);
    }
    this.#render();
  }

  list(): readonly IndexingTask[] {
    return [...this.#states.values()].map(({ progress, isPaused }) => ({ progress, isPaused }));
  }

  pause(task: string): void {
    const state = this.#states.get(task);
    if (state === undefined || state.isPaused) return;
    state.isPaused = true;
    this.#ports.pause(task);
    endNotification(state);
    this.#render();
  }

  resume(task: string): void {
    const state = this.#states.get(task);
    if (state?.isPaused !== true) return;
    this.#states.delete(task);
    this.#start(state.progress); // shown as running until its first progress event
    this.#ports.resume(task);
    this.#render();
  }

  /** Removes all tasks, such as when the worker has exited. */
  clear(): void {
    this.dispose();
    this.#render();
  }

  dispose(): void {
    for (const state of this.#states.values()) endNotification(state);
    this.#states.clear();
  }

  #render(): void {
    this.#ports.show(summarizeTasks(this.list()));
  }

  #start(progress: Progress): TaskState {
    const state: TaskState = {
      progress,
      isPaused: false,
      isPauseReported: false,
      notification: null,
      reportedPercent: 0,
      ended: new AbortController(),
    };
    this.#states.set(progress.task, state);
    this.#ports.clock.sleep(NOTIFY_AFTER_MS, state.ended.signal).then(
      () => {
        if (state.ended.signal.aborted) return;
        state.notification = this.#ports.notify(formatTaskTitle(state.progress), () => this.pause(progress.task));
        report(state);
      },
      () => {}, // ended before
    );
    return state;
  }
}

function report(state: TaskState): void {
  if (state.notification === null) return;
  const percent = getPercent(state.progress) ?? state.reportedPercent;
  state.notification.report({
    message: formatTaskProgress(state.progress),
    increment: Math.max(0, percent - state.reportedPercent),
  });
  state.reportedPercent = Math.max(state.reportedPercent, percent);
}

function endNotification(state: TaskState): void {
  state.ended.abort();
  state.notification?.end();
  state.notification = null;
}
