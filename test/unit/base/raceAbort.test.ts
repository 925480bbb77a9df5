// Waiting for shared work with a signal of the caller's own.
import { expect, test, vi } from 'vitest';
import { raceAbort } from '../../../src/base/raceAbort.ts';

test('settles as the work does', async () => {
  const { signal } = new AbortController();
  expect(await raceAbort(Promise.resolve(7), signal)).toBe(7);
  await expect(raceAbort(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
});

test('rejects with cancelled when the signal aborts first', async () => {
  const controller = new AbortController();
  const waiting = raceAbort(new Promise(() => {}), controller.signal);
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
});

test('handles the fault of work when the signal was aborted before', async () => {
  const work = new Promise(() => {});
  const handle = vi.spyOn(work, 'then');
  await expect(raceAbort(work, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
  expect(handle).toHaveBeenCalledWith(expect.any(Function), expect.any(Function));
});
