// The units of a table's token amounts.
import { formatUnits } from '../../../base/formatUnits.ts';
import {
  type AmountUnit,
  type AmountUnits,
  MAX_UNIT_DECIMALS,
  MAX_UNITS_PER_PAGE,
} from '../../../protocol/amountUnits.ts';
import type { TableCell, TableColumn, TableRow } from '../../../protocol/table.ts';

/** The token of a row's `tokenAmount`. */
export function getRowContract(columns: readonly TableColumn[], row: TableRow): string | null {
  const contract = row[columns.findIndex(({ key }) => key === 'address')];
  return typeof contract === 'string' ? contract.toLowerCase() : null;
}

export function getRowUnit(
  columns: readonly TableColumn[],
  row: TableRow,
  units: AmountUnits | undefined,
): AmountUnit | null {
  const contract = getRowContract(columns, row);
  return contract === null ? null : (units?.[contract] ?? null);
}

/** Tokens with an amount in one of the rows, in the order of the rows, up to `MAX_UNITS_PER_PAGE`. */
export function getContractsWithAmounts(
  columns: readonly TableColumn[],
  rows: readonly TableRow[],
): ReadonlySet<string> {
  const index = columns.findIndex(({ kind }) => kind === 'tokenAmount');
  const found = new Set<string>();
  if (index < 0) return found;
  for (const row of rows) {
    if (found.size >= MAX_UNITS_PER_PAGE) break;
    const contract = (row[index] ?? null) === null ? null : getRowContract(columns, row);
    if (contract !== null) found.add(contract);
  }
  return found;
}

/** In units of 10^-`MAX_UNIT_DECIMALS`, so that amounts of different tokens compare. */
export const scaleAmount = (amount: bigint, { decimals }: AmountUnit): bigint =>
  amount * 10n ** BigInt(MAX_UNIT_DECIMALS - decimals);

/** As a filter has it: `1.5`. */
export const formatFilterAmount = (cell: TableCell, unit: AmountUnit | null): string =>
  unit === null ? String(cell) : formatUnits(BigInt(String(cell)), unit.decimals);
