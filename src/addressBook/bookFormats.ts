// The address book as CSV and JSON, exported and imported.

import { parse } from 'csv-parse/browser/esm/sync';
import { formatCsvText, unescapeCsvText } from '../base/csv.ts';
import { isObject } from '../base/isObject.ts';
import { t } from '../base/localize.ts';
import { emptyChange } from './addressBookState.ts';
import { parseBookFile } from './bookFile.ts';
import { editBookFile } from './editBookFile.ts';
import { type Entry, splitChainAddress } from './entry.ts';
import { importFoundry, isFoundryRun } from './importDeployments.ts';
import { assignFields, toStoredRecord } from './importFields.ts';
import { importAnyJson } from './importJson.ts';
import {
  type ImportResult,
  importRecords,
  parseJson,
  parseJsonWithComments,
  type RejectedRecord,
  rejectWrongChecksums,
} from './importResult.ts';
import { entryFields } from './validateEntry.ts';

const csvColumns = [
  'address',
  'name',
  'tag',
  'kind',
  'chains',
  'folder',
  'notes',
  'color',
  'mark',
  'logo',
  'abi',
] as const;

/** RFC 4180, with a byte order mark: without one, spreadsheets do not read the text as UTF-8. */
export function formatBookCsv(entries: readonly Entry[], formatAddress: (address: string) => string): string {
  const rows = entries.map(({ address, name, tags, kind, chains, folder, notes, color, trust, logo, abi }) =>
    [
      formatAddress(address),
      name,
      tags.join(';'),
      kind,
      chains.join(';'),
      folder,
      notes,
      color ?? '',
      trust ?? '',
      logo ?? '',
      abi ?? '',
    ]
      .map(formatCsvText)
      .join(','),
  );
  return `\ufeff${[csvColumns.join(','), ...rows].join('\r\n')}\r\n`;
}

interface CsvRow {
  /** Where the row starts, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Comma, semicolon, tab or bar: the one that the first line has most of outside of quotes. */
function detectDelimiter(text: string): string {
  const first = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.slice(0, 10_000))?.[0].replace(/"(?:[^"]|"")*"/g, '') ?? '';
  const count = (char: string) => first.split(char).length;
  return [',', ';', '\t', '|'].reduce((best, char) => (count(char) > count(best) ? char : best));
}

/** Rows before a syntax error are returned as well. */
function parseCsvRows(
  content: string,
  separator: RegExpExecArray | null,
  rejected: RejectedRecord[],
): readonly CsvRow[] {
  const rows: CsvRow[] = [];
  const text = separator === null ? content : content.slice(separator[0].length);
  const firstLine = separator === null ? 1 : 2;
  let line = firstLine;
  try {
    parse(text, {
      bom: true,
      delimiter: separator?.[1] ?? detectDelimiter(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      trim: true,
      on_record: (cells: readonly string[], { lines }) => {
        if (cells.some(cell => cell !== '')) rows.push({ line, cells });
        line = lines + firstLine;
        return null; // collected here: `parse` returns nothing after an error
      },
    });
  } catch {
    rejected.push({ location: t('line {0}', line), message: t('A quoted value is not closed.') });
  }
  return rows;
}

/** `sep=;` in the first line, which Excel reads and does not show. */
const SEPARATOR_LINE = /^\ufeff?"?sep=(.)"?\r?\n/i;

/** Columns by their meaning; without a header the addresses are found by their form, and the next columns are name and tags. */
function assignColumns(
  head: CsvRow,
  next: CsvRow | undefined,
): { readonly hasHeader: boolean; readonly names: readonly string[] } {
  const { cells } = head;
  const findAddress = (row: CsvRow | undefined) => row?.cells.findIndex(cell => splitChainAddress(cell) !== null) ?? -1;
  const at = findAddress(head);
  if (at >= 0) {
    const others = ['name', 'tags'];
    return { hasHeader: false, names: cells.map((_, i) => (i === at ? 'address' : (others.shift() ?? ''))) };
  }
  const fields = assignFields(cells);
  const found = fields.includes('address') ? -1 : findAddress(next);
  const names = cells.map((cell, i) => (i === found ? 'address' : cell));
  return { hasHeader: fields.includes('address') || found >= 0, names };
}

/** Columns in any order if there is a header; those that an entry has not are named in the result. */
export function importBookCsv(content: string): ImportResult {
  const rejected: RejectedRecord[] = [];
  const separator = SEPARATOR_LINE.exec(content);
  const rows = parseCsvRows(content, separator, rejected);
  const [head, ...rest] = rows;
  if (head === undefined) return { entries: [], rejected };
  const { hasHeader, names } = assignColumns(head, rest[0]);
  if (!hasHeader && !names.includes('address'))
    return {
      entries: [],
      rejected: [
        ...rejected,
        { location: t('line {0}', head.line), message: t('The first line has no column "address".') },
      ],
    };
  const ignored = new Set<string>();
  // All columns decide what each of them means, also where a row leaves one empty.
  const fields = assignFields(names);
  const records = (hasHeader ? rest : rows).map(({ line, cells }) => {
    const values = names.map((name, at): [string, string] => [fields[at] ?? name, unescapeCsvText(cells[at] ?? '')]);
    const unread = values.filter((_, at) => fields[at] === null && names[at] !== '');
    for (const [name, value] of unread) if (value !== '') ignored.add(name);
    return {
      location: t('line {0}', line),
      record: toStoredRecord(
        values.filter((_, at) => fields[at] !== null),
        ignored,
      ),
    };
  });
  const imported = importRecords(records, ignored);
  return { ...imported, rejected: [...imported.rejected, ...rejected] };
}

/** The form of the committed file. */
export function formatBookJson(entries: readonly Entry[], folders: readonly string[]): string {
  return editBookFile('', { ...emptyChange, additions: entries, folders: folders.length === 0 ? null : folders });
}

/** Whether it is a committed file, in which entries have only the fields of HexLens. */
const isBookFile = (value: unknown): boolean =>
  value === null ||
  (isObject(value) &&
    Array.isArray(value['addresses']) &&
    value['addresses'].every(one => !isObject(one) || Object.keys(one).every(key => Object.hasOwn(ownFields, key))));
const ownFields = Object.fromEntries(entryFields.map(field => [field, true]));

/** A committed file (comments included), or names and addresses in any other form; `path` may name their chain. */
export function importBookJson(content: string, path = ''): ImportResult {
  const value = parseJson(content) ?? parseJsonWithComments(content);
  if (isFoundryRun(value)) return importFoundry(content, path);
  if (!isBookFile(value)) {
    const found = importAnyJson(value, path);
    const isNothing = found.entries.length === 0 && found.rejected.length === 0;
    return isNothing
      ? {
          ...found,
          rejected: [
            { location: '', message: t('The file has no list named addresses, and no names with addresses.') },
          ],
        }
      : found;
  }
  const { state, issues } = parseBookFile(content.replace(/^\ufeff/, ''));
  const getLine = (offset: number) => content.slice(0, offset).split('\n').length;
  const errors = issues.filter(({ severity }) => severity === 'error');
  const rejected = errors.map(({ offset, message }) => ({ location: t('line {0}', getLine(offset)), message }));
  return rejectWrongChecksums({ entries: state.entries, rejected }, content);
}
