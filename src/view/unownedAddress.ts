import { t } from '../base/localize.ts';
import { getWellKnownAddress } from '../detect/wellKnownAddresses.ts';

/** What the balance of the zero address or a burn address is; `null` for others. */
export function describeUnowned(address: string): string | null {
  const nature = getWellKnownAddress(address.slice(2).toLowerCase())?.nature;
  if (nature === 'zero')
    return t('No one has its key: what it receives, such as fees of a development chain, cannot be spent.');
  return nature === 'burn' ? t('No one has its key: what it receives cannot be spent.') : null;
}
