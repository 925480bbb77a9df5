// Long work of the backend as a page hears of it, and which of it keeps a page's target waiting.
import { parseChainSelector } from '../api/chains.ts';
import type { OperationId } from '../api/operations/operations.ts';
import type { Progress } from '../api/workerProtocol.ts';
import type { InspectorTarget } from './inspectorTarget.ts';

export interface TrackedTask extends Progress {
  /** How often it has ended so far. */
  readonly endCount: number;
}

/** By task; what ended stays, so that an answer from before that can be asked for anew. */
export type TrackedTasks = ReadonlyMap<string, TrackedTask>;

export const noTrackedTasks: TrackedTasks = new Map();
const MOST_KEPT = 50;

export function updateTrackedTasks(works: TrackedTasks, progress: Progress): TrackedTasks {
  const next = new Map(works);
  const ends = (next.get(progress.task)?.endCount ?? 0) + (progress.isRunning ? 0 : 1);
  next.delete(progress.task);
  next.set(progress.task, { ...progress, endCount: ends });
  for (const [task, { isRunning: running }] of next) if (next.size > MOST_KEPT && !running) next.delete(task);
  return next;
}

/** Operations whose answers come from the index. */
const INDEXED: readonly OperationId[] = [
  'contractNftTransfers',
  'erc20Mints',
  'nftLowestPrice',
  'nftOwners',
  'nftTransfers',
  'tokenNftTransfers',
  'walletNftCollections',
  'walletNftTransfers',
  'walletNfts',
];

const sameChain = (a: string | null, b: string) =>
  a !== null && (parseChainSelector(a) ?? a) === (parseChainSelector(b) ?? b);

/** The work whose end a target of the chain waits for: that which is under way, before what has ended. */
export function findTrackedTask(works: TrackedTasks, target: InspectorTarget, chain: string): TrackedTask | null {
  if (target.kind !== 'operation') return null;
  const { operation, parameters } = target;
  const what = operation === 'contractLogs' ? 'logs' : INDEXED.includes(operation) ? 'index' : null;
  const texts = new Set(
    Object.values(parameters).flatMap(text => (typeof text === 'string' ? text.toLowerCase() : [])),
  );
  const concerned = [...works.values()].filter(
    work =>
      work.kind === what &&
      sameChain(work.chain, chain) &&
      (work.address === null || texts.has(work.address.toLowerCase())),
  );
  return concerned.find(({ isRunning: running }) => running) ?? concerned.at(-1) ?? null;
}

/** It has ended because there was nothing left to do. */
export const isTaskComplete = ({ isRunning: running, done, total }: Progress): boolean =>
  !running && total !== null && done >= total;
