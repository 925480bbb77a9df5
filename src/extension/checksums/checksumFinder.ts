// Finds checksum problems of short texts on this thread, of long texts on a worker thread.
import type { Worker } from 'node:worker_threads';
import type { Disposable } from '../../base/disposable.ts';
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

export interface ChecksumFinder extends Disposable {
  /** `null` when the worker thread exited before it responded, and for a long text where there is no thread. */
  find(text: string, source: TextSource, options: ChecksumOptions): Promise<readonly LocatedChecksumProblem[] | null>;
}

/** Takes a millisecond or two on this thread. */
const MAX_SHORT_TEXT_LENGTH = 40_000;
/** In a browser, which has no worker thread: some 30 ms. */
const MAX_TEXT_LENGTH_WITHOUT_THREAD = 1_000_000;
/** An idle worker thread is terminated after this time. */
const IDLE_MS = 30_000;

export function createChecksumFinder(startWorker: Platform['startChecksumWorker']): ChecksumFinder {
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
    find(text, source, options) {
      const maxLength = startWorker === null ? MAX_TEXT_LENGTH_WITHOUT_THREAD : MAX_SHORT_TEXT_LENGTH;
      if (text.length <= maxLength) return Promise.resolve(locateChecksumProblems(text, source, options));
      if (startWorker === null) return Promise.resolve(null);
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
