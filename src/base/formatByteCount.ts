// Sizes for people.
import { formatInteger } from './formatUnits.ts';
import { t } from './localize.ts';

/** `1 byte`, `1,200 bytes`. */
export const formatByteCount = (size: number): string =>
  size === 1 ? t('1 byte') : t('{0} bytes', formatInteger(size));
