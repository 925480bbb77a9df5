// Pages of an indexer's table: limits that the indexer cuts silently are stitched, one row more says whether there is a next page.

import type { AptosPageRequest } from '../aptosSource.ts';
import type { JsonObject } from '../transaction.ts';
import { type GraphqlClient, MAX_ROWS_PER_QUERY } from './graphqlClient.ts';
import { allConditions, createTableQuery, type HasuraCondition, type IndexerTable } from './indexerTables.ts';

export interface TablePage<Row> {
  readonly rows: readonly Row[];
  readonly hasNext: boolean;
}

/**
 * The slice of the rows that `where` holds for. `read` gives `null` for a row that is none of the table's: such a row is
 * left out, and the page goes on behind it.
 */
export async function fetchTablePage<Row extends Key, Key>(
  indexer: GraphqlClient,
  table: IndexerTable<Key>,
  where: readonly (HasuraCondition | undefined)[],
  slice: AptosPageRequest<Key>,
  read: (row: JsonObject) => Row | null,
  signal: AbortSignal | undefined,
): Promise<TablePage<Row>> {
  const wanted = slice.limit + 1;
  const found: Row[] = [];
  let { after, offset } = slice;
  for (;;) {
    const limit = Math.min(wanted - found.length, MAX_ROWS_PER_QUERY);
    const condition = allConditions(...where, after === undefined ? undefined : table.after(after));
    const rows = await indexer.fetchRows(createTableQuery(table, condition, limit, offset), signal);
    const known = rows.map(read).filter(row => row !== null);
    found.push(...known);
    const last = known.at(-1);
    if (found.length >= wanted || rows.length < limit || last === undefined) break;
    after = last;
    offset = 0;
  }
  return { rows: found.slice(0, slice.limit), hasNext: found.length > slice.limit };
}
