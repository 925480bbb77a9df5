import { expect, test } from 'vitest';
import { lazy } from '../../../src/base/lazy.ts';

test('loads at the first call, and only once', async () => {
  let loads = 0;
  const get = lazy(async () => ++loads);
  expect(get.peek()).toBeUndefined();
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  expect(await get.peek()).toBe(1);
  expect(loads).toBe(1);
});

test('tries again after a failed load', async () => {
  let broken = true;
  const get = lazy(async () => {
    if (broken) throw new Error('not there');
    return 'loaded';
  });
  await expect(get()).rejects.toThrow('not there');
  expect(get.peek()).toBeUndefined();
  broken = false;
  expect(await get()).toBe('loaded');
});

test('runs with a value whose load has started, and leaves a failed load to those who started it', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const values: string[] = [];
  const get = lazy(() => promise);
  get.ifLoaded(value => values.push(`early ${value}`));
  const loading = get();
  get.ifLoaded(value => values.push(value));
  resolve('loaded');
  await loading;
  expect(values).toEqual(['loaded']);

  const fails = lazy(async () => {
    throw new Error('not there');
  });
  const failing = fails();
  fails.ifLoaded(() => values.push('never')); // an unhandled rejection would fail the run
  await expect(failing).rejects.toThrow('not there');
  expect(values).toEqual(['loaded']);
});
