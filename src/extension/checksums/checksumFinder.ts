// Finds checksum problems of short texts on this thread, of long texts on a worker thread or, in a browser, in slices.
import type { Worker } from 'node:worker_threads';
import { yieldToEventLoop } from '../../base/yieldToEventLoop.ts';
import {
  type ChecksumOptions,
  type LocatedChecksumProblem,
  locateChecksumProblems,
} from '../../detect/findChecksumProblems.ts';
import type { TextSource } from '../../detect/literalContext.ts';
import type { Platform } from '../platform.ts';

export interface ChecksumRequest {
  readonly id: number;
  readonly text: string;
  readonly source: TextSource;
  readonly options: ChecksumOptions;
}

export interface ChecksumResponse {
  readonly id: number;
  readonly problems: readonly LocatedChecksumProblem[];
}

/** Takes a millisecond or two on this thread. */
const MAX_SHORT_TEXT_LENGTH = 40_000;
/** In a browser, which has no worker thread: some 10 ms each. */
const SLICE_LENGTH = 250_000;
/** More than what `locateChecksumProblems` reads before an address. */
const SLICE_OVERLAP = 500;
/** An idle worker thread is terminated after this time. */
const IDLE_MS = 30_000;

/** What `locateChecksumProblems` finds in the whole text; `null` once it is not needed. Slices end where lines do. */
async function findInSlices(
  text: string,
  source: TextSource,
  options: ChecksumOptions,
  isNeeded: () => boolean,
): Promise<readonly LocatedChecksumProblem[] | null> {
  const problems: LocatedChecksumProblem[] = [];
  let firstLine = 0;
  for (let start = 0; start < text.length && problems.length < options.limit; ) {
    const lineEnd = text.indexOf('\n', start + SLICE_LENGTH);
    const end = lineEnd < 0 ? text.length : lineEnd + 1;
    const before = Math.max(0, start - SLICE_OVERLAP);
    const overlap = text.slice(before, start);
    const overlapLines = overlap.split('\n').length - 1;
    for (const problem of locateChecksumProblems(text.slice(before, end), source, options)) {
      if (problem.start < overlap.length || problems.length === options.limit) continue;
      const line = firstLine + problem.line - overlapLines;
      problems.push({ ...problem, line, start: problem.start + before, end: problem.end + before });
    }
    for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) firstLine++;
    start = end;
    await yieldToEventLoop();
    if (!isNeeded()) return null;
  }
  return problems;
}

export function createChecksumFinder(startWorker: Platform['startChecksumWorker']) {
  const pending = new Map<number, (problems: readonly LocatedChecksumProblem[] | null) => void>();
  let worker: Worker | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let nextId = 0;

  function terminate(): void {
    clearTimeout(idleTimer);
    const terminated = worker;
    worker = undefined;
    for (const resolve of pending.values()) resolve(null);
    pending.clear();
    void terminated?.terminate();
  }

  function start(startThread: () => Worker): Worker {
    const started = startThread();
    started.on('message', ({ id, problems }: ChecksumResponse) => {
      pending.get(id)?.(problems);
      pending.delete(id);
      clearTimeout(idleTimer);
      if (pending.size === 0) idleTimer = setTimeout(terminate, IDLE_MS).unref();
    });
    const handleExit = () => {
      if (worker === started) terminate();
    };
    started.on('error', handleExit);
    started.on('exit', handleExit);
    started.unref();
    return started;
  }

  return {
    /** `null` when the worker thread exited before it responded, or what was found is not needed any more. */
    find(
      text: string,
      source: TextSource,
      options: ChecksumOptions,
      isNeeded = () => true,
    ): Promise<readonly LocatedChecksumProblem[] | null> {
      if (text.length <= MAX_SHORT_TEXT_LENGTH) return Promise.resolve(locateChecksumProblems(text, source, options));
      if (startWorker === null) return findInSlices(text, source, options, isNeeded);
      clearTimeout(idleTimer);
      worker ??= start(startWorker);
      const current = worker;
      return new Promise(resolve => {
        const id = nextId++;
        pending.set(id, resolve);
        const request: ChecksumRequest = { id, text, source, options };
        current.postMessage(request);
      });
    },
    dispose: terminate,
  };
}
