// Amounts of tokens as filters compare and write them.
import { formatUnits, MAX_TOKEN_DECIMALS } from '../../../base/formatUnits.ts';
import type { AmountUnit } from '../../../protocol/amountUnits.ts';
import type { TableCell } from '../../../protocol/table.ts';

/** In units of 10^-`MAX_TOKEN_DECIMALS`, so that amounts of different tokens compare. */
export const scaleAmount = (amount: bigint, { decimals }: AmountUnit): bigint =>
  amount * 10n ** BigInt(MAX_TOKEN_DECIMALS - decimals);

/** As a filter has it: `1.5`; '' without a unit, where the row has no amount. */
export const formatFilterAmount = (cell: TableCell, unit: AmountUnit | null): string =>
  unit === null ? '' : formatUnits(BigInt(String(cell)), unit.decimals);
