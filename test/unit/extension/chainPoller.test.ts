// The poller of the inspector: it looks up the head at once when a node announces it, whatever its interval.
import { expect, test } from 'vitest';
import type { LookupOutput } from '../../../src/api/lookups.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { disposable } from '../../../src/base/disposable.ts';
import type { Hex } from '../../../src/base/hex.ts';
import { createChainPoller } from '../../../src/extension/inspector/chainPoller.ts';
import type { ChainEvent } from '../../../src/protocol/messages.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

function createFixture(clock: Clock) {
  const listeners = new Set<(chain: string) => void>();
  const events: ChainEvent[] = [];
  const node: { head: number | null; blockHash: Hex; fork: string; lookups: number; requests: string[] } = {
    head: 1,
    blockHash: '0xaa',
    fork: '',
    lookups: 0,
    requests: [],
  };
  const poller = createChainPoller(
    {
      clock,
      lookup: async id => {
        node.lookups++;
        node.requests.push(id);
        const { head, blockHash } = node;
        if (id === 'blockSummary') return { kind: 'block', hash: blockHash } as LookupOutput<typeof id>;
        const status = { selector: 'local', source: 'node', chain: null, head, headTime: null, client: null };
        const problem = head === null ? 'The node is down.' : null;
        return { ...status, headHash: `0xhead${head}${node.fork}`, problem } as LookupOutput<typeof id>;
      },
      onHeadChange(listener) {
        listeners.add(listener);
        return disposable(() => listeners.delete(listener));
      },
    },
    event => events.push(event),
  );
  const announce = (chain: string) => {
    for (const listener of listeners) listener(chain);
  };
  return { listeners, events, node, poller, announce };
}

test('an announced head of the followed chain is looked up without waiting', async () => {
  const clock = createFakeClock('manual');
  const { listeners, events, node, poller, announce } = createFixture(clock);
  poller.follow({ chain: 'local', isLocal: true, displayedBlock: null });
  await expect.poll(() => clock.sleeps).toHaveLength(1);
  node.head = 2;
  announce('eth');
  announce('local');
  await expect.poll(() => events.map(event => event.head)).toEqual([1, 2]);
  await expect.poll(() => clock.sleeps).toHaveLength(2);
  expect(node.lookups).toBe(2);
  poller.follow(null);
  await expect.poll(() => listeners.size).toBe(0);
});

test('an announced head is looked up at once although the wait on the chain before ended late', async () => {
  const clock = createFakeClock('manual');
  const { sleep } = clock;
  const release = Promise.withResolvers<void>();
  const firstWait = Promise.withResolvers<void>();
  const { events, node, poller, announce } = createFixture({
    ...clock,
    async sleep(ms, signal) {
      const isFirst = clock.sleeps.length === 0;
      await sleep(ms, signal).catch(() => (isFirst ? release.promise : undefined));
      if (isFirst) setImmediate(firstWait.resolve); // after those that wait for this sleep
    },
  });
  poller.follow({ chain: 'local', isLocal: true, displayedBlock: null });
  await expect.poll(() => clock.sleeps).toHaveLength(1);
  poller.follow({ chain: 'eth', isLocal: false, displayedBlock: null });
  await expect.poll(() => clock.sleeps).toHaveLength(2);
  release.resolve();
  await firstWait.promise;
  node.head = 2;
  announce('eth');
  await expect.poll(() => events.map(({ chain, head }) => `${chain} ${head}`)).toEqual(['local 1', 'eth 1', 'eth 2']);
  poller.follow(null);
});

test('a node that fails is polled less and less often, and its return is reported', async () => {
  const clock = createFakeClock('manual');
  const { events, node, poller } = createFixture(clock);
  const nextRound = async () => {
    const rounds = clock.sleeps.length;
    clock.advance(clock.sleeps.at(-1) ?? 0);
    await expect.poll(() => clock.sleeps.length).toBe(rounds + 1);
  };
  poller.follow({ chain: 'local', isLocal: true, displayedBlock: null });
  await expect.poll(() => clock.sleeps).toEqual([1_000]);
  node.head = null;
  for (let round = 0; round < 4; round++) await nextRound();
  expect(clock.sleeps).toEqual([1_000, 2_000, 4_000, 4_000, 4_000]);
  node.head = 5;
  await nextRound();
  expect(clock.sleeps.at(-1)).toBe(1_000);
  expect(events.map(({ head, problem }) => [head, problem])).toEqual([
    [1, null],
    [null, 'The node is down.'],
    [5, null],
  ]);
  poller.follow(null);
});

test('a displayed block is looked up once per head, and reported when another block has replaced it', async () => {
  const clock = createFakeClock('manual');
  const { events, node, poller } = createFixture(clock);
  const nextRound = async () => {
    const rounds = clock.sleeps.length;
    clock.advance(1_000);
    await expect.poll(() => clock.sleeps.length).toBe(rounds + 1);
  };
  const show = (hash: Hex) => poller.follow({ chain: 'local', isLocal: true, displayedBlock: { number: 1, hash } });
  show('0xaa');
  await expect.poll(() => clock.sleeps).toHaveLength(1);
  await nextRound();
  expect(node.requests).toEqual(['chainStatus', 'blockSummary', 'chainStatus']);
  expect(events.at(-1)?.replaced).toBeNull();
  // Another page of the same chain, with a block that is no longer part of it.
  show('0xbb');
  await nextRound();
  expect(events.at(-1)?.replaced).toEqual({ number: 1, hash: '0xaa' });
  show('0xaa');
  [node.head, node.blockHash] = [2, '0xcc'];
  await nextRound();
  expect(events.at(-1)).toMatchObject({ head: 2, replaced: { number: 1, hash: '0xcc' } });
  poller.follow(null);
});

test('another block with the number of the head is reported', async () => {
  const clock = createFakeClock('manual');
  const { events, node, poller } = createFixture(clock);
  poller.follow({ chain: 'local', isLocal: true, displayedBlock: null });
  await expect.poll(() => clock.sleeps).toHaveLength(1);
  node.fork = 'b';
  clock.advance(1_000);
  await expect
    .poll(() => events.map(({ head, headHash }) => `${head} ${headHash}`))
    .toEqual(['1 0xhead1', '1 0xhead1b']);
  poller.follow(null);
});
