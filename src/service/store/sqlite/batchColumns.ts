// A batch as columns of numbers, as a SQLite file stores it: it crosses to another thread in few copies, and what repeats in
// its rows, addresses and transactions, is there once.
import type { Hex } from '../../../base/hex.ts';
import { sortBatchRows, sortTransactions, toTokensWithBlock } from '../batchValidation.ts';
import { isSafeInteger, packHex, packStandard } from '../encoding.ts';
import {
  type BlockBatch,
  compareTransactionPositions,
  type Erc20TransferRow,
  type LocatedTransaction,
  type TransactionRow,
  type TransferRow,
} from '../rows.ts';

/** Integers of up to 256 bits and nulls. */
export interface IntegerColumn {
  readonly small: BigInt64Array;
  /** Those that JavaScript does not read exactly from SQLite, in their order. */
  readonly large: readonly bigint[];
}

/** Of the transactions that the node listed, and of those that only logs name. */
export interface TransactionColumns {
  readonly block: Float64Array;
  readonly index: Int32Array;
  /** 32 bytes each. */
  readonly hash: Uint8Array;
  /** An index of `addresses`, -1 where only logs name the transaction. */
  readonly sender: Int32Array;
  /** The same, also -1 where a creation failed. */
  readonly recipient: Int32Array;
  readonly traced: Uint8Array;
  readonly value: IntegerColumn;
}

export interface Erc20TransferColumns {
  /** An index of `transactions`. */
  readonly transaction: Int32Array;
  readonly place: Float64Array;
  /** Indexes of `addresses`. */
  readonly token: Int32Array;
  readonly sender: Int32Array;
  readonly recipient: Int32Array;
  readonly amount: IntegerColumn;
}

export interface TransferColumns extends Erc20TransferColumns {
  readonly batchIndex: Int32Array;
  readonly tokenId: IntegerColumn;
  readonly standard: Uint8Array;
  /** An index of `addresses`; -1: none. */
  readonly operator: Int32Array;
}

export interface BatchColumns extends Pick<BlockBatch, 'coveredFrom' | 'blocks' | 'trades'> {
  readonly addresses: readonly Hex[];
  readonly transactions: TransactionColumns;
  /** Pairs: an index of `transactions`, and one of `addresses`. */
  readonly internalRecipients: readonly number[];
  readonly transfers: TransferColumns;
  readonly erc20Transfers: Erc20TransferColumns;
  readonly tokens: ReturnType<typeof toTokensWithBlock>;
}

/** Throws `internal` for rows outside of the blocks, or two at one position. */
export function toBatchColumns(batch: BlockBatch): BatchColumns {
  const firstBlock = batch.blocks[0]?.number ?? 0;
  const lastBlock = batch.blocks.at(-1)?.number ?? -1;
  const transfers = sortBatchRows('transfer', batch.transfers, firstBlock, lastBlock);
  const erc20Transfers = sortBatchRows('ERC-20 transfer', batch.erc20Transfers, firstBlock, lastBlock);
  const transactions = new TransactionList(sortTransactions(batch.transactions, firstBlock, lastBlock));
  const addresses = new AddressList();
  const transfersWithoutOrder = toTransferColumns(transfers, transactions, addresses);
  const erc20WithoutOrder = toErc20Columns(erc20Transfers, transactions, addresses);
  const { rows, places } = transactions.sort();
  const inOrder = <Columns extends Erc20TransferColumns>(columns: Columns): Columns =>
    places === null
      ? columns
      : { ...columns, transaction: columns.transaction.map(transaction => places[transaction] ?? 0) };
  return {
    coveredFrom: batch.coveredFrom,
    blocks: batch.blocks,
    trades: sortBatchRows('trade', batch.trades, firstBlock, lastBlock),
    transfers: inOrder(transfersWithoutOrder),
    erc20Transfers: inOrder(erc20WithoutOrder),
    ...toTransactionColumns(rows, addresses),
    tokens: toTokensWithBlock(batch),
    addresses: addresses.list,
  };
}

/** Each address once. */
class AddressList {
  readonly list: Hex[] = [];
  readonly #indexes = new Map<Hex, number>();

  getIndex(address: Hex | null): number {
    if (address === null) return -1;
    const known = this.#indexes.get(address);
    if (known !== undefined) return known;
    this.#indexes.set(address, this.list.length);
    return this.list.push(address) - 1;
  }
}

interface ListedTransaction extends LocatedTransaction {
  /** `null`: only logs name it. */
  readonly row: TransactionRow | null;
  value: bigint | null;
}

/** Each transaction once. Logs may name one at another index than the node lists it: then both are there. */
class TransactionList {
  readonly #list: ListedTransaction[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #listedCount: number;
  /** That of the row before, since many rows in a row have the same. */
  #last = -1;

  /** @param rows In the order of the chain. */
  constructor(rows: readonly TransactionRow[]) {
    for (const row of rows) this.#add(row, row);
    this.#listedCount = rows.length;
  }

  getIndex(row: LocatedTransaction): number {
    if (!isSameTransaction(this.#list[this.#last], row)) this.#last = this.#find(row);
    return this.#last;
  }

  addValue(index: number, value: bigint | null): void {
    const transaction = this.#list[index];
    if (transaction !== undefined && value !== null) transaction.value ??= value;
  }

  /** In the order of the chain, with the place of each index in it; `null`: where it was. */
  sort(): { readonly rows: readonly ListedTransaction[]; readonly places: Int32Array | null } {
    const list = this.#list;
    if (list.length === this.#listedCount) return { rows: list, places: null };
    const order = list.map((_, index) => index);
    order.sort((a, b) => compareTransactionPositions(list[a] as LocatedTransaction, list[b] as LocatedTransaction));
    const places = new Int32Array(list.length);
    for (const [place, index] of order.entries()) places[index] = place;
    return { rows: order.map(index => list[index] as ListedTransaction), places };
  }

  #find(row: LocatedTransaction): number {
    const byHash = this.#indexes.get(row.transactionHash);
    if (byHash !== undefined && isSameTransaction(this.#list[byHash], row)) return byHash;
    return this.#indexes.get(getPlaceKey(row)) ?? this.#add(row, null);
  }

  #add(located: LocatedTransaction, row: TransactionRow | null): number {
    const { blockNumber, transactionIndex, transactionHash } = located;
    const index = this.#list.push({ blockNumber, transactionIndex, transactionHash, row, value: null }) - 1;
    this.#indexes.set(this.#indexes.has(transactionHash) ? getPlaceKey(located) : transactionHash, index);
    return index;
  }
}

const isSameTransaction = (a: LocatedTransaction | undefined, b: LocatedTransaction): boolean =>
  a?.transactionHash === b.transactionHash && compareTransactionPositions(a, b) === 0;

const getPlaceKey = ({ blockNumber, transactionIndex, transactionHash }: LocatedTransaction): string =>
  `${transactionHash} ${blockNumber} ${transactionIndex}`;

function toErc20Columns(
  rows: readonly Omit<Erc20TransferRow, 'batchIndex'>[],
  transactions: TransactionList,
  addresses: AddressList,
): Erc20TransferColumns {
  const columns = {
    transaction: new Int32Array(rows.length),
    place: new Float64Array(rows.length),
    token: new Int32Array(rows.length),
    sender: new Int32Array(rows.length),
    recipient: new Int32Array(rows.length),
    amount: toIntegerColumn(rows, row => row.amount),
  };
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] as Erc20TransferRow;
    columns.transaction[index] = transactions.getIndex(row);
    columns.place[index] = row.place;
    columns.token[index] = addresses.getIndex(row.tokenAddress);
    columns.sender[index] = addresses.getIndex(row.from);
    columns.recipient[index] = addresses.getIndex(row.to);
  }
  return columns;
}

function toTransferColumns(
  rows: readonly TransferRow[],
  transactions: TransactionList,
  addresses: AddressList,
): TransferColumns {
  const columns = {
    ...toErc20Columns(rows, transactions, addresses),
    batchIndex: new Int32Array(rows.length),
    tokenId: toIntegerColumn(rows, row => row.tokenId),
    standard: new Uint8Array(rows.length),
    operator: new Int32Array(rows.length),
  };
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] as TransferRow;
    columns.batchIndex[index] = row.batchIndex;
    columns.standard[index] = packStandard(row.standard);
    columns.operator[index] = addresses.getIndex(row.operator);
    if (row.value !== null) transactions.addValue(columns.transaction[index] ?? -1, row.value);
  }
  return columns;
}

function toTransactionColumns(
  list: readonly ListedTransaction[],
  addresses: AddressList,
): Pick<BatchColumns, 'transactions' | 'internalRecipients'> {
  const transactions = {
    block: new Float64Array(list.length),
    index: new Int32Array(list.length),
    hash: new Uint8Array(32 * list.length),
    sender: new Int32Array(list.length).fill(-1),
    recipient: new Int32Array(list.length).fill(-1),
    traced: new Uint8Array(list.length).fill(1),
    value: toIntegerColumn(list, ({ value }) => value),
  };
  const internalRecipients: number[] = [];
  for (const [index, { blockNumber, transactionIndex, transactionHash, row }] of list.entries()) {
    transactions.block[index] = blockNumber;
    transactions.index[index] = transactionIndex;
    transactions.hash.set(packHex(transactionHash, 32), 32 * index);
    if (row === null) continue;
    transactions.sender[index] = addresses.getIndex(row.from);
    transactions.recipient[index] = addresses.getIndex(row.to);
    if (row.internalRecipients === null) transactions.traced[index] = 0;
    for (const recipient of row.internalRecipients ?? []) internalRecipients.push(index, addresses.getIndex(recipient));
  }
  return { transactions, internalRecipients };
}

const NULL = -1n;
const LARGE = -2n;

function toIntegerColumn<Row>(rows: readonly Row[], getValue: (row: Row) => bigint | null): IntegerColumn {
  const small = new BigInt64Array(rows.length);
  const large: bigint[] = [];
  for (let index = 0; index < rows.length; index++) {
    const value = getValue(rows[index] as Row);
    if (value === null) small[index] = NULL;
    else if (isSafeInteger(value)) small[index] = value;
    else {
      small[index] = LARGE;
      large.push(value);
    }
  }
  return { small, large };
}

/** Reads a column in order: each value, and as SQLite stores it. */
export class IntegerReader {
  readonly #column: IntegerColumn;
  #next = 0;
  #nextLarge = 0;

  constructor(column: IntegerColumn) {
    this.#column = column;
  }

  readValue(): bigint | null {
    const value = this.#column.small[this.#next++] ?? NULL;
    if (value >= 0n) return value;
    return value === LARGE ? (this.#column.large[this.#nextLarge++] ?? 0n) : null;
  }
}
