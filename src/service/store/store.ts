// The index of one chain as a port: two databases behind one suite of tests. One store belongs to one genesis hash.
import type { Hex } from '../../base/hex.ts';
import type {
  BlockBatch,
  BlockRow,
  LogPosition,
  MetadataSyncTimes,
  MintRow,
  NftKey,
  OwnerRow,
  TokenRow,
  TradeRow,
  TransactionValue,
  TransferRow,
} from './rows.ts';

/** Both ends inclusive; absent is open. */
export interface BlockRange {
  readonly fromBlock?: number | undefined;
  readonly toBlock?: number | undefined;
}

export interface TransferQuery extends BlockRange {
  readonly wallet?: Hex | undefined;
  /** Which side the wallet is on; both when absent. A transfer to oneself is one row. */
  readonly direction?: 'both' | 'from' | 'to' | undefined;
  readonly token?: Hex | undefined;
  readonly tokenId?: bigint | undefined;
}

export interface OwnerQuery {
  readonly owner?: Hex | undefined;
  readonly tokens?: readonly Hex[] | undefined;
  readonly tokenId?: bigint | undefined;
}

export interface MintQuery extends BlockRange {
  readonly tokens?: readonly Hex[] | undefined;
  readonly excludedTokens?: readonly Hex[] | undefined;
  readonly wallets?: readonly Hex[] | undefined;
  readonly excludedWallets?: readonly Hex[] | undefined;
}

export interface TradeQuery {
  readonly token: Hex;
  /** Unix seconds, inclusive. */
  readonly fromTime: number;
  /** Only these contracts; any when absent. */
  readonly marketplaces?: readonly Hex[] | undefined;
}

/** Keyset: rows strictly after this place in the list's order; nothing shifts while blocks arrive. */
export interface PageQuery<Key> {
  readonly limit: number;
  readonly after?: Key | undefined;
}

/** Owners are ordered by last change, newest first, then by owner, token and id, so that the order is total. */
export interface OwnerKey {
  readonly changedAt: LogPosition;
  readonly owner: Hex;
  readonly token: Hex;
  readonly tokenId: bigint;
}

/** A wallet's collection; ordered by the last change of anything it owns there, newest first. */
export interface CollectionRow {
  readonly token: Hex;
  readonly changedAt: LogPosition;
}

/** What a sparse store is about: it holds of the chain what concerns one address only, and the blocks of that. */
export interface IndexScope {
  /** NFT transfers of a contract, NFT transfers of a wallet, sales of a contract's NFTs. */
  readonly kind: 'contract' | 'wallet' | 'trades';
  readonly address: Hex;
}

export interface StoreInfo {
  readonly chainId: number;
  readonly genesisHash: Hex;
  /** Absent: the store holds the chain whole, block after block. */
  readonly scope?: IndexScope | undefined;
}

/** One word for a subject; the empty one for a whole chain. */
export const getScopeName = (subject: IndexScope | undefined): string =>
  subject === undefined ? '' : `${subject.kind}-${subject.address.toLowerCase()}`;

/** The blocks whose rows are all in the store, both ends inclusive; blocks in between may be missing in a sparse one. */
export interface Coverage {
  readonly fromBlock: number;
  /** The newest block of the store: its hash tells whether the chain still has it. */
  readonly head: BlockRow;
}

/**
 * All methods reject with a HexLensError. Reads see whole batches only. `apply` keeps owners in step with transfers in
 * the same transaction: killed at any instant, the two never disagree.
 */
export interface Store {
  readonly info: StoreInfo;

  /** The newest block of the index; `null` when it is empty. */
  readHead(): Promise<BlockRow | null>;
  readBlock(number: number): Promise<BlockRow | null>;
  /** Stored blocks from `fromBlock` on downwards, newest first: for finding the common ancestor after a reorg. */
  readBlocksDownFrom(fromBlock: number, limit: number): Promise<readonly BlockRow[]>;
  /** The first block whose time is at or after `time`; `null` when there is none. */
  readFirstBlockAt(time: number): Promise<BlockRow | null>;

  /** `null` when the store is empty. */
  readCoverage(): Promise<Coverage | null>;

  /**
   * Appends blocks right behind the head. Rejects with `internal` when they do not follow it, changing nothing. A sparse
   * store takes blocks with gaps: what must follow the head is `coveredFrom`.
   */
  applyBatch(batch: BlockBatch): Promise<void>;
  /** Takes back everything above `block` (-1 takes back everything), owners included, in one transaction. */
  rollBackTo(block: number): Promise<void>;

  queryTransfers(query: TransferQuery, slice: PageQuery<LogPosition>): Promise<readonly TransferRow[]>;
  countTransfers(query: TransferQuery): Promise<number>;
  queryOwners(query: OwnerQuery, slice: PageQuery<OwnerKey>): Promise<readonly OwnerRow[]>;
  countOwners(query: OwnerQuery): Promise<number>;
  queryCollections(owner: Hex, slice: PageQuery<CollectionRow>): Promise<readonly CollectionRow[]>;
  countCollections(owner: Hex): Promise<number>;
  /** `position` of mints is 0. */
  queryMints(query: MintQuery, slice: PageQuery<LogPosition>): Promise<readonly MintRow[]>;
  countMints(query: MintQuery): Promise<number>;
  /** The trade with the lowest price; of equal ones the latest. */
  queryLowestTrade(query: TradeQuery): Promise<TradeRow | null>;
  readTokens(addresses: readonly Hex[]): Promise<ReadonlyMap<Hex, TokenRow>>;

  /** In any order; ids of which nothing was read are left out. */
  readMetadataSyncs(keys: readonly NftKey[]): Promise<readonly MetadataSyncTimes[]>;
  /** What is `null` stays as it was. Blocks that are taken back leave this as it is: it says nothing about the chain. */
  writeMetadataSyncs(syncs: readonly MetadataSyncTimes[]): Promise<void>;

  /** Transfers that have a value keep it; transactions that are not in their block any more are passed over. */
  writeTransactionValues(values: readonly TransactionValue[]): Promise<void>;

  /**
   * Where several processes may share one database or folder: the right to follow the chain, until the function is called
   * or the process ends; `null` while another one has it. Absent: nobody else writes.
   */
  acquireLeaderLock?(): Promise<(() => Promise<void>) | null>;

  /**
   * A load is over: makes what later reads need, in the background. A read before that waits for what it needs itself.
   * Never rejects. Absent: there is nothing to make.
   */
  prepareReads?(): Promise<void>;

  /** Ends what is under way and closes the file. */
  close(): Promise<void>;
}

/** Opens (and makes, and migrates) the store of a chain. A damaged or newer one is moved aside, said once in the log, and begun anew. */
export type OpenStore = (info: StoreInfo) => Promise<Store>;
