// Reads one page of an indexer table with as many queries as its row limit requires.
import type { AptosPageRequest } from '../aptosSource.ts';
import type { JsonObject } from '../jsonFields.ts';
import { type GraphqlClient, MAX_ROWS_PER_QUERY } from './graphqlClient.ts';
import { allConditions, createTableQuery, type HasuraCondition, type IndexerTable } from './indexerTables.ts';

export interface TablePage<Row> {
  readonly rows: readonly Row[];
  readonly hasNext: boolean;
}

/** `parse` returns `null` for a malformed row, which is skipped. One extra row tells whether there is a next page. */
export async function fetchTablePage<Row extends Key, Key>(
  graphql: GraphqlClient,
  table: IndexerTable<Key>,
  conditions: readonly (HasuraCondition | undefined)[],
  page: AptosPageRequest<Key>,
  parse: (row: JsonObject) => Row | null,
  signal: AbortSignal | undefined,
): Promise<TablePage<Row>> {
  const neededCount = page.limit + 1;
  const rows: Row[] = [];
  let { after, offset } = page;
  for (;;) {
    const limit = Math.min(neededCount - rows.length, MAX_ROWS_PER_QUERY);
    const where = allConditions(...conditions, after === undefined ? undefined : table.after(after));
    const fetched = await graphql.fetchRows(createTableQuery(table, where, limit, offset), signal);
    const parsed = fetched.map(parse).filter(row => row !== null);
    rows.push(...parsed);
    const last = parsed.at(-1);
    if (rows.length >= neededCount || fetched.length < limit || last === undefined) break;
    after = last;
    offset = 0;
  }
  return { rows: rows.slice(0, page.limit), hasNext: rows.length > page.limit };
}
