// The columns of a table as fields of its filter line: short names, and what each row is found by.

import { MOST_DECIMALS, type Unit } from '../../../protocol/amountUnits.ts';
import type { Cell, Column, Row } from '../../../protocol/table.ts';
import type { FilterField } from '../../../view/table/rowFilter.ts';
import { cellText, type FormatContext } from './cellFormat.ts';
import { filterAmount, scaled, unitOfRow } from './tokenAmount.ts';

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

export const fieldName = ({ key }: Column): string => NAMES[key] ?? key.toLowerCase();

type Kind = FilterField<number>['kind'];

function kindOf({ kind }: Column): Kind {
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
const NAMED: readonly Column['kind'][] = ['address', 'aptos', 'topic', 'method', 'status', 'flag'];

type Values = readonly (string | bigint | number)[];
const NONE: Values = [];

function valuesOf(column: Column, cell: Cell, context: FormatContext): Values {
  if (cell === null && column.kind !== 'status') return NONE;
  if (column.kind === 'status' || column.kind === 'flag') return [cellText(column, cell, context).toLowerCase()];
  // In lower case once: each key that is pressed looks through all of them.
  const raw = typeof cell === 'number' ? cell : String(cell).toLowerCase();
  if (!NAMED.includes(column.kind)) return [raw];
  const shown = cellText(column, cell, context).toLowerCase();
  if (column.kind === 'topic')
    return [raw, ...(context.names.events[String(cell)] ?? []).map(text => text.toLowerCase()), shown];
  return [raw, shown];
}

/** Compared in whole tokens, whatever decimals each has, and found by its words. */
function amountsOf(columns: readonly Column[], column: Column, row: Row, cell: Cell, context: FormatContext): Values {
  const unit = cell === null ? null : unitOfRow(columns, row, context.units);
  if (unit === null) return NONE;
  return [scaled(BigInt(String(cell)), unit), cellText(column, cell, context, unit).toLowerCase()];
}

export interface Searchable {
  readonly fields: readonly FilterField<number>[];
  /** Everything that a row is found by. */
  textOf(row: number): string;
}

/** Rows whose texts are made in one go, between two frames. */
const SLICE = 500;

/** Makes what rows are found by while nobody types, so that the first key does not have to. Gives the way to stop it. */
export function warm({ textOf }: Searchable, rows: number): () => void {
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
export function fieldsOf(columns: readonly Column[], rows: readonly Row[], context: FormatContext): Searchable {
  const kept: (Values | undefined)[][] = columns.map(() => []);
  const fields = columns.map(
    (column, at): FilterField<number> => ({
      name: fieldName(column),
      kind: kindOf(column),
      ...(column.decimals !== undefined && { decimals: column.decimals }),
      ...(column.kind === 'tokenAmount' && { decimals: MOST_DECIMALS }),
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
    textOf(row) {
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
export function conditionFor(column: Column, cell: Cell, context: FormatContext, unit: Unit | null = null): string {
  const shown = column.kind === 'status' || column.kind === 'flag';
  const text = shown ? cellText(column, cell, context) : String(cell ?? '');
  const value = column.kind === 'coin' ? `${text}wei` : column.kind === 'tokenAmount' ? filterAmount(cell, unit) : text;
  return `${fieldName(column)}:${/[\s,]/.test(value) || value === '' ? `"${value.replaceAll('"', '')}"` : value}`;
}
