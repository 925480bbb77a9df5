// Makes the secondary indexes of a SQLite file: at once where that takes a moment, else in a thread, while others read.
import { setImmediate } from 'node:timers/promises';
import type { Log } from '../../base/log.ts';
import { type Connection, indexSql, type SecondaryIndexes } from './sqlite/connection.ts';
import type { Aside } from './sqlite/sqliteWorker.ts';

/** In a file of this size each takes some ten milliseconds at most: no longer than to begin a thread. */
export const AT_ONCE_BYTES = 4 * 1024 * 1024;

export interface Indexing {
  /** Resolves when the index is there. Rejects with the faults of `use`. */
  make(name: string): Promise<void>;
  /** Makes what is missing, one after the other; what is asked for meanwhile comes next. Rejects with the faults of `use`. */
  makeAll(): Promise<void>;
}

export interface IndexingDeps {
  readonly indexes: SecondaryIndexes;
  readonly use: <T>(work: (connection: Connection) => T) => Promise<T>;
  readonly aside: Pick<Aside, 'run' | 'leave'>;
  readonly log: Log;
}

export function createIndexing({ indexes, use, aside, log }: IndexingDeps): Indexing {
  let last: Promise<unknown> = Promise.resolve();

  const makeNow = async (name: string): Promise<void> => {
    const { missing, bytes } = await use(connection => ({
      missing: connection.missingIndexes(),
      bytes: connection.bytes(),
    }));
    if (!missing.includes(name)) return;
    const start = performance.now();
    const sql = indexSql(name, indexes);
    if (bytes <= AT_ONCE_BYTES || !(await aside.run({ sql })))
      await use(connection => connection.write(() => connection.execute(sql)));
    log.debug(`Made the index ${name} in ${Math.round(performance.now() - start)} ms.`);
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
      aside.leave();
    },
  };
}
