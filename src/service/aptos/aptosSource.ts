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

export interface CoinTypeQuery extends TimeRange {
  /** As the caller wrote it; the source normalises it, and finds the paired asset's rows too. */
  readonly coinType: string;
}

/** Lists are never empty: an absent list filters nothing. A blacklist keeps rows whose coin or collection is unknown. */
export interface WalletCoinQuery extends TimeRange {
  readonly owners: readonly Hex[];
  readonly coinTypes?: readonly string[] | undefined;
  readonly notCoinTypes?: readonly string[] | undefined;
}

export interface BlockCoinQuery {
  readonly blockHeights: readonly bigint[];
}

/** Collections are ids of 64 digits without `0x`, as the operations' parameters come. */
export interface CollectionFilter {
  readonly collections?: readonly string[] | undefined;
  readonly notCollections?: readonly string[] | undefined;
}

export interface WalletTokenQuery extends CollectionFilter {
  /** On either side of the transfer. */
  readonly wallets: readonly Hex[];
}

export interface CreatorQuery {
  readonly creators: readonly Hex[];
}

export interface CollectionOwnerQuery {
  readonly collection: string;
  readonly owners?: readonly Hex[] | undefined;
  readonly notOwners?: readonly Hex[] | undefined;
}

export interface WalletOwnershipQuery extends CollectionFilter {
  readonly owners: readonly Hex[];
}

/** At most `limit` rows, strictly after `after` in the list's order, less the first `offset` of those. */
export interface AptosSlice<Key> {
  readonly limit: number;
  readonly offset: number;
  readonly after?: Key | undefined;
}

export interface AptosRows<Row> {
  /** Newest first; the last one's key is where the next page begins. */
  readonly rows: readonly Row[];
  readonly hasNext: boolean;
  /** One sentence for people when this is only a part of what there is, or fields are missing, and why; else `null`. */
  readonly problem: string | null;
}

/**
 * All methods reject with a HexLensError: the source's faults, `cancelled`, `not-implemented` with the fix where it can
 * not serve a query at all. A source that lost one of its two ends serves what it can and says so in `problem`.
 */
export interface AptosSource {
  coinTransfers(
    query: CoinTypeQuery,
    slice: AptosSlice<ActivityKey>,
    signal?: AbortSignal,
  ): Promise<AptosRows<CoinActivity>>;
  walletCoinTransfers(
    query: WalletCoinQuery,
    slice: AptosSlice<ActivityKey>,
    signal?: AbortSignal,
  ): Promise<AptosRows<CoinActivity>>;
  blockCoinTransfers(
    query: BlockCoinQuery,
    slice: AptosSlice<ActivityKey>,
    signal?: AbortSignal,
  ): Promise<AptosRows<CoinActivity>>;
  walletTokenTransfers(
    query: WalletTokenQuery,
    slice: AptosSlice<ActivityKey>,
    signal?: AbortSignal,
  ): Promise<AptosRows<TokenActivity>>;
  tokensByCreators(
    query: CreatorQuery,
    slice: AptosSlice<TokenDataKey>,
    signal?: AbortSignal,
  ): Promise<AptosRows<TokenData>>;
  collectionOwners(
    query: CollectionOwnerQuery,
    slice: AptosSlice<OwnershipKey>,
    signal?: AbortSignal,
  ): Promise<AptosRows<TokenOwnership>>;
  walletTokens(
    query: WalletOwnershipQuery,
    slice: AptosSlice<OwnershipKey>,
    signal?: AbortSignal,
  ): Promise<AptosRows<TokenOwnership>>;
  /** Aborts what is under way, and closes what is open. */
  stop(): Promise<void>;
}
