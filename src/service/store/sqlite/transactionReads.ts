// Reads of transactions from the SQLite index: which index serves which addresses.
import { type TransactionRecord, toLocatedTransaction } from '../records.ts';
import type { LocatedTransaction, TransactionPosition } from '../rows.ts';
import type { BlockRange, OrderedPageQuery, TransactionQuery } from '../store.ts';
import type { AddressTable } from './addressTable.ts';
import type { SqliteConnection } from './connection.ts';
import { findRowIdRange, toLogPosition } from './rowIds.ts';
import { IS_UNTRACED } from './schema.ts';
import { addConditions, selectUnion, type UnionBranch } from './unionQuery.ts';

function selectTransactions(
  connection: SqliteConnection,
  branches: readonly UnionBranch[],
  range: BlockRange,
  { limit, after, isOldestFirst = false }: OrderedPageQuery<TransactionPosition>,
): readonly LocatedTransaction[] {
  const position = after === undefined ? undefined : toLogPosition(after);
  const { from, before } = findRowIdRange(connection, 'mined_transaction', range, position, isOldestFirst);
  const ids = selectUnion<{ id: number }>(
    connection,
    { table: 'mined_transaction', columns: 'r.id AS id', order: isOldestFirst ? 'id' : 'id DESC' },
    branches.map(branch => addConditions(branch, ['r.id >= ?', 'r.id < ?'], [from, before])),
    limit,
  );
  return ids.flatMap(({ id }) => {
    const record = connection.get<TransactionRecord>(
      'SELECT block, tx_index, tx FROM mined_transaction WHERE id = ?',
      id,
    );
    return record === undefined ? [] : toLocatedTransaction(record);
  });
}

/** Its branches have no row in common: internal recipients are without the sender and the recipient. */
export function readTransactions(
  connection: SqliteConnection,
  addresses: AddressTable,
  query: TransactionQuery,
  page: OrderedPageQuery<TransactionPosition>,
): readonly LocatedTransaction[] {
  const wallet = addresses.find(query.wallet);
  if (wallet === null) return [];
  const values = [wallet];
  const branches: readonly UnionBranch[] = [
    { index: 'mined_transaction_sender', where: ['sender = ?'], values },
    { index: 'mined_transaction_recipient', where: ['recipient = ?', 'sender <> recipient'], values },
    { table: 'internal_recipient', index: 'internal_recipient_recipient', where: ['recipient = ?'], values },
  ];
  return selectTransactions(connection, branches, query, page);
}

export function readUntracedTransactions(
  connection: SqliteConnection,
  range: BlockRange,
  page: OrderedPageQuery<TransactionPosition>,
): readonly LocatedTransaction[] {
  const branch: UnionBranch = { index: 'mined_transaction_untraced', where: [IS_UNTRACED], values: [] };
  return selectTransactions(connection, [branch], range, page);
}
