// The chain of an address in Markdown: by the row or the column of its table, or the heading above it.
import { type NamedChain, toNamedChain } from './chainKeys.ts';

/** How far above an address its table and heading are searched. */
const MAX_TEXT = 8_000;
/** The name of a column that has chains. */
const CHAIN_COLUMN = /^(?:chain|network|chain ?id|network ?id|chain ?name|network ?name|deployed on)$/i;
const RULE = /^[\s|:-]+$/;
const NUMBER = /\(\d{1,15}\)$/;
const NET = /\b(?:test)?net(?:work)?$/i;
const HEADING = /^ {0,3}(#{1,6})\s+(.{1,200})$/;

/** Without marks of code, emphasis and links. */
const toPlain = (cell: string): string =>
  cell
    .replace(/\[([^[\]]{0,200})\]\([^()]{0,400}\)/g, '$1')
    .replace(/[`*_]/g, '')
    .trim();

function splitRow(line: string): readonly string[] {
  const cells = line.trim().split('|');
  if (cells[0]?.trim() === '') cells.shift();
  return cells.map(toPlain);
}

/** A name in words: `Base Sepolia`, `Sepolia (11155111)`. A number only says which chain where that is what it should say. */
function toWrittenChain(text: string, mayBeNumber: boolean): NamedChain | null {
  const name = text.replace(NUMBER, '').trim().replace(NET, '').trim();
  return !mayBeNumber && /^\d/.test(name) ? null : toNamedChain(name.replace(/\s+/g, '-'));
}

/** `undefined` outside of tables. */
function findInTable(lines: readonly string[], row: string): NamedChain | null | undefined {
  const own = lines.at(-1) ?? '';
  if (!own.includes('|')) return undefined;
  const rule = lines.findLastIndex(line => line.includes('-') && RULE.test(line));
  if (rule < 1 || lines.slice(rule + 1, -1).some(line => !line.includes('|'))) return undefined;
  const header = splitRow(lines[rule - 1] ?? '');
  const cells = splitRow(row);
  const named = header.flatMap((name, index) =>
    CHAIN_COLUMN.test(name) ? [toWrittenChain(cells[index] ?? '', true)] : [],
  );
  if (named.length > 0) return named.length === 1 ? (named[0] ?? null) : null;
  const column = splitRow(own).length - 1;
  return toWrittenChain(header[column] ?? '', false) ?? undefined;
}

/** The nearest heading that is a chain, among those that the address is below. */
function findInHeadings(lines: readonly string[]): NamedChain | null {
  let level = 7;
  for (const line of lines.toReversed()) {
    const [, marks, text = ''] = HEADING.exec(line) ?? [];
    if (marks === undefined || marks.length >= level) continue;
    level = marks.length;
    const named = toWrittenChain(toPlain(text), false);
    if (named !== null) return named;
  }
  return null;
}

export function findMarkdownChain(text: string, start: number): NamedChain | null {
  const lines = text.slice(Math.max(0, start - MAX_TEXT), start).split('\n');
  const end = text.indexOf('\n', start);
  const row = `${lines.at(-1) ?? ''}${text.slice(start, end < 0 ? undefined : Math.min(end, start + MAX_TEXT))}`;
  const inTable = findInTable(lines, row);
  return inTable === undefined ? findInHeadings(lines) : inTable;
}
