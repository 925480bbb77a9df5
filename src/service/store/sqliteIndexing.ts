// Makes the secondary indexes of a SQLite file: at once where that takes a moment, else in a thread, while others read.
import { setImmediate } from 'node:timers/promises';
import type { Log } from '../../base/log.ts';
import { getCreateIndexSql, type SecondaryIndexes, type SqliteConnection } from './sqlite/connection.ts';
import type { SqliteWorker } from './sqlite/sqliteWorker.ts';

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
