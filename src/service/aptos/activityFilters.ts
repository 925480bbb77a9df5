// Filters of the operations over rows in hand: the same that the indexer is asked for.
import type { Hex } from '../../base/hex.ts';
import type { CoinActivitiesByOwnerQuery, CollectionFilter, TimeRange } from './aptosSource.ts';
import { getPairedMetadataAddress } from './derivedIds.ts';
import type { ActivityKey, CoinActivity, TokenActivity } from './models.ts';
import { normalizeMoveType } from './moveType.ts';

/** Whole seconds, `from` inclusive and `before` exclusive: records show no fractions. */
export interface SecondRange {
  readonly from: Date | null;
  readonly before: Date | null;
}

export function toSecondRange({ fromDate, toDate }: TimeRange): SecondRange {
  return {
    from: fromDate === undefined ? null : new Date(Math.ceil(fromDate.getTime() / 1000) * 1000),
    before: toDate === undefined ? null : new Date((Math.floor(toDate.getTime() / 1000) + 1) * 1000),
  };
}

export const isWithinSeconds = ({ from, before }: SecondRange, time: Date): boolean =>
  (from === null || time >= from) && (before === null || time < before);

/** A coin under both its names: its type, and the address of the metadata that it is paired with. */
export function getAssetTypes(coinTypes: readonly string[]): readonly string[] {
  return [
    ...new Set(
      coinTypes.flatMap(coinType => {
        const normal = normalizeMoveType(coinType);
        return [normal, getPairedMetadataAddress(normal)];
      }),
    ),
  ];
}

export function createCoinActivityFilter(query: CoinActivitiesByOwnerQuery): (row: CoinActivity) => boolean {
  const seconds = toSecondRange(query);
  const owners = new Set<string | null>(query.owners);
  const only = query.coinTypes === undefined ? null : new Set<string | null>(getAssetTypes(query.coinTypes));
  const not = new Set<string | null>(getAssetTypes(query.excludedCoinTypes ?? []));
  return ({ ownerAddress, assetType, transactionTimestamp }) =>
    owners.has(ownerAddress) &&
    (only === null || only.has(assetType)) &&
    !not.has(assetType) &&
    isWithinSeconds(seconds, transactionTimestamp);
}

export function createTokenActivityFilter(
  wallets: readonly Hex[],
  { collections, excludedCollections: notCollections }: CollectionFilter,
): (row: TokenActivity) => boolean {
  const sides = new Set<string | null>(wallets);
  const only = collections === undefined ? null : new Set<string | null>(collections);
  const not = new Set<string | null>(notCollections ?? []);
  return ({ fromAddress, toAddress, collectionDataIdHash: id }) =>
    (sides.has(fromAddress) || sides.has(toAddress)) && (only === null || only.has(id)) && !not.has(id);
}

/** Newest first; the gas row is the last of its transaction. */
export function compareActivitiesNewestFirst(a: ActivityKey, b: ActivityKey): number {
  if (a.transactionVersion !== b.transactionVersion) return a.transactionVersion > b.transactionVersion ? -1 : 1;
  return b.eventIndex - a.eventIndex;
}

/** Whether `row` stands strictly after `key` in that order. */
export const isAfterKey = (row: ActivityKey, key: ActivityKey | undefined): boolean =>
  key === undefined || compareActivitiesNewestFirst(key, row) < 0;
