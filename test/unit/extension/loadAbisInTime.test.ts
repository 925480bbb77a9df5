// Hovers wait for the workspace's ABIs, but not for long.
import { expect, test } from 'vitest';
import { type AbiRegistry, createAbiRegistry } from '../../../src/decode/abiRegistry.ts';
import { loadAbisInTime } from '../../../src/extension/abi/loadAbisInTime.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

const whole = createAbiRegistry();
const { signal } = new AbortController();

test('waits for artifacts that are being read when the first hover is shown', async () => {
  const reading = Promise.withResolvers<AbiRegistry>();
  const abis = { load: () => reading.promise, current: () => null };
  const registry = loadAbisInTime(abis, createFakeClock('manual'), 1_000, signal);
  reading.resolve(whole);
  expect(await registry).toBe(whole);
});

test('takes what was read so far when that takes too long, or fails', async () => {
  const clock = createFakeClock('manual');
  const part = createAbiRegistry();
  const slow = { load: () => new Promise<AbiRegistry>(() => {}), current: () => part };
  const late = loadAbisInTime(slow, clock, 1_000, signal);
  clock.advance(1_000);
  expect(await late).toBe(part);
  const failing = { load: () => Promise.reject(new Error('unreadable')), current: () => part };
  expect(await loadAbisInTime(failing, clock, 1_000, signal)).toBe(part);
});

test('ends with the hover', async () => {
  const leaving = new AbortController();
  const slow = { load: () => new Promise<AbiRegistry>(() => {}), current: () => null };
  const registry = loadAbisInTime(slow, createFakeClock('manual'), 1_000, leaving.signal);
  leaving.abort();
  await expect(registry).rejects.toMatchObject({ code: 'cancelled' });
});
