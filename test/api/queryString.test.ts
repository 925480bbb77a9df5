// Query strings: all array forms of clients, invalid escapes, and the one form that is written.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatQueryString, groupQueryValues, parseQueryString } from '../../src/api/wire/queryString.ts';
import { measureCpuMs } from '../support/cpuTime.ts';

const grouped = (query: string) => Object.fromEntries(groupQueryValues(parseQueryString(query)));

describe('parseQueryString', () => {
  const cases: readonly (readonly [query: string, pairs: readonly (readonly [string, string])[]])[] = [
    ['', []],
    ['&&&', []],
    ['a', [['a', '']]],
    ['a=', [['a', '']]],
    ['=1', [['', '1']]],
    ['a=1=2', [['a', '1=2']]],
    ['a=b+c', [['a', 'b c']]],
    ['a=b%2Bc', [['a', 'b+c']]],
    ['a=b%20c', [['a', 'b c']]],
    ['a+b=1', [['a b', '1']]],
    ['a=%C3%A9', [['a', 'é']]],
    ['a=é', [['a', 'é']]],
    ['a=%', [['a', '%']]],
    ['a=50%+more', [['a', '50% more']]],
    ['a=%FF', [['a', '%FF']]],
    [
      'a=%zz&b=1',
      [
        ['a', '%zz'],
        ['b', '1'],
      ],
    ],
    ['a=%00', [['a', '\0']]],
    ['a=1;b=2', [['a', '1;b=2']]],
    ['a=1,2', [['a', '1,2']]],
    ['__proto__=1', [['__proto__', '1']]],
  ];

  test.each(cases)('reads %j as %j', (query, pairs) => {
    expect(parseQueryString(query)).toEqual(pairs);
  });

  test('parses what formatQueryString writes', () => {
    const word = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word)), pairs => {
        const written = pairs.filter(([name, value]) => name !== '' || value !== '');
        expect(parseQueryString(formatQueryString(written))).toEqual(written);
      }),
      { seed: 20261120 },
    );
  });

  test('never throws, whatever the text', () => {
    const pieces = fc.constantFrom('a', '=', '&', '%', '%4', '%41', '%C3', '+', '[', ']', '%5B', '%5D', '0', '\ud800');
    fc.assert(
      fc.property(fc.array(pieces), list => {
        groupQueryValues(parseQueryString(list.join('')));
      }),
      { seed: 20261120, numRuns: 1000 },
    );
  });
});

describe('groupQueryValues', () => {
  const arrays: readonly (readonly [form: string, query: string])[] = [
    ['repeated', 'w=1&w=2&w=3'],
    ['brackets', 'w[]=1&w[]=2&w[]=3'],
    ['indexed', 'w[0]=1&w[1]=2&w[2]=3'],
    ['encoded brackets', 'w%5B%5D=1&w%5B%5D=2&w%5B%5D=3'],
    ['encoded indexes', 'w%5B0%5D=1&w%5B1%5D=2&w%5B2%5D=3'],
    ['lower-case escapes', 'w%5b0%5d=1&w%5b1%5d=2&w%5b2%5d=3'],
    ['encoded digits', 'w%5B%30%5D=1&w[]=2&w=3'],
    ['mixed', 'w=1&w[]=2&w[7]=3'],
    ['with empty ones between', 'w=1&w=&w[]=2&w[1]=&w=3&w'],
    ['among others', 'a=x&w[0]=1&b=y&w[1]=2&w[2]=3&c='],
  ];

  test.each(arrays)('reads an array, %s', (_form, query) => {
    expect(grouped(query)['w']).toEqual(['1', '2', '3']);
  });

  const cases: readonly (readonly [query: string, groups: Readonly<Record<string, readonly string[]>>])[] = [
    ['cursor=&limit=', {}],
    ['a=1,2', { a: ['1,2'] }],
    ['a=1%2C2', { a: ['1,2'] }],
    ['a[0][b]=1', { 'a[0][b]': ['1'] }],
    ['a[x]=1', { 'a[x]': ['1'] }],
    ['a[-1]=1', { 'a[-1]': ['1'] }],
    ['a[12345]=1', { 'a[12345]': ['1'] }],
    ['[]=1', { '[]': ['1'] }],
    ['a[]b=1', { 'a[]b': ['1'] }],
    ['a[=1', { 'a[': ['1'] }],
    ['A=1&a=2', { A: ['1'], a: ['2'] }],
    ['chain[]=eth', { chain: ['eth'] }],
  ];

  test.each(cases)('groups the values of %j as %j', (query, groups) => {
    expect(grouped(query)).toEqual(groups);
  });

  test('treats names such as __proto__ like any other', () => {
    const groups = groupQueryValues(parseQueryString('__proto__=1&constructor=2&toString[]=3'));
    expect(groups.get('__proto__')).toEqual(['1']);
    expect(groups.get('constructor')).toEqual(['2']);
    expect(groups.get('toString')).toEqual(['3']);
    expect(groups.get('hasOwnProperty')).toBeUndefined();
  });

  test('groups a hundred thousand pairs quickly', () => {
    const text = Array.from({ length: 100_000 }, (_, i) => `a%5B${i % 10}%5D=${i}`).join('&');
    const took = measureCpuMs(
      () => expect(groupQueryValues(parseQueryString(text)).get('a')).toHaveLength(100_000),
      2_000,
    );
    expect(took).toBeLessThan(2_000);
  });
});
