// Amounts of tokens as text: exact, in the unit that the token's contract says, never through floating point.

import { plainText } from '../../../base/displayText.ts';
import { formatAmount, formatExact, formatUnits } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import { MOST_DECIMALS, MOST_UNITS, type Unit, type Units } from '../../../protocol/amountUnits.ts';
import type { Cell, Column, Row } from '../../../protocol/table.ts';

const NO_LIMIT = 2n ** 256n - 1n;

const withSymbol = (amount: string, { symbol }: Unit): string =>
  symbol === null ? amount : `${amount} ${plainText(symbol, 24)}`;

/** `1,234.5 HEX` with all its decimals; `Unlimited HEX` for the largest number, which is what allowances say by it. */
export function exactAmount(amount: bigint, unit: Unit): string {
  if (amount === NO_LIMIT) return withSymbol(t('Unlimited'), unit);
  return withSymbol(formatExact(amount, unit.decimals), unit);
}

/** The same with at most six decimals, as it stands in a row. */
export function shortAmount(amount: bigint, unit: Unit): string {
  return amount === NO_LIMIT ? exactAmount(amount, unit) : withSymbol(formatAmount(amount, unit.decimals), unit);
}

/** The contract whose unit a row's `tokenAmount` is in. */
export function contractOfRow(columns: readonly Column[], row: Row): string | null {
  const contract = row[columns.findIndex(({ key }) => key === 'address')];
  return typeof contract === 'string' ? contract.toLowerCase() : null;
}

export function unitOfRow(columns: readonly Column[], row: Row, units: Units | undefined): Unit | null {
  const contract = contractOfRow(columns, row);
  return contract === null ? null : (units?.[contract] ?? null);
}

/** Contracts with an amount in one of the rows, in the order of the rows, as many as one page asks for. */
export function contractsWithAmounts(columns: readonly Column[], rows: readonly Row[]): ReadonlySet<string> {
  const at = columns.findIndex(({ kind }) => kind === 'tokenAmount');
  const found = new Set<string>();
  if (at < 0) return found;
  for (const row of rows) {
    if (found.size >= MOST_UNITS) break;
    const contract = (row[at] ?? null) === null ? null : contractOfRow(columns, row);
    if (contract !== null) found.add(contract);
  }
  return found;
}

/** Comparable between tokens: in units of 10^-`MOST_DECIMALS`. */
export const scaled = (amount: bigint, { decimals }: Unit): bigint => amount * 10n ** BigInt(MOST_DECIMALS - decimals);

/** As it is written in a filter: `1.5`. */
export const filterAmount = (cell: Cell, unit: Unit | null): string =>
  unit === null ? String(cell) : formatUnits(BigInt(String(cell)), unit.decimals);
