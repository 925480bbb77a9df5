// How wide a column is until somebody drags it, by what it holds.
import type { CellKind, Column } from '../../../panels/table.ts';

const WIDTHS: Readonly<Record<CellKind, number>> = {
  address: 168,
  transaction: 132,
  blockHash: 132,
  block: 104,
  topic: 150,
  method: 132,
  hex: 132,
  amount: 116,
  coin: 156,
  number: 84,
  time: 148,
  tokenId: 132,
  text: 168,
  flag: 76,
  status: 100,
  json: 220,
  aptos: 140,
};

export const widthOf = ({ kind, label }: Column): number => Math.max(WIDTHS[kind], label.length * 7 + 28);
