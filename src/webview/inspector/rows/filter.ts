// Filters of a table: words, and terms such as `from:0xabc`, `status:failed`, `value:>1.5`, `block:100..200`.
import type { Names } from '../../../panels/names.ts';
import type { Cell, Column, Row } from '../../../panels/table.ts';
import { cellText, type FormatContext } from './format.ts';

/** True for rows to be shown. */
export type RowFilter = (row: Row) => boolean;

const TERMS = /(?:([\p{L}\d_]+):)?(?:"([^"]*)"|(\S+))/gu;

/** `1.5` of a coin with 18 decimals as its smallest unit; `null` when it is no number. */
function scaled(text: string, decimals: number): bigint | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text.replaceAll(',', ''));
  if (match === null) return null;
  const [, sign, whole = '', fraction = ''] = match;
  const digits = `${whole}${fraction.slice(0, decimals).padEnd(decimals, '0')}`;
  return BigInt(`${sign}${digits}`);
}

const NUMERIC = new Set(['amount', 'coin', 'number', 'block', 'tokenId', 'time']);

function numberTest({ kind, decimals }: Column, text: string): ((cell: Cell) => boolean) | null {
  const places = kind === 'coin' ? (decimals ?? 18) : 0;
  const read = (part: string): bigint | null => {
    if (kind !== 'time') return scaled(part, places);
    const time = Date.parse(part);
    return Number.isNaN(time) ? null : BigInt(time);
  };
  const compared = /^(>=|<=|>|<|=)(.+)$/.exec(text);
  const range = /^(.+?)\.\.(.+)$/.exec(text);
  const [low, high] = range === null ? [null, null] : [read(range[1] ?? ''), read(range[2] ?? '')];
  const wholeIn = (cell: Cell): bigint | null =>
    cell === null || !/^-?\d+$/.test(String(cell)) ? null : BigInt(String(cell));
  if (low !== null && high !== null)
    return cell => {
      const value = wholeIn(cell);
      return value !== null && value >= low && value <= high;
    };
  const limit = compared === null ? null : read(compared[2] ?? '');
  if (compared === null || limit === null) return null;
  const [, operator] = compared;
  return cell => {
    const value = wholeIn(cell);
    if (value === null) return false;
    if (operator === '>') return value > limit;
    if (operator === '<') return value < limit;
    if (operator === '>=') return value >= limit;
    return operator === '<=' ? value <= limit : value === limit;
  };
}

/** What a row is searched by: raw values and the names that stand for them, in lower case. */
export function searchText(columns: readonly Column[], row: Row, context: FormatContext): string {
  let text = '';
  for (const [at, column] of columns.entries()) {
    const cell = row[at];
    if (cell === null || cell === undefined) continue;
    text += `${cell}\n`;
    if (column.kind !== 'hex' && column.kind !== 'text') text += `${cellText(column, cell, context)}\n`;
  }
  return text.toLowerCase();
}

function columnNamed(columns: readonly Column[], name: string): number {
  const bare = (text: string) => text.toLowerCase().replace(/\s+/g, '');
  const wanted = bare(name);
  const exact = columns.findIndex(({ key, label }) => bare(key) === wanted || bare(label) === wanted);
  return exact >= 0 ? exact : columns.findIndex(({ key, label }) => `${bare(key)} ${bare(label)}`.includes(wanted));
}

export interface FilterDeps {
  readonly columns: readonly Column[];
  readonly context: FormatContext;
  /** The search text of a row, kept by whoever asks often. */
  textOf(row: Row): string;
}

/** All terms must fit. `null` when there is nothing to filter by. */
export function compileFilter(text: string, { columns, context, textOf }: FilterDeps): RowFilter | null {
  const tests: RowFilter[] = [];
  for (const [whole, name, quotedText, bareText] of text.matchAll(TERMS)) {
    const wanted = (quotedText ?? bareText ?? '').toLowerCase();
    const at = name === undefined ? -1 : columnNamed(columns, name);
    const column = columns[at];
    if (column === undefined) {
      const word = (name === undefined ? wanted : whole).toLowerCase();
      if (word !== '') tests.push(row => textOf(row).includes(word));
      continue;
    }
    const test = NUMERIC.has(column.kind) ? numberTest(column, wanted) : null;
    if (test !== null) tests.push(row => test(row[at] ?? null));
    else
      tests.push(row => {
        const cell = row[at] ?? null;
        if (cell !== null && String(cell).toLowerCase().includes(wanted)) return true;
        return cellText(column, cell, context).toLowerCase().includes(wanted);
      });
  }
  if (tests.length === 0) return null;
  const [only] = tests;
  return tests.length === 1 && only !== undefined ? only : row => tests.every(test => test(row));
}

/** A term that shows rows with this very cell. */
export function termFor(column: Column, cell: Cell, names: Names): string {
  const text = cellText(column, cell, { names, now: 0, preferences: { time: 'utc', numbers: 'decimal' } });
  const raw = column.kind === 'status' || column.kind === 'flag' ? text : String(cell ?? '');
  return `${column.key}:${/\s/.test(raw) || raw === '' ? `"${raw.replaceAll('"', '')}"` : raw}`;
}
