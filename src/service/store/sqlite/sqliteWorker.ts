// Work on a SQLite file that is too long for the thread that everybody waits for: done by another one, one task at a time.
import { dirname, extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { HexLensError } from '../../../base/errors.ts';
import type { Log } from '../../../base/log.ts';
import type { SqliteTask, SqliteTaskError } from './sqliteWorkerThread.ts';

export interface SqliteWorker {
  /**
   * True when it was done; false where there is no thread to be had, so that the caller has to do it. Rejects as the
   * work would have done here.
   */
  run(task: SqliteTask): Promise<boolean>;
  /** Resolves when the thread does nothing: the next statement does not wait for it. */
  whenIdle(): Promise<void>;
  /** Nothing more is to be done for now, or the file is another one from now on. */
  endThread(): void;
  /** Ends after the task that is under way. */
  close(): Promise<void>;
}

/** `path` is `null` in memory, which no other thread sees. */
export function createSqliteWorker(path: string | null, log: Log): SqliteWorker {
  let thread: FileThread | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;
  /** Settles when the last thread has let go of the file. */
  let left: Promise<void> = Promise.resolve();

  const leave = () => {
    if (thread !== null) left = thread.end();
    thread = null;
  };
  const free = async () => {
    for (let seen: unknown = null; seen !== last; ) {
      seen = last;
      await last;
    }
  };
  const runNow = async (task: SqliteTask): Promise<boolean> => {
    if (path === null || closed) return false;
    try {
      thread ??= startThread(path);
      const reply = await thread.run(task);
      if (reply !== null) raise(reply);
      return true;
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
      log.warn(`The thread that works on the index of the chain has ended: ${error.message}`);
      thread = null;
      return false;
    }
  };
  return {
    whenIdle: free,
    endThread: leave,
    run(task) {
      const done = last.then(() => runNow(task));
      last = done.catch(() => {});
      return done;
    },
    async close() {
      closed = true;
      leave();
      await free();
      await left;
    },
  };
}

function raise({ message, code, errcode, refused }: NonNullable<SqliteTaskError>): never {
  throw refused ? new HexLensError('internal', message) : Object.assign(new Error(message), { code, errcode });
}

/** Not the file's fault. */
class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

interface FileThread {
  /** One at a time. */
  run(task: SqliteTask): Promise<SqliteTaskError>;
  /** After what is under way; resolves when it has let go of the file. */
  end(): Promise<void>;
}

/** With a large nursery, rows that are gone already pile up; with a smaller one they are copied about. */
const YOUNG_MB = 24;

/** Beside this file, whether that is a bundle or not. Throws {@link ThreadEnded} where there is none. */
function newThread(path: string): Worker {
  try {
    const file = join(dirname(import.meta.filename), `fileThread${extname(import.meta.filename)}`);
    return new Worker(file, {
      workerData: path,
      name: 'hexlens-index-file',
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
  } catch (error) {
    throw new ThreadEnded(String(error));
  }
}

function startThread(path: string): FileThread {
  const worker = newThread(path);
  worker.unref(); // only while it works is it worth waiting for
  let ended: ThreadEnded | null = null;
  let ending = false;
  const fail = (reason: string) => {
    ended ??= new ThreadEnded(reason);
    worker.emit('over');
  };
  worker.on('error', error => fail(String(error)));
  worker.on('exit', code => fail(`exit ${code}`));
  return {
    run(task) {
      return new Promise((resolve, reject) => {
        const done = (tell: () => void) => {
          if (!ending) worker.unref(); // else somebody waits for its end
          worker.off('message', answer);
          worker.off('over', over);
          tell();
        };
        const answer = (reply: SqliteTaskError) => done(() => resolve(reply));
        const over = () => done(() => reject(ended));
        if (ended !== null) return reject(ended);
        worker.on('message', answer);
        worker.on('over', over);
        worker.ref();
        worker.postMessage(task);
      });
    },
    end() {
      if (ended !== null) return Promise.resolve();
      ending = true;
      worker.ref();
      worker.postMessage(null);
      return new Promise(resolve => worker.once('exit', () => resolve()));
    },
  };
}
