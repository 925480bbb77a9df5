// Exports tables as CSV (RFC 4180) or JSON, and fetches the pages of a list for that.

import { LOCAL_CHAIN } from '../../api/chains.ts';
import { parseInputTexts } from '../../api/wire/inputTexts.ts';
import { formatCsvLine } from '../../base/csv.ts';
import { isObject } from '../../base/isObject.ts';
import { createClient } from '../../client/client.ts';
import { getTargetChain, getTargetRequest, type InspectorTarget } from '../../protocol/inspectorTarget.ts';
import { toReplyTables } from '../../protocol/replyTables.ts';
import { cellKinds, decodeJson, type TableCell, type TableColumn, type TableRow } from '../../protocol/table.ts';
import { isArrayOf, isCell } from '../../protocol/typeGuards.ts';
import { ExportedTables, type Rows } from './exportedTables.ts';
import type { DataPorts, ExportPage } from './inspectorPorts.ts';
import { fetchCoin } from './pageRequests.ts';

/**
 * Fetches all pages of an operation. Rejects with a `HexLensError`; a repeated cursor ends the list, so that a faulty host
 * cannot cause an endless loop.
 */
export async function* fetchAllPages(
  target: InspectorTarget,
  { transport, decoder, getName, lookup }: Pick<DataPorts, 'transport' | 'decoder' | 'getName' | 'lookup'>,
  signal: AbortSignal,
): AsyncGenerator<ExportPage> {
  const request = getTargetRequest(target);
  if (request === null) return;
  const { operation } = request;
  const client = createClient(transport);
  const coin = await fetchCoin(getTargetChain(target), { lookup }, signal);
  const isOneEvent = request.texts['topic0'] !== undefined;
  const exported = new ExportedTables(getTargetChain(target) ?? LOCAL_CHAIN, { decoder, getName }, isOneEvent);
  const seen = new Set<string>();
  let { texts } = request;
  for (;;) {
    signal.throwIfAborted();
    const output = await client.call(operation, parseInputTexts(operation, texts), { signal });
    const { tables, listInfo } = toReplyTables(operation, output, coin);
    const table = tables.find(({ name }) => name === 'rows');
    if (table === undefined) return;
    yield {
      table: await exported.convert(table, false),
      total: listInfo?.total ?? null,
      isIncomplete: listInfo?.isSyncing ?? false,
    };
    const cursor = listInfo?.cursor ?? null;
    if (cursor === null || cursor === '' || seen.has(cursor)) return;
    seen.add(cursor);
    texts = { ...texts, cursor };
  }
}

const isColumn = (value: unknown): value is TableColumn =>
  isObject(value) &&
  typeof value['key'] === 'string' &&
  typeof value['label'] === 'string' &&
  cellKinds.some(kind => kind === value['kind']);

/** `null` when the bytes are not a table. */
export function parseExportedTable(bytes: ArrayBuffer): Rows | null {
  try {
    const value = decodeJson(bytes);
    if (!isObject(value)) return null;
    const { columns, rows } = value;
    return isArrayOf(isColumn)(columns) && isArrayOf(isArrayOf(isCell))(rows) ? { columns, rows } : null;
  } catch {
    return null;
  }
}

function toExportValue({ kind }: TableColumn, cell: TableCell | undefined): TableCell {
  if (kind === 'time' && typeof cell === 'number') return new Date(cell).toISOString();
  // Bytes that only begin like a call have no selector.
  return kind === 'method' && String(cell).endsWith('…') ? '' : (cell ?? null);
}

/** Decoded values are JSON inside the JSON; what the chain or a host wrote stays the text that it is. */
const toJsonText = (column: TableColumn | undefined, value: TableCell): string =>
  column?.kind === 'json' && column.isDecoded === true && typeof value === 'string' ? value : JSON.stringify(value);

export type ExportWriter = ReturnType<typeof createExportWriter>;

/** Formats rows page by page, with one CSV header or one JSON array for all pages. */
export function createExportWriter(format: 'csv' | 'json') {
  let separator = '[\n';
  let hasHeader = false;
  return {
    /** The text of the next page; the first page determines the columns. */
    formatPage({ columns, rows }: Rows): string {
      const toValues = (row: TableRow) => columns.map((column, index) => toExportValue(column, row[index]));
      if (format === 'csv') {
        const header = hasHeader ? '' : formatCsvLine(columns.map(({ key }) => key));
        hasHeader = true;
        return header + rows.map(row => formatCsvLine(toValues(row))).join('');
      }
      return rows
        .map(row => {
          const fields = toValues(row).map((value, index) => {
            const column = columns[index];
            return `${JSON.stringify(column?.key ?? '')}:${toJsonText(column, value)}`;
          });
          const text = `${separator}  {${fields.join(',')}}`;
          separator = ',\n';
          return text;
        })
        .join('');
    },
    formatEnd: () => (format === 'csv' ? '' : separator === '[\n' ? '[]\n' : '\n]\n'),
  };
}
