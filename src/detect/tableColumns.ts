// The name of the column that a literal is in: of a Markdown table, a CSV or a TSV file.
import type { ScannedLiteral } from './scanLiterals.ts';

export interface TableSource {
  readonly fileName?: string | undefined;
  readonly languageId?: string | undefined;
  /** The first line of the file. */
  readonly firstLine?: string | undefined;
}

/** How far above a literal the header row of its Markdown table is searched. */
const TABLE_REACH = 6_000;
/** A longer line is not a row of a table. */
const MAX_ROW_LENGTH = 2_000;
const TABLE_FILE = /\.(?:csv|tsv|psv)$/i;
const MARKDOWN_ROW = /^\s*\|/;

/** `null` outside of tables, and for columns without a name. */
export function findColumnName(text: string, { start }: ScannedLiteral, source: TableSource): string | null {
  const from = Math.max(0, start - MAX_ROW_LENGTH);
  const lineStart = from + text.slice(from, start).lastIndexOf('\n') + 1;
  if (lineStart === from && from > 0) return null;
  const row = text.slice(lineStart, start);
  const isMarkdown = MARKDOWN_ROW.test(row);
  const header = isMarkdown ? findMarkdownHeader(text, lineStart) : findFileHeader(text, lineStart, source);
  if (header === null) return null;
  const delimiter = isMarkdown ? '|' : (['\t', ';', ',', '|'].find(char => header.includes(char)) ?? ',');
  const cells = splitCells(row, delimiter);
  const names = splitCells(header, delimiter);
  // Under another number of names it is no row of that table.
  const rest = /^[^\n]{0,2000}/.exec(text.slice(start, start + MAX_ROW_LENGTH))?.[0] ?? '';
  if (!isMarkdown && splitCells(row + rest, delimiter).length !== names.length) return null;
  // Other text before the literal says what it is, or the file is no table.
  return /^[\s"'`[]*$/.test(cells.at(-1) ?? '') ? (names[cells.length - 1] ?? null) : null;
}

function findFileHeader(text: string, lineStart: number, source: TableSource): string | null {
  if (!TABLE_FILE.test(source.fileName ?? '') && !/^(?:csv|tsv)/i.test(source.languageId ?? '')) return null;
  if (source.firstLine !== undefined) return source.firstLine;
  return lineStart === 0 ? null : text.slice(0, text.indexOf('\n'));
}

/** The line above the one of dashes. */
function findMarkdownHeader(text: string, rowStart: number): string | null {
  const floor = Math.max(0, rowStart - TABLE_REACH);
  let below: string | null = null;
  for (let end = rowStart - 1; end > floor; ) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end);
    if (!MARKDOWN_ROW.test(line)) return null;
    if (below !== null && /^[\s|:-]+$/.test(below)) return line;
    below = line;
    end = start - 1;
  }
  return null;
}

/** Cells of one line; delimiters in double quotes do not count. */
function splitCells(line: string, delimiter: string): string[] {
  const cells = [''];
  let isQuoted = false;
  for (const char of line) {
    if (char === '"') isQuoted = !isQuoted;
    if (char === delimiter && !isQuoted) cells.push('');
    else cells[cells.length - 1] += char;
  }
  return cells;
}
