// An index file in use: opened at need, moved aside and begun anew when it turns out to be damaged, closed for good.
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { HexLensError } from '../../base/errors.ts';
import type { Connection } from './sqliteConnection.ts';
import { meansDamage, storeFault } from './sqliteFaults.ts';
import { type FileDeps, moveAside, openFile, openMemory } from './sqliteFile.ts';

/** A file that is found damaged again and again is on a disk that is; this often one store begins anew. */
const MOST_HEALINGS = 3;

export interface Healing<Extras> {
  /** Rejects with a HexLensError. After a rejection over damage the next call begins an empty file. */
  use<T>(work: (connection: Connection, extras: Extras) => T): Promise<T>;
  /** Makes the secondary indexes, one at a time: over a large first load they take seconds, and others have questions too. */
  indexed(): Promise<void>;
  /** For reads that need the secondary indexes: one state of the file. */
  query<T>(work: (connection: Connection, extras: Extras) => T): Promise<T>;
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
    return { connection, extras: prepare(connection) };
  };
  let open: ReturnType<typeof begin> | null = begin();
  let closed = false;
  let healings = 0;

  /** Drops the damaged file; the next call begins a new one. */
  const heal = () => {
    if (path === null || healings >= MOST_HEALINGS) return;
    healings++;
    open?.connection.close();
    open = null;
    moveAside(path, 'it is damaged', deps);
  };
  const use = async <T>(work: (connection: Connection, extras: Extras) => T): Promise<T> => {
    if (closed) throw new HexLensError('backend-stopped', 'The index of the chain is closed.');
    try {
      open ??= begin();
      return work(open.connection, open.extras);
    } catch (error) {
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

  const indexed = async (): Promise<void> => {
    while (await use(connection => connection.indexNext())) await setImmediate();
  };

  return {
    use,
    indexed,
    async query(work) {
      await indexed();
      return use((connection, extras) => connection.read(() => work(connection, extras)));
    },
    async close() {
      closed = true;
      open?.connection.close();
      open = null;
    },
  };
}
