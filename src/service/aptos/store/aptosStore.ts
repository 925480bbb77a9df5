// The index of one Aptos chain as a port. One store belongs to one chain id and one genesis transaction.
import type { Hex } from '../../../base/hex.ts';
import type {
  AptosPageRequest,
  CoinActivitiesByBlockQuery,
  CoinActivitiesByOwnerQuery,
  CoinActivitiesByTypeQuery,
  CollectionOwnersQuery,
  OwnedTokensQuery,
  TokenActivitiesQuery,
  TokensByCreatorQuery,
} from '../aptosSource.ts';
import type {
  ActivityKey,
  CoinActivity,
  OwnershipKey,
  TokenActivity,
  TokenData,
  TokenDataKey,
  TokenOwnership,
} from '../models.ts';
import type { TransactionInBlock } from '../transaction.ts';

export interface AptosStoreInfo {
  readonly chainId: number;
  /** Hash of transaction 0; zeros when the node no longer has it. */
  readonly genesisHash: Hex;
}

export interface AptosProgress {
  /** The oldest version of the index: 0 unless the node had pruned more when it was begun. */
  readonly firstVersion: bigint;
  /** Everything from `first` up to here, exclusive, is in the index. */
  readonly nextVersion: bigint;
  /** Hash of the transaction before `next`; `null` while there is none. */
  readonly lastHash: string | null;
  /** Its block. */
  readonly lastBlockHeight: bigint | null;
}

/** Transactions without gaps from `progress.next` on, all in one write: after a crash either all of them are there or none. */
export interface AptosBatch {
  readonly transactions: readonly TransactionInBlock[];
  readonly nextVersion: bigint;
  readonly lastHash: string | null;
  readonly lastBlockHeight: bigint | null;
}

export interface BatchResult {
  /** Coin activities and token activities. */
  readonly activityCount: number;
  /** What should have been a row and could not be read, by reason. */
  readonly skipped: ReadonlyMap<string, number>;
}

/** All methods reject with a HexLensError. Reads see whole batches only; rows are newest first, one more than asked says that there are more. */
export interface AptosStore {
  readonly info: AptosStoreInfo;
  readProgress(): Promise<AptosProgress>;
  /** Reads the transactions by the rules, with what the index knows, and stores their rows. Rejects with `internal`, changing nothing, when another process went on meanwhile. */
  writeBatch(from: bigint, batch: AptosBatch): Promise<BatchResult>;
  /** Empties the index; it begins at `first` then. */
  clear(first: bigint): Promise<void>;

  queryCoinActivitiesByType(
    query: CoinActivitiesByTypeQuery,
    slice: AptosPageRequest<ActivityKey>,
  ): Promise<readonly CoinActivity[]>;
  queryCoinActivitiesByOwner(
    query: CoinActivitiesByOwnerQuery,
    slice: AptosPageRequest<ActivityKey>,
  ): Promise<readonly CoinActivity[]>;
  queryCoinActivitiesByBlock(
    query: CoinActivitiesByBlockQuery,
    slice: AptosPageRequest<ActivityKey>,
  ): Promise<readonly CoinActivity[]>;
  queryTokenActivities(
    query: TokenActivitiesQuery,
    slice: AptosPageRequest<ActivityKey>,
  ): Promise<readonly TokenActivity[]>;
  queryTokensByCreator(
    query: TokensByCreatorQuery,
    slice: AptosPageRequest<TokenDataKey>,
  ): Promise<readonly TokenData[]>;
  queryCollectionOwners(
    query: CollectionOwnersQuery,
    slice: AptosPageRequest<OwnershipKey>,
  ): Promise<readonly TokenOwnership[]>;
  queryOwnedTokens(query: OwnedTokensQuery, slice: AptosPageRequest<OwnershipKey>): Promise<readonly TokenOwnership[]>;
  close(): Promise<void>;
}

/** Opens (and makes, and migrates) the store of a chain. A damaged or newer file is moved aside, said once in the log, and begun anew. */
export type OpenAptosStore = (info: AptosStoreInfo) => Promise<AptosStore>;
