// One row of a table, read by the names of its columns.
import type { DecodedSource } from '../../../protocol/decoderPort.ts';
import type { TableCell, TableColumn, TableRow } from '../../../protocol/table.ts';
import type { LoadedTable } from '../replyCollector.ts';

export interface NamedRow {
  cell(key: string): TableCell;
  text(key: string): string | null;
  integer(key: string): bigint | null;
  column(key: string): TableColumn | undefined;
}

export function getNamedRow(table: LoadedTable | undefined, index = 0): NamedRow | null {
  const cells = table?.rows[index];
  if (table === undefined || cells === undefined) return null;
  const cell = (key: string): TableCell => cells[table.columns.findIndex(column => column.key === key)] ?? null;
  return {
    cell,
    text(key) {
      const value = cell(key);
      return value === null ? null : String(value);
    },
    integer(key) {
      const value = cell(key);
      return value === null || !/^-?\d+$/.test(String(value)) ? null : BigInt(String(value));
    },
    column: key => table.columns.find(column => column.key === key),
  };
}

/** A row of a table of logs as what can be decoded; `null` for a row of any other table. */
export function toLogSource(table: LoadedTable, row: TableRow, chain: string): DecodedSource | null {
  const log = getNamedRow({ ...table, rows: [row] });
  if (log?.column('topic0') === undefined || log.column('data') === undefined) return null;
  const topics = ['topic0', 'topic1', 'topic2', 'topic3'].flatMap(key => log.text(key) ?? []);
  return { kind: 'log', log: { chain, address: log.text('address') ?? '', topics, data: log.text('data') ?? '0x' } };
}
