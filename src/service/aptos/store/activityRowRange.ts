// Places of the Aptos chain as row numbers and back: rows are numbered in its order, so a place is found by halving.
import type { SqliteConnection } from '../../store/sqlite/connection.ts';
import type { TimeRange } from '../aptosSource.ts';
import type { ActivityKey } from '../models.ts';
import type { AptosProgress } from './aptosStore.ts';

export function readProgress(connection: SqliteConnection): AptosProgress {
  const row = connection.get<{ first: number; next: number; hash: string | null; height: number | null }>(
    'SELECT first, next, hash, height FROM progress',
  );
  return {
    firstVersion: BigInt(row?.first ?? 0),
    nextVersion: BigInt(row?.next ?? 0),
    lastHash: row?.hash ?? null,
    lastBlockHeight: row === undefined || row.height === null ? null : BigInt(row.height),
  };
}

type Table = 'coin' | 'token_activity';

interface Spot {
  readonly version: number;
  readonly event: number;
  readonly time: number;
}

/** The number of the first row for which the test holds; one more than the last when it holds for none. */
function firstRow(connection: SqliteConnection, table: Table, test: (spot: Spot) => boolean): number {
  let from = 1;
  let to = (connection.get<{ id: number | null }>(`SELECT max(id) AS id FROM ${table}`)?.id ?? 0) + 1;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const spot = connection.get<Spot>(`SELECT version, event, time FROM ${table} WHERE id = ?`, middle);
    if (spot === undefined || test(spot)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Rows from `from` on and below `below`. Times of transactions never go back; dates are inclusive at both ends. */
export function findActivityRowRange(
  connection: SqliteConnection,
  table: Table,
  { fromDate, toDate }: TimeRange,
  after: ActivityKey | undefined,
): { readonly from: number; readonly below: number } {
  const earliest = fromDate === undefined ? null : fromDate.getTime() / 1000;
  const latest = toDate === undefined ? null : toDate.getTime() / 1000;
  const from = earliest === null ? 1 : firstRow(connection, table, spot => spot.time >= earliest);
  const belowDate = latest === null ? Number.MAX_SAFE_INTEGER : firstRow(connection, table, spot => spot.time > latest);
  if (after === undefined) return { from, below: belowDate };
  const version = Number(after.transactionVersion);
  const belowKey = firstRow(
    connection,
    table,
    spot => spot.version > version || (spot.version === version && spot.event >= after.eventIndex),
  );
  return { from, below: Math.min(belowDate, belowKey) };
}
