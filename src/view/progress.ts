// How far long work over blocks is, in numbers for people.

import type { Progress } from '../api/workerProtocol.ts';
import { formatInteger } from '../base/formatUnits.ts';
import { t } from '../base/localize.ts';

type Reached = Pick<Progress, 'done' | 'total'>;

/** Whole percent; `null` while the end is not known. */
export const getPercent = ({ done, total }: Reached): number | null =>
  total === null || total <= 0 ? null : Math.min(100, Math.floor((100 * done) / total));

/** `1,200 of 5,000 blocks (24 %)`, `1,200 blocks`. */
export function formatBlockProgress({ done, total }: Reached): string {
  const percent = getPercent({ done, total });
  if (total === null || percent === null) return t('{0} blocks', formatInteger(done));
  return t('{0} of {1} blocks ({2} %)', formatInteger(done), formatInteger(total), percent);
}
