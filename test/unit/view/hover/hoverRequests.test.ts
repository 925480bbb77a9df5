// Requests of hovers: shared, announced when they are slow, cancelled when no hover needs them.
import { expect, test } from 'vitest';
import { createHoverRequests, SLOW_MS } from '../../../../src/view/hover/hoverRequests.ts';
import { createFakeClock } from '../../../support/fakeClock.ts';

function createFixture() {
  const clock = createFakeClock('manual');
  const hovers = createHoverRequests(clock);
  const requests: { readonly signal: AbortSignal; respond(text: string): void }[] = [];
  const request = (signal: AbortSignal) =>
    new Promise<string>(respond => {
      requests.push({ signal, respond });
    });
  const open = () => new AbortController().signal;
  return {
    ...{ clock, hovers, requests },
    run: (signal = open()) => hovers.run('local 0x1', request, signal),
    isSlow: (signal = open()) => hovers.isSlow('local 0x1', request, signal),
  };
}

test('a request that responds in time is not slow, and the next hover sends another', async () => {
  const { clock, requests, run, isSlow } = createFixture();
  const text = run();
  const slow = isSlow();
  clock.advance(SLOW_MS - 1);
  requests[0]?.respond('**5 ETH**');
  expect(await slow).toBe(false);
  expect(await text).toBe('**5 ETH**');
  void run();
  expect(requests).toHaveLength(2);
});

test('a slow request is announced after two seconds, and its text follows', async () => {
  const { clock, requests, run, isSlow } = createFixture();
  // In any order: the editor does not promise one.
  const slow = isSlow();
  const text = run();
  clock.advance(SLOW_MS);
  expect(await slow).toBe(true);
  requests[0]?.respond('**5 ETH**');
  expect(await text).toBe('**5 ETH**');
  expect(requests).toHaveLength(1);
});

test('a request that has answered cannot be cancelled any more', async () => {
  const { hovers, requests, run } = createFixture();
  const text = run();
  requests[0]?.respond('**5 ETH**');
  await text;
  expect(hovers.cancel('local 0x1')).toBe(false);
});

test('a slow request can be cancelled', async () => {
  const { clock, hovers, requests, run, isSlow } = createFixture();
  const text = run();
  const slow = isSlow();
  clock.advance(SLOW_MS);
  expect(await slow).toBe(true);
  expect(hovers.cancel('local 0x1')).toBe(true);
  await expect(text).rejects.toMatchObject({ code: 'cancelled' });
  expect(hovers.cancel('local 0x1')).toBe(false);
  expect(requests[0]?.signal.aborted).toBe(true);
  void run();
  expect(requests).toHaveLength(2);
});

test('a request that was announced is cancelled when the pointer leaves', async () => {
  const { clock, requests, run, isSlow } = createFixture();
  const pointer = new AbortController();
  const text = run(pointer.signal);
  const slow = isSlow();
  clock.advance(SLOW_MS);
  expect(await slow).toBe(true);
  expect(requests[0]?.signal.aborted).toBe(false);
  pointer.abort();
  await expect(text).rejects.toMatchObject({ code: 'cancelled' });
  expect(requests[0]?.signal.aborted).toBe(true);
});

test('a request is cancelled when the pointer has left everything that needs it', async () => {
  const { requests, run, isSlow } = createFixture();
  const [first, second] = [new AbortController(), new AbortController()];
  const text = run(first.signal);
  const slow = isSlow(second.signal);
  second.abort();
  expect(requests[0]?.signal.aborted).toBe(false);
  first.abort();
  await expect(text).rejects.toMatchObject({ code: 'cancelled' });
  expect(await slow).toBe(false);
  expect(requests[0]?.signal.aborted).toBe(true);
});
