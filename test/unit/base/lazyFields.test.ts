// Objects whose fields are computed when they are first read.
import { expect, test } from 'vitest';
import { lazyFields } from '../../../src/base/lazyFields.ts';

test('computes each field once, when it is first read', () => {
  const computed: string[] = [];
  const fields = lazyFields<{ readonly a: number; readonly b: string }>({
    a: () => computed.push('a'),
    b: () => `b${computed.push('b')}`,
  });
  expect(computed).toEqual([]);
  expect([fields.b, fields.b]).toEqual(['b1', 'b1']);
  expect(computed).toEqual(['b']);
  expect(structuredClone(fields)).toEqual({ a: 2, b: 'b1' });
  expect({ ...fields }).toEqual({ a: 2, b: 'b1' });
  expect(computed).toEqual(['b', 'a']);
});
