// Makes the secondary indexes of a SQLite file: at once where that takes a moment, else in a thread, while others read.
import { dirname, extname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Log } from '../../base/log.ts';
import type { IndexReply } from './indexThread.ts';
import { type Connection, indexSql, type SecondaryIndexes } from './sqliteConnection.ts';

/** In a file of this size each takes some ten milliseconds at most: no longer than to begin a thread. */
export const AT_ONCE_BYTES = 4 * 1024 * 1024;

export interface Indexing {
  /** Resolves when the index is there. Rejects with the faults of `use`. */
  make(name: string): Promise<void>;
  /** Makes what is missing, one after the other; what is asked for meanwhile comes next. Rejects with the faults of `use`. */
  makeAll(): Promise<void>;
  /** Resolves when no thread writes: the next statement does not wait for one. */
  free(): Promise<void>;
  /** The file is another one from now on. */
  begunAnew(): void;
  /** Ends after the index that is being made. */
  close(): Promise<void>;
}

export interface IndexingDeps {
  /** `null` in memory, which no other thread sees. */
  readonly path: string | null;
  readonly indexes: SecondaryIndexes;
  readonly use: <T>(work: (connection: Connection) => T) => Promise<T>;
  readonly log: Log;
}

export function createIndexing({ path, indexes, use, log }: IndexingDeps): Indexing {
  let thread: IndexThread | null = null;
  /** Settles with the index that the thread makes just now. */
  let making: Promise<unknown> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  const free = async () => {
    while (making !== null) await making.catch(() => {});
  };
  /** Settles when the last thread has let go of the file. */
  let left: Promise<void> = Promise.resolve();
  const leave = () => {
    if (thread !== null) left = thread.end();
    thread = null;
  };

  /** False when there is no thread to be had. */
  const madeAside = async (file: string, name: string): Promise<boolean> => {
    try {
      thread ??= startThread(file);
      const run = thread.run(indexSql(name, indexes));
      making = run;
      const reply = await run;
      // As if it had happened here: a damaged file is begun anew.
      if (reply !== null) await use(() => raise(reply));
      return true;
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
      log.warn(`The thread that makes the indexes of the chain has ended: ${error.message}`);
      thread = null;
      return false;
    } finally {
      making = null;
    }
  };

  const makeNow = async (name: string): Promise<void> => {
    const { missing, bytes } = await use(connection => ({
      missing: connection.missingIndexes(),
      bytes: connection.bytes(),
    }));
    if (!missing.includes(name)) return;
    const start = performance.now();
    const aside = path !== null && bytes > AT_ONCE_BYTES && !closed && (await madeAside(path, name));
    if (!aside) await use(connection => connection.write(() => connection.execute(indexSql(name, indexes))));
    log.debug(`Made the index ${name} in ${Math.round(performance.now() - start)} ms.`);
    if (missing.length === 1) leave();
  };
  const make = (name: string): Promise<void> => {
    const made = last.then(() => makeNow(name));
    last = made.catch(() => {});
    return made;
  };

  return {
    make,
    async makeAll() {
      for (let missing = await use(connection => connection.missingIndexes()); missing[0] !== undefined; ) {
        await make(missing[0]);
        await setImmediate(); // others have questions too
        missing = await use(connection => connection.missingIndexes());
      }
    },
    free,
    begunAnew: leave,
    async close() {
      closed = true;
      leave();
      await free();
      await left;
    },
  };
}

function raise({ message, code, errcode }: NonNullable<IndexReply>): never {
  throw Object.assign(new Error(message), { code, errcode });
}

/** Not the file's fault. */
class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

interface IndexThread {
  /** One at a time. */
  run(sql: string): Promise<IndexReply>;
  /** After what is under way; resolves when it has let go of the file. */
  end(): Promise<void>;
}

/** Beside this file, whether that is a bundle or not. Throws {@link ThreadEnded} where there is none. */
function newThread(path: string): Worker {
  try {
    const file = join(dirname(import.meta.filename), `indexThread${extname(import.meta.filename)}`);
    return new Worker(file, { workerData: path, name: 'hexlens-indexes' });
  } catch (error) {
    throw new ThreadEnded(String(error));
  }
}

function startThread(path: string): IndexThread {
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
    run(sql) {
      return new Promise((resolve, reject) => {
        const done = (tell: () => void) => {
          if (!ending) worker.unref(); // else somebody waits for its end
          worker.off('message', answer);
          worker.off('over', over);
          tell();
        };
        const answer = (reply: IndexReply) => done(() => resolve(reply));
        const over = () => done(() => reject(ended));
        if (ended !== null) return reject(ended);
        worker.on('message', answer);
        worker.on('over', over);
        worker.ref();
        worker.postMessage(sql);
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
