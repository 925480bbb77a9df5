// The units of a table's token amounts.
import { formatUnits, MAX_TOKEN_DECIMALS } from '../../../base/formatUnits.ts';
import { type AmountUnit, type AmountUnits, MAX_UNITS_PER_PAGE, toAmountUnit } from '../../../protocol/amountUnits.ts';
import type { TableCell, TableColumn, TableRow } from '../../../protocol/table.ts';

/** Of tokens without decimals that can be trusted: the raw number, without a symbol that would make it an amount. */
const RAW_UNIT: AmountUnit = { symbol: null, decimals: 0 };

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
  const index = columns.findIndex(({ kind }) => kind === 'tokenAmount');
  const found = new Set<string>();
  if (index < 0 || findUnitColumns(columns) !== null) return found;
  for (const row of rows) {
    if (found.size >= MAX_UNITS_PER_PAGE) break;
    const contract = (row[index] ?? null) === null ? null : getRowContract(columns, row);
    if (contract !== null) found.add(contract);
  }
  return found;
}

/** In units of 10^-`MAX_TOKEN_DECIMALS`, so that amounts of different tokens compare. */
export const scaleAmount = (amount: bigint, { decimals }: AmountUnit): bigint =>
  amount * 10n ** BigInt(MAX_TOKEN_DECIMALS - decimals);

/** As a filter has it: `1.5`; '' without a unit, where the row has no amount. */
export const formatFilterAmount = (cell: TableCell, unit: AmountUnit | null): string =>
  unit === null ? '' : formatUnits(BigInt(String(cell)), unit.decimals);
