// How wide a column is until somebody drags it, by what it holds.
import type { CellKind, Column } from '../../../panels/table.ts';

const WIDTHS: Readonly<Record<CellKind, number>> = {
  address: 142,
  transaction: 122,
  blockHash: 132,
  block: 96,
  topic: 150,
  method: 126,
  word: 150,
  hex: 132,
  amount: 116,
  coin: 128,
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

/** The columns of a CSS grid: the last one takes what is left unless somebody dragged it. */
export function gridTemplate(columns: readonly Column[], dragged: ReadonlyMap<string, number>): string {
  const last = columns.length - 1;
  return columns
    .map((column, at) => {
      const width = dragged.get(column.key) ?? widthOf(column);
      return at === last && !dragged.has(column.key) ? `minmax(${width}px, 1fr)` : `${width}px`;
    })
    .join(' ');
}
