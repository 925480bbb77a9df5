// Shared head requests: no caller gets a response that was requested before it called, and simultaneous callers share one.
import { expect, test } from 'vitest';
import type { ChainState } from '../../../../src/api/freshness.ts';
import { createHeadDeduplicator } from '../../../../src/service/evm/headDeduplicator.ts';

const state = (headNumber: number): ChainState => ({ genesisHash: '0x00', headHash: `0x${headNumber}`, headNumber });

/** Looks that end when the test says so. */
function stage() {
  const begun: ReturnType<typeof Promise.withResolvers<ChainState>>[] = [];
  const look = createHeadDeduplicator(() => {
    const ending = Promise.withResolvers<ChainState>();
    begun.push(ending);
    return ending.promise;
  });
  return { begun, look: () => look('local'), until: (count: number) => expect.poll(() => begun.length).toBe(count) };
}

test('callers during a request share the next one', async () => {
  const { begun, look, until } = stage();
  const first = look();
  await until(1);
  const [second, third] = [look(), look()];
  begun[0]?.resolve(state(1));
  expect(await first).toEqual(state(1));
  await until(2);
  const fourth = look();
  begun[1]?.resolve(state(2));
  expect(await Promise.all([second, third])).toEqual([state(2), state(2)]);
  await until(3);
  begun[2]?.resolve(state(3));
  expect(await fourth).toEqual(state(3));
});

test('two callers in one tick share a request', async () => {
  const { begun, look, until } = stage();
  const both = Promise.all([look(), look()]);
  await until(1);
  begun[0]?.resolve(state(7));
  expect(await both).toEqual([state(7), state(7)]);
  expect(begun).toHaveLength(1);
});

test('a failed request fails for the callers that shared it, and for none after', async () => {
  const { begun, look, until } = stage();
  const failing = Promise.allSettled([look(), look()]);
  await until(1);
  const next = look();
  begun[0]?.reject(new Error('gone'));
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await until(2);
  begun[1]?.resolve(state(2));
  expect(await next).toEqual(state(2));
});

test('requests to the nodes of two chains run at the same time', async () => {
  const asked: string[] = [];
  const look = createHeadDeduplicator(async asking => {
    asked.push(asking);
    return state(asked.length);
  });
  await Promise.all([look('eth'), look('base')]);
  expect(asked).toEqual(['eth', 'base']);
});
