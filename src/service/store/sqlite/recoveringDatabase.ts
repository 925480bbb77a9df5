// An index file in use: opened at need, moved aside and begun anew when it turns out to be damaged, closed for good.
import { join } from 'node:path';
import { HexLensError } from '../../../base/errors.ts';
import { createIndexing } from '../sqliteIndexing.ts';
import { type Connection, MissingIndex } from './connection.ts';
import { meansBusy, meansDamage, storeFault } from './faults.ts';
import { type FileDeps, identityOf, moveAside, openFile, openMemory } from './indexFile.ts';
import { createAside } from './sqliteWorker.ts';
import type { FileTask } from './sqliteWorkerThread.ts';

/** A file that is found damaged again and again is on a disk that is; this often one store begins anew. */
const MOST_HEALINGS = 3;

/** Milliseconds that work waits for another process to have written: making an index of a large file takes seconds. */
const PATIENCE = 30_000;
/** How long it waits before it asks again; others are answered meanwhile. */
const ASK_AGAIN = 20;

export interface Healing<Extras> {
  /** Rejects with a HexLensError. After a rejection over damage the next call begins an empty file. */
  use<T>(work: (connection: Connection, extras: Extras) => T): Promise<T>;
  /** For reads of one state of the file; a secondary index that the work names and that is not there is made first. */
  query<T>(work: (connection: Connection, extras: Extras) => T): Promise<T>;
  /** For work that writes, in the same way. */
  change<T>(work: (connection: Connection, extras: Extras) => T): Promise<T>;
  /** The same by another thread, for work that takes long; false where there is none, and for `change` to do. */
  changeAside(task: FileTask): Promise<boolean>;
  /** Makes all secondary indexes: over a large first load they take seconds. */
  indexed(): Promise<void>;
  close(): Promise<void>;
}

/** Opens at once, and throws what SQLite and the file system throw. `folder` is `null` for memory. */
export function openHealing<Extras>(
  folder: string | null,
  file: string,
  deps: FileDeps,
  prepare: (connection: Connection) => Extras,
): Healing<Extras> {
  const path = folder === null ? null : join(folder, file);
  const begin = () => {
    const connection = path === null ? openMemory(deps) : openFile(path, deps);
    return { connection, extras: prepare(connection), file: path === null ? undefined : identityOf(path) };
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
    aside.leave();
    // Another process may have done so, and begun a new one.
    if (damaged === undefined || damaged === identityOf(path)) moveAside(path, 'it is damaged', deps);
  };
  /** Waits for whoever else writes the file, without keeping this thread from others. */
  const patiently = async <T>(work: () => T): Promise<T> => {
    for (let waited = 0; ; waited += ASK_AGAIN) {
      if (closed) throw new HexLensError('backend-stopped', 'The index of the chain is closed.');
      try {
        return work();
      } catch (error) {
        if (!meansBusy(error) || waited >= PATIENCE) throw error;
        await deps.clock.sleep(ASK_AGAIN);
      }
    }
  };
  const use = async <T>(work: (connection: Connection, extras: Extras) => T): Promise<T> => {
    try {
      return await patiently(() => {
        open ??= begin();
        return work(open.connection, open.extras);
      });
    } catch (error) {
      if (error instanceof MissingIndex || error instanceof HexLensError) throw error;
      const fault = storeFault(error, folder);
      if (meansDamage(error)) {
        try {
          heal();
        } catch (further) {
          deps.log.error(`The damaged index could not be moved aside: ${storeFault(further, folder).details ?? ''}`);
        }
      }
      throw fault;
    }
  };

  const { secondaryIndexes: indexes } = deps.schema;
  const aside = createAside(path, deps.log);
  const runAside = async (task: FileTask): Promise<boolean> => {
    try {
      return await aside.run(task);
    } catch (error) {
      return use(() => {
        throw error; // as if it had happened here: a damaged file is begun anew
      });
    }
  };
  const indexing = createIndexing({ indexes, use, log: deps.log, aside: { run: runAside, leave: aside.leave } });
  const most = Object.keys(indexes).length * (1 + MOST_HEALINGS);

  const demanding = async <T>(run: () => Promise<T>): Promise<T> => {
    for (let made = 0; ; made++) {
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof MissingIndex)) throw error;
        if (made === most) throw storeFault(error, folder);
        await indexing.make(error.index);
      }
    }
  };

  return {
    use,
    query: work => demanding(() => use((connection, extras) => connection.read(() => work(connection, extras)))),
    change: work =>
      demanding(async () => {
        await aside.free();
        return use(work);
      }),
    changeAside: runAside,
    indexed: indexing.makeAll,
    async close() {
      closed = true;
      await aside.close();
      open?.connection.close();
      open = null;
    },
  };
}
