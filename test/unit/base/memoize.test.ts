import { expect, test } from 'vitest';
import { memoizeByText } from '../../../src/base/memoizeByText.ts';
import { memoizeLast } from '../../../src/base/memoizeLast.ts';

test('parses a text once, and again what threw before or was followed by a hundred others', () => {
  const parsed: string[] = [];
  const get = memoizeByText(text => {
    parsed.push(text);
    if (text === '') throw new Error('nothing');
    return { text };
  });
  expect(get('a')).toBe(get('a'));
  expect(() => get('')).toThrow('nothing');
  expect(() => get('')).toThrow('nothing');
  expect(parsed).toEqual(['a', '', '']);
  for (let i = 0; i < 100; i++) get(String(i));
  expect(get('a')).toEqual({ text: 'a' });
  expect(parsed.filter(text => text === 'a')).toHaveLength(2);
});

test('computes again only when one of the arguments is another one than at the last call', () => {
  const calls: unknown[][] = [];
  const document = {};
  const detect = memoizeLast((...args: readonly [object, number, string | undefined]) => calls.push([...args]));
  expect([detect(document, 1, undefined), detect(document, 1, undefined)]).toEqual([1, 1]);
  expect([detect(document, 2, undefined), detect({}, 2, undefined), detect({}, 2, undefined)]).toEqual([2, 3, 4]);
  expect(calls.slice(0, 2)).toEqual([
    [document, 1, undefined],
    [document, 2, undefined],
  ]);
});

test('computes again after it threw', () => {
  let attempts = 0;
  const compute = memoizeLast((value: number) => {
    if (++attempts === 1) throw new Error('not yet');
    return value;
  });
  expect(() => compute(5)).toThrow('not yet');
  expect(compute(5)).toBe(5);
});
