// The data source of the Aptos operations: the public indexer with a fullnode, or a local index of a fullnode.
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

/** Both bounds are inclusive and optional. */
export interface TimeRange {
  readonly fromDate?: Date | undefined;
  readonly toDate?: Date | undefined;
}

export interface CoinActivitiesByTypeQuery extends TimeRange {
  /** In any spelling: the source normalizes it and includes the activities of the paired fungible asset. */
  readonly coinType: string;
}

/** Lists are not empty; an absent list does not filter. Exclusion keeps rows whose coin is unknown. */
export interface CoinActivitiesByOwnerQuery extends TimeRange {
  readonly owners: readonly Hex[];
  readonly coinTypes?: readonly string[] | undefined;
  readonly excludedCoinTypes?: readonly string[] | undefined;
}

export interface CoinActivitiesByBlockQuery {
  readonly blockHeights: readonly bigint[];
}

/** Collection ids have 64 digits without `0x`. Exclusion keeps rows whose collection is unknown. */
export interface CollectionFilter {
  readonly collections?: readonly string[] | undefined;
  readonly excludedCollections?: readonly string[] | undefined;
}

export interface TokenActivitiesQuery extends CollectionFilter {
  /** Senders or recipients. */
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

/** At most `limit` rows strictly after the key `after` in the order of the list, without the first `offset` of them. */
export interface AptosPageRequest<Key> {
  readonly limit: number;
  readonly offset: number;
  readonly after?: Key | undefined;
}

export interface AptosPage<Row> {
  /** Newest first. The next page begins after the key of the last row. */
  readonly rows: readonly Row[];
  readonly hasNext: boolean;
  /** Why rows or fields are missing, as one sentence for the user; `null` when the page is complete. */
  readonly partialReason: string | null;
}

/**
 * Methods reject with a `HexLensError`: the faults of node and indexer, `cancelled`, or `not-implemented` for a query that
 * the source cannot answer. When one of two endpoints fails, the page is as complete as possible and has a `partialReason`.
 */
export interface AptosSource {
  getCoinActivitiesByType(
    query: CoinActivitiesByTypeQuery,
    page: AptosPageRequest<ActivityKey>,
    signal?: AbortSignal,
  ): Promise<AptosPage<CoinActivity>>;
  getCoinActivitiesByOwner(
    query: CoinActivitiesByOwnerQuery,
    page: AptosPageRequest<ActivityKey>,
    signal?: AbortSignal,
  ): Promise<AptosPage<CoinActivity>>;
  getCoinActivitiesByBlock(
    query: CoinActivitiesByBlockQuery,
    page: AptosPageRequest<ActivityKey>,
    signal?: AbortSignal,
  ): Promise<AptosPage<CoinActivity>>;
  getTokenActivities(
    query: TokenActivitiesQuery,
    page: AptosPageRequest<ActivityKey>,
    signal?: AbortSignal,
  ): Promise<AptosPage<TokenActivity>>;
  getTokensByCreator(
    query: TokensByCreatorQuery,
    page: AptosPageRequest<TokenDataKey>,
    signal?: AbortSignal,
  ): Promise<AptosPage<TokenData>>;
  getCollectionOwners(
    query: CollectionOwnersQuery,
    page: AptosPageRequest<OwnershipKey>,
    signal?: AbortSignal,
  ): Promise<AptosPage<TokenOwnership>>;
  getOwnedTokens(
    query: OwnedTokensQuery,
    page: AptosPageRequest<OwnershipKey>,
    signal?: AbortSignal,
  ): Promise<AptosPage<TokenOwnership>>;
  /** Aborts requests in progress and closes the local index. */
  stop(): Promise<void>;
}
