// Ids of activities in the Aptos index: their places in the ledger, so that a row is in its order and names its transaction by its id.
import type { SqliteConnection } from '../../store/sqlite/connection.ts';
import { findLowest } from '../../store/sqlite/rowIds.ts';
import type { TimeRange } from '../aptosSource.ts';
import type { ActivityKey } from '../models.ts';
import { decodeSeconds, type StoredInteger } from './aptosEncoding.ts';
import type { IdTables } from './idTables.ts';

/** Ids of a version: its transaction with the gas fee, whose event index is -1, then its events. No transaction has so many. */
const IDS_PER_VERSION = 131_072;
/** Ids are numbers that JavaScript has exactly. */
const MAX_VERSION = BigInt(2 ** 36 - 1);

/** Also the id of its gas fee; `null` for a version that no id has. */
export const toTransactionId = (version: bigint): number | null =>
  version > MAX_VERSION ? null : Number(version) * IDS_PER_VERSION;

/** `null` for an event that no id has. */
export const toEventId = (transactionId: number, eventIndex: number): number | null =>
  eventIndex > IDS_PER_VERSION - 2 ? null : transactionId + eventIndex + 1;

/** The columns that every activity has, with the time of its transaction. */
export interface ActivityRecord {
  readonly id: number;
  readonly time: number;
  readonly amount: StoredInteger;
  readonly account: number | null;
  readonly creation: StoredInteger | null;
  readonly sequence: StoredInteger | null;
}

export const toActivity = ({ id, time, account, creation, sequence }: ActivityRecord, { accounts }: IdTables) => ({
  transactionVersion: BigInt(Math.floor(id / IDS_PER_VERSION)),
  eventIndex: (id % IDS_PER_VERSION) - 1,
  transactionTimestamp: decodeSeconds(time),
  eventAccountAddress: accounts.resolveOptional(account),
  eventCreationNumber: creation === null ? null : BigInt(creation),
  eventSequenceNumber: sequence === null ? null : BigInt(sequence),
});

/** The transaction of a row `r`. */
export const JOIN_TRANSACTION = `CROSS JOIN committed_transaction AS m ON m.id = r.id - r.id % ${IDS_PER_VERSION}`;

/** The least id of the transactions from a time or a block on; neither decreases in the ledger. */
function findFirstId(connection: SqliteConnection, column: 'time' | 'block', value: number): number {
  const last = connection.get<{ id: number | null }>('SELECT max(id) AS id FROM committed_transaction')?.id ?? 0;
  const version = findLowest(0, Math.floor(last / IDS_PER_VERSION) + 1, version => {
    const next = connection.get<{ value: number }>(
      `SELECT ${column} AS value FROM committed_transaction WHERE id >= ? AND ${column} IS NOT NULL ORDER BY id LIMIT 1`,
      version * IDS_PER_VERSION,
    );
    return next === undefined || next.value >= value;
  });
  return version * IDS_PER_VERSION;
}

/** The end is exclusive. */
export type IdRange = readonly [firstId: number, endId: number];

/** Of the blocks, both inclusive. Their transactions are few, so that the end is found from the first one on. */
export function findBlockIds(connection: SqliteConnection, first: number, last: number): IdRange {
  const firstId = findFirstId(connection, 'block', first);
  const end = connection.get<{ id: number }>(
    'SELECT id FROM committed_transaction WHERE id >= ? AND block > ? ORDER BY id LIMIT 1',
    firstId,
    last,
  );
  return [firstId, end?.id ?? Number.MAX_SAFE_INTEGER];
}

/** The ids between dates, which are inclusive, and of a page, which begins after the key where the page before ended. */
export function findActivityIds(
  connection: SqliteConnection,
  { fromDate, toDate }: TimeRange,
  after: ActivityKey | undefined,
): IdRange {
  const toSeconds = (date: Date) => date.getTime() / 1000;
  const firstId = fromDate === undefined ? 0 : findFirstId(connection, 'time', toSeconds(fromDate));
  const endId =
    toDate === undefined ? Number.MAX_SAFE_INTEGER : findFirstId(connection, 'time', Math.floor(toSeconds(toDate)) + 1);
  return [firstId, after === undefined ? endId : Math.min(endId, findEndId(after))];
}

/** The least id that is not before the key. */
function findEndId({ transactionVersion, eventIndex }: ActivityKey): number {
  const transactionId = toTransactionId(transactionVersion);
  if (transactionId === null) return Number.MAX_SAFE_INTEGER;
  return transactionId + Math.min(Math.max(eventIndex + 1, 0), IDS_PER_VERSION);
}
