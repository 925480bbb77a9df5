// Sizes for people.
import { formatInteger } from './formatUnits.ts';
import { type LocalizableText, localizable, t } from './localize.ts';

/** `1 byte`, `1,200 bytes`. */
export const formatByteCount = (size: number): string =>
  size === 1 ? t('1 byte') : t('{0} bytes', formatInteger(size));

/** The same in a worker, which does not know the language. */
export const toByteCount = (size: number): LocalizableText =>
  size === 1 ? localizable('1 byte') : localizable('{0} bytes', size);

/** Of words of 32 bytes. */
export const toWordCount = (count: number): LocalizableText =>
  count === 1 ? localizable('1 word') : localizable('{0} words', count);
