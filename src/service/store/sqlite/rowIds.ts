// Positions in the chain as row ids of the SQLite index and back: both ascend together, so bisection finds one by the other.
import { compareLogPositions, type LogPosition, type TransactionPosition } from '../rows.ts';
import type { BlockRange, OrderedPageQuery } from '../store.ts';
import type { SqliteRead } from './addressTable.ts';
import type { SqliteConnection } from './connection.ts';
import { addConditions, countUnion, selectUnion, type UnionBranch, type UnionQuery } from './unionQuery.ts';

/** The least number from `low` on, below `high`, for which the test holds; `high` when there is none. Once true, the test must stay true. */
export function findLowest(low: number, high: number, test: (number: number) => boolean): number {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (test(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

export type PagedTable = 'mined_transaction' | 'transfer' | 'erc20_transfer';

/** The transaction of a row of transfers. */
export const JOIN_TRANSACTION = 'CROSS JOIN mined_transaction AS m ON m.id = r.transaction_id';

/** The position of a row in each table. */
const SELECT_POSITION: Readonly<Record<PagedTable, string>> = {
  mined_transaction: 'SELECT block, tx_index, 0 AS log, 0 AS position FROM mined_transaction WHERE id = ?',
  transfer: `SELECT m.block, m.tx_index, r.log, r.position FROM transfer AS r ${JOIN_TRANSACTION} WHERE r.id = ?`,
  erc20_transfer: `SELECT m.block, m.tx_index, r.log, 0 AS position FROM erc20_transfer AS r ${JOIN_TRANSACTION} WHERE r.id = ?`,
};

export interface PositionRecord {
  readonly block: number;
  readonly tx_index: number;
  readonly log: number;
  readonly position: number;
}

/** The position of a log by its columns; `log` is its place. */
export const toPosition = ({ block, tx_index: transactionIndex, log, position }: PositionRecord): LogPosition => ({
  blockNumber: block,
  transactionIndex,
  place: log,
  batchIndex: position,
});

/** The position of a transaction as that of a row of `mined_transaction`. */
export const toLogPosition = (position: TransactionPosition): LogPosition => ({ ...position, place: 0, batchIndex: 0 });

/** Id of the first row at or above a block; one past the last row when there is none. */
function readFirstRowIdOfBlock(connection: SqliteConnection, table: PagedTable | 'trade', block: number): number {
  const row = connection.get<{ first: number }>(
    `SELECT first_${table} AS first FROM block WHERE number >= ? ORDER BY number LIMIT 1`,
    block,
  );
  return row?.first ?? (connection.get<{ last: number | null }>(`SELECT max(id) AS last FROM ${table}`)?.last ?? 0) + 1;
}

/** How many rows there are in these blocks, both ends inclusive: their ids have no gaps. */
export const countRows: SqliteRead<'countRows'> = ({ connection }, fromBlock, toBlock) => {
  const count = (table: 'transfer' | 'erc20_transfer' | 'trade') =>
    readFirstRowIdOfBlock(connection, table, toBlock + 1) - readFirstRowIdOfBlock(connection, table, fromBlock);
  return { transfers: count('transfer'), erc20Transfers: count('erc20_transfer'), trades: count('trade') };
};

export function findFirstRowId(connection: SqliteConnection, table: PagedTable, position: LogPosition): number {
  const { blockNumber } = position;
  return findLowest(
    readFirstRowIdOfBlock(connection, table, blockNumber),
    readFirstRowIdOfBlock(connection, table, blockNumber + 1),
    id => {
      const row = connection.get<PositionRecord>(SELECT_POSITION[table], id);
      return row === undefined || compareLogPositions(toPosition(row), position) >= 0;
    },
  );
}

export function readTransferPosition(connection: SqliteConnection, transferId: number): LogPosition {
  const row = connection.get<PositionRecord>(SELECT_POSITION.transfer, transferId);
  return toPosition(row ?? { block: 0, tx_index: 0, log: 0, position: 0 });
}

/** The row ids of a range of blocks, the end exclusive; of a page, after the position where the page before ended. */
function findRowIdRange(
  connection: SqliteConnection,
  table: PagedTable,
  { fromBlock, toBlock }: BlockRange,
  { after, isOldestFirst = false }: Omit<OrderedPageQuery<LogPosition>, 'limit'>,
): readonly [from: number, before: number] {
  const start = fromBlock === undefined ? 0 : readFirstRowIdOfBlock(connection, table, fromBlock);
  const end = toBlock === undefined ? Number.MAX_SAFE_INTEGER : readFirstRowIdOfBlock(connection, table, toBlock + 1);
  if (after === undefined) return [start, end];
  if (!isOldestFirst) return [start, Math.min(end, findFirstRowId(connection, table, after))];
  const next = findFirstRowId(connection, table, { ...after, batchIndex: after.batchIndex + 1 });
  return [Math.max(start, next), end];
}

/** The branches limited to a range of row ids, the end exclusive. */
export const addRange = (branches: readonly UnionBranch[], ids: readonly number[]): readonly UnionBranch[] =>
  branches.map(branch => addConditions(branch, ['r.id >= ?', 'r.id < ?'], ids));

/** A page of the rows of all branches in a range of blocks. */
export function selectPage<Row>(
  connection: SqliteConnection,
  { table, columns, join }: Pick<UnionQuery, 'columns' | 'join'> & { readonly table: PagedTable },
  branches: readonly UnionBranch[],
  range: BlockRange,
  page: OrderedPageQuery<LogPosition>,
): readonly Row[] {
  const ids = findRowIdRange(connection, table, range, page);
  const query = { table, columns, join, order: page.isOldestFirst ? 'id' : 'id DESC' };
  return selectUnion(connection, query, addRange(branches, ids), page.limit);
}

/** How many rows the branches have in a range of blocks. */
export const countInRange = (
  connection: SqliteConnection,
  table: PagedTable,
  branches: readonly UnionBranch[],
  range: BlockRange,
): number => countUnion(connection, table, addRange(branches, findRowIdRange(connection, table, range, {})));
