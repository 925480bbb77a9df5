// CSV and JSON of tables: read back they are what was shown, and no spreadsheet runs them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatCsvText, formatCsvValue, unescapeCsvText } from '../../../../src/base/csv.ts';
import { createExportWriter } from '../../../../src/extension/inspector/tableExport.ts';
import type { TableColumn, TableRow } from '../../../../src/protocol/table.ts';

/** A table of texts as one page. */
function formatTable(format: 'csv' | 'json', keys: readonly string[], rows: readonly TableRow[]): string {
  const writer = createExportWriter(format);
  const columns = keys.map((key): TableColumn => ({ key, label: key, kind: 'text' }));
  return writer.formatPage({ columns, rows }) + writer.formatEnd();
}

/** RFC 4180, the plain way. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      for (at++; ; at++) {
        if (text[at] !== '"') cell += text[at];
        else if (text[at + 1] === '"') {
          cell += '"';
          at++;
        } else break;
      }
      at++;
    } else while (at < text.length && text[at] !== ',' && text[at] !== '\r') cell += text[at++];
    row.push(cell);
    if (text[at] === ',') {
      at++;
      continue;
    }
    at += 2;
    rows.push(row);
    row = [];
  }
  return rows;
}

describe('csv', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['+cmd|calc', "'+cmd|calc"],
    ['-2+3', "'-2+3"],
    ['|calc', "'|calc"],
    ['＋1+1', "'＋1+1"],
    ['－1-1', "'－1-1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    [' =1', "' =1"],
    ['\t=1', `"'\t=1"`],
    ['\tx', `"'\tx"`],
    ['x;=1', '"x;=1"'],
    ["'=1", "''=1"],
    ["'", "'"],
    ['\u202e=1', "'\u202e=1"],
    ['＝1', "'＝1"],
    ['-5', '-5'],
    ['+1.5', '+1.5'],
    ['a"b', '"a""b"'],
    ['a,b', '"a,b"'],
    ['0x12', '0x12'],
  ])('%j is written %j', (cell, written) => expect(formatCsvValue(cell)).toBe(written));

  test('formatCsvText keeps text that looks like a number as text', () => {
    expect(['-5', '+1.5', '7', 'x'].map(formatCsvText)).toEqual(["'-5", "'+1.5", '7', 'x']);
  });

  test('formats numbers of any size, booleans and empty values', () => {
    expect([2n ** 255n, -5n, true, null, undefined, 0].map(formatCsvValue)).toEqual([
      `${2n ** 255n}`,
      '-5',
      'true',
      '',
      '',
      '0',
    ]);
  });

  test('CSV that is read back is unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string()), { minLength: 1 }), rows => {
        const text = formatTable('csv', ['a', 'b'], rows);
        expect(
          parseCsv(text)
            .slice(1)
            .map(row => row.map(unescapeCsvText)),
        ).toEqual(rows);
      }),
      { seed: 11, numRuns: 500 },
    );
  });
});

describe('json', () => {
  test('is an array with one element per line', () => {
    const rows = [['1'], [null], ['"x"']];
    const text = formatTable('json', ['a'], rows);
    expect(text.split('\n')).toHaveLength(6);
    expect(JSON.parse(text)).toEqual(rows.map(([a]) => ({ a })));
    expect(JSON.parse(formatTable('json', ['a'], []))).toEqual([]);
  });
});
