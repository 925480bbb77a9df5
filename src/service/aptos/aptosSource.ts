// Where the seven Aptos operations get their rows as a port: the indexer with a node, or our own index of a node alone.
import type { Hex } from '../../base/hex.ts';
import type {
  ActivityKey,
  CoinActivity,
  OwnershipKey,
  TokenActivity,
  TokenData,
  TokenDataKey,
  TokenOwnership,
} from './models.ts';

/** Both ends inclusive; absent is open. */
export interface TimeRange {
  readonly fromDate?: Date | undefined;
  readonly toDate?: Date | undefined;
}

export interface CoinActivitiesByTypeQuery extends TimeRange {
  /** As the caller wrote it; the source normalises it, and finds the paired asset's rows too. */
  readonly coinType: string;
}

/** Lists are never empty: an absent list filters nothing. A blacklist keeps rows whose coin or collection is unknown. */
export interface CoinActivitiesByOwnerQuery extends TimeRange {
  readonly owners: readonly Hex[];
  readonly coinTypes?: readonly string[] | undefined;
  readonly excludedCoinTypes?: readonly string[] | undefined;
}

export interface CoinActivitiesByBlockQuery {
  readonly blockHeights: readonly bigint[];
}

/** Collections are ids of 64 digits without `0x`, as the operations' parameters come. */
export interface CollectionFilter {
  readonly collections?: readonly string[] | undefined;
  readonly excludedCollections?: readonly string[] | undefined;
}

export interface TokenActivitiesQuery extends CollectionFilter {
  /** On either side of the transfer. */
  readonly wallets: readonly Hex[];
}

export interface TokensByCreatorQuery {
  readonly creators: readonly Hex[];
}

export interface CollectionOwnersQuery {
  readonly collection: string;
  readonly owners?: readonly Hex[] | undefined;
  readonly excludedOwners?: readonly Hex[] | undefined;
}

export interface OwnedTokensQuery extends CollectionFilter {
  readonly owners: readonly Hex[];
}

/** At most `limit` rows, strictly after `after` in the list's order, less the first `offset` of those. */
export interface AptosPageRequest<Key> {
  readonly limit: number;
  readonly offset: number;
  readonly after?: Key | undefined;
}

export interface AptosPage<Row> {
  /** Newest first; the last one's key is where the next page begins. */
  readonly rows: readonly Row[];
  readonly hasNext: boolean;
  /** One sentence for people when this is only a part of what there is, or fields are missing, and why; else `null`. */
  readonly partialReason: string | null;
}

/**
 * All methods reject with a HexLensError: the source's faults, `cancelled`, `not-implemented` with the fix where it can
 * not serve a query at all. A source that lost one of its two ends serves what it can and says so in `problem`.
 */
export interface AptosSource {
  getCoinActivitiesByType(
    query: CoinActivitiesByTypeQuery,
    slice: AptosPageRequest<ActivityKey>,
    signal?: AbortSignal,
  ): Promise<AptosPage<CoinActivity>>;
  getCoinActivitiesByOwner(
    query: CoinActivitiesByOwnerQuery,
    slice: AptosPageRequest<ActivityKey>,
    signal?: AbortSignal,
  ): Promise<AptosPage<CoinActivity>>;
  getCoinActivitiesByBlock(
    query: CoinActivitiesByBlockQuery,
    slice: AptosPageRequest<ActivityKey>,
    signal?: AbortSignal,
  ): Promise<AptosPage<CoinActivity>>;
  getTokenActivities(
    query: TokenActivitiesQuery,
    slice: AptosPageRequest<ActivityKey>,
    signal?: AbortSignal,
  ): Promise<AptosPage<TokenActivity>>;
  getTokensByCreator(
    query: TokensByCreatorQuery,
    slice: AptosPageRequest<TokenDataKey>,
    signal?: AbortSignal,
  ): Promise<AptosPage<TokenData>>;
  getCollectionOwners(
    query: CollectionOwnersQuery,
    slice: AptosPageRequest<OwnershipKey>,
    signal?: AbortSignal,
  ): Promise<AptosPage<TokenOwnership>>;
  getOwnedTokens(
    query: OwnedTokensQuery,
    slice: AptosPageRequest<OwnershipKey>,
    signal?: AbortSignal,
  ): Promise<AptosPage<TokenOwnership>>;
  /** Aborts what is under way, and closes what is open. */
  stop(): Promise<void>;
}
