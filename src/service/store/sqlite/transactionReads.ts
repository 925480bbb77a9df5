// Reads of transactions from the SQLite index: which index serves which addresses.
import { type TransactionRecord, toLocatedTransaction } from '../records.ts';
import type { LocatedTransaction, TransactionPosition } from '../rows.ts';
import type { BlockRange, OrderedPageQuery } from '../store.ts';
import type { SqliteRead } from './addressTable.ts';
import type { SqliteConnection } from './connection.ts';
import { selectPage, toLogPosition } from './rowIds.ts';
import { IS_UNTRACED } from './schema.ts';
import type { UnionBranch } from './unionQuery.ts';

function selectTransactions(
  connection: SqliteConnection,
  branches: readonly UnionBranch[],
  range: BlockRange,
  page: OrderedPageQuery<TransactionPosition>,
): readonly LocatedTransaction[] {
  const table = { table: 'mined_transaction', columns: 'r.id AS id' } as const;
  const after = page.after && toLogPosition(page.after);
  return selectPage<{ id: number }>(connection, table, branches, range, { ...page, after }).flatMap(({ id }) => {
    const record = connection.get<TransactionRecord>(
      'SELECT block, tx_index, tx FROM mined_transaction WHERE id = ?',
      id,
    );
    return record === undefined ? [] : toLocatedTransaction(record);
  });
}

/** Its branches have no row in common: internal recipients are without the sender and the recipient. */
export const readTransactions: SqliteRead<'readTransactions'> = ({ connection, addresses }, query, page) => {
  const wallet = addresses.find(query.wallet);
  if (wallet === null) return [];
  const values = [wallet];
  const branches: readonly UnionBranch[] = [
    { index: 'mined_transaction_sender', where: ['sender = ?'], values },
    { index: 'mined_transaction_recipient', where: ['recipient = ?', 'sender <> recipient'], values },
    { table: 'internal_recipient', index: 'internal_recipient_recipient', where: ['recipient = ?'], values },
  ];
  return selectTransactions(connection, branches, query, page);
};

export const readUntracedTransactions: SqliteRead<'readUntracedTransactions'> = ({ connection }, range, page) => {
  const branch: UnionBranch = { index: 'mined_transaction_untraced', where: [IS_UNTRACED], values: [] };
  return selectTransactions(connection, [branch], range, page);
};
