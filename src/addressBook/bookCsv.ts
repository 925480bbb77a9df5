// The book as comma-separated values: read from whatever a spreadsheet wrote, written so that no spreadsheet runs it.

import { formatCsvText, unescapeCsvText } from '../base/csv.ts';
import { t } from '../base/localize.ts';
import { type Entry, normalizeEntryAddress, trustLevels } from './entry.ts';
import { type ImportResult, importRecords, type RejectedRecord } from './importResult.ts';
import { entryFields } from './validateEntry.ts';

const columns = ['address', 'name', 'tag', 'kind', 'chains', 'folder', 'notes', 'color', 'mark'] as const;

/** RFC 4180, with a byte order mark: spreadsheets take the text for their own code page without one. */
export function formatBookCsv(entries: readonly Entry[], shown: (address: string) => string): string {
  const rows = entries.map(({ address, name, tags, kind, chains, folder, notes, color, mark }) =>
    [shown(address), name, tags.join(';'), kind, chains.join(';'), folder, notes, color ?? '', mark ?? '']
      .map(formatCsvText)
      .join(','),
  );
  return `\ufeff${[columns.join(','), ...rows].join('\r\n')}\r\n`;
}

interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Comma, semicolon or tab: whichever the first line has most of, outside of quotes. */
function delimiterOf(text: string): string {
  const first = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.slice(0, 10_000))?.[0].replace(/"(?:[^"]|"")*"/g, '') ?? '';
  const count = (char: string) => first.split(char).length;
  return [',', ';', '\t'].reduce((best, char) => (count(char) > count(best) ? char : best));
}

function rowsOf(text: string, refused: RejectedRecord[]): readonly CsvRow[] {
  const delimiter = delimiterOf(text);
  const rows: CsvRow[] = [];
  let [at, line] = [0, 1];
  let cells: string[] = [];
  let start = 1;
  const endRow = () => {
    if (cells.some(cell => cell.trim() !== '')) rows.push({ line: start, cells });
    cells = [];
    start = line;
  };
  const plain = new RegExp(`[${delimiter}\\r\\n]|$`, 'g');
  while (at < text.length) {
    if (text[at] === '"') {
      const parts: string[] = [];
      let end = text.indexOf('"', at + 1);
      while (end >= 0 && text[end + 1] === '"') {
        parts.push(text.slice(at + 1, end + 1));
        at = end + 1;
        end = text.indexOf('"', at + 1);
      }
      if (end < 0) {
        refused.push({ location: t('line {0}', start), message: t('A quote is not closed.') });
        return rows;
      }
      const cell = parts.join('') + text.slice(at + 1, end);
      line += cell.split(/\r\n|\r|\n/).length - 1;
      at = end + 1;
      plain.lastIndex = at;
      const stop = plain.exec(text)?.index ?? text.length;
      cells.push(cell + text.slice(at, stop).trimEnd());
      at = stop;
    } else {
      plain.lastIndex = at;
      const stop = plain.exec(text)?.index ?? text.length;
      cells.push(text.slice(at, stop));
      at = stop;
    }
    if (text[at] === delimiter) {
      at++;
      if (at === text.length) cells.push('');
    } else if (at < text.length) {
      at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
      line++;
      endRow();
    }
  }
  endRow();
  return rows;
}

const aliases: Readonly<Record<string, (typeof entryFields)[number]>> = {
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

/** `address,name,tag`, in that order without a header; with one in any order, columns of others passed over. */
export function importBookCsv(content: string): ImportResult {
  const refused: RejectedRecord[] = [];
  const rows = rowsOf(content.replace(/^\ufeff/, ''), refused);
  const [head, ...rest] = rows;
  if (head === undefined) return { entries: [], rejected: refused };
  const named = head.cells.map(cell => {
    const key = cell.trim().toLowerCase();
    return Object.hasOwn(aliases, key) ? aliases[key] : undefined;
  });
  const hasHead = named.includes('address');
  if (!hasHead && normalizeEntryAddress(head.cells[0] ?? '') === null)
    return {
      entries: [],
      rejected: [...refused, { location: t('line {0}', 1), message: t('The first line names no column "address".') }],
    };
  const fields = hasHead ? named : (['address', 'name', 'tags'] as const);
  const records = (hasHead ? rest : rows).map(({ line, cells }) => {
    const record: Record<string, unknown> = {};
    for (const [at, field] of fields.entries()) {
      const cell = unescapeCsvText((cells[at] ?? '').trim());
      if (field === undefined || cell === '') continue;
      if (field === 'chains') record[field] = cell.split(';').filter(part => part.trim() !== '');
      else if (field === 'mark') record[field] = trustLevels.find(mark => mark === cell.toLowerCase()) ?? cell;
      else record[field] = field === 'kind' || field === 'color' ? cell.toLowerCase() : cell;
    }
    return { where: t('line {0}', line), record };
  });
  const imported = importRecords(records);
  return { entries: imported.entries, rejected: [...imported.rejected, ...refused] };
}
