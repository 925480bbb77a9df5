// One field of CSV (RFC 4180), written so that no spreadsheet runs it, and read back.

/** What a cell holds: texts as they are (hostile), whole numbers exactly. `null` and `undefined` are empty. */
export type CsvValue = string | number | bigint | boolean | null | undefined;

/**
 * What spreadsheets take for the start of a formula, quoted or not, full-width forms included. Apostrophes may stand before
 * it: such a text is escaped by one more, which `unescapeCsvText` removes.
 */
const FORMULA = /^'*(?:[\s\p{Cc}\p{Cf}]*[=+\-@|\uff0b\uff0d\uff1d\uff20]|[\t\r])/u;
/** A signed number begins like a formula and is none. */
const NUMBER = /^[+-]?\d+(\.\d+)?$/;

/** Semicolon and tab too: some spreadsheets take them for separators. */
const quoted = (text: string): string =>
  /[",;\r\n\t]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;

/** A field that spreadsheets show as text, `-1` too: an apostrophe before a formula makes them do so. */
export const formatCsvText = (text: string): string => quoted(FORMULA.test(text) ? `'${text}` : text);

/** A cell of a table, in which a signed number is a number. */
export function formatCsvValue(cell: CsvValue): string {
  const text = cell === null || cell === undefined ? '' : String(cell);
  return NUMBER.test(text) ? text : formatCsvText(text);
}

/** The text of a cell, quotes already taken off, without the apostrophe that keeps it a text. */
export const unescapeCsvText = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;

export const formatCsvLine = (cells: readonly CsvValue[]): string => `${cells.map(formatCsvValue).join(',')}\r\n`;
