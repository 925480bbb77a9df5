// Places of the chain as row numbers of the SQLite index and back: both grow together, so a place is found by halving.

import { unpackHex } from '../encoding.ts';
import type { BlockRow, LogPosition } from '../rows.ts';
import type { BlockRange, Coverage } from '../store.ts';
import type { SqliteConnection } from './connection.ts';

interface BlockRecord {
  readonly number: number;
  readonly hash: Uint8Array;
  readonly parent: Uint8Array;
  readonly time: number;
}

const BLOCK = 'SELECT number, hash, parent, time FROM block';

function blockRow(record: BlockRecord | undefined): BlockRow | null {
  if (record === undefined) return null;
  const { number, hash, parent, time } = record;
  return { number, hash: unpackHex(hash), parentHash: unpackHex(parent), timestamp: time };
}

export function readHead(connection: SqliteConnection): BlockRow | null {
  return blockRow(connection.get(`${BLOCK} ORDER BY number DESC LIMIT 1`));
}

export function readBlock(connection: SqliteConnection, number: number): BlockRow | null {
  return blockRow(connection.get(`${BLOCK} WHERE number = ?`, number));
}

export function readBlocksDownFrom(
  connection: SqliteConnection,
  fromBlock: number,
  limit: number,
): readonly BlockRow[] {
  const records = connection.all<BlockRecord>(
    `${BLOCK} WHERE number <= ? ORDER BY number DESC LIMIT ?`,
    fromBlock,
    limit,
  );
  return records.map(record => blockRow(record)).filter(row => row !== null);
}

/** The least number from `low` on, below `high`, for which the test holds; `high` when it holds for none. It must hold from some number on. */
function firstWhere(low: number, high: number, test: (number: number) => boolean): number {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (test(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

export function readCoverage(connection: SqliteConnection): Coverage | null {
  const to = readHead(connection);
  const first = connection.get<{ first: number | null }>(
    'SELECT coalesce((SELECT first FROM coverage), (SELECT min(number) FROM block)) AS first',
  )?.first;
  return to === null || typeof first !== 'number' ? null : { fromBlock: first, head: to };
}

/** Times of blocks never go back. Numbers may have gaps: what is not there counts as what is next. */
export function readFirstBlockAt(connection: SqliteConnection, time: number): BlockRow | null {
  const ends = connection.get<{ first: number | null; last: number | null }>(
    'SELECT (SELECT min(number) FROM block) AS first, (SELECT max(number) FROM block) AS last',
  );
  if (ends === undefined || ends.first === null || ends.last === null) return null;
  const number = firstWhere(ends.first, ends.last + 1, middle => {
    const row = connection.get<{ time: number }>(
      'SELECT time FROM block WHERE number >= ? ORDER BY number LIMIT 1',
      middle,
    );
    return row !== undefined && row.time >= time;
  });
  return number > ends.last
    ? null
    : blockRow(connection.get(`${BLOCK} WHERE number >= ? ORDER BY number LIMIT 1`, number));
}

export type TimelineTable = 'transfer' | 'mint';

/** Number of the first row at or above a block; one past the last row when there is none. */
function firstOfBlock(connection: SqliteConnection, table: TimelineTable, block: number): number {
  const row = connection.get<{ first: number }>(
    `SELECT first_${table} AS first FROM block WHERE number >= ? ORDER BY number LIMIT 1`,
    block,
  );
  return row?.first ?? (connection.get<{ last: number | null }>(`SELECT max(id) AS last FROM ${table}`)?.last ?? 0) + 1;
}

/** Number of the first row at or after a place. */
export function findFirstRowId(connection: SqliteConnection, table: TimelineTable, place: LogPosition): number {
  const { blockNumber, logIndex, batchIndex: position } = place;
  const columns = table === 'transfer' ? 'log, position' : 'log, 0 AS position';
  return firstWhere(
    firstOfBlock(connection, table, blockNumber),
    firstOfBlock(connection, table, blockNumber + 1),
    id => {
      const row = connection.get<{ log: number; position: number }>(`SELECT ${columns} FROM ${table} WHERE id = ?`, id);
      if (row === undefined) return true;
      return row.log > logIndex || (row.log === logIndex && row.position >= position);
    },
  );
}

/** The place of a transfer that the index holds. */
export function readTransferPosition(connection: SqliteConnection, transfer: number): LogPosition {
  const row = connection.get<{ block: number; log: number; position: number }>(
    'SELECT block, log, position FROM transfer WHERE id = ?',
    transfer,
  );
  return { blockNumber: row?.block ?? 0, logIndex: row?.log ?? 0, batchIndex: row?.position ?? 0 };
}

/** Row numbers, from the first to before the last. */
export interface RowIdRange {
  readonly from: number;
  readonly before: number;
}

/** The rows of a range of blocks, newest first, after a place where a page ended. */
export function findRowIdRange(
  connection: SqliteConnection,
  table: TimelineTable,
  { fromBlock, toBlock }: BlockRange,
  after?: LogPosition | undefined,
): RowIdRange {
  const from = fromBlock === undefined ? 0 : firstOfBlock(connection, table, fromBlock);
  const end = toBlock === undefined ? Number.MAX_SAFE_INTEGER : firstOfBlock(connection, table, toBlock + 1);
  const before = after === undefined ? end : Math.min(end, findFirstRowId(connection, table, after));
  return { from, before };
}
