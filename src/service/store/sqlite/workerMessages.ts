// A batch as lists of one column each: crossing to another thread, it costs a third of what lists of rows cost.
import type { BlockBatch } from '../rows.ts';

type Columns<Row> = { readonly [Key in keyof Row]: readonly Row[Key][] };

/** Blocks, transfers and mints are many; of trades and tokens there are few. */
export interface EncodedBatch extends Pick<BlockBatch, 'coveredFrom' | 'trades' | 'tokens'> {
  readonly blocks: Columns<BlockBatch['blocks'][number]> | null;
  readonly transfers: Columns<BlockBatch['transfers'][number]> | null;
  readonly mints: Columns<BlockBatch['mints'][number]> | null;
}

export function encodeBatch({ blocks, transfers, mints, trades, tokens, coveredFrom }: BlockBatch): EncodedBatch {
  return {
    coveredFrom,
    blocks: columnsOf(blocks),
    transfers: columnsOf(transfers),
    mints: columnsOf(mints),
    trades,
    tokens,
  };
}

export function decodeBatch({ blocks, transfers, mints, ...rest }: EncodedBatch): BlockBatch {
  return { ...rest, blocks: rowsOf(blocks), transfers: rowsOf(transfers), mints: rowsOf(mints) };
}

/** `null` when there are no rows. Every row has the keys of the first. */
function columnsOf<Row extends object>(rows: readonly Row[]): Columns<Row> | null {
  const [first] = rows;
  if (first === undefined) return null;
  const columns: { [Key in keyof Row]?: readonly Row[Key][] } = {};
  for (const key of Object.keys(first) as (keyof Row)[]) columns[key] = rows.map(row => row[key]);
  return columns as Columns<Row>;
}

function rowsOf<Row extends object>(columns: Columns<Row> | null): readonly Row[] {
  if (columns === null) return [];
  const entries = Object.entries(columns) as [keyof Row, readonly Row[keyof Row][]][];
  return Array.from({ length: entries[0]?.[1].length ?? 0 }, (_, index) => {
    const row: Partial<Row> = {};
    for (const [key, values] of entries) row[key] = values[index] as Row[keyof Row];
    return row as Row;
  });
}
