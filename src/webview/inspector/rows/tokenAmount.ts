// Amounts of tokens as text: exact, in the unit that the token's contract says, never through floating point.

import { sanitizeText } from '../../../base/displayText.ts';
import { formatAmount, formatFullAmount, formatUnits } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import {
  type AmountUnit,
  type AmountUnits,
  MAX_UNIT_DECIMALS,
  MAX_UNITS_PER_PAGE,
} from '../../../protocol/amountUnits.ts';
import type { TableCell, TableColumn, TableRow } from '../../../protocol/table.ts';

const NO_LIMIT = 2n ** 256n - 1n;

const withSymbol = (amount: string, { symbol }: AmountUnit): string =>
  symbol === null ? amount : `${amount} ${sanitizeText(symbol, 24)}`;

/** `1,234.5 HEX` with all its decimals; `Unlimited HEX` for the largest number, which is what allowances say by it. */
export function formatExactAmount(amount: bigint, unit: AmountUnit): string {
  if (amount === NO_LIMIT) return withSymbol(t('Unlimited'), unit);
  return withSymbol(formatFullAmount(amount, unit.decimals), unit);
}

/** The same with at most six decimals, as it stands in a row. */
export function formatShortAmount(amount: bigint, unit: AmountUnit): string {
  return amount === NO_LIMIT ? formatExactAmount(amount, unit) : withSymbol(formatAmount(amount, unit.decimals), unit);
}

/** The contract whose unit a row's `tokenAmount` is in. */
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

/** Contracts with an amount in one of the rows, in the order of the rows, as many as one page asks for. */
export function getContractsWithAmounts(
  columns: readonly TableColumn[],
  rows: readonly TableRow[],
): ReadonlySet<string> {
  const at = columns.findIndex(({ kind }) => kind === 'tokenAmount');
  const found = new Set<string>();
  if (at < 0) return found;
  for (const row of rows) {
    if (found.size >= MAX_UNITS_PER_PAGE) break;
    const contract = (row[at] ?? null) === null ? null : getRowContract(columns, row);
    if (contract !== null) found.add(contract);
  }
  return found;
}

/** Comparable between tokens: in units of 10^-`MOST_DECIMALS`. */
export const scaleAmount = (amount: bigint, { decimals }: AmountUnit): bigint =>
  amount * 10n ** BigInt(MAX_UNIT_DECIMALS - decimals);

/** As it is written in a filter: `1.5`. */
export const formatFilterAmount = (cell: TableCell, unit: AmountUnit | null): string =>
  unit === null ? String(cell) : formatUnits(BigInt(String(cell)), unit.decimals);
