// The secondary indexes of a chain in PostgreSQL: made by whoever reads first, whichever process that is.
import type { Database } from './postgres/database.ts';
import { getSecondaryIndexSql } from './postgres/schema.ts';

/** A function that resolves once the chain has all its indexes; who may not make them reads without. */
export function createIndexBuilder(database: Database, chain: number): () => Promise<void> {
  let done: Promise<void> | undefined;
  const sql = 'SELECT indexed FROM chain WHERE id = $1';
  const make = async () => {
    const [known] = await database.query<{ indexed: boolean }>(sql, [chain]);
    if (known?.indexed === true || database.isReadOnly) return;
    await database.transaction(async queries => {
      // Writers take this row first, too: nobody writes meanwhile, and nobody makes them twice.
      const [locked] = await queries.query<{ indexed: boolean }>(`${sql} FOR UPDATE`, [chain]);
      if (locked?.indexed === true) return;
      await queries.query('SET LOCAL statement_timeout = 0'); // over a large load they take minutes
      await queries.query(getSecondaryIndexSql(chain));
      await queries.query('UPDATE chain SET indexed = true WHERE id = $1', [chain]);
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
