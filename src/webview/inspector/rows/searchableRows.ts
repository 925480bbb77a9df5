// The columns of a table as fields of its filter, and the values that each row is searched by.

import { MAX_TOKEN_DECIMALS } from '../../../base/formatUnits.ts';
import type { AmountUnit } from '../../../protocol/amountUnits.ts';
import { toPlainText } from '../../../protocol/linkedText.ts';
import { getRowUnit } from '../../../protocol/rowUnits.ts';
import type { TableCell, TableColumn, TableRow } from '../../../protocol/table.ts';
import { type FilterField, quoteFilterValue } from '../../../view/table/rowFilter.ts';
import { type FormatContext, formatCell } from './cellFormat.ts';
import { formatFilterAmount, scaleAmount } from './filterAmount.ts';

/** The filter with one condition on the field's range, instead of those it has. */
export const replaceRangeCondition = (filter: string, field: string, range: string): string =>
  `${filter.replace(new RegExp(`(^|\\s)${field}:\\S+`, 'g'), '')} ${field}:${range}`.trim();

/** Short names for the filter; other fields have their own name in lower case. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  fromAddress: 'from',
  toAddress: 'to',
  receiptStatus: 'status',
  receiptGasUsed: 'gas',
  topic0: 'event',
  blockNumber: 'block',
  blockTimestamp: 'time',
  timestamp: 'time',
  transactionTimestamp: 'time',
  transactionHash: 'transaction',
  transactionIndex: 'index',
  logCount: 'logs',
  logIndex: 'log',
  tokenAddress: 'contract',
  contractAddress: 'contract',
  contractType: 'standard',
  tokenId: 'token',
  ownerOf: 'owner',
  ownerAddress: 'owner',
  possibleSpam: 'spam',
  verifiedCollection: 'verified',
};

const getFieldName = ({ key }: TableColumn): string =>
  (Object.hasOwn(FIELD_NAMES, key) ? FIELD_NAMES[key] : undefined) ?? key.toLowerCase();

/** Conditions that rows with these columns can meet: of an address or hash, an amount or number, and a status. */
export function listFilterExamples(columns: readonly TableColumn[]): readonly string[] {
  const name = (kinds: readonly TableColumn['kind'][]) => {
    const column = columns.find(({ kind, detailOnly }) => kinds.includes(kind) && detailOnly !== true);
    return column && getFieldName(column);
  };
  const hex = name(['address', 'aptos']) ?? name(['transaction', 'blockHash', 'hex']);
  const amount = name(['coin', 'tokenAmount']);
  const number = name(['number', 'amount', 'block']);
  const status = name(['status']);
  return [
    ...(hex === undefined ? [] : [`${hex}:0x…`]),
    ...(amount === undefined ? (number === undefined ? [] : [`${number}>100`]) : [`${amount}>1.5`]),
    ...(status === undefined ? [] : [`${status}:failed`]),
  ];
}

type FieldKind = FilterField<number>['kind'];

/** `text` for the others. */
const FIELD_KINDS: Readonly<Partial<Record<TableColumn['kind'], FieldKind>>> = {
  address: 'hex',
  transaction: 'hex',
  blockHash: 'hex',
  hex: 'hex',
  aptos: 'hex',
  topic: 'hex',
  method: 'hex',
  word: 'hex',
  coin: 'amount',
  tokenAmount: 'amount',
  amount: 'number',
  number: 'number',
  block: 'number',
  tokenId: 'number',
  time: 'time',
};

/** Kinds that are shown otherwise, by a name or as a grouped number: what is shown and the value are searched. */
const SHOWN_KINDS: readonly TableColumn['kind'][] = [
  'address',
  'aptos',
  'topic',
  'method',
  'word',
  'coin',
  'amount',
  'number',
  'block',
];

type SearchValues = readonly (string | bigint | number)[];
const NO_VALUES: SearchValues = [];

const toPlain = ({ kind }: TableColumn, cell: TableCell): string =>
  kind === 'linkedText' ? toPlainText(String(cell)) : String(cell);

/** What conditions call it in every language, as guides write them. */
function toEnglish({ kind }: TableColumn, cell: TableCell): string {
  if (kind === 'flag') return cell === true ? 'yes' : 'no';
  return cell === null ? 'pending' : cell === 1 ? 'success' : 'failed';
}

function getSearchValues(column: TableColumn, cell: TableCell, format: FormatContext): SearchValues {
  if (cell === null && column.kind !== 'status') return NO_VALUES;
  if (column.kind === 'status' || column.kind === 'flag')
    return [...new Set([formatCell(column, cell, format).toLowerCase(), toEnglish(column, cell)])];
  // In lower case here, because each key that is typed searches all of them.
  const raw = typeof cell === 'number' ? cell : toPlain(column, cell).toLowerCase();
  // Numbers in texts are grouped: both spellings find them.
  if (column.kind === 'text' || column.kind === 'linkedText')
    return [...new Set([raw, String(raw).replace(/(\d),(?=\d{3})/g, '$1')])];
  if (!SHOWN_KINDS.includes(column.kind)) return [raw];
  const shown = formatCell(column, cell, format).toLowerCase();
  if (column.kind === 'topic')
    return [raw, ...(format.names.events[String(cell)] ?? []).map(text => text.toLowerCase()), shown];
  return [raw, shown];
}

/** Compared in whole tokens, whatever decimals each has, and searched by its text. */
function getAmountValues(
  columns: readonly TableColumn[],
  column: TableColumn,
  row: TableRow,
  cell: TableCell,
  format: FormatContext,
): SearchValues {
  const unit = cell === null ? null : getRowUnit(columns, row, format.units);
  if (unit === null) return NO_VALUES;
  return [scaleAmount(BigInt(String(cell)), unit), formatCell(column, cell, format, unit).toLowerCase()];
}

/** Rows whose search texts are computed between two frames. */
const ROWS_PER_SLICE = 500;

/** Computes search texts ahead, so that the first typed key is fast. The returned function stops it. */
export function precomputeSearchTexts({ getText }: SearchableRows, rowCount: number): () => void {
  let next = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const step = () => {
    const end = Math.min(rowCount, next + ROWS_PER_SLICE);
    for (; next < end; next++) getText(next);
    if (next < rowCount) timer = setTimeout(step, 8);
  };
  timer = setTimeout(step, 100);
  return () => clearTimeout(timer);
}

export type SearchableRows = ReturnType<typeof createSearchableRows>;

/** Fields over the indexes of `rows`; a row's search values are computed at its first test and cached. */
export function createSearchableRows(
  columns: readonly TableColumn[],
  rows: readonly TableRow[],
  format: FormatContext,
) {
  const cache: (SearchValues | undefined)[][] = columns.map(() => []);
  const fields = columns.map(
    (column, index): FilterField<number> => ({
      name: getFieldName(column),
      kind: FIELD_KINDS[column.kind] ?? 'text',
      ...(column.decimals !== undefined && { decimals: column.decimals }),
      ...(column.kind === 'tokenAmount' && { decimals: MAX_TOKEN_DECIMALS }),
      values(row) {
        const cached = cache[index]?.[row];
        if (cached !== undefined) return cached;
        const cell = rows[row]?.[index] ?? null;
        const values =
          column.kind === 'tokenAmount'
            ? getAmountValues(columns, column, rows[row] ?? [], cell, format)
            : getSearchValues(column, cell, format);
        const columnCache = cache[index];
        if (columnCache !== undefined) columnCache[row] = values;
        return values;
      },
    }),
  );
  const texts: (string | undefined)[] = [];
  return {
    fields,
    /** Everything that a search of the row looks at. */
    getText(row: number): string {
      let text = texts[row];
      if (text === undefined) {
        text = fields.map(({ values }) => values(row).join('\n')).join('\n');
        texts[row] = text;
      }
      return text;
    },
  };
}

/** The value of a cell as a filter compares it; '' for none. */
function toFilterValue(column: TableColumn, cell: TableCell, format: FormatContext, unit: AmountUnit | null): string {
  if (column.kind === 'status' || column.kind === 'flag') return formatCell(column, cell, format);
  if (cell === null) return '';
  if (column.kind === 'time' && typeof cell === 'number') return new Date(cell).toISOString();
  if (column.kind === 'coin') return `${cell}wei`;
  return column.kind === 'tokenAmount' ? formatFilterAmount(cell, unit) : toPlain(column, cell);
}

/** A condition that matches the rows with the same value. */
export function createCondition(
  column: TableColumn,
  cell: TableCell,
  format: FormatContext,
  unit: AmountUnit | null = null,
): string {
  const value = toFilterValue(column, cell, format, unit);
  return `${getFieldName(column)}:${/^[^\s,"]+$/.test(value) ? value : quoteFilterValue(value)}`;
}
