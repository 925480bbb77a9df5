// The system clock: sleeping ends on time or with the signal, and removes its listeners.
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';

/** A signal that counts who listens. */
function countedSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners--;
    remove(...args);
  };
  return { controller, signal, listening: () => listeners };
}

describe('sleep', () => {
  test('resolves after its time and removes its listener', async () => {
    const { signal, listening } = countedSignal();
    const slept = systemClock.sleep(1, signal);
    expect(listening()).toBe(1);
    await expect(slept).resolves.toBeUndefined();
    expect(listening()).toBe(0);
  });

  test('rejects as soon as the signal aborts', async () => {
    const { controller, signal } = countedSignal();
    const slept = systemClock.sleep(3_600_000, signal);
    controller.abort();
    await expect(slept).rejects.toMatchObject({ name: 'HexLensError', code: 'cancelled' });
  });

  test('rejects at once for an aborted signal', async () => {
    await expect(systemClock.sleep(3_600_000, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('works without a signal', async () => {
    await expect(systemClock.sleep(0)).resolves.toBeUndefined();
  });
});

test('returns Unix time in milliseconds', () => {
  const before = Date.now();
  const now = systemClock.now();
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(Date.now());
});
