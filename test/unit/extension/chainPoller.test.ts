// The poller of the inspector: it looks up the head at once when a node announces it, whatever its interval.
import { expect, test } from 'vitest';
import type { LookupOutput } from '../../../src/api/lookups.ts';
import { disposable } from '../../../src/base/disposable.ts';
import { createChainPoller } from '../../../src/extension/inspector/chainPoller.ts';
import type { ChainEvent } from '../../../src/protocol/messages.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

test('an announced head of the followed chain is looked up without waiting', async () => {
  const listeners = new Set<(chain: string) => void>();
  const events: ChainEvent[] = [];
  let head = 1;
  let lookups = 0;
  const clock = createFakeClock('manual');
  const poller = createChainPoller(
    {
      clock,
      lookup: async id => {
        lookups++;
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
  poller.follow({ chain: 'local', isLocal: true, displayedBlock: null });
  await expect.poll(() => clock.sleeps).toHaveLength(1);
  head = 2;
  announce('eth');
  announce('local');
  await expect.poll(() => events.map(event => event.head)).toEqual([1, 2]);
  await expect.poll(() => clock.sleeps).toHaveLength(2);
  expect(lookups).toBe(2);
  poller.follow(null);
  await expect.poll(() => listeners.size).toBe(0);
});
