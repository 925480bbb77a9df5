// Long indexing as people see it: what is under way or paused, when a notification is worth it, and what each of them says.

import type { Progress } from '../../api/workerProtocol.ts';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, disposable } from '../../base/disposable.ts';
import { t } from '../../base/localize.ts';
import { formatBlockProgress, getPercent } from '../../view/progress.ts';

/** Milliseconds that work lasts before a notification is worth it. */
export const NOTIFY_AFTER_MS = 4_000;

export interface TaskNotification {
  /** Adds `increment` percent to the bar. */
  report(step: { readonly message: string; readonly increment: number }): void;
  end(): void;
}

export interface TaskSummary {
  readonly text: string;
  /** A line of plain text per work. */
  readonly lines: readonly string[];
}

export interface IndexingTasksPorts {
  readonly clock: Clock;
  /** In the status bar; `null` while there is nothing to show. */
  show(shown: TaskSummary | null): void;
  notify(title: string, cancel: () => void): TaskNotification;
  pause(task: string): void;
  resume(task: string): void;
}

export interface IndexingTask {
  readonly progress: Progress;
  /** The user has stopped it; it stays to be taken up again. */
  readonly paused: boolean;
}

export interface IndexingTasks extends Disposable {
  update(progress: Progress): void;
  /** Whoever did the work is gone: nothing can be taken up again. */
  clear(): void;
  list(): readonly IndexingTask[];
  pause(task: string): void;
  resume(task: string): void;
}

export const formatTaskTitle = ({ chain, address: subject }: Progress): string =>
  subject === null
    ? t('HexLens indexes {0}', chain ?? '')
    : t('HexLens indexes {0} of {1}', `${subject.slice(0, 8)}…${subject.slice(-4)}`, chain ?? '');

const described = ({ progress, paused }: IndexingTask): string => {
  const line = `${formatTaskTitle(progress)}: ${formatBlockProgress(progress)}`;
  return paused ? t('{0}, paused', line) : line;
};

/** Those under way before those that are paused, the newest of them last. */
function shownOf(works: readonly IndexingTask[]): TaskSummary | null {
  const ordered = [...works.filter(({ paused }) => !paused), ...works.filter(({ paused }) => paused)];
  const [first] = ordered;
  if (first === undefined) return null;
  const percent = getPercent(first.progress);
  const icon = first.paused ? '$(debug-pause)' : '$(sync~spin)';
  const more = ordered.length > 1 ? ` +${ordered.length - 1}` : '';
  return {
    text: `${icon} ${first.progress.chain ?? ''}${percent === null ? '' : ` ${percent}%`}${more}`,
    lines: ordered.map(described),
  };
}

interface Known {
  progress: Progress;
  paused: boolean;
  /** Once it has lasted long. */
  notification: TaskNotification | null;
  /** How often progress was heard since it was paused. */
  since: number;
  /** Percent that the notification shows. */
  told: number;
  readonly over: AbortController;
}

export function createIndexingTasks({ clock, show, notify, pause, resume }: IndexingTasksPorts): IndexingTasks {
  const works = new Map<string, Known>();
  const list = (): readonly IndexingTask[] => [...works.values()].map(({ progress, paused }) => ({ progress, paused }));
  const render = () => show(shownOf(list()));

  const report = (work: Known) => {
    if (work.notification === null) return;
    const percent = getPercent(work.progress) ?? work.told;
    work.notification.report({
      message: formatBlockProgress(work.progress),
      increment: Math.max(0, percent - work.told),
    });
    work.told = Math.max(work.told, percent);
  };

  const pauseTask = (task: string) => {
    const work = works.get(task);
    if (work === undefined || work.paused) return;
    work.paused = true;
    pause(task);
    leave(work);
    render();
  };

  const begin = (progress: Progress): Known => {
    const work: Known = { progress, paused: false, since: 0, notification: null, told: 0, over: new AbortController() };
    works.set(progress.task, work);
    clock.sleep(NOTIFY_AFTER_MS, work.over.signal).then(
      () => {
        if (work.over.signal.aborted) return;
        work.notification = notify(formatTaskTitle(work.progress), () => pauseTask(progress.task));
        report(work);
      },
      () => {}, // over before that
    );
    return work;
  };

  /** Nothing is said of it any more but in the status bar. */
  const leave = (work: Known) => {
    work.over.abort();
    work.notification?.end();
    work.notification = null;
  };

  const clear = () => {
    for (const work of works.values()) leave(work);
    works.clear();
  };

  /** A paused work ends its step first; what is heard after that is new work, whoever asked for it. */
  const takenUp = (work: Known): boolean => work.paused && (!work.progress.isRunning || work.since++ > 0);

  return {
    update(progress) {
      const { task, isRunning: running, done, total } = progress;
      if (progress.kind !== 'index') return;
      const known = works.get(task);
      if (running) {
        const work = known === undefined || takenUp(known) ? begin(progress) : known;
        work.progress = progress;
        report(work);
      } else if (known?.paused === true && (total === null || done < total)) known.progress = progress;
      else if (known !== undefined) {
        leave(known);
        works.delete(task);
      }
      render();
    },
    clear() {
      clear();
      render();
    },
    list,
    pause: pauseTask,
    resume(task) {
      const work = works.get(task);
      if (work?.paused !== true) return;
      works.delete(task);
      begin(work.progress); // until the first word of it
      resume(task);
      render();
    },
    ...disposable(clear),
  };
}
