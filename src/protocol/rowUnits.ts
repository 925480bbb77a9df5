// The units of a table's token amounts.
import { type AmountUnit, type AmountUnits, MAX_UNITS_PER_PAGE, toAmountUnit } from './amountUnits.ts';
import type { TableColumn, TableRow } from './table.ts';

/** Of tokens without decimals that can be trusted: the raw number, without a symbol that would make it an amount. */
export const RAW_UNIT: AmountUnit = { symbol: null, decimals: 0 };

/** Where the decimals and the symbol of the token are among the columns; `null` for tables without them. */
function findUnitColumns(
  columns: readonly TableColumn[],
): { readonly decimals: number; readonly symbol: number } | null {
  const decimals = columns.findIndex(({ key }) => key === 'tokenDecimals' || key === 'decimals');
  const symbol = columns.findIndex(({ key }) => key === 'tokenSymbol' || key === 'symbol');
  return decimals < 0 || symbol < 0 ? null : { decimals, symbol };
}

/** The token of a row's `tokenAmount`. */
function getRowContract(columns: readonly TableColumn[], row: TableRow): string | null {
  const contract = row[columns.findIndex(({ key }) => key === 'address')];
  return typeof contract === 'string' ? contract.toLowerCase() : null;
}

export function getRowUnit(
  columns: readonly TableColumn[],
  row: TableRow,
  units: AmountUnits | undefined,
): AmountUnit | null {
  const own = findUnitColumns(columns);
  if (own !== null) {
    const decimals = row[own.decimals];
    const symbol = row[own.symbol];
    const unit = toAmountUnit({
      standard: 'ERC20',
      decimals: typeof decimals === 'number' ? decimals : null,
      symbol: typeof symbol === 'string' ? symbol : null,
    });
    return unit ?? RAW_UNIT;
  }
  const contract = getRowContract(columns, row);
  return contract === null ? null : (units?.[contract] ?? null);
}

/** Tokens with an amount in one of the rows whose unit has to be fetched, in the order of the rows, up to `MAX_UNITS_PER_PAGE`. */
export function getContractsWithAmounts(
  columns: readonly TableColumn[],
  rows: readonly TableRow[],
): ReadonlySet<string> {
  const indexes = columns.flatMap(({ kind }, index) => (kind === 'tokenAmount' ? [index] : []));
  const found = new Set<string>();
  if (indexes.length === 0 || findUnitColumns(columns) !== null) return found;
  for (const row of rows) {
    if (found.size >= MAX_UNITS_PER_PAGE) break;
    const hasAmount = indexes.some(index => (row[index] ?? null) !== null);
    const contract = hasAmount ? getRowContract(columns, row) : null;
    if (contract !== null) found.add(contract);
  }
  return found;
}
