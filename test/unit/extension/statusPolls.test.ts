// Several views that poll one node.
import { expect, test } from 'vitest';
import type { ChainStatus } from '../../../src/api/lookups.ts';
import { createSingleReads, createStatusPolls, MAX_STATUS_AGE_MS } from '../../../src/extension/worker/statusPolls.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

function createFixture() {
  const clock = createFakeClock('manual');
  const requested: string[] = [];
  const polls = createStatusPolls(async selector => {
    requested.push(selector);
    return { selector, head: requested.length } as ChainStatus;
  }, clock);
  return { clock, polls, requested };
}

test('cost a node one request, each chain its own', async () => {
  const { clock, polls, requested } = createFixture();
  const first = polls.poll('local');
  clock.advance(MAX_STATUS_AGE_MS - 1);
  expect(await polls.poll('local')).toBe(await first);
  await polls.poll('eth');
  expect(requested).toEqual(['local', 'eth']);
});

test('read again what is older, and after a change of the nodes', async () => {
  const { clock, polls, requested } = createFixture();
  await polls.poll('local');
  clock.advance(MAX_STATUS_AGE_MS);
  expect(await polls.poll('local')).toMatchObject({ head: 2 });
  polls.clear();
  expect(await polls.poll('local')).toMatchObject({ head: 3 });
  expect(requested).toHaveLength(3);
});

test('of announced heads are one at a time on each chain, and one more for all that were announced meanwhile', async () => {
  const reads: { readonly selector: string; end(): void }[] = [];
  const request = createSingleReads(selector => {
    const { promise, resolve } = Promise.withResolvers<void>();
    reads.push({ selector, end: resolve });
    return promise;
  });
  const getSelectors = () => reads.map(({ selector }) => selector);
  const first = request('local');
  const other = request('eth');
  for (let announced = 0; announced < 100; announced++) void request('local');
  expect(getSelectors()).toEqual(['local', 'eth']);
  reads[0]?.end();
  await expect.poll(getSelectors).toEqual(['local', 'eth', 'local']);
  reads[1]?.end();
  reads[2]?.end();
  await Promise.all([first, other]);
  const last = request('local');
  expect(getSelectors()).toEqual(['local', 'eth', 'local', 'local']);
  reads[3]?.end();
  await last;
});
