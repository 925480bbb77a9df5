// Formats the progress of tasks that process blocks or transactions.

import type { Progress } from '../api/workerProtocol.ts';
import { formatInteger } from '../base/formatUnits.ts';
import { t } from '../base/localize.ts';

type Reached = Pick<Progress, 'done' | 'total'>;

/** Whole percent; `null` while the total is unknown. */
export const getPercent = ({ done, total }: Reached): number | null =>
  total === null || total <= 0 ? null : Math.min(100, Math.floor((100 * done) / total));

/** `1,200 of 5,000 blocks (24%)`, `1,200 blocks`; of an Aptos network transactions. */
export function formatTaskProgress({ done, total, unit }: Reached & Pick<Progress, 'unit'>): string {
  const percent = getPercent({ done, total });
  if (unit === 'transactions') {
    if (total !== null && percent !== null)
      return t('{0} of {1} transactions ({2}%)', formatInteger(done), formatInteger(total), percent);
    return done === 1 ? t('1 transaction') : t('{0} transactions', formatInteger(done));
  }
  if (total === null || percent === null) return done === 1 ? t('1 block') : t('{0} blocks', formatInteger(done));
  return t('{0} of {1} blocks ({2}%)', formatInteger(done), formatInteger(total), percent);
}
