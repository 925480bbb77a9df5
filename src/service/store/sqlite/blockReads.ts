// Reads of blocks from the SQLite index.
import { unpackHex } from '../encoding.ts';
import type { BlockRow } from '../rows.ts';
import type { Coverage } from '../store.ts';
import type { SqliteConnection } from './connection.ts';
import { findLowest } from './rowIds.ts';

interface BlockRecord {
  readonly number: number;
  readonly hash: Uint8Array;
  readonly parent: Uint8Array;
  readonly time: number;
}

const SELECT_BLOCK = 'SELECT number, hash, parent, time FROM block';

function toBlockRow(record: BlockRecord | undefined): BlockRow | null {
  if (record === undefined) return null;
  const { number, hash, parent, time } = record;
  return { number, hash: unpackHex(hash), parentHash: unpackHex(parent), timestamp: time };
}

export function readHead(connection: SqliteConnection): BlockRow | null {
  return toBlockRow(connection.get(`${SELECT_BLOCK} ORDER BY number DESC LIMIT 1`));
}

export function readBlock(connection: SqliteConnection, number: number): BlockRow | null {
  return toBlockRow(connection.get(`${SELECT_BLOCK} WHERE number = ?`, number));
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
  return records.map(record => toBlockRow(record)).filter(row => row !== null);
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
  return number > ends.last
    ? null
    : toBlockRow(connection.get(`${SELECT_BLOCK} WHERE number >= ? ORDER BY number LIMIT 1`, number));
}
