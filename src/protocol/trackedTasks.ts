// Progress of the worker's long-running tasks, and which of them a page's target waits for.
import { parseChainSelector } from '../api/chains.ts';
import type { Progress } from '../api/workerProtocol.ts';
import type { InspectorTarget } from './inspectorTarget.ts';

export interface TrackedTask extends Progress {
  /** How often the task has ended so far. */
  readonly endCount: number;
}

/** By name of the task. Ended ones stay: a result from before the end can then be refreshed. */
export type TrackedTasks = ReadonlyMap<string, TrackedTask>;

export const noTrackedTasks: TrackedTasks = new Map();
const MAX_TASKS = 50;

export function updateTrackedTasks(tasks: TrackedTasks, progress: Progress): TrackedTasks {
  const updated = new Map(tasks);
  const endCount = (updated.get(progress.task)?.endCount ?? 0) + (progress.isRunning ? 0 : 1);
  updated.delete(progress.task); // the newest is the last
  updated.set(progress.task, { ...progress, endCount });
  for (const [name, { isRunning }] of updated) if (updated.size > MAX_TASKS && !isRunning) updated.delete(name);
  return updated;
}

const isSameChain = (a: string | null, b: string) =>
  a !== null && (parseChainSelector(a) ?? a) === (parseChainSelector(b) ?? b);

/** The task of a kind that a target on the chain waits for: a running one before one that has ended. */
export function findTrackedTask(
  tasks: TrackedTasks,
  kind: Progress['kind'] | null,
  target: InspectorTarget,
  chain: string,
): TrackedTask | null {
  if (target.kind !== 'operation' || kind === null) return null;
  const texts = new Set(
    Object.values(target.parameters).flatMap(text => (typeof text === 'string' ? text.toLowerCase() : [])),
  );
  const candidates = [...tasks.values()].filter(
    task =>
      task.kind === kind &&
      isSameChain(task.chain, chain) &&
      (task.address === null || texts.has(task.address.toLowerCase())),
  );
  return candidates.find(({ isRunning }) => isRunning) ?? candidates.at(-1) ?? null;
}

/** The task has ended because nothing was left to do. */
export const isTaskComplete = ({ isRunning, done, total }: Progress): boolean =>
  !isRunning && total !== null && done >= total;
