// What is kept because it never changes: bounded in number and weight, the least recently used goes first.
import { expect, test } from 'vitest';
import { createLru } from '../../../src/base/lru.ts';

test('the least recently used goes first, by number', () => {
  const lru = createLru<number, string>({ maxEntries: 2 });
  lru.set(1, 'a');
  lru.set(2, 'b');
  expect(lru.get(1)).toBe('a');
  lru.set(3, 'c');
  expect([lru.get(1), lru.get(2), lru.get(3), lru.size]).toEqual(['a', undefined, 'c', 2]);
});

test('and by weight; what would push out most of the rest is not kept', () => {
  const lru = createLru<string, number>({ maxEntries: 100, maxWeight: 100 });
  for (const name of ['a', 'b', 'c', 'd', 'e']) lru.set(name, 1, 25);
  expect([lru.get('a'), lru.get('b'), lru.get('e'), lru.size]).toEqual([undefined, 1, 1, 4]);
  lru.set('heavy', 1, 26);
  expect([lru.get('heavy'), lru.size]).toEqual([undefined, 4]);
  lru.set('b', 2, 1); // counted once
  lru.set('f', 1, 24);
  expect(lru.size).toBe(5);
  lru.clear();
  lru.set('g', 1, 25);
  expect(lru.size).toBe(1);
});
