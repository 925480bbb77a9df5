// The index of one chain as three ports: a reader, a writer and the leader lock. SQLite and PostgreSQL implement them.
import { HexLensError } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import {
  type BlockBatch,
  type BlockRow,
  compareLogPositions,
  type Erc20TransferRow,
  type InternalRecipients,
  type LocatedTransaction,
  type LogPosition,
  type MetadataSyncTimes,
  type NftKey,
  type OwnerRow,
  type TokenRow,
  type TradeRow,
  type TransactionPosition,
  type TransactionValue,
  type TransferRow,
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
  readonly contract?: Hex | undefined;
  /** Any of these; not together with `contract`. */
  readonly contracts?: readonly Hex[] | undefined;
  readonly tokenId?: bigint | undefined;
}

export interface OwnerQuery {
  readonly owner?: Hex | undefined;
  readonly contracts?: readonly Hex[] | undefined;
  readonly tokenId?: bigint | undefined;
}

export interface Erc20TransferQuery extends BlockRange {
  /** Sender or receiver. A transfer to oneself is one row. */
  readonly wallet?: Hex | undefined;
  readonly contracts?: readonly Hex[] | undefined;
}

/** Transactions that a wallet sent or received, that created it, or that paid or created it by a call inside them. */
export interface TransactionQuery extends BlockRange {
  readonly wallet: Hex;
}

/** ERC-20 transfers from the zero address. */
export interface MintQuery extends BlockRange {
  readonly contracts?: readonly Hex[] | undefined;
  readonly excludedContracts?: readonly Hex[] | undefined;
  readonly wallets?: readonly Hex[] | undefined;
  readonly excludedWallets?: readonly Hex[] | undefined;
}

export interface TradeQuery {
  readonly contract: Hex;
  /** Unix seconds, inclusive. */
  readonly fromTime: number;
}

/** One page by keyset: rows strictly after this key in the list's order, so that new blocks do not shift later pages. */
export interface PageQuery<Key> {
  readonly limit: number;
  readonly after?: Key | undefined;
}

/** A page of a list that can be read from both ends. */
export interface OrderedPageQuery<Key> extends PageQuery<Key> {
  readonly isOldestFirst?: boolean | undefined;
}

/** Owners are ordered by last change, newest first, then by owner, token and id, so that the order is total. */
export type OwnerKey = Pick<OwnerRow, 'tokenAddress' | 'tokenId' | 'owner' | 'changedAt'>;

const compareValues = (a: string | bigint, b: string | bigint) => (a < b ? -1 : a > b ? 1 : 0);

/** Negative when `a` comes first. */
export function compareOwnerKeys(a: OwnerKey, b: OwnerKey): number {
  return (
    compareLogPositions(b.changedAt, a.changedAt) ||
    compareValues(a.owner, b.owner) ||
    compareValues(a.tokenAddress, b.tokenAddress) ||
    compareValues(a.tokenId, b.tokenId)
  );
}

/** A transfer changes the amounts of at most two owners, so at most this many owner rows share a `changedAt`. */
export const MAX_OWNERS_PER_POSITION = 2;

/** A wallet's collection; ordered by the last change of anything it owns there, newest first. */
export interface CollectionRow {
  readonly tokenAddress: Hex;
  readonly changedAt: LogPosition;
}

/** What a sparse store covers: only what concerns one address, and only the blocks that contain it. */
export interface IndexScope {
  /** NFT and ERC-20 transfers of a contract, those of a wallet, sales of a contract's NFTs. */
  readonly kind: 'contract' | 'wallet' | 'trades';
  readonly address: Hex;
}

export interface StoreInfo {
  readonly chainId: number;
  readonly genesisHash: Hex;
  /** Absent: the store holds the whole chain, block after block. */
  readonly scope?: IndexScope | undefined;
}

/** A name for a scope, as files and tables use it; empty for a whole chain. */
export const getScopeName = (scope: IndexScope | undefined): string =>
  scope === undefined ? '' : `${scope.kind}-${scope.address.toLowerCase()}`;

/** The blocks whose rows are all in the store, both ends inclusive; a sparse store may lack blocks in between. */
export interface Coverage {
  readonly fromBlock: number;
  /** The newest block of the store: its hash tells whether the chain still has it. */
  readonly head: BlockRow;
}

export interface RowCounts {
  readonly transfers: number;
  readonly erc20Transfers: number;
  readonly trades: number;
}

/** Reads see whole batches only. All methods reject with a HexLensError. */
export interface StoreReader {
  readonly info: StoreInfo;
  /** The newest block of the index; `null` when it is empty. */
  readHead(): Promise<BlockRow | null>;
  readBlock(number: number): Promise<BlockRow | null>;
  /** Stored blocks from `fromBlock` downwards, newest first: for finding the common ancestor after a reorg. */
  readBlocksDownFrom(fromBlock: number, limit: number): Promise<readonly BlockRow[]>;
  /** The first block whose timestamp is at or after `time` (Unix seconds); `null` when there is none. */
  readFirstBlockAt(time: number): Promise<BlockRow | null>;
  /** `null` when the store is empty. */
  readCoverage(): Promise<Coverage | null>;

  /** How many rows there are in these blocks, both ends inclusive. */
  countRows(fromBlock: number, toBlock: number): Promise<RowCounts>;
  readTransactions(
    query: TransactionQuery,
    page: OrderedPageQuery<TransactionPosition>,
  ): Promise<readonly LocatedTransaction[]>;
  /** Transactions of which the internal recipients are not known. */
  readUntracedTransactions(
    range: BlockRange,
    page: OrderedPageQuery<TransactionPosition>,
  ): Promise<readonly LocatedTransaction[]>;
  readTransfers(query: TransferQuery, page: OrderedPageQuery<LogPosition>): Promise<readonly TransferRow[]>;
  countTransfers(query: TransferQuery): Promise<number>;
  readOwners(query: OwnerQuery, page: PageQuery<OwnerKey>): Promise<readonly OwnerRow[]>;
  countOwners(query: OwnerQuery): Promise<number>;
  readCollections(owner: Hex, page: PageQuery<CollectionRow>): Promise<readonly CollectionRow[]>;
  countCollections(owner: Hex): Promise<number>;
  /** `batchIndex` of ERC-20 transfers is 0. */
  readErc20Transfers(
    query: Erc20TransferQuery,
    page: OrderedPageQuery<LogPosition>,
  ): Promise<readonly Erc20TransferRow[]>;
  /** Every ERC-20 token that a wallet has sent or received, in no order. */
  readErc20Tokens(wallet: Hex): Promise<readonly Hex[]>;
  readMints(query: MintQuery, page: PageQuery<LogPosition>): Promise<readonly Erc20TransferRow[]>;
  countMints(query: MintQuery): Promise<number>;
  /** The trade with the lowest price; the latest of equal ones. */
  readLowestTrade(query: TradeQuery): Promise<TradeRow | null>;
  readTokens(addresses: readonly Hex[]): Promise<ReadonlyMap<Hex, TokenRow>>;
  /** Those with a name or symbol, the newest in the index first. */
  readNamedTokens(limit: number): Promise<readonly TokenRow[]>;
  /** In any order, without the ids whose metadata was never read. */
  readMetadataSyncs(keys: readonly NftKey[]): Promise<readonly MetadataSyncTimes[]>;

  /**
   * Builds in the background what later reads need; to be called after a load. A read that comes earlier waits for what it
   * needs itself. Never rejects. Absent: there is nothing to build.
   */
  prepareReads?(): Promise<void>;
}

/** All methods reject with a HexLensError. Each is one transaction: a process killed at any instant leaves no part of it. */
export interface StoreWriter {
  /**
   * Appends blocks right behind the head, with their rows, and updates owners to match. Rejects with `internal` when they
   * do not follow the head, changing nothing. A sparse store takes blocks with gaps; there `coveredFrom` must follow the head.
   */
  applyBatch(batch: BlockBatch): Promise<void>;
  /** Removes everything above `block` (-1 removes everything) and restores the owners of that block. */
  rollBackTo(block: number): Promise<void>;
  /** A `null` leaves the stored time unchanged. A rollback does not touch these times: they are no chain data. */
  writeMetadataSyncs(syncs: readonly MetadataSyncTimes[]): Promise<void>;
  /** Fills in missing values only; transactions that are no longer in their block are ignored. */
  writeTransactionValues(values: readonly TransactionValue[]): Promise<void>;
  /** Adds the internal recipients of transactions that were stored without; one that is no longer at its position is ignored. */
  writeInternalRecipients(recipients: readonly InternalRecipients[]): Promise<void>;
}

/** A write was rejected, since another process has taken the leader lock over. */
export class LeadershipLostError extends HexLensError {
  constructor() {
    super('internal', 'Another process has taken over the index of this chain.', { fix: 'Try again in a moment.' });
  }
}

/** Where several processes share one database or folder: the right to write the index of this chain. */
export interface LeaderLock {
  /** Held until the returned function is called or the process ends; `null` while another process holds it. */
  tryAcquire(): Promise<(() => Promise<void>) | null>;
}

export interface Store extends StoreReader, StoreWriter {
  /** `null`: no other process can write this store. */
  readonly leaderLock: LeaderLock | null;
  /** Waits for work in progress and closes the database. */
  close(): Promise<void>;
}

/**
 * Opens the store of a chain, and creates or migrates it. A corrupt file, or one of a newer version, is quarantined with a
 * warning in the log and replaced by an empty one. A store belongs to one genesis hash.
 */
export interface OpenStore {
  (info: StoreInfo): Promise<Store>;
  /** Rejects with the fault of a database that can not be used; absent where there is no server to reach. */
  check?(): Promise<void>;
  /** Closes what `check` has opened; stores are closed on their own. */
  close?(): Promise<void>;
}
