// The smallest change between two texts, and positions in a text.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPositionLookup, diffText } from '../../../src/base/textDiff.ts';

test('finds the smallest change between two texts, and positions of offsets', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (head, tail, old, fresh) => {
      const [before, after] = [head + old + tail, head + fresh + tail];
      const { start, end, content } = diffText(before, after);
      expect(before.slice(0, start) + content + before.slice(end)).toBe(after);
      expect(end - start).toBeLessThanOrEqual(old.length);
    }),
    { seed: 11, numRuns: 500 },
  );
  const place = createPositionLookup('a\nbc\r\n\nd');
  expect([0, 1, 2, 4, 6, 7, 8].map(at => Object.values(place(at)).join(':'))).toEqual([
    '0:0',
    '0:1',
    '1:0',
    '1:2',
    '2:0',
    '3:0',
    '3:1',
  ]);
});
