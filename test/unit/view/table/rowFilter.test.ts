// The filter of tables: matching rows, and error messages.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileRowFilter, type FilterField, quoteFilterValue } from '../../../../src/view/table/rowFilter.ts';

interface Row {
  readonly from: string;
  readonly name: string;
  readonly event: string;
  readonly value: bigint;
  readonly index: number;
  readonly time: number;
}

const fields: readonly FilterField<Row>[] = [
  { name: 'from', kind: 'hex', values: row => [row.from, row.name] },
  { name: 'event', kind: 'text', values: row => [row.event] },
  { name: 'value', kind: 'amount', values: row => [row.value] },
  { name: 'index', kind: 'number', values: row => [row.index] },
  { name: 'time', kind: 'time', values: row => [row.time] },
];
const day = Date.UTC(2026, 10, 21);
const rows: readonly Row[] = [
  { from: '0xaabb', name: 'Alice', event: 'Transfer', value: 15n * 10n ** 17n, index: 0, time: day },
  { from: '0xaacc', name: 'Bob Jones', event: 'Approval', value: 2n * 10n ** 9n, index: 1, time: day + 1_000 },
  { from: '0xbbaa', name: '', event: 'Transfer', value: 2n ** 255n, index: 2, time: day + 86_400_000 },
];
const passing = (query: string) => {
  const filter = compileRowFilter(query, fields);
  return { rows: rows.filter(filter.test).map(({ index }) => index), problems: filter.problems };
};

describe('compileRowFilter', () => {
  test.each([
    ['', [0, 1, 2]],
    ['   ', [0, 1, 2]],
    ['from:0xaa', [0, 1]],
    ['from:0xAABB', [0]],
    ['from:aa', [0, 1, 2]],
    ['from:"bob jones"', [1]],
    ['From:alice', [0]],
    ['event:transfer', [0, 2]],
    ['event:transfer,approval', [0, 1, 2]],
    ['-event:transfer', [1]],
    ['event:transfer from:0xbb', [2]],
    ['value>1', [0, 2]],
    ['value>=1.5', [0, 2]],
    ['value>1.5', [2]],
    ['value=2gwei', [1]],
    ['value<1_000', [0, 1]],
    ['value<1,000', [0, 1]],
    ['value:0..1.5', [0, 1]],
    [`value=0x${(2n ** 255n).toString(16)}`, [2]],
    ['index:1', [1]],
    ['index:0,2', [0, 2]],
    ['-index<1', [1, 2]],
    ['time>2026-11-21', [1, 2]],
    ['time<=2026-11-21T00:00:01Z', [0, 1]],
    [`time=${day / 1000}`, [0]],
    ['alice', [0]],
    ['approval bob', [1]],
    ['-alice', [1, 2]],
    ['"bob jones"', [1]],
    ['from:"alice,bob jones"', []],
    ['event:""', []],
    ['index>-1', [0, 1, 2]],
    ['index:-5..1', [0, 1]],
    ['index:"2"', [2]],
  ])('finds the rows that match %j', (query, wanted) => expect(passing(query)).toEqual({ rows: wanted, problems: [] }));

  test.each([
    ['to:0x12', /no field “to” here: use from, event, value, index, time/],
    ['value>lots', /“lots” cannot be compared with value: write a value such as 1\.5/],
    ['value>1.0000000000000000001', /cannot be compared/],
    ['value>5bananas', /cannot be compared/],
    ['value>1,5', /cannot be compared/],
    ['index>1.5', /such as 100/],
    ['time>tomorrow', /such as 2026-11-21/],
    ['from>5', /from is not a number/],
    ['from:', /from needs a value/],
    ['value>', /value needs a value/],
  ])('%j is reported and ignored', (query, message) => {
    const { rows: all, problems } = passing(query);
    expect(problems).toEqual([expect.stringMatching(message)]);
    expect(all).toEqual([0, 1, 2]);
  });

  test('quoted values have their quotes and backslashes, names those of arguments', () => {
    const texts = ['a "b", c', 'C:\\d', '', '"'];
    const arguments_: readonly FilterField<number>[] = [
      { name: '_$to', kind: 'text', values: row => [texts[row] ?? ''] },
    ];
    for (const [index, text] of texts.entries()) {
      const filter = compileRowFilter(`_$to:${quoteFilterValue(text)}`, arguments_);
      expect(filter.problems).toEqual([]);
      expect(texts.map((_, row) => row).filter(filter.test)).toContain(index);
    }
    expect(compileRowFilter('_$to:"a \\"b\\", c"', arguments_).test(1)).toBe(false);
    expect(compileRowFilter('_$to:""', arguments_).test(0)).toBe(false);
  });

  test('compares the value, not the other texts of a row', () => {
    const amount: FilterField<bigint> = { name: 'amount', kind: 'amount', decimals: 6, values: row => [row, '5'] };
    expect(compileRowFilter('amount<1', [amount]).test(5_000_000n)).toBe(false);
  });

  test('never throws, and terminates, for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'-":<>=., \t\\_$fromvalue0x19é\u0000') }), query => {
        const filter = compileRowFilter(query, fields);
        rows.map(filter.test);
      }),
      { seed: 3, numRuns: 2_000 },
    );
  });
});
