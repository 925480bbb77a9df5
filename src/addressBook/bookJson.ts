// The book as JSON, in the committed file's own form; lists of entries that others wrote are read too.
import { t } from '../base/localize.ts';
import { emptyChange } from './addressBookState.ts';
import { parseBookFile } from './bookFile.ts';
import { editBookFile } from './editBookFile.ts';
import type { Entry } from './entry.ts';
import { type ImportResult, importRecords, isJsonObject, parseJson } from './importResult.ts';

export function formatBookJson(entries: readonly Entry[], folders: readonly string[]): string {
  return editBookFile('', { ...emptyChange, additions: entries, folders: folders.length === 0 ? null : folders });
}

/** A committed book (comments and all), or a plain list of objects with `address` and `name`. */
export function importBookJson(content: string): ImportResult {
  const value = parseJson(content);
  if (Array.isArray(value))
    return importRecords(value.map((record: unknown, at) => ({ where: t('entry {0}', at + 1), record })));
  if (isJsonObject(value) && !Object.hasOwn(value, 'addresses'))
    return { entries: [], rejected: [{ location: '', message: t('It holds no list named addresses.') }] };
  const { state: shelf, issues } = parseBookFile(content.replace(/^\ufeff/, ''));
  const lines = (offset: number) => content.slice(0, offset).split('\n').length;
  const errors = issues.filter(({ severity }) => severity === 'error');
  return {
    entries: shelf.entries,
    rejected: errors.map(({ offset, message }) => ({ where: t('line {0}', lines(offset)), message })),
  };
}
