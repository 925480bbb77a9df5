// Who holds the tokens of a list of tokens and owners, and how many each.
import { t } from '../../../base/localize.ts';
import type { TableColumn } from '../../../protocol/table.ts';
import type { LoadedTable } from '../replyCollector.ts';
import { getNamedRow } from './namedRow.ts';

/** The holders with the most tokens first; `null` for a table without owners, or of one token only. */
export function toHolders(table: LoadedTable): LoadedTable | null {
  const owner = table.columns.find(({ key }) => key === 'ownerOf');
  if (owner === undefined) return null;
  const tokens = new Map<string, { count: number; amount: bigint }>();
  for (const index of table.rows.keys()) {
    const row = getNamedRow(table, index);
    const holder = row?.text('ownerOf') ?? null;
    if (row === null || holder === null) continue;
    const { count, amount } = tokens.get(holder) ?? { count: 0, amount: 0n };
    tokens.set(holder, { count: count + 1, amount: amount + (row.integer('amount') ?? 1n) });
  }
  const columns: readonly TableColumn[] = [
    { key: 'ownerOf', label: owner.label, kind: 'address' },
    { key: 'tokens', label: t('Tokens'), kind: 'number' },
    { key: 'amount', label: t('Amount'), kind: 'amount' },
  ];
  const rows = [...tokens]
    .sort(([, a], [, b]) => b.count - a.count)
    .map(([holder, { count, amount }]) => [holder, count, amount.toString()]);
  return { name: 'holders', columns, rows, rowCount: rows.length };
}
