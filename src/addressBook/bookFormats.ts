// The address book as CSV and JSON, exported and imported.

import { parse } from 'csv-parse/browser/esm/sync';
import { formatCsvText, unescapeCsvText } from '../base/csv.ts';
import { isObject } from '../base/isObject.ts';
import { t } from '../base/localize.ts';
import { emptyChange } from './addressBookState.ts';
import { parseBookFile } from './bookFile.ts';
import { editBookFile } from './editBookFile.ts';
import { type Entry, normalizeEntryAddress, trustLevels } from './entry.ts';
import { type ImportResult, importRecords, parseJson, type RejectedRecord } from './importResult.ts';
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

/** Comma, semicolon or tab: the one that the first line has most of outside of quotes. */
function detectDelimiter(text: string): string {
  const first = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.slice(0, 10_000))?.[0].replace(/"(?:[^"]|"")*"/g, '') ?? '';
  const count = (char: string) => first.split(char).length;
  return [',', ';', '\t'].reduce((best, char) => (count(char) > count(best) ? char : best));
}

/** Rows before a syntax error are returned as well. */
function parseCsvRows(text: string, rejected: RejectedRecord[]): readonly CsvRow[] {
  const rows: CsvRow[] = [];
  let line = 1;
  try {
    parse(text, {
      bom: true,
      delimiter: detectDelimiter(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      trim: true,
      on_record: (cells: readonly string[], { lines }) => {
        if (cells.some(cell => cell !== '')) rows.push({ line, cells });
        line = lines + 1;
        return null; // collected here: `parse` returns nothing after an error
      },
    });
  } catch {
    rejected.push({ location: t('line {0}', line), message: t('A quoted value is not closed.') });
  }
  return rows;
}

const columnAliases: Readonly<Record<string, (typeof entryFields)[number]>> = {
  ...Object.fromEntries(entryFields.map(field => [field, field])),
  label: 'name',
  tag: 'tags',
  type: 'kind',
  chain: 'chains',
  network: 'chains',
  group: 'folder',
  note: 'notes',
  comment: 'notes',
  colour: 'color',
};

/** Columns in any order if there is a header, other columns are ignored; without a header: address, name, tag. */
export function importBookCsv(content: string): ImportResult {
  const rejected: RejectedRecord[] = [];
  const rows = parseCsvRows(content, rejected);
  const [head, ...rest] = rows;
  if (head === undefined) return { entries: [], rejected };
  const headFields = head.cells.map(cell => {
    const key = cell.toLowerCase();
    return Object.hasOwn(columnAliases, key) ? columnAliases[key] : undefined;
  });
  const hasHeader = headFields.includes('address');
  if (!hasHeader && normalizeEntryAddress(head.cells[0] ?? '') === null)
    return {
      entries: [],
      rejected: [...rejected, { location: t('line {0}', 1), message: t('The first line has no column "address".') }],
    };
  const fields = hasHeader ? headFields : (['address', 'name', 'tags'] as const);
  const records = (hasHeader ? rest : rows).map(({ line, cells }) => {
    const record: Record<string, unknown> = {};
    for (const [at, field] of fields.entries()) {
      const cell = unescapeCsvText(cells[at] ?? '');
      if (field === undefined || cell === '') continue;
      if (field === 'chains') record[field] = cell.split(';').filter(part => part.trim() !== '');
      else if (field === 'mark') record[field] = trustLevels.find(level => level === cell.toLowerCase()) ?? cell;
      else record[field] = field === 'kind' || field === 'color' ? cell.toLowerCase() : cell;
    }
    return { location: t('line {0}', line), record };
  });
  const imported = importRecords(records);
  return { entries: imported.entries, rejected: [...imported.rejected, ...rejected] };
}

/** The form of the committed file. */
export function formatBookJson(entries: readonly Entry[], folders: readonly string[]): string {
  return editBookFile('', { ...emptyChange, additions: entries, folders: folders.length === 0 ? null : folders });
}

/** A committed file (comments included), or a plain list of objects with `address` and `name`. */
export function importBookJson(content: string): ImportResult {
  const value = parseJson(content);
  if (Array.isArray(value))
    return importRecords(value.map((record: unknown, at) => ({ location: t('entry {0}', at + 1), record })));
  if (isObject(value) && !Object.hasOwn(value, 'addresses'))
    return { entries: [], rejected: [{ location: '', message: t('The file has no list named addresses.') }] };
  const { state, issues } = parseBookFile(content.replace(/^\ufeff/, ''));
  const getLine = (offset: number) => content.slice(0, offset).split('\n').length;
  const errors = issues.filter(({ severity }) => severity === 'error');
  return {
    entries: state.entries,
    rejected: errors.map(({ offset, message }) => ({ location: t('line {0}', getLine(offset)), message })),
  };
}
