// Finds the rows of a time range or after a key. Row ids follow the order of the ledger, so a binary search suffices.
import type { SqliteConnection } from '../../store/sqlite/connection.ts';
import type { TimeRange } from '../aptosSource.ts';
import type { ActivityKey } from '../models.ts';

type ActivityTable = 'coin' | 'token_activity';

interface RowPosition {
  readonly version: number;
  readonly event: number;
  readonly time: number;
}

export interface RowRange {
  readonly firstId: number;
  /** Exclusive. */
  readonly endId: number;
}

/** The id of the first row for which the test is true; one more than the last id when there is none. */
function findFirstRow(
  connection: SqliteConnection,
  table: ActivityTable,
  test: (position: RowPosition) => boolean,
): number {
  let low = 1;
  let high = (connection.get<{ id: number | null }>(`SELECT max(id) AS id FROM ${table}`)?.id ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const position = connection.get<RowPosition>(`SELECT version, event, time FROM ${table} WHERE id = ?`, middle);
    if (position === undefined || test(position)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Dates are inclusive. Transaction times never decrease. */
export function findActivityRowRange(
  connection: SqliteConnection,
  table: ActivityTable,
  { fromDate, toDate }: TimeRange,
  after: ActivityKey | undefined,
): RowRange {
  const earliest = fromDate === undefined ? null : fromDate.getTime() / 1000;
  const latest = toDate === undefined ? null : toDate.getTime() / 1000;
  const firstId = earliest === null ? 1 : findFirstRow(connection, table, ({ time }) => time >= earliest);
  const endOfDates =
    latest === null ? Number.MAX_SAFE_INTEGER : findFirstRow(connection, table, ({ time }) => time > latest);
  if (after === undefined) return { firstId, endId: endOfDates };
  const afterVersion = Number(after.transactionVersion);
  const idOfKey = findFirstRow(
    connection,
    table,
    ({ version, event }) => version > afterVersion || (version === afterVersion && event >= after.eventIndex),
  );
  return { firstId, endId: Math.min(endOfDates, idOfKey) };
}
