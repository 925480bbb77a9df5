// How wide a column is until somebody drags it, by what it holds, and where it stands.
import type { CellKind, Column } from '../../../panels/table.ts';

const WIDTHS: Readonly<Record<CellKind, number>> = {
  address: 134,
  transaction: 112,
  blockHash: 132,
  block: 96,
  topic: 150,
  method: 126,
  word: 150,
  hex: 132,
  amount: 116,
  coin: 128,
  tokenAmount: 138,
  number: 64,
  time: 148,
  tokenId: 132,
  text: 168,
  flag: 76,
  status: 96,
  json: 220,
  aptos: 140,
};

export const widthOf = ({ kind, label }: Column): number => Math.max(WIDTHS[kind], label.length * 7 + 28);

/** Rules that put column n (`.c<n>`) in its place; the last one takes what is left of `room` unless somebody dragged it. */
export function columnRules(columns: readonly Column[], dragged: ReadonlyMap<string, number>, room: number): string {
  const last = columns.length - 1;
  let left = 0;
  const rules = columns.map((column, at) => {
    const own = dragged.get(column.key);
    const width = own ?? (at === last ? Math.max(widthOf(column), room - left) : widthOf(column));
    const rule = `.c${at}{left:${left}px;width:${width}px}`;
    left += width;
    return rule;
  });
  return `.head,.row,.body{width:${Math.max(left, room)}px}${rules.join('')}`;
}
