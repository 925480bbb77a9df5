// An open index file: waits for other writers, builds missing indexes, and replaces the file when it is corrupt.

import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { getBackOffMs } from '../../../base/backOff.ts';
import { HexLensError } from '../../../base/errors.ts';
import type { Log } from '../../../base/log.ts';
import { SerialQueue } from '../../../base/serialQueue.ts';
import {
  CHECKPOINT,
  getCreateIndexSql,
  MissingIndexError,
  type SecondaryIndexes,
  type SqliteConnection,
} from './connection.ts';
import { isBusy, isCorruption, toSqliteFault } from './faults.ts';
import {
  getFileIdentity,
  type IndexFileDeps,
  openIndexFile,
  openMemoryIndex,
  quarantineIndexFile,
} from './indexFile.ts';
import { createSqliteWorker, type SqliteWorker } from './sqliteWorker.ts';
import type { SqliteTask } from './workerMessages.ts';

/** A store recovers this often: a file that is found corrupt again and again is on a failing disk. */
const MAX_RECOVERIES = 3;

/** How long a task waits for another writer: building an index of a large file takes seconds. */
const MAX_BUSY_WAIT_MS = 30_000;
/** Between two attempts this thread is free for other requests. */
const BUSY_RETRY = { firstMs: 20, maxMs: 250 };

type Task<Context, T> = (connection: SqliteConnection, context: Context) => T;

interface OpenFile<Context> {
  readonly connection: SqliteConnection;
  readonly context: Context;
  /** Tells whether another file has its path now; `undefined` in memory. */
  readonly identity: bigint | undefined;
}

export class RecoveringDatabase<Context> {
  /** `null` for memory. */
  readonly #folder: string | null;
  readonly #path: string | null;
  readonly #deps: IndexFileDeps;
  /** Makes what belongs to one connection, such as its caches. */
  readonly #createContext: (connection: SqliteConnection) => Context;
  readonly #worker: SqliteWorker;
  readonly #indexBuilder: IndexBuilder;
  /** `null` after a recovery, until the next task. */
  #file: OpenFile<Context> | null;
  #isClosed = false;
  #recoveries = 0;

  /** Opens the file at once, and throws what SQLite and the file system throw. */
  constructor(
    folder: string | null,
    file: string,
    deps: IndexFileDeps,
    createContext: (connection: SqliteConnection) => Context,
  ) {
    this.#folder = folder;
    this.#path = folder === null ? null : join(folder, file);
    this.#deps = deps;
    this.#createContext = createContext;
    this.#worker = createSqliteWorker(this.#path, deps.log);
    this.#indexBuilder = createIndexBuilder({
      indexes: deps.schema.secondaryIndexes,
      run: task => this.run(task),
      log: deps.log,
      worker: { run: task => this.runInWorker(task), endThread: this.#worker.endThread },
    });
    this.#file = this.#open();
  }

  /** Rejects with a HexLensError. After it rejected because of corruption, the next call creates an empty file. */
  async run<T>(task: Task<Context, T>): Promise<T> {
    try {
      return await this.#retryWhileBusy(() => {
        this.#file ??= this.#open();
        return task(this.#file.connection, this.#file.context);
      });
    } catch (error) {
      if (error instanceof MissingIndexError || error instanceof HexLensError) throw error;
      const fault = toSqliteFault(error, this.#folder);
      if (isCorruption(error)) this.#recover();
      throw fault;
    }
  }

  /** For reads of one state of the file; a secondary index that the task needs and that is missing is built first. */
  read<T>(task: Task<Context, T>): Promise<T> {
    return this.#withIndexes(() =>
      this.run((connection, context) => connection.readTransaction(() => task(connection, context))),
    );
  }

  /** For tasks that write; builds missing indexes as `read` does. */
  write<T>(task: Task<Context, T>): Promise<T> {
    return this.#withIndexes(async () => {
      await this.#worker.whenIdle();
      return this.run(task);
    });
  }

  /** A long write in the worker thread; false where there is none: then the caller uses `write`. */
  async runInWorker(task: SqliteTask): Promise<boolean> {
    try {
      return await this.#worker.run(task);
    } catch (error) {
      return this.run(() => {
        throw error; // recovers from corruption as if the task had run in this thread
      });
    }
  }

  /** Copies the write-ahead log into the file in the worker thread: others read and write meanwhile. */
  async checkpoint(): Promise<void> {
    if (!(await this.runInWorker({ isCheckpoint: true }))) await this.run(connection => connection.exec(CHECKPOINT));
  }

  /** Builds all secondary indexes: over a large first load they take seconds. */
  buildIndexes(): Promise<void> {
    return this.#indexBuilder.buildAll();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker.close();
    this.#file?.connection.close();
    this.#file = null;
  }

  #open(): OpenFile<Context> {
    const path = this.#path;
    const connection = path === null ? openMemoryIndex(this.#deps) : openIndexFile(path, this.#deps);
    const identity = path === null ? undefined : getFileIdentity(path);
    return { connection, context: this.#createContext(connection), identity };
  }

  /** Closes and quarantines the corrupt file; the next task creates a new one. */
  #recover(): void {
    if (this.#path === null || this.#recoveries >= MAX_RECOVERIES) return;
    this.#recoveries++;
    const corruptFile = this.#file?.identity;
    try {
      this.#file?.connection.close();
      this.#file = null;
      this.#worker.endThread();
      // Another process may have quarantined it already and created a new one.
      if (corruptFile === undefined || corruptFile === getFileIdentity(this.#path))
        quarantineIndexFile(this.#path, 'it is corrupt', this.#deps);
    } catch (failure) {
      const details = toSqliteFault(failure, this.#folder).details ?? '';
      this.#deps.log.error(`The corrupt index could not be quarantined: ${details}`);
    }
  }

  async #retryWhileBusy<T>(attempt: () => T): Promise<T> {
    let waitedMs = 0;
    for (let attempts = 1; ; attempts++) {
      if (this.#isClosed) throw new HexLensError('backend-stopped', 'The index of the chain is closed.');
      try {
        return attempt();
      } catch (error) {
        if (!isBusy(error) || waitedMs >= MAX_BUSY_WAIT_MS) throw error;
        const delayMs = getBackOffMs(attempts, BUSY_RETRY);
        waitedMs += delayMs;
        await this.#deps.clock.sleep(delayMs);
      }
    }
  }

  async #withIndexes<T>(attempt: () => Promise<T>): Promise<T> {
    const maxBuilds = Object.keys(this.#deps.schema.secondaryIndexes).length * (1 + MAX_RECOVERIES);
    for (let builds = 0; ; builds++) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof MissingIndexError)) throw error;
        if (builds === maxBuilds) throw toSqliteFault(error, this.#folder);
        await this.#indexBuilder.build(error.index);
      }
    }
  }
}

/** In a file of up to this size an index takes some ten milliseconds at most: no longer than to start a thread. */
export const MAX_INLINE_BUILD_BYTES = 4 * 1024 * 1024;

/** Builds secondary indexes: in this thread where that is quick, else in the worker thread. */
interface IndexBuilder {
  /** Resolves when the index exists. Rejects with the faults of `run`. */
  build(name: string): Promise<void>;
  /** Builds all that are missing, one after the other; a single `build` meanwhile comes next. Rejects with the faults of `run`. */
  buildAll(): Promise<void>;
}

interface IndexBuilderDeps {
  readonly indexes: SecondaryIndexes;
  readonly run: <T>(task: (connection: SqliteConnection) => T) => Promise<T>;
  readonly worker: Pick<SqliteWorker, 'run' | 'endThread'>;
  readonly log: Log;
}

function createIndexBuilder({ indexes, run, worker, log }: IndexBuilderDeps): IndexBuilder {
  const queue = new SerialQueue();

  const buildNow = async (name: string): Promise<void> => {
    const { missing, fileSizeBytes } = await run(connection => ({
      missing: connection.listMissingIndexes(),
      fileSizeBytes: connection.getFileSizeBytes(),
    }));
    if (!missing.includes(name)) return;
    const start = performance.now();
    const sql = getCreateIndexSql(name, indexes);
    if (fileSizeBytes <= MAX_INLINE_BUILD_BYTES || !(await worker.run({ sql })))
      await run(connection => connection.writeTransaction(() => connection.exec(sql)));
    log.debug(`Built the index ${name} in ${Math.round(performance.now() - start)} ms.`);
  };
  const build = (name: string) => queue.run(() => buildNow(name));

  return {
    build,
    async buildAll() {
      for (let missing = await run(connection => connection.listMissingIndexes()); missing[0] !== undefined; ) {
        await build(missing[0]);
        await setImmediate(); // lets other requests run
        missing = await run(connection => connection.listMissingIndexes());
      }
      worker.endThread();
    },
  };
}
