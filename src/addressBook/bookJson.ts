// The book as JSON, in the committed file's own form; lists of entries that others wrote are read too.
import { t } from '../base/localize.ts';
import { noChange } from './addressBookState.ts';
import { readBookFile } from './bookFile.ts';
import { editBookFile } from './editBookFile.ts';
import type { Entry } from './entry.ts';
import { type Imported, importRecords, isRecord, parsed } from './importResult.ts';

export function printJson(entries: readonly Entry[], folders: readonly string[]): string {
  return editBookFile('', { ...noChange, additions: entries, folders: folders.length === 0 ? null : folders });
}

/** A committed book (comments and all), or a plain list of objects with `address` and `name`. */
export function importJson(content: string): Imported {
  const value = parsed(content);
  if (Array.isArray(value))
    return importRecords(value.map((record: unknown, at) => ({ where: t('entry {0}', at + 1), record })));
  if (isRecord(value) && !Object.hasOwn(value, 'addresses'))
    return { entries: [], refused: [{ where: '', message: t('It holds no list named addresses.') }] };
  const { shelf, issues } = readBookFile(content.replace(/^\ufeff/, ''));
  const lines = (offset: number) => content.slice(0, offset).split('\n').length;
  const errors = issues.filter(({ severity }) => severity === 'error');
  return {
    entries: shelf.entries,
    refused: errors.map(({ offset, message }) => ({ where: t('line {0}', lines(offset)), message })),
  };
}
