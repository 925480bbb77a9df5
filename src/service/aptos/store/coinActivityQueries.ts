// Pages of coin activities out of the Aptos index.

import type { SqliteConnection } from '../../store/sqlite/connection.ts';
import { addConditions, placeholders, selectUnion, type UnionBranch } from '../../store/sqlite/unionQuery.ts';
import type {
  AptosPageRequest,
  CoinActivitiesByBlockQuery,
  CoinActivitiesByOwnerQuery,
  CoinActivitiesByTypeQuery,
  TimeRange,
} from '../aptosSource.ts';
import { getPairedMetadataAddress } from '../derivedIds.ts';
import type { ActivityKey, CoinActivity } from '../models.ts';
import { normalizeMoveType } from '../moveType.ts';
import { findActivityRowRange } from './activityRowRange.ts';
import { decodeSeconds, decodeTokenStandard } from './aptosEncoding.ts';
import { findAccountIds, type IdTables } from './idTables.ts';

interface CoinRecord {
  readonly id: number;
  readonly version: number;
  readonly event: number;
  readonly time: number;
  readonly block: number | null;
  readonly type: number;
  readonly amount: string;
  readonly asset: number | null;
  readonly paired: number | null;
  readonly standard: number;
  readonly entry: number | null;
  readonly account: number | null;
  readonly creation: string | null;
  readonly sequence: string | null;
  readonly success: number;
  readonly owner: number | null;
}

const QUERY = {
  table: 'coin',
  columns: `r.id, r.version, r.event, r.time, r.block, r.type, r.amount, r.asset, r.standard, r.entry, r.account,
    r.creation, r.sequence, r.success, r.owner, (SELECT coin FROM pair WHERE metadata = r.asset) AS paired`,
  order: 'id DESC',
};

/** A combination of owner and coin per arm, up to here; beyond, coins are picked from all of the owner's rows. */
const MOST_ARMS = 100;

export function queryCoinActivitiesByType(
  connection: SqliteConnection,
  numbers: IdTables,
  { coinType, ...dates }: CoinActivitiesByTypeQuery,
  slice: AptosPageRequest<ActivityKey>,
): readonly CoinActivity[] {
  const arms = assetsOf(numbers, [coinType]).map(asset => ({
    index: 'coin_asset',
    where: ['r.asset = ?'],
    values: [asset],
  }));
  return page(connection, numbers, arms, dates, slice);
}

export function queryCoinActivitiesByOwner(
  connection: SqliteConnection,
  numbers: IdTables,
  { owners, coinTypes, excludedCoinTypes: notCoinTypes, ...dates }: CoinActivitiesByOwnerQuery,
  slice: AptosPageRequest<ActivityKey>,
): readonly CoinActivity[] {
  const accounts = findAccountIds(numbers, owners);
  const wanted = coinTypes === undefined ? null : assetsOf(numbers, coinTypes);
  const unwanted = notCoinTypes === undefined ? [] : assetsOf(numbers, notCoinTypes);
  let arms: readonly UnionBranch[] =
    wanted !== null && wanted.length * accounts.length <= MOST_ARMS
      ? accounts.flatMap(owner =>
          wanted.map(asset => ({
            index: 'coin_owner_asset',
            where: ['r.owner = ?', 'r.asset = ?'],
            values: [owner, asset],
          })),
        )
      : accounts.map(owner => ({ index: 'coin_owner', where: ['r.owner = ?'], values: [owner] }));
  if (wanted !== null && wanted.length * accounts.length > MOST_ARMS)
    arms = arms.map(arm => addConditions(arm, [`+r.asset IN (${placeholders(wanted)})`], wanted));
  // What is of no known coin is of none that is unwanted.
  if (unwanted.length > 0)
    arms = arms.map(arm =>
      addConditions(arm, [`(r.asset IS NULL OR +r.asset NOT IN (${placeholders(unwanted)}))`], unwanted),
    );
  return page(connection, numbers, arms, dates, slice);
}

export function queryCoinActivitiesByBlock(
  connection: SqliteConnection,
  numbers: IdTables,
  { blockHeights }: CoinActivitiesByBlockQuery,
  slice: AptosPageRequest<ActivityKey>,
): readonly CoinActivity[] {
  const heights = [...new Set(blockHeights)].filter(height => height <= BigInt(Number.MAX_SAFE_INTEGER));
  const arms = heights.map(height => ({ index: 'coin_block', where: ['r.block = ?'], values: [Number(height)] }));
  return page(connection, numbers, arms, {}, slice);
}

/** Numbers of the coin types and of the metadata that they are paired with; of those that the index has seen. */
function assetsOf({ names }: IdTables, coinTypes: readonly string[]): readonly number[] {
  const assets = coinTypes.map(normalizeMoveType).flatMap(type => [type, getPairedMetadataAddress(type)]);
  return [...new Set(assets)].map(asset => names.findId(asset)).filter(id => id !== null);
}

function page(
  connection: SqliteConnection,
  numbers: IdTables,
  arms: readonly UnionBranch[],
  dates: TimeRange,
  { limit, offset, after }: AptosPageRequest<ActivityKey>,
): readonly CoinActivity[] {
  const { from, below } = findActivityRowRange(connection, 'coin', dates, after);
  const bound = arms.map(arm => addConditions(arm, ['r.id >= ?', 'r.id < ?'], [from, below]));
  return selectUnion<CoinRecord>(connection, QUERY, bound, limit, offset).map(record => rowOf(record, numbers));
}

function rowOf(record: CoinRecord, { accounts, names }: IdTables): CoinActivity {
  const account = (id: number | null) => (id === null ? null : accounts.getValue(id));
  const name = (id: number | null) => (id === null ? null : names.getValue(id));
  const assetType = name(record.asset);
  const isGasFee = record.event === -1;
  return {
    transactionVersion: BigInt(record.version),
    eventIndex: record.event,
    transactionTimestamp: decodeSeconds(record.time),
    blockHeight: record.block === null ? null : BigInt(record.block),
    activityType: names.getValue(record.type),
    amount: BigInt(record.amount),
    coinType: name(record.paired) ?? assetType,
    assetType,
    tokenStandard: decodeTokenStandard(record.standard),
    entryFunctionIdStr: name(record.entry),
    eventAccountAddress: account(record.account),
    eventCreationNumber: record.creation === null ? null : BigInt(record.creation),
    eventSequenceNumber: record.sequence === null ? null : BigInt(record.sequence),
    isGasFee,
    isTransactionSuccess: record.success === 1,
    ownerAddress: account(record.owner),
  };
}
