// The index of one Aptos chain as a port. One store belongs to one chain id and one genesis transaction.
import type { Hex } from '../../../base/hex.ts';
import type {
  AptosSlice,
  BlockCoinQuery,
  CoinTypeQuery,
  CollectionOwnerQuery,
  CreatorQuery,
  WalletCoinQuery,
  WalletOwnershipQuery,
  WalletTokenQuery,
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
import type { PlacedTransaction } from '../transaction.ts';

export interface AptosStoreInfo {
  readonly chainId: number;
  /** Hash of transaction 0; zeros when the node no longer has it. */
  readonly genesisHash: Hex;
}

export interface AptosProgress {
  /** The oldest version of the index: 0 unless the node had pruned more when it was begun. */
  readonly first: bigint;
  /** Everything from `first` up to here, exclusive, is in the index. */
  readonly next: bigint;
  /** Hash of the transaction before `next`; `null` while there is none. */
  readonly hash: string | null;
  /** Its block. */
  readonly height: bigint | null;
}

/** Transactions without gaps from `progress.next` on, all in one write: after a crash either all of them are there or none. */
export interface AptosBatch {
  readonly transactions: readonly PlacedTransaction[];
  readonly next: bigint;
  readonly hash: string | null;
  readonly height: bigint | null;
}

export interface Applied {
  /** Coin activities and token activities. */
  readonly rows: number;
  /** What should have been a row and could not be read, by reason. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** All methods reject with a HexLensError. Reads see whole batches only; rows are newest first, one more than asked says that there are more. */
export interface AptosStore {
  readonly info: AptosStoreInfo;
  progress(): Promise<AptosProgress>;
  /** Reads the transactions by the rules, with what the index knows, and stores their rows. Rejects with `internal`, changing nothing, when another process went on meanwhile. */
  apply(from: bigint, batch: AptosBatch): Promise<Applied>;
  /** Empties the index; it begins at `first` then. */
  clear(first: bigint): Promise<void>;

  coinsByType(query: CoinTypeQuery, slice: AptosSlice<ActivityKey>): Promise<readonly CoinActivity[]>;
  coinsOfWallets(query: WalletCoinQuery, slice: AptosSlice<ActivityKey>): Promise<readonly CoinActivity[]>;
  coinsInBlocks(query: BlockCoinQuery, slice: AptosSlice<ActivityKey>): Promise<readonly CoinActivity[]>;
  tokenTransfers(query: WalletTokenQuery, slice: AptosSlice<ActivityKey>): Promise<readonly TokenActivity[]>;
  tokensByCreators(query: CreatorQuery, slice: AptosSlice<TokenDataKey>): Promise<readonly TokenData[]>;
  collectionOwners(query: CollectionOwnerQuery, slice: AptosSlice<OwnershipKey>): Promise<readonly TokenOwnership[]>;
  walletTokens(query: WalletOwnershipQuery, slice: AptosSlice<OwnershipKey>): Promise<readonly TokenOwnership[]>;
  close(): Promise<void>;
}

/** Opens (and makes, and migrates) the store of a chain. A damaged or newer file is moved aside, said once in the log, and begun anew. */
export type OpenAptosStore = (info: AptosStoreInfo) => Promise<AptosStore>;
