// The columns of a table as fields of its filter line: short names, and what each row is found by.

import { type AmountUnit, MAX_UNIT_DECIMALS } from '../../../protocol/amountUnits.ts';
import type { TableCell, TableColumn, TableRow } from '../../../protocol/table.ts';
import type { FilterField } from '../../../view/table/rowFilter.ts';
import { type FormatContext, formatCell } from './cellFormat.ts';
import { formatFilterAmount, getRowUnit, scaleAmount } from './tokenAmount.ts';

// A part of a range as a condition of a filter line.
/** The filter without what it says of this range, and with the one part of it. */
export const replaceRangeCondition = (filter: string, field: string, range: string): string =>
  `${filter.replace(new RegExp(`(^|\\s)${field}:\\S+`, 'g'), '')} ${field}:${range}`.trim();

/** What people type; the field's own name in lower case where nothing is said. */
const NAMES: Readonly<Record<string, string>> = {
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

export const getFieldName = ({ key }: TableColumn): string => NAMES[key] ?? key.toLowerCase();

type Kind = FilterField<number>['kind'];

function kindOf({ kind }: TableColumn): Kind {
  switch (kind) {
    case 'address':
    case 'transaction':
    case 'blockHash':
    case 'hex':
    case 'aptos':
    case 'topic':
    case 'method':
    case 'word':
      return 'hex';
    case 'coin':
    case 'tokenAmount':
      return 'amount';
    case 'amount':
    case 'number':
    case 'block':
    case 'tokenId':
      return 'number';
    case 'time':
      return 'time';
    default:
      return 'text';
  }
}

/** Kinds that are shown as something else than they are: both are looked through. */
const NAMED: readonly TableColumn['kind'][] = ['address', 'aptos', 'topic', 'method', 'status', 'flag'];

type Values = readonly (string | bigint | number)[];
const NONE: Values = [];

function valuesOf(column: TableColumn, cell: TableCell, context: FormatContext): Values {
  if (cell === null && column.kind !== 'status') return NONE;
  if (column.kind === 'status' || column.kind === 'flag') return [formatCell(column, cell, context).toLowerCase()];
  // In lower case once: each key that is pressed looks through all of them.
  const raw = typeof cell === 'number' ? cell : String(cell).toLowerCase();
  if (!NAMED.includes(column.kind)) return [raw];
  const shown = formatCell(column, cell, context).toLowerCase();
  if (column.kind === 'topic')
    return [raw, ...(context.names.events[String(cell)] ?? []).map(text => text.toLowerCase()), shown];
  return [raw, shown];
}

/** Compared in whole tokens, whatever decimals each has, and found by its words. */
function amountsOf(
  columns: readonly TableColumn[],
  column: TableColumn,
  row: TableRow,
  cell: TableCell,
  context: FormatContext,
): Values {
  const unit = cell === null ? null : getRowUnit(columns, row, context.units);
  if (unit === null) return NONE;
  return [scaleAmount(BigInt(String(cell)), unit), formatCell(column, cell, context, unit).toLowerCase()];
}

export interface SearchableRows {
  readonly fields: readonly FilterField<number>[];
  /** Everything that a row is found by. */
  getText(row: number): string;
}

/** Rows whose texts are made in one go, between two frames. */
const SLICE = 500;

/** Makes what rows are found by while nobody types, so that the first key does not have to. Gives the way to stop it. */
export function precomputeSearchTexts({ getText: textOf }: SearchableRows, rows: number): () => void {
  let next = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const step = () => {
    const end = Math.min(rows, next + SLICE);
    for (; next < end; next++) textOf(next);
    if (next < rows) timer = setTimeout(step, 8);
  };
  timer = setTimeout(step, 100);
  return () => clearTimeout(timer);
}

/** Fields over the indexes of `rows`; what a row is found by is made at its first test and kept. */
export function createSearchableRows(
  columns: readonly TableColumn[],
  rows: readonly TableRow[],
  context: FormatContext,
): SearchableRows {
  const kept: (Values | undefined)[][] = columns.map(() => []);
  const fields = columns.map(
    (column, at): FilterField<number> => ({
      name: getFieldName(column),
      kind: kindOf(column),
      ...(column.decimals !== undefined && { decimals: column.decimals }),
      ...(column.kind === 'tokenAmount' && { decimals: MAX_UNIT_DECIMALS }),
      values(row) {
        const known = kept[at]?.[row];
        if (known !== undefined) return known;
        const cell = rows[row]?.[at] ?? null;
        const values =
          column.kind === 'tokenAmount'
            ? amountsOf(columns, column, rows[row] ?? [], cell, context)
            : valuesOf(column, cell, context);
        const list = kept[at];
        if (list !== undefined) list[row] = values;
        return values;
      },
    }),
  );
  const texts: (string | undefined)[] = [];
  return {
    fields,
    getText(row) {
      let text = texts[row];
      if (text === undefined) {
        text = fields.map(({ values }) => values(row).join('\n')).join('\n');
        texts[row] = text;
      }
      return text;
    },
  };
}

/** A condition that shows the rows with this very cell. */
export function createCondition(
  column: TableColumn,
  cell: TableCell,
  context: FormatContext,
  unit: AmountUnit | null = null,
): string {
  const shown = column.kind === 'status' || column.kind === 'flag';
  const text = shown ? formatCell(column, cell, context) : String(cell ?? '');
  const value =
    column.kind === 'coin' ? `${text}wei` : column.kind === 'tokenAmount' ? formatFilterAmount(cell, unit) : text;
  return `${getFieldName(column)}:${/[\s,]/.test(value) || value === '' ? `"${value.replaceAll('"', '')}"` : value}`;
}
