// What a mapping or a large array has inside, in a few lines: `[Alice]` and its value.
import { formatInteger } from '../../base/formatUnits.ts';
import { t } from '../../base/localize.ts';
import type { ContractStateRow } from './contractStateRows.ts';

export interface ValueMember {
  /** The way to it from the variable: `[Alice]`, `[Alice][3]`. */
  readonly label: string;
  readonly text: string;
}

export interface ValueMembers {
  /** `3 keys seen` */
  readonly summary: string;
  readonly members: readonly ValueMember[];
  readonly hasMore: boolean;
}

/** Of one variable, and inside of one of them. */
const MAX_MEMBERS = 5;

/** In one line: `{amount: 77, owner: Alice}`. */
function formatRow({ values, members, isArray, next }: ContractStateRow): string {
  if (members === null) return values[0] || '…';
  const texts = members
    .slice(0, MAX_MEMBERS)
    .map(each => (isArray ? formatRow(each) : `${each.label}: ${formatRow(each)}`));
  if (members.length > texts.length || next !== null) texts.push('…');
  return isArray ? `[${texts.join(', ')}]` : `{${texts.join(', ')}}`;
}

/** The values of a mapping, with those of mappings that are its values. */
const listValues = (row: ContractStateRow, label: string): readonly ValueMember[] =>
  (row.members ?? []).flatMap(each =>
    each.keyType === null
      ? [{ label: `${label}${each.label}`, text: formatRow(each) }]
      : listValues(each, `${label}${each.label}`),
  );

function summarize(row: ContractStateRow, count: number, isCut: boolean): string {
  if (row.keyType === null) return row.values[0] ?? '';
  if (count === 0) return t('No key seen');
  const number = formatInteger(count);
  if (isCut) return count === 1 ? t('At least 1 key seen') : t('At least {0} keys seen', number);
  return count === 1 ? t('1 key seen') : t('{0} keys seen', number);
}

/** Of a mapping or array. `isCut`: not all that may be a key was tried. */
export function toValueMembers(row: ContractStateRow, isCut: boolean): ValueMembers {
  const all = listValues(row, '');
  const members = all.slice(0, MAX_MEMBERS);
  const hasMore = all.length > members.length || row.next !== null;
  return { summary: summarize(row, all.length, isCut), members, hasMore };
}
