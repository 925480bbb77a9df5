// Reads of blocks from the SQLite index.
import { type BlockRecord, toBlockRow } from '../records.ts';
import type { BlockRow } from '../rows.ts';
import type { SqliteRead } from './addressTable.ts';
import type { SqliteConnection } from './connection.ts';
import { findLowest } from './rowIds.ts';

const SELECT_BLOCK = 'SELECT number, hash, parent, time FROM block';

const readOneBlock = (connection: SqliteConnection, clauses: string, ...values: readonly number[]): BlockRow | null => {
  const record = connection.get<BlockRecord>(`${SELECT_BLOCK} ${clauses}`, ...values);
  return record === undefined ? null : toBlockRow(record);
};

export const readHead: SqliteRead<'readHead'> = ({ connection }) =>
  readOneBlock(connection, 'ORDER BY number DESC LIMIT 1');

export const readBlock: SqliteRead<'readBlock'> = ({ connection }, number) =>
  readOneBlock(connection, 'WHERE number = ?', number);

export const readBlocksDownFrom: SqliteRead<'readBlocksDownFrom'> = ({ connection }, fromBlock, limit) => {
  const sql = `${SELECT_BLOCK} WHERE number <= ? ORDER BY number DESC LIMIT ?`;
  return connection.all<BlockRecord>(sql, fromBlock, limit).map(toBlockRow);
};

export const readCoverage: SqliteRead<'readCoverage'> = index => {
  const head = readHead(index);
  const first = index.connection.get<{ first: number | null }>(
    'SELECT coalesce((SELECT first FROM coverage), (SELECT min(number) FROM block)) AS first',
  )?.first;
  return head === null || typeof first !== 'number' ? null : { fromBlock: first, head };
};

/** By bisection: timestamps never decrease. Where a block is missing, the next one counts in its place. */
export const readFirstBlockAt: SqliteRead<'readFirstBlockAt'> = ({ connection }, time) => {
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
};
