// Long work of the backend as a page hears of it, and which of it keeps a page's target waiting.
import { parseChain } from '../api/chains.ts';
import type { OperationId } from '../api/operations/operations.ts';
import type { Progress } from '../api/workerProtocol.ts';
import type { InspectorTarget } from './inspectorTarget.ts';

export interface HeardWork extends Progress {
  /** How often it has ended so far. */
  readonly ends: number;
}

/** By task; what ended stays, so that an answer from before that can be asked for anew. */
export type Works = ReadonlyMap<string, HeardWork>;

export const noWorks: Works = new Map();
const MOST_KEPT = 50;

export function withProgress(works: Works, progress: Progress): Works {
  const next = new Map(works);
  const ends = (next.get(progress.task)?.ends ?? 0) + (progress.running ? 0 : 1);
  next.delete(progress.task);
  next.set(progress.task, { ...progress, ends });
  for (const [task, { running }] of next) if (next.size > MOST_KEPT && !running) next.delete(task);
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

const sameChain = (a: string | null, b: string) => a !== null && (parseChain(a) ?? a) === (parseChain(b) ?? b);

/** The work whose end a target of the chain waits for: that which is under way, before what has ended. */
export function workOf(works: Works, target: InspectorTarget, chain: string): HeardWork | null {
  if (target.kind !== 'operation') return null;
  const { operation, parameters } = target;
  const what = operation === 'contractLogs' ? 'logs' : INDEXED.includes(operation) ? 'index' : null;
  const texts = new Set(
    Object.values(parameters).flatMap(text => (typeof text === 'string' ? text.toLowerCase() : [])),
  );
  const concerned = [...works.values()].filter(
    work =>
      work.what === what &&
      sameChain(work.chain, chain) &&
      (work.subject === null || texts.has(work.subject.toLowerCase())),
  );
  return concerned.find(({ running }) => running) ?? concerned.at(-1) ?? null;
}

/** It has ended because there was nothing left to do. */
export const isComplete = ({ running, done, total }: Progress): boolean => !running && total !== null && done >= total;
