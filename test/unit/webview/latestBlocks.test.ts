// The newest blocks of a chain: without gaps, without blocks that are no longer on it, and few requests.

// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { HexLensError } from '../../../src/base/errors.ts';
import { formatInteger } from '../../../src/base/formatUnits.ts';
import type { PageChannel } from '../../../src/protocol/messages.ts';
import type { Grid } from '../../../src/webview/inspector/grid/grid.ts';
import { ok } from './connectedPanel.ts';
import { find } from './dom.ts';
import { createPageFixture, eventually, shows } from './openPage.ts';

const { open } = createPageFixture();

/** Counts the calls of a page that have not ended. */
function countRunningCalls(channel: PageChannel): () => number {
  const running = new Set<object>();
  const start = channel.start.bind(channel);
  channel.start = (method, params, listener) => {
    const started = {};
    running.add(started);
    const cancel = start(method, params, {
      ...listener,
      onDone(output) {
        running.delete(started);
        listener.onDone?.(output);
      },
    });
    return () => {
      running.delete(started);
      cancel();
    };
  };
  return () => running.size;
}

/** A chain that the test moves; `fork` is part of all hashes from `forkBlock` up. */
async function openChain(head: number) {
  const chain = { head, fork: 'a', forkBlock: 0, isLost: false };
  const requested: number[] = [];
  const hashOf = (block: number) =>
    `0x${(block >= chain.forkBlock ? chain.fork : 'a').repeat(32)}${String(block).padStart(32, '0')}`;
  const { page } = await open({
    target: { kind: 'block', chain: 'local', block: 'latest' },
    following: true,
    reply: () => ok({}),
    lookup(id, input) {
      if (id === 'chainStatus')
        return { selector: 'local', chain: null, head: chain.head, headHash: hashOf(chain.head), problem: null };
      if (id !== 'blockSummary') return undefined;
      if (chain.isLost) throw new HexLensError('node-unreachable', 'The node cannot be reached');
      const number = (input as { readonly block: number }).block;
      requested.push(number);
      const facts = { time: new Date(0), transactions: 1, gasUsed: 1n, gasLimit: 1n, baseFee: 1n, miner: null };
      return { kind: 'block', number, hash: hashOf(number), ...facts };
    },
  });
  return { page, chain, requested, hashOf, countRunning: countRunningCalls(page.channel) };
}

const getRows = () => (find(document, 'hl-grid') as Grid | null)?.rows ?? [];
const countDown = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index);
const showsBlocks = (from: number, to: number) =>
  eventually(() => expect(getRows().map(([number]) => number)).toEqual(countDown(from, to)));
const clickOlder = () =>
  [...(find(document, 'hl-latest-blocks')?.shadowRoot?.querySelectorAll('button') ?? [])]
    .find(({ textContent }) => textContent?.trim() === 'Load older')
    ?.click();

test('a new block costs two requests, and keeps the blocks below', async () => {
  const { chain, requested, countRunning } = await openChain(1_000);
  for (const head of [1_000, 1_001, 1_002, 1_003]) {
    chain.head = head;
    await showsBlocks(head, 976);
    // The page has learned of the head, and what it asked for because of that has arrived.
    await shows(`Head ${formatInteger(head)}`);
    await eventually(() => expect(countRunning()).toBe(0));
  }
  expect(requested.filter(number => number === 1_001)).toHaveLength(2);
  clickOlder();
  await showsBlocks(1_003, 951);
});

test('more new blocks than one request returns leave no gap', async () => {
  const { chain } = await openChain(1_000);
  await showsBlocks(1_000, 976);
  chain.head = 2_000;
  await showsBlocks(2_000, 1_976);
  clickOlder();
  await showsBlocks(2_000, 1_951);
});

test('a chain that was reset shows none of its old blocks', async () => {
  const { chain, hashOf } = await openChain(1_000);
  await showsBlocks(1_000, 976);
  Object.assign(chain, { head: 990, fork: 'b', forkBlock: 980 });
  await showsBlocks(990, 966);
  expect(getRows().map(row => row.at(-1))).toEqual(countDown(990, 966).map(hashOf));
});

test('a reorganization that is deeper than the newest block replaces all blocks that it replaced', async () => {
  const { chain, hashOf } = await openChain(1_000);
  await showsBlocks(1_000, 976);
  Object.assign(chain, { head: 1_001, fork: 'b', forkBlock: 995 });
  await eventually(() => expect(getRows().map(row => row.at(-1))).toEqual(countDown(1_001, 976).map(hashOf)));
});

test('Back shows the blocks that were read while the node is lost, and reads them again when it is back', async () => {
  const { page, chain } = await openChain(1_000);
  await showsBlocks(1_000, 976);
  page.channel.notify('navigate', { target: { kind: 'block', chain: 'local', block: '5' }, where: 'here' });
  await shows('Block 5');
  expect(getRows()).toEqual([]);
  chain.isLost = true;
  find(document, 'button[aria-label=Back]')?.click();
  await showsBlocks(1_000, 976);
  await shows(/Shown as read (just now|\d+ (?:second|minute)s? ago)/);
  Object.assign(chain, { isLost: false, head: 1_001 });
  find(document, 'button[title="Refresh"]')?.click();
  await showsBlocks(1_001, 976);
});
