// Finds checksum problems of short texts on this thread, of long texts on a worker thread.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Disposable } from '../../base/disposable.ts';
import {
  type ChecksumOptions,
  type LocatedChecksumProblem,
  locateChecksumProblems,
} from '../../detect/findChecksumProblems.ts';
import type { TextSource } from '../../detect/literalContext.ts';

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
  /** `null` when the worker thread exited before it responded. */
  find(text: string, source: TextSource, options: ChecksumOptions): Promise<readonly LocatedChecksumProblem[] | null>;
}

/** Takes a millisecond or two on this thread. */
const MAX_SHORT_TEXT_LENGTH = 40_000;
/** An idle worker thread is terminated after this time. */
const IDLE_MS = 30_000;

export function createChecksumFinder(extensionPath: string): ChecksumFinder {
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

  function start(): Worker {
    const started = new Worker(join(extensionPath, 'dist', 'checksumWorker.js'), { name: 'hexlens-checksums' });
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
      if (text.length <= MAX_SHORT_TEXT_LENGTH) return Promise.resolve(locateChecksumProblems(text, source, options));
      clearTimeout(idleTimer);
      worker ??= start();
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
