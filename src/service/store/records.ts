// Rows of the index from what a statement selected: the columns that SQLite and PostgreSQL have in common.
import type { Hex } from '../../base/hex.ts';
import { unpackHex, unpackInteger, unpackNftStandard, unpackNumber } from './encoding.ts';
import type { BlockRow, Erc20TransferRow, LocatedTransaction, OwnerRow, TradeRow, TransferRow } from './rows.ts';
import { compareOwnerKeys, type OwnerKey, type PageQuery } from './store.ts';

type ToAddress = (id: number) => Hex;
/** `bigint` columns of PostgreSQL are text. */
type BigInteger = number | string;

export interface BlockRecord {
  readonly number: number;
  readonly hash: Uint8Array;
  readonly parent: Uint8Array;
  readonly time: BigInteger;
}

export const toBlockRow = ({ number, hash, parent, time }: BlockRecord): BlockRow => ({
  number,
  hash: unpackHex(hash),
  parentHash: unpackHex(parent),
  timestamp: Number(time),
});

export interface TransactionRecord {
  readonly block: number;
  readonly tx_index: number;
  readonly tx: Uint8Array;
}

export const toLocatedTransaction = ({ block, tx_index, tx }: TransactionRecord): LocatedTransaction => ({
  blockNumber: block,
  transactionIndex: tx_index,
  transactionHash: unpackHex(tx),
});

interface LogRecord extends TransactionRecord {
  readonly log: BigInteger;
  readonly token: number;
}

const toLogFields = (record: LogRecord, toAddress: ToAddress) => ({
  ...toLocatedTransaction(record),
  place: Number(record.log),
  tokenAddress: toAddress(record.token),
});

export interface Erc20TransferRecord extends LogRecord {
  readonly sender: number;
  readonly recipient: number;
}

export interface TransferRecord extends Erc20TransferRecord {
  readonly position: number;
  readonly token_id: number | Uint8Array;
  readonly standard: number;
  /** 0 or `null` when there is none. */
  readonly operator: number | null;
}

/** `amount` and `value` are encoded differently. */
export const toTransferRow = (
  record: TransferRecord,
  { amount, value }: Pick<TransferRow, 'amount' | 'value'>,
  toAddress: ToAddress,
): TransferRow => ({
  ...toLogFields(record, toAddress),
  batchIndex: record.position,
  tokenId: unpackInteger(record.token_id),
  standard: unpackNftStandard(record.standard),
  from: toAddress(record.sender),
  to: toAddress(record.recipient),
  amount,
  operator: record.operator ? toAddress(record.operator) : null,
  value,
});

export const toErc20TransferRow = (
  record: Erc20TransferRecord,
  amount: bigint,
  toAddress: ToAddress,
): Erc20TransferRow => ({
  ...toLogFields(record, toAddress),
  from: toAddress(record.sender),
  to: toAddress(record.recipient),
  amount,
});

export interface TradeRecord extends LogRecord {
  readonly token_ids: string;
  readonly seller: number;
  readonly buyer: number;
  readonly marketplace: number;
  readonly price: Uint8Array;
}

export const toTradeRow = (record: TradeRecord, toAddress: ToAddress): TradeRow => ({
  ...toLogFields(record, toAddress),
  tokenIds: record.token_ids === '' ? [] : record.token_ids.split(',').map(BigInt),
  seller: toAddress(record.seller),
  buyer: toAddress(record.buyer),
  marketplace: toAddress(record.marketplace),
  price: unpackNumber(record.price),
});

/** Rows of one position have no order in SQL: the page of all rows from the position of `after` on. */
export const getOwnersPage = (rows: OwnerRow[], { limit, after }: PageQuery<OwnerKey>): readonly OwnerRow[] =>
  rows
    .sort(compareOwnerKeys)
    .filter(row => after === undefined || compareOwnerKeys(row, after) > 0)
    .slice(0, limit);
