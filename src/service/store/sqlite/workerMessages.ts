// What crosses to the worker thread of a SQLite file and back: tasks, batches column by column, and errors.
import type { BlockBatch } from '../rows.ts';
import type { StoreInfo } from '../store.ts';

/** One statement, or a batch for the index of this chain. */
export type SqliteTask = { readonly sql: string } | { readonly info: StoreInfo; readonly batch: EncodedBatch };

/** The parts of an error that cross threads. */
export interface SqliteTaskError {
  readonly message: string;
  readonly code: unknown;
  readonly errcode: unknown;
  /** Whether it was a HexLensError: the index rejected the batch. */
  readonly isRejection: boolean;
}

/** `null`: the task is done. */
export type SqliteTaskResult = SqliteTaskError | null;

type Columns<Row> = { readonly [Key in keyof Row]: readonly Row[Key][] };

/** A batch as one list per column: cloning it to another thread costs a third of cloning rows. Trades and tokens are few. */
export interface EncodedBatch extends Pick<BlockBatch, 'coveredFrom' | 'trades' | 'tokens'> {
  readonly blocks: Columns<BlockBatch['blocks'][number]> | null;
  readonly transactions: Columns<BlockBatch['transactions'][number]> | null;
  readonly transfers: Columns<BlockBatch['transfers'][number]> | null;
  readonly erc20Transfers: Columns<BlockBatch['erc20Transfers'][number]> | null;
}

export function encodeBatch({
  blocks,
  transactions,
  transfers,
  erc20Transfers,
  trades,
  tokens,
  coveredFrom,
}: BlockBatch): EncodedBatch {
  return {
    coveredFrom,
    blocks: toColumns(blocks),
    transactions: toColumns(transactions),
    transfers: toColumns(transfers),
    erc20Transfers: toColumns(erc20Transfers),
    trades,
    tokens,
  };
}

export function decodeBatch({ blocks, transactions, transfers, erc20Transfers, ...rest }: EncodedBatch): BlockBatch {
  return {
    ...rest,
    blocks: toRows(blocks),
    transactions: toRows(transactions),
    transfers: toRows(transfers),
    erc20Transfers: toRows(erc20Transfers),
  };
}

/** `null` when there are no rows. Every row has the keys of the first. */
function toColumns<Row extends object>(rows: readonly Row[]): Columns<Row> | null {
  const [first] = rows;
  if (first === undefined) return null;
  const columns: { [Key in keyof Row]?: readonly Row[Key][] } = {};
  for (const key of Object.keys(first) as (keyof Row)[]) columns[key] = rows.map(row => row[key]);
  return columns as Columns<Row>;
}

function toRows<Row extends object>(columns: Columns<Row> | null): readonly Row[] {
  if (columns === null) return [];
  const entries = Object.entries(columns) as [keyof Row, readonly Row[keyof Row][]][];
  return Array.from({ length: entries[0]?.[1].length ?? 0 }, (_, index) => {
    const row: Partial<Row> = {};
    for (const [key, values] of entries) row[key] = values[index] as Row[keyof Row];
    return row as Row;
  });
}
