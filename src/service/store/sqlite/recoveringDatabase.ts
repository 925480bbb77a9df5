// An index file in use: opened at need, moved aside and begun anew when it turns out to be damaged, closed for good.

import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { HexLensError } from '../../../base/errors.ts';
import type { Log } from '../../../base/log.ts';
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
import type { SqliteTask } from './sqliteWorkerThread.ts';

// Makes the secondary indexes of a SQLite file: at once where that takes a moment, else in a thread, while others read.
/** In a file of this size each takes some ten milliseconds at most: no longer than to begin a thread. */
export const MAX_INLINE_BUILD_BYTES = 4 * 1024 * 1024;

export interface IndexBuilder {
  /** Resolves when the index is there. Rejects with the faults of `use`. */
  build(name: string): Promise<void>;
  /** Makes what is missing, one after the other; what is asked for meanwhile comes next. Rejects with the faults of `use`. */
  buildAll(): Promise<void>;
}

export interface IndexBuilderDeps {
  readonly indexes: SecondaryIndexes;
  readonly run: <T>(work: (connection: SqliteConnection) => T) => Promise<T>;
  readonly worker: Pick<SqliteWorker, 'run' | 'leave'>;
  readonly log: Log;
}

export function createIndexBuilder({ indexes, run: use, worker: aside, log }: IndexBuilderDeps): IndexBuilder {
  let last: Promise<unknown> = Promise.resolve();

  const makeNow = async (name: string): Promise<void> => {
    const { missing, bytes } = await use(connection => ({
      missing: connection.listMissingIndexes(),
      bytes: connection.getFileSizeBytes(),
    }));
    if (!missing.includes(name)) return;
    const start = performance.now();
    const sql = getCreateIndexSql(name, indexes);
    if (bytes <= MAX_INLINE_BUILD_BYTES || !(await aside.run({ sql })))
      await use(connection => connection.writeTransaction(() => connection.exec(sql)));
    log.debug(`Made the index ${name} in ${Math.round(performance.now() - start)} ms.`);
  };
  const make = (name: string): Promise<void> => {
    const made = last.then(() => makeNow(name));
    last = made.catch(() => {});
    return made;
  };

  return {
    build: make,
    async buildAll() {
      for (let missing = await use(connection => connection.listMissingIndexes()); missing[0] !== undefined; ) {
        await make(missing[0]);
        await setImmediate(); // others have questions too
        missing = await use(connection => connection.listMissingIndexes());
      }
      aside.endThread();
    },
  };
}

/** A file that is found damaged again and again is on a disk that is; this often one store begins anew. */
const MOST_HEALINGS = 3;

/** Milliseconds that work waits for another process to have written: making an index of a large file takes seconds. */
const PATIENCE = 30_000;
/** How long it waits before it asks again; others are answered meanwhile. */
const ASK_AGAIN = 20;

export interface RecoveringDatabase<Extras> {
  /** Rejects with a HexLensError. After a rejection over damage the next call begins an empty file. */
  run<T>(work: (connection: SqliteConnection, extras: Extras) => T): Promise<T>;
  /** For reads of one state of the file; a secondary index that the work names and that is not there is made first. */
  read<T>(work: (connection: SqliteConnection, extras: Extras) => T): Promise<T>;
  /** For work that writes, in the same way. */
  write<T>(work: (connection: SqliteConnection, extras: Extras) => T): Promise<T>;
  /** The same by another thread, for work that takes long; false where there is none, and for `change` to do. */
  runInWorker(task: SqliteTask): Promise<boolean>;
  /** Makes all secondary indexes: over a large first load they take seconds. */
  buildIndexes(): Promise<void>;
  close(): Promise<void>;
}

/** Opens at once, and throws what SQLite and the file system throw. `folder` is `null` for memory. */
export function openRecoveringDatabase<Extras>(
  folder: string | null,
  file: string,
  deps: IndexFileDeps,
  prepare: (connection: SqliteConnection) => Extras,
): RecoveringDatabase<Extras> {
  const path = folder === null ? null : join(folder, file);
  const begin = () => {
    const connection = path === null ? openMemoryIndex(deps) : openIndexFile(path, deps);
    return { connection, extras: prepare(connection), file: path === null ? undefined : getFileIdentity(path) };
  };
  let open: ReturnType<typeof begin> | null = begin();
  let closed = false;
  let healings = 0;

  /** Drops the damaged file; the next call begins a new one. */
  const heal = () => {
    if (path === null || healings >= MOST_HEALINGS) return;
    healings++;
    const damaged = open?.file;
    open?.connection.close();
    open = null;
    aside.endThread();
    // Another process may have done so, and begun a new one.
    if (damaged === undefined || damaged === getFileIdentity(path)) quarantineIndexFile(path, 'it is damaged', deps);
  };
  /** Waits for whoever else writes the file, without keeping this thread from others. */
  const patiently = async <T>(work: () => T): Promise<T> => {
    for (let waited = 0; ; waited += ASK_AGAIN) {
      if (closed) throw new HexLensError('backend-stopped', 'The index of the chain is closed.');
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || waited >= PATIENCE) throw error;
        await deps.clock.sleep(ASK_AGAIN);
      }
    }
  };
  const use = async <T>(work: (connection: SqliteConnection, extras: Extras) => T): Promise<T> => {
    try {
      return await patiently(() => {
        open ??= begin();
        return work(open.connection, open.extras);
      });
    } catch (error) {
      if (error instanceof MissingIndexError || error instanceof HexLensError) throw error;
      const fault = toSqliteFault(error, folder);
      if (isCorruption(error)) {
        try {
          heal();
        } catch (further) {
          deps.log.error(`The damaged index could not be moved aside: ${toSqliteFault(further, folder).details ?? ''}`);
        }
      }
      throw fault;
    }
  };

  const { secondaryIndexes: indexes } = deps.schema;
  const aside = createSqliteWorker(path, deps.log);
  const runAside = async (task: SqliteTask): Promise<boolean> => {
    try {
      return await aside.run(task);
    } catch (error) {
      return use(() => {
        throw error; // as if it had happened here: a damaged file is begun anew
      });
    }
  };
  const indexing = createIndexBuilder({
    indexes,
    run: use,
    log: deps.log,
    worker: { run: runAside, endThread: aside.endThread },
  });
  const most = Object.keys(indexes).length * (1 + MOST_HEALINGS);

  const demanding = async <T>(run: () => Promise<T>): Promise<T> => {
    for (let made = 0; ; made++) {
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof MissingIndexError)) throw error;
        if (made === most) throw toSqliteFault(error, folder);
        await indexing.build(error.index);
      }
    }
  };

  return {
    run: use,
    read: work =>
      demanding(() => use((connection, extras) => connection.readTransaction(() => work(connection, extras)))),
    write: work =>
      demanding(async () => {
        await aside.whenIdle();
        return use(work);
      }),
    runInWorker: runAside,
    buildIndexes: indexing.buildAll,
    async close() {
      closed = true;
      await aside.close();
      open?.connection.close();
      open = null;
    },
  };
}
