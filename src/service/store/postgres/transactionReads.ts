// Reads of transactions from the PostgreSQL index, each one statement, so that it sees whole batches only.
import { type TransactionRecord, toLocatedTransaction } from '../records.ts';
import type { LocatedTransaction, TransactionPosition } from '../rows.ts';
import type { BlockRange, OrderedPageQuery } from '../store.ts';
import type { PostgresIndex, PostgresRead } from './addressTable.ts';
import { comparePosition, numberConditions, orderBy, type SqlCondition } from './conditions.ts';
import { getRangeConditions } from './transferReads.ts';

/** One select of positions. */
interface Branch {
  readonly table: 'mined_transaction' | 'internal_recipient';
  readonly condition: SqlCondition;
}

/** The branches have no row in common. */
async function selectTransactions(
  { queries, chain }: PostgresIndex,
  branches: readonly Branch[],
  range: BlockRange,
  { limit, after, isOldestFirst = false }: OrderedPageQuery<TransactionPosition>,
): Promise<readonly LocatedTransaction[]> {
  const order = orderBy('transaction', isOldestFirst);
  const beyond = after === undefined ? [] : [comparePosition('transaction', isOldestFirst ? '>' : '<', after)];
  let next = 0;
  const { sql, values } = numberConditions(
    chain,
    branches.map(({ condition }) => [condition, ...getRangeConditions(range), ...beyond]),
    where => `(SELECT block, tx_index FROM @${branches[next++]?.table} WHERE ${where} ${order} LIMIT ${limit})`,
  );
  const records = await queries.query<TransactionRecord>(
    `SELECT r.block, r.tx_index, r.tx
     FROM (SELECT * FROM (${sql.join(' UNION ALL ')}) AS found ${order} LIMIT ${limit}) AS page
     JOIN @mined_transaction AS r ON r.chain = $1 AND r.block = page.block AND r.tx_index = page.tx_index
     ${order.replace(/block|tx_index/g, 'r.$&')}`,
    values,
  );
  return records.map(toLocatedTransaction);
}

/** Internal recipients are without the sender and the recipient. */
export const readTransactions: PostgresRead<'readTransactions'> = async (index, query, page) => {
  const wallet = (await index.addresses.find(index.queries, [query.wallet])).get(query.wallet);
  if (wallet === undefined) return [];
  const values = [wallet];
  const branches: readonly Branch[] = [
    { table: 'mined_transaction', condition: { sql: 'sender = $?', values } },
    { table: 'mined_transaction', condition: { sql: 'recipient = $? AND sender <> recipient', values } },
    { table: 'internal_recipient', condition: { sql: 'recipient = $?', values } },
  ];
  return selectTransactions(index, branches, query, page);
};

export const readUntracedTransactions: PostgresRead<'readUntracedTransactions'> = (index, range, page) =>
  selectTransactions(
    index,
    [{ table: 'mined_transaction', condition: { sql: 'NOT traced', values: [] } }],
    range,
    page,
  );
