// What the index stores of a chain: blocks, transactions, NFT transfers and owners, ERC-20 transfers, trades, token contracts.
import type { Hex } from '../../base/hex.ts';

/** Nodes of some chains number logs beyond those of a block, up to 32 bits. */
export const MAX_LOG_INDEX = 0xffff_ffff;
const LOG_INDEX_COUNT = MAX_LOG_INDEX + 1;
export const MAX_LOG_PLACE = Number.MAX_SAFE_INTEGER;
/** As the `integer` of PostgreSQL. */
export const MAX_BATCH_INDEX = 0x7fff_ffff;
export const MAX_TRANSACTION_INDEX = 0x7fff_ffff;

/**
 * The places of logs in their transaction, of which these are the log indexes in the order of its receipt. Most nodes number
 * the logs of a block, Sei and Cosmos chains those of each transaction: there the place is the log index. VeChain numbers
 * those of each clause of a transaction, so that log indexes repeat: there the place begins with that in the receipt.
 */
export const getLogPlaces = (logIndexes: readonly number[]): readonly number[] =>
  logIndexes.every((logIndex, at) => at === 0 || logIndex > (logIndexes[at - 1] ?? 0))
    ? logIndexes
    : logIndexes.map((logIndex, at) => (at + 1) * LOG_INDEX_COUNT + logIndex);

/** The log index as the node says it. */
export const getLogIndex = (place: number): number => place % LOG_INDEX_COUNT;

/** The position of a log in a chain. Newest first is descending in all four. */
export interface LogPosition {
  readonly blockNumber: number;
  readonly transactionIndex: number;
  /** See {@link getLogPlaces}. */
  readonly place: number;
  /** Index of the id within an ERC-1155 batch transfer; 0 for other logs. */
  readonly batchIndex: number;
}

/** A row of a log that moves a single id needs no batch index. */
export type HasLogPosition = Omit<LogPosition, 'batchIndex'> & Partial<Pick<LogPosition, 'batchIndex'>>;

/** Negative when `a` is earlier in the chain. */
export function compareLogPositions(a: HasLogPosition, b: HasLogPosition): number {
  return compareTransactionPositions(a, b) || a.place - b.place || (a.batchIndex ?? 0) - (b.batchIndex ?? 0);
}

/** In all rows, addresses and hashes are lower-case hex and times are Unix seconds, unless the name says otherwise. */
export interface BlockRow {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly timestamp: number;
}

/** Newest first is descending in both. */
export interface TransactionPosition {
  readonly blockNumber: number;
  readonly transactionIndex: number;
}

/** Negative when `a` is earlier in the chain. */
export const compareTransactionPositions = (a: TransactionPosition, b: TransactionPosition): number =>
  a.blockNumber - b.blockNumber || a.transactionIndex - b.transactionIndex;

/** A transaction by its place in the chain. */
export interface LocatedTransaction extends TransactionPosition {
  readonly transactionHash: Hex;
}

/** What the calls inside a transaction paid and created. */
export interface InternalRecipients extends LocatedTransaction {
  /** Each once, without the sender and the recipient of the transaction. */
  readonly internalRecipients: readonly Hex[];
}

/** A transaction with the addresses that it concerns. */
export interface TransactionRow extends LocatedTransaction {
  readonly from: Hex;
  /** The recipient, or the contract that it created; `null` when a creation failed. */
  readonly to: Hex | null;
  /** `null` when the calls inside it were not read. */
  readonly internalRecipients: readonly Hex[] | null;
}

export type NftStandard = 'ERC721' | 'ERC1155' | 'CRYPTOPUNKS';

/** One id moved by one log. Mints come from the zero address, burns go to it. */
export interface TransferRow extends LogPosition {
  readonly transactionHash: Hex;
  readonly tokenAddress: Hex;
  readonly tokenId: bigint;
  readonly standard: NftStandard;
  readonly from: Hex;
  readonly to: Hex;
  readonly amount: bigint;
  /** ERC-1155 only. */
  readonly operator: Hex | null;
  /** Native value of the whole transaction; `null` when it was not read yet. */
  readonly value: bigint | null;
}

/** The native value of a whole transaction, for transfers that were stored without it. */
export interface TransactionValue {
  readonly blockNumber: number;
  readonly transactionHash: Hex;
  readonly value: bigint;
}

/** What an owner holds of one id; never zero, and never the zero address. */
export interface OwnerRow {
  readonly tokenAddress: Hex;
  readonly tokenId: bigint;
  readonly standard: NftStandard;
  readonly owner: Hex;
  readonly amount: bigint;
  /** The last transfer that changed this owner's balance of the id. */
  readonly changedAt: LogPosition;
  /** Block of the id's first mint; `null` when the index has no mint of it. */
  readonly mintedBlock: number | null;
}

/** ERC-20 tokens moved by one log. Mints come from the zero address, burns go to it. */
export interface Erc20TransferRow
  extends Omit<LogPosition, 'batchIndex'>,
    Pick<TransferRow, 'transactionHash' | 'tokenAddress' | 'from' | 'to' | 'amount'> {}

/** A sale paid in the native coin only. */
export interface TradeRow extends Omit<LogPosition, 'batchIndex'> {
  readonly transactionHash: Hex;
  readonly tokenAddress: Hex;
  readonly tokenIds: readonly bigint[];
  readonly seller: Hex;
  readonly buyer: Hex;
  readonly marketplace: Hex;
  /** Everything that was paid, fees and royalties included. */
  readonly price: bigint;
}

/** A token contract as it described itself when it was first seen; untrusted text, cut to 256 characters. */
export interface TokenRow {
  readonly tokenAddress: Hex;
  readonly standard: NftStandard | 'ERC20';
  readonly name: string | null;
  readonly symbol: string | null;
  /** ERC-20 only. */
  readonly decimals: number | null;
}

/** One id of one contract. */
export interface NftKey {
  readonly tokenAddress: Hex;
  readonly tokenId: bigint;
}

/** One string for each {@link NftKey}, for maps and sets. */
export const serializeNftKey = ({ tokenAddress, tokenId }: NftKey): string => `${tokenAddress} ${tokenId}`;

/** When the URI and the document of an id's metadata were last read, in Unix milliseconds; `null`: never. */
export interface MetadataSyncTimes extends NftKey {
  readonly tokenUriSyncedAt: number | null;
  readonly metadataSyncedAt: number | null;
}

/** A run of blocks without gaps, stored in one transaction. */
export interface BlockBatch {
  /**
   * In a sparse store only: the batch has everything in scope from this block up to the last of `blocks`, and `blocks`
   * has only those that have rows. Their `parentHash` is meaningless.
   */
  readonly coveredFrom?: number | undefined;
  readonly blocks: readonly BlockRow[];
  /** None in a sparse store. */
  readonly transactions: readonly TransactionRow[];
  readonly transfers: readonly TransferRow[];
  readonly erc20Transfers: readonly Erc20TransferRow[];
  readonly trades: readonly TradeRow[];
  readonly tokens: readonly TokenRow[];
}
