// Reads of blocks from the SQLite index.
import { type BlockRecord, toBlockRow } from '../records.ts';
import type { BlockRow } from '../rows.ts';
import type { Coverage } from '../store.ts';
import type { SqliteConnection } from './connection.ts';
import { findLowest } from './rowIds.ts';

const SELECT_BLOCK = 'SELECT number, hash, parent, time FROM block';

const readOneBlock = (connection: SqliteConnection, clauses: string, ...values: readonly number[]): BlockRow | null => {
  const record = connection.get<BlockRecord>(`${SELECT_BLOCK} ${clauses}`, ...values);
  return record === undefined ? null : toBlockRow(record);
};

export function readHead(connection: SqliteConnection): BlockRow | null {
  return readOneBlock(connection, 'ORDER BY number DESC LIMIT 1');
}

export function readBlock(connection: SqliteConnection, number: number): BlockRow | null {
  return readOneBlock(connection, 'WHERE number = ?', number);
}

export function readBlocksDownFrom(
  connection: SqliteConnection,
  fromBlock: number,
  limit: number,
): readonly BlockRow[] {
  const records = connection.all<BlockRecord>(
    `${SELECT_BLOCK} WHERE number <= ? ORDER BY number DESC LIMIT ?`,
    fromBlock,
    limit,
  );
  return records.map(toBlockRow);
}

export function readCoverage(connection: SqliteConnection): Coverage | null {
  const head = readHead(connection);
  const first = connection.get<{ first: number | null }>(
    'SELECT coalesce((SELECT first FROM coverage), (SELECT min(number) FROM block)) AS first',
  )?.first;
  return head === null || typeof first !== 'number' ? null : { fromBlock: first, head };
}

/** By bisection: timestamps never decrease. Where a block is missing, the next one counts in its place. */
export function readFirstBlockAt(connection: SqliteConnection, time: number): BlockRow | null {
  const ends = connection.get<{ first: number | null; last: number | null }>(
    'SELECT (SELECT min(number) FROM block) AS first, (SELECT max(number) FROM block) AS last',
  );
  if (ends === undefined || ends.first === null || ends.last === null) return null;
  const number = findLowest(ends.first, ends.last + 1, middle => {
    const row = connection.get<{ time: number }>(
      'SELECT time FROM block WHERE number >= ? ORDER BY number LIMIT 1',
      middle,
    );
    return row !== undefined && row.time >= time;
  });
  return number > ends.last ? null : readOneBlock(connection, 'WHERE number >= ? ORDER BY number LIMIT 1', number);
}
