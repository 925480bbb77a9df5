// How a transfer reads from the side of the entry that it is listed below.
import { ZERO_ADDRESS } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { formatAddress, type RowContext, type TreeRow } from './treeRow.ts';

interface Sides {
  readonly fromAddress: string | null;
  readonly toAddress: string | null;
}

export interface Direction {
  readonly text: string;
  readonly icon: string;
  readonly color: TreeRow['color'];
}

/** A transfer from the side of the entry: in, out, minted, burned, or between others. */
export function describeDirection({ fromAddress, toAddress }: Sides, context: RowContext): Direction {
  const from = fromAddress === null ? '?' : formatAddress(fromAddress, context);
  const to = toAddress === null ? '?' : formatAddress(toAddress, context);
  if (fromAddress === ZERO_ADDRESS)
    return {
      text: toAddress === context.ownAddress ? t('minted') : t('minted to {0}', to),
      icon: 'sparkle',
      color: 'charts.green',
    };
  if (toAddress === ZERO_ADDRESS)
    return {
      text: fromAddress === context.ownAddress ? t('burned') : t('burned by {0}', from),
      icon: 'flame',
      color: 'charts.red',
    };
  if (fromAddress === context.ownAddress && toAddress === context.ownAddress)
    return { text: t('to itself'), icon: 'sync', color: null };
  if (toAddress === context.ownAddress) return { text: t('from {0}', from), icon: 'arrow-down', color: 'charts.green' };
  if (fromAddress === context.ownAddress) return { text: t('to {0}', to), icon: 'arrow-up', color: 'charts.yellow' };
  return { text: `${from} → ${to}`, icon: 'arrow-swap', color: null };
}
