// Rows as CSV (RFC 4180) or JSON text, piece by piece, so that a long set never has to be one string.
import { type CsvValue, formatCsvLine } from '../../base/csv.ts';

/** About so many characters make one piece: few enough for a message, enough to be worth one. */
const PIECE = 64 * 1024;

function* pieces(lines: Iterable<string>): Generator<string> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

function* csvLines(columns: readonly string[], rows: Iterable<readonly CsvValue[]>): Generator<string> {
  yield formatCsvLine(columns);
  for (const row of rows) yield formatCsvLine(row);
}

/** CSV with a line of column names. */
export const toCsvChunks = (columns: readonly string[], rows: Iterable<readonly CsvValue[]>): Generator<string> =>
  pieces(csvLines(columns, rows));

/** JSON of anything that JSON has, and bigints as decimal texts: numbers would lose digits. */
const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner)) ?? 'null';

function* jsonLines(values: Iterable<unknown>): Generator<string> {
  let before = '[\n';
  for (const value of values) {
    yield `${before}  ${jsonOf(value)}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

/** A JSON array with one element on each line. */
export const toJsonChunks = (values: Iterable<unknown>): Generator<string> => pieces(jsonLines(values));
