// The filters and the order of the operations, applied to rows that come from a fullnode instead of the indexer.

import { parseAptosAddress } from '../../base/aptosAddress.ts';
import type { Hex } from '../../base/hex.ts';
import { APT_METADATA_ADDRESS } from './address.ts';
import type { CoinActivitiesByOwnerQuery, CollectionFilter, TimeRange } from './aptosSource.ts';
import { getPairedMetadataAddress } from './derivedIds.ts';
import type { ActivityKey, CoinActivity, TokenActivity } from './models.ts';
import { APT_COIN_TYPE, normalizeMoveType } from './moveType.ts';

/** Whole seconds, because records have no fractions: `from` is inclusive, `before` exclusive. */
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

const isWithinSeconds = ({ from, before }: SecondRange, time: Date): boolean =>
  (from === null || time >= from) && (before === null || time < before);

/** The asset types of coins: the coin type and the metadata address of the paired fungible asset; an address is its own. */
export function getAssetTypes(coinTypes: readonly string[]): readonly string[] {
  return [
    ...new Set(
      coinTypes.flatMap(coinType => {
        const asset = parseAptosAddress(coinType.trim());
        if (asset !== null) return asset === APT_METADATA_ADDRESS ? [asset, APT_COIN_TYPE] : [asset];
        const normalized = normalizeMoveType(coinType);
        return [normalized, getPairedMetadataAddress(normalized)];
      }),
    ),
  ];
}

export function createCoinActivityFilter(query: CoinActivitiesByOwnerQuery): (row: CoinActivity) => boolean {
  const seconds = toSecondRange(query);
  const owners = new Set<string | null>(query.owners);
  const included = query.coinTypes === undefined ? null : new Set<string | null>(getAssetTypes(query.coinTypes));
  const excluded = new Set<string | null>(getAssetTypes(query.excludedCoinTypes ?? []));
  return ({ ownerAddress, assetType, transactionTimestamp }) =>
    owners.has(ownerAddress) &&
    (included === null || included.has(assetType)) &&
    !excluded.has(assetType) &&
    isWithinSeconds(seconds, transactionTimestamp);
}

export function createTokenActivityFilter(
  wallets: readonly Hex[],
  { collections, excludedCollections }: CollectionFilter,
): (row: TokenActivity) => boolean {
  const parties = new Set<string | null>(wallets);
  const included = collections === undefined ? null : new Set<string | null>(collections);
  const excluded = new Set<string | null>(excludedCollections ?? []);
  return ({ fromAddress, toAddress, collectionDataIdHash: id }) =>
    (parties.has(fromAddress) || parties.has(toAddress)) &&
    (included === null || included.has(id)) &&
    !excluded.has(id);
}

/** Newest first; the gas fee is the last row of its transaction. */
export function compareActivitiesNewestFirst(a: ActivityKey, b: ActivityKey): number {
  if (a.transactionVersion !== b.transactionVersion) return a.transactionVersion > b.transactionVersion ? -1 : 1;
  return b.eventIndex - a.eventIndex;
}

/** Whether `row` comes strictly after `key` in that order. */
export const isAfterKey = (row: ActivityKey, key: ActivityKey | undefined): boolean =>
  key === undefined || compareActivitiesNewestFirst(key, row) < 0;
