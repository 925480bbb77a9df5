// Rows of activities: what all have, and those of a time range or after a key. Row ids follow the order of the ledger, so a binary search suffices.
import type { SqliteConnection } from '../../store/sqlite/connection.ts';
import { findLowest } from '../../store/sqlite/rowIds.ts';
import type { TimeRange } from '../aptosSource.ts';
import type { ActivityKey } from '../models.ts';
import { decodeSeconds } from './aptosEncoding.ts';
import type { IdTables } from './idTables.ts';

type ActivityTable = 'coin' | 'token_activity';

interface RowPosition {
  readonly version: number;
  readonly event: number;
  readonly time: number;
}

/** The columns that every activity has. */
export interface ActivityRecord extends RowPosition {
  readonly type: number;
  readonly amount: string;
  readonly account: number | null;
  readonly creation: string | null;
  readonly sequence: string | null;
}

export const toActivity = (record: ActivityRecord, { accounts }: IdTables) => ({
  transactionVersion: BigInt(record.version),
  eventIndex: record.event,
  transactionTimestamp: decodeSeconds(record.time),
  eventAccountAddress: accounts.resolveOptional(record.account),
  eventCreationNumber: record.creation === null ? null : BigInt(record.creation),
  eventSequenceNumber: record.sequence === null ? null : BigInt(record.sequence),
});

/** The id of the first row for which the test is true; one more than the last id when there is none. */
function findFirstRow(
  connection: SqliteConnection,
  table: ActivityTable,
  test: (position: RowPosition) => boolean,
): number {
  const last = connection.get<{ id: number | null }>(`SELECT max(id) AS id FROM ${table}`)?.id ?? 0;
  return findLowest(1, last + 1, id => {
    const position = connection.get<RowPosition>(`SELECT version, event, time FROM ${table} WHERE id = ?`, id);
    return position === undefined || test(position);
  });
}

/** The end is exclusive. Dates are inclusive. Transaction times never decrease. */
export function findActivityRowRange(
  connection: SqliteConnection,
  table: ActivityTable,
  { fromDate, toDate }: TimeRange,
  after: ActivityKey | undefined,
): readonly [firstId: number, endId: number] {
  const earliest = fromDate === undefined ? null : fromDate.getTime() / 1000;
  const latest = toDate === undefined ? null : toDate.getTime() / 1000;
  const firstId = earliest === null ? 1 : findFirstRow(connection, table, ({ time }) => time >= earliest);
  const endOfDates =
    latest === null ? Number.MAX_SAFE_INTEGER : findFirstRow(connection, table, ({ time }) => time > latest);
  if (after === undefined) return [firstId, endOfDates];
  const afterVersion = Number(after.transactionVersion);
  const idOfKey = findFirstRow(
    connection,
    table,
    ({ version, event }) => version > afterVersion || (version === afterVersion && event >= after.eventIndex),
  );
  return [firstId, Math.min(endOfDates, idOfKey)];
}
