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

/** The lists: what each is filtered by, its rows, and the keys of its pages. */
export interface AptosLists {
  coinActivitiesByType: { query: CoinActivitiesByTypeQuery; row: CoinActivity; key: ActivityKey };
  coinActivitiesByOwner: { query: CoinActivitiesByOwnerQuery; row: CoinActivity; key: ActivityKey };
  coinActivitiesByBlock: { query: CoinActivitiesByBlockQuery; row: CoinActivity; key: ActivityKey };
  tokenActivities: { query: TokenActivitiesQuery; row: TokenActivity; key: ActivityKey };
  tokensByCreator: { query: TokensByCreatorQuery; row: TokenData; key: TokenDataKey };
  collectionOwners: { query: CollectionOwnersQuery; row: TokenOwnership; key: OwnershipKey };
  ownedTokens: { query: OwnedTokensQuery; row: TokenOwnership; key: OwnershipKey };
}

export type AptosListName = keyof AptosLists;
export type AptosQuery<Name extends AptosListName> = AptosLists[Name]['query'];
export type AptosRow<Name extends AptosListName> = AptosLists[Name]['row'];
export type AptosKey<Name extends AptosListName> = AptosLists[Name]['key'];

export interface AptosSource {
  /**
   * Rejects with a `HexLensError`: the faults of node and indexer, `cancelled`, or `not-implemented` for a query that the
   * source cannot answer. When one of two endpoints fails, the page is as complete as possible and has a `partialReason`.
   */
  fetchPage<Name extends AptosListName>(
    list: Name,
    query: AptosQuery<Name>,
    page: AptosPageRequest<AptosKey<Name>>,
    signal?: AbortSignal,
  ): Promise<AptosPage<AptosRow<Name>>>;
  /** Aborts requests in progress and closes the local index. */
  stop(): Promise<void>;
}
