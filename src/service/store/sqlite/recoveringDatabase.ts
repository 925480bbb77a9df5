// An open index file: waits for other writers, builds missing indexes, and replaces the file when it is corrupt.
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { HexLensError } from '../../../base/errors.ts';
import type { Log } from '../../../base/log.ts';
import { SerialQueue } from '../../../base/serialQueue.ts';
import { getCreateIndexSql, MissingIndexError, type SecondaryIndexes, type SqliteConnection } from './connection.ts';
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
/** Between two attempts this thread is free for other requests; each wait is twice as long as the one before. */
const MIN_BUSY_RETRY_MS = 20;
const MAX_BUSY_RETRY_MS = 250;

type Task<Context, T> = (connection: SqliteConnection, context: Context) => T;

export interface RecoveringDatabase<Context> {
  /** Rejects with a HexLensError. After it rejected because of corruption, the next call creates an empty file. */
  run<T>(task: Task<Context, T>): Promise<T>;
  /** For reads of one state of the file; a secondary index that the task needs and that is missing is built first. */
  read<T>(task: Task<Context, T>): Promise<T>;
  /** For tasks that write; builds missing indexes as `read` does. */
  write<T>(task: Task<Context, T>): Promise<T>;
  /** A long write in the worker thread; false where there is none: then the caller uses `write`. */
  runInWorker(task: SqliteTask): Promise<boolean>;
  /** Builds all secondary indexes: over a large first load they take seconds. */
  buildIndexes(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the file at once, and throws what SQLite and the file system throw. `folder` is `null` for memory.
 * `createContext` makes what belongs to one connection, such as its caches.
 */
export function openRecoveringDatabase<Context>(
  folder: string | null,
  file: string,
  deps: IndexFileDeps,
  createContext: (connection: SqliteConnection) => Context,
): RecoveringDatabase<Context> {
  const path = folder === null ? null : join(folder, file);
  const { secondaryIndexes } = deps.schema;
  const worker = createSqliteWorker(path, deps.log);
  const openDatabase = () => {
    const connection = path === null ? openMemoryIndex(deps) : openIndexFile(path, deps);
    return {
      connection,
      context: createContext(connection),
      fileIdentity: path === null ? undefined : getFileIdentity(path),
    };
  };
  let database: ReturnType<typeof openDatabase> | null = openDatabase();
  let isClosed = false;
  let recoveries = 0;

  /** Closes and quarantines the corrupt file; the next call creates a new one. */
  const recover = () => {
    if (path === null || recoveries >= MAX_RECOVERIES) return;
    recoveries++;
    const corruptFile = database?.fileIdentity;
    database?.connection.close();
    database = null;
    worker.endThread();
    // Another process may have quarantined it already and created a new one.
    if (corruptFile === undefined || corruptFile === getFileIdentity(path))
      quarantineIndexFile(path, 'it is corrupt', deps);
  };
  const retryWhileBusy = async <T>(attempt: () => T): Promise<T> => {
    let delayMs = MIN_BUSY_RETRY_MS;
    for (let waitedMs = 0; ; waitedMs += delayMs, delayMs = Math.min(2 * delayMs, MAX_BUSY_RETRY_MS)) {
      if (isClosed) throw new HexLensError('backend-stopped', 'The index of the chain is closed.');
      try {
        return attempt();
      } catch (error) {
        if (!isBusy(error) || waitedMs >= MAX_BUSY_WAIT_MS) throw error;
        await deps.clock.sleep(delayMs);
      }
    }
  };
  const run = async <T>(task: Task<Context, T>): Promise<T> => {
    try {
      return await retryWhileBusy(() => {
        database ??= openDatabase();
        return task(database.connection, database.context);
      });
    } catch (error) {
      if (error instanceof MissingIndexError || error instanceof HexLensError) throw error;
      const fault = toSqliteFault(error, folder);
      if (isCorruption(error)) {
        try {
          recover();
        } catch (failure) {
          deps.log.error(`The corrupt index could not be quarantined: ${toSqliteFault(failure, folder).details ?? ''}`);
        }
      }
      throw fault;
    }
  };
  const runInWorker = async (task: SqliteTask): Promise<boolean> => {
    try {
      return await worker.run(task);
    } catch (error) {
      return run(() => {
        throw error; // recovers from corruption as if the task had run in this thread
      });
    }
  };

  const indexBuilder = createIndexBuilder({
    indexes: secondaryIndexes,
    run,
    log: deps.log,
    worker: { run: runInWorker, endThread: worker.endThread },
  });
  const maxBuilds = Object.keys(secondaryIndexes).length * (1 + MAX_RECOVERIES);
  const withIndexes = async <T>(attempt: () => Promise<T>): Promise<T> => {
    for (let builds = 0; ; builds++) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof MissingIndexError)) throw error;
        if (builds === maxBuilds) throw toSqliteFault(error, folder);
        await indexBuilder.build(error.index);
      }
    }
  };

  return {
    run,
    read: task =>
      withIndexes(() => run((connection, context) => connection.readTransaction(() => task(connection, context)))),
    write: task =>
      withIndexes(async () => {
        await worker.whenIdle();
        return run(task);
      }),
    runInWorker,
    buildIndexes: indexBuilder.buildAll,
    async close() {
      isClosed = true;
      await worker.close();
      database?.connection.close();
      database = null;
    },
  };
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
