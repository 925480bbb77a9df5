// The secondary indexes of a chain in PostgreSQL: made by whoever reads first, whichever process that is.
import type { Database } from './postgres/database.ts';
import { secondaryIndexes } from './postgres/schema.ts';

/** A function that resolves once the chain has all its indexes; who may not make them reads without. */
export function createIndexing(database: Database, chain: number): () => Promise<void> {
  let done: Promise<void> | undefined;
  const sql = 'SELECT indexed FROM chain WHERE id = $1';
  const make = async () => {
    const [known] = await database.all<{ indexed: boolean }>(sql, [chain]);
    if (known?.indexed === true || database.readOnly) return;
    await database.write(async queries => {
      // Writers take this row first, too: nobody writes meanwhile, and nobody makes them twice.
      const [locked] = await queries.all<{ indexed: boolean }>(`${sql} FOR UPDATE`, [chain]);
      if (locked?.indexed === true) return;
      await queries.all('SET LOCAL statement_timeout = 0'); // over a large load they take minutes
      await queries.all(secondaryIndexes(chain));
      await queries.all('UPDATE chain SET indexed = true WHERE id = $1', [chain]);
    });
  };
  return () => {
    done ??= make().catch(error => {
      done = undefined; // the next one tries again
      throw error;
    });
    return done;
  };
}
