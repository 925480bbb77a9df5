// The poller of the inspector: it looks up the head at once when a node announces it, whatever its interval.
import { expect, test } from 'vitest';
import type { LookupOutput } from '../../../src/api/lookups.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { disposable } from '../../../src/base/disposable.ts';
import { createChainPoller } from '../../../src/extension/inspector/chainPoller.ts';
import type { ChainEvent } from '../../../src/protocol/messages.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

function createFixture(clock: Clock) {
  const listeners = new Set<(chain: string) => void>();
  const events: ChainEvent[] = [];
  const node = { head: 1, lookups: 0 };
  const poller = createChainPoller(
    {
      clock,
      lookup: async id => {
        node.lookups++;
        const { head } = node;
        const status = { selector: 'local', source: 'node', chain: null, head, headTime: null, client: null };
        return { ...status, problem: null } as LookupOutput<typeof id>;
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
