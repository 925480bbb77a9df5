// Exports rows as CSV (RFC 4180) or JSON in chunks, so that a large table is never one string.
import { type CsvValue, formatCsvLine } from '../../base/csv.ts';

/** Approximate length of a chunk, in characters. */
const CHUNK_LENGTH = 64 * 1024;

function* toChunks(lines: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

function* csvLines(columns: readonly string[], rows: Iterable<readonly CsvValue[]>): Generator<string> {
  yield formatCsvLine(columns);
  for (const row of rows) yield formatCsvLine(row);
}

/** CSV with a header. */
export const toCsvChunks = (columns: readonly string[], rows: Iterable<readonly CsvValue[]>): Generator<string> =>
  toChunks(csvLines(columns, rows));

/** Bigints become decimal strings, because numbers would lose digits. */
const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner)) ?? 'null';

function* jsonLines(values: Iterable<unknown>): Generator<string> {
  let before = '[\n';
  for (const value of values) {
    yield `${before}  ${toJson(value)}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

/** A JSON array with one element per line. */
export const toJsonChunks = (values: Iterable<unknown>): Generator<string> => toChunks(jsonLines(values));
