// Runs long tasks on a SQLite file in a worker thread, one at a time, so that reads are not blocked.
import { dirname, extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { HexLensError } from '../../../base/errors.ts';
import type { Log } from '../../../base/log.ts';
import { SerialQueue } from '../../../base/serialQueue.ts';
import type { SqliteTask, SqliteTaskError, SqliteTaskResult } from './workerMessages.ts';

export type SqliteWorker = ReturnType<typeof createSqliteWorker>;

/** `path` is `null` for an index in memory, which no other thread can open. */
export function createSqliteWorker(path: string | null, log: Log) {
  const queue = new SerialQueue();
  let thread: WorkerThread | null = null;
  let isClosed = false;
  /** Resolves when the last thread has closed the file. */
  let threadEnd: Promise<void> = Promise.resolve();
  let queued = 0;

  const endThread = () => {
    if (thread !== null) threadEnd = thread.end();
    thread = null;
  };
  const whenIdle = async () => {
    while (queued > 0) await queue.idle();
  };
  const runNow = async (task: SqliteTask): Promise<boolean> => {
    if (path === null || isClosed) return false;
    try {
      thread ??= startThread(path);
      const error = await thread.run(task);
      if (error !== null) throw toError(error);
      return true;
    } catch (error) {
      if (!(error instanceof ThreadEndedError)) throw error;
      log.warn(`The worker thread of the index file has ended: ${error.message}`);
      thread = null;
      return false;
    }
  };
  return {
    /** Resolves when no task is running: the next statement does not wait for the thread's write lock. */
    whenIdle,
    /** Ends the thread after the task in progress; the next task starts another one. */
    endThread,
    /**
     * False when no thread could be started or it ended: then the caller runs the task itself. Rejects with the error that
     * the task has in the caller's thread.
     */
    run(task: SqliteTask): Promise<boolean> {
      // A checkpoint takes no write lock.
      const locks = 'isCheckpoint' in task ? 0 : 1;
      queued += locks;
      return queue.run(async () => {
        try {
          return await runNow(task);
        } finally {
          queued -= locks;
        }
      });
    },
    /** Ends after the task in progress, for good. */
    async close() {
      isClosed = true;
      endThread();
      await whenIdle();
      await threadEnd;
    },
  };
}

const toError = ({ message, code, errcode, isRejection }: SqliteTaskError): Error =>
  isRejection ? new HexLensError('internal', message) : Object.assign(new Error(message), { code, errcode });

/** The thread failed, not the file. */
class ThreadEndedError extends Error {
  override readonly name = 'ThreadEndedError';
}

interface WorkerThread {
  /** One task at a time. */
  run(task: SqliteTask): Promise<SqliteTaskResult>;
  /** After the task in progress; resolves when the thread has closed the file. */
  end(): Promise<void>;
}

/** Measured: with a larger young generation dead rows pile up; with a smaller one live rows are copied too often. */
const MAX_YOUNG_GENERATION_MB = 12;

/** The thread's file is next to this one, bundled or not. Throws {@link ThreadEndedError} where it can not be started. */
function createWorker(path: string): Worker {
  try {
    const file = join(dirname(import.meta.filename), `sqliteWorkerThread${extname(import.meta.filename)}`);
    return new Worker(file, {
      workerData: path,
      name: 'hexlens-index-file',
      resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_GENERATION_MB },
    });
  } catch (error) {
    throw new ThreadEndedError(String(error));
  }
}

function startThread(path: string): WorkerThread {
  const worker = createWorker(path);
  worker.unref(); // keeps the process alive only while it runs a task
  let failure: ThreadEndedError | null = null;
  let isEnding = false;
  const fail = (reason: string) => {
    failure ??= new ThreadEndedError(reason);
    worker.emit('failed');
  };
  worker.on('error', error => fail(String(error)));
  worker.on('exit', code => fail(`exit ${code}`));
  return {
    run(task) {
      return new Promise((resolve, reject) => {
        const settle = (complete: () => void) => {
          if (!isEnding) worker.unref(); // `end` waits for the exit
          worker.off('message', onMessage);
          worker.off('failed', onFailed);
          complete();
        };
        const onMessage = (result: SqliteTaskResult) => settle(() => resolve(result));
        const onFailed = () => settle(() => reject(failure));
        if (failure !== null) return reject(failure);
        worker.on('message', onMessage);
        worker.on('failed', onFailed);
        worker.ref();
        worker.postMessage(task);
      });
    },
    end() {
      if (failure !== null) return Promise.resolve();
      isEnding = true;
      worker.ref();
      worker.postMessage(null);
      return new Promise(resolve => worker.once('exit', () => resolve()));
    },
  };
}
