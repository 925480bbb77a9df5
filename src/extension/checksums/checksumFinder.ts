// Looks for checksums here when the text is short, in a thread of its own when it is long.
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
  readonly findings: readonly LocatedChecksumProblem[];
}

export interface ChecksumFinder extends Disposable {
  /** `null` when the thread ended before it answered. */
  find(text: string, source: TextSource, options: ChecksumOptions): Promise<readonly LocatedChecksumProblem[] | null>;
}

/** So many characters take about a millisecond or two. */
const SHORT = 40_000;
/** A thread that nobody asked for so long is ended. */
const IDLE_MS = 30_000;

export function createChecksumFinder(extensionPath: string): ChecksumFinder {
  const waiting = new Map<number, (findings: readonly LocatedChecksumProblem[] | null) => void>();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let next = 0;

  function end(): void {
    clearTimeout(idle);
    const ended = worker;
    worker = undefined;
    for (const answer of waiting.values()) answer(null);
    waiting.clear();
    void ended?.terminate();
  }

  function start(): Worker {
    const started = new Worker(join(extensionPath, 'dist', 'checker.js'), { name: 'hexlens-checksums' });
    started.on('message', ({ id, findings }: ChecksumResponse) => {
      waiting.get(id)?.(findings);
      waiting.delete(id);
      clearTimeout(idle);
      if (waiting.size === 0) idle = setTimeout(end, IDLE_MS).unref();
    });
    const lost = () => {
      if (worker === started) end();
    };
    started.on('error', lost);
    started.on('exit', lost);
    started.unref();
    return started;
  }

  return {
    find(text, source, options) {
      if (text.length <= SHORT) return Promise.resolve(locateChecksumProblems(text, source, options));
      clearTimeout(idle);
      worker ??= start();
      const thread = worker;
      return new Promise(resolve => {
        const id = next++;
        waiting.set(id, resolve);
        const question: ChecksumRequest = { id, text, source, options };
        thread.postMessage(question);
      });
    },
    dispose: end,
  };
}
