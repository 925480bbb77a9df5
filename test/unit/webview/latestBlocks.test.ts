// The newest blocks of a chain: without gaps, without blocks that are no longer on it, and few requests.

// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { Grid } from '../../../src/webview/inspector/grid/grid.ts';
import { ok } from './connectedPanel.ts';
import { find } from './dom.ts';
import { createPageFixture, eventually } from './openPage.ts';

const { open } = createPageFixture();

/** A chain that the test moves; `fork` is part of all hashes from `forkBlock` up. */
async function openChain(head: number) {
  const chain = { head, fork: 'a', forkBlock: 0 };
  const requested: number[] = [];
  const hashOf = (block: number) =>
    `0x${(block >= chain.forkBlock ? chain.fork : 'a').repeat(32)}${String(block).padStart(32, '0')}`;
  await open({
    target: { kind: 'block', chain: 'local', block: 'latest' },
    following: true,
    reply: () => ok({}),
    lookup(id, input) {
      if (id === 'chainStatus')
        return { selector: 'local', chain: null, head: chain.head, headHash: hashOf(chain.head), problem: null };
      if (id !== 'blockSummary') return undefined;
      const number = (input as { readonly block: number }).block;
      requested.push(number);
      const facts = { time: new Date(0), transactions: 1, gasUsed: 1n, gasLimit: 1n, baseFee: 1n, miner: null };
      return { kind: 'block', number, hash: hashOf(number), ...facts };
    },
  });
  return { chain, requested, hashOf };
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
  const { chain, requested } = await openChain(1_000);
  await showsBlocks(1_000, 976);
  for (const head of [1_001, 1_002, 1_003]) {
    chain.head = head;
    await showsBlocks(head, 976);
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
