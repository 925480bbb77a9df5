import { expect, test } from 'vitest';
import { DisposableStore, disposable } from '../../../src/base/disposable.ts';

test('disposes its items once, newest first, and later ones at once', () => {
  const disposed: number[] = [];
  const store = new DisposableStore();
  for (const number of [1, 2]) store.add(disposable(() => disposed.push(number)));
  expect(store.disposed).toBe(false);
  store.dispose();
  store.dispose();
  store.add(disposable(() => disposed.push(3)));
  expect([disposed, store.disposed]).toEqual([[2, 1, 3], true]);
});

test('disposes all items although some throw', () => {
  const disposed: number[] = [];
  const store = new DisposableStore();
  const fail = (text: string) =>
    disposable(() => {
      throw new Error(text);
    });
  store.add(disposable(() => disposed.push(1)));
  store.add(fail('one'));
  expect(() => store.dispose()).toThrow('one');
  expect(disposed).toEqual([1]);
  const second = new DisposableStore();
  second.add(fail('one'));
  second.add(fail('two'));
  expect(() => second.dispose()).toThrow(AggregateError);
});
