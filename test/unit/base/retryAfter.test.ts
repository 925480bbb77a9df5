import { expect, test } from 'vitest';
import { formatRetryAfter, parseRetryAfterMs } from '../../../src/base/retryAfter.ts';

test.each([
  [{ 'retry-after': '120' }, 120_000],
  [{ 'retry-after': ' 7 ' }, 7_000],
  [{ 'retry-after': 'Fri, 20 Nov 2026 00:00:05 GMT' }, 5_000],
  [{ 'retry-after': 'Friday, 20-Nov-26 00:00:05 GMT' }, 5_000],
  [{ 'retry-after': 'Thu, 19 Nov 2026 00:00:00 GMT' }, 0],
  [{ 'retry-after': 'Fri, 20 Nov 2026 00:00:05 GMT', date: 'Fri, 20 Nov 2026 00:00:03 GMT' }, 2_000],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '' }, undefined],
  [{}, undefined],
])('parses %o as %s', (headers, expected) => {
  expect(parseRetryAfterMs(headers, Date.UTC(2026, 10, 20))).toBe(expected);
});

test('a delay is formatted as whole seconds, rounded up', () => {
  expect([0, 1, 1_000, 1_001].map(formatRetryAfter)).toEqual(['0', '1', '1', '2']);
});
