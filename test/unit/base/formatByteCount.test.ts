import { expect, test } from 'vitest';
import { formatByteCount, toByteCount, toWordCount } from '../../../src/base/formatByteCount.ts';
import { localize } from '../../../src/base/localize.ts';

test.each([
  [formatByteCount(1), '1 byte'],
  [formatByteCount(1_200), '1,200 bytes'],
  [localize(toByteCount(1)), '1 byte'],
  [localize(toByteCount(0)), '0 bytes'],
  [localize(toWordCount(1)), '1 word'],
  [localize(toWordCount(2)), '2 words'],
])('a size reads %s', (text, expected) => {
  expect(text).toBe(expected);
});
