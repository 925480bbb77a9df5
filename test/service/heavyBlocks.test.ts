// How much of a chain is in memory while it is read: of blocks that are full of logs, few at a time, whatever came before.
import { afterAll, expect, it } from 'vitest';
import type { Hex } from '../../src/base/hex.ts';
import { createEvmNodes } from '../../src/service/evm/evmNodes.ts';
import { streamBlocks } from '../../src/service/indexer/blockStream.ts';
import { createChainRangeReader, type DecodedRange } from '../../src/service/indexer/chainRangeReader.ts';
import { createScopeRangeReader } from '../../src/service/indexer/scopeRangeReader.ts';
import { createTokenContractCache } from '../../src/service/indexer/tokenContractCache.ts';
import { topics } from '../support/chain/contractAbis.ts';
import { createRpcFixture } from '../support/rpcFixture.ts';
import { createSyntheticChain, SYNTHETIC_CONTRACT, type SyntheticOptions } from '../support/syntheticChain.ts';
import { createTestClock, createTestLog } from '../support/testClock.ts';

const { http, scriptedNode } = createRpcFixture();
const ending = new AbortController();
afterAll(() => ending.abort());

const LOGS = 20;
const WALLET: Hex = `0x${'ab'.repeat(20).padStart(64, '0')}`;
const TRANSFER_TOPICS = [topics.transfer, WALLET, WALLET, WALLET];

type StartOptions = Pick<SyntheticOptions, 'head' | 'logsIn' | 'gasIn' | 'data'>;

/** A node, and a stream of its blocks: of all their logs, or in the index of one contract. */
async function startNode(options: StartOptions, isScoped = false) {
  const chain = createSyntheticChain({ topics: TRANSFER_TOPICS, ...options });
  const counts = { sent: 0, taken: 0, mostAhead: 0 };
  /** Requests for the logs of this block alone. */
  const singles = new Map<number, number>();
  const node = await scriptedNode({
    answer(call) {
      const reply = call.method === 'eth_call' ? { result: '0x' } : chain.answer(call);
      if (call.method === 'eth_getLogs' && reply !== undefined && 'result' in reply) {
        counts.sent += (reply.result as readonly unknown[]).length / LOGS;
        const { fromBlock, toBlock } = call.params[0] as { fromBlock: Hex; toBlock: Hex };
        if (fromBlock === toBlock) singles.set(Number(fromBlock), (singles.get(Number(fromBlock)) ?? 0) + 1);
      }
      counts.mostAhead = Math.max(counts.mostAhead, counts.sent - counts.taken);
      return reply;
    },
  });
  const nodes = { local: node.url };
  const client = createEvmNodes({ nodes, http, clock: createTestClock(), log: createTestLog(), timeoutMs: 20_000 });
  const evmNode = await client.find('local');
  const tokenContracts = createTokenContractCache(evmNode);
  const scope = { kind: 'contract', address: SYNTHETIC_CONTRACT } as const;
  const reader = isScoped
    ? createScopeRangeReader(evmNode, scope, tokenContracts)
    : createChainRangeReader(evmNode, tokenContracts);
  const { head } = options;
  const stream = streamBlocks({ reader, from: 0, to: head, finalized: head, parent: null }, ending.signal);
  return { chain, counts, singles, node, stream };
}

/** Of a node whose blocks from `heavyFrom` on use all the gas of a usual block. */
const startStream = (head: number, heavyFrom: number) =>
  startNode({
    head,
    logsIn: block => (block >= heavyFrom ? LOGS : 0),
    gasIn: block => (block >= heavyFrom ? 30_000_000 : 0),
  });

async function* takeRanges(stream: ReturnType<typeof streamBlocks>): AsyncGenerator<DecodedRange> {
  for await (const event of stream) {
    if (event.type === 'reorg') throw new Error('There was no reorg.');
    yield event.range;
  }
}

it.each([
  { chain: 'in a short chain, whose ranges are read at the same time', head: 59, heavyFrom: 0, ahead: 5 },
  { chain: 'after many empty blocks, by which ranges grow', head: 1_060, heavyFrom: 1_000, ahead: 2 },
])('heavy blocks are read one by one, at most four ahead: $chain', async ({ head, heavyFrom, ahead }) => {
  const { counts, stream } = await startStream(head, heavyFrom);
  let blocks = 0;
  let transfers = 0;
  for await (const range of takeRanges(stream)) {
    blocks += range.blocks.length;
    transfers += range.transfers.length;
    // The first one is not taken until what follows is read.
    if (counts.taken === 0 && range.transfers.length > 0)
      await expect.poll(() => counts.sent).toBeGreaterThanOrEqual(ahead);
    counts.taken += range.transfers.length / LOGS;
  }
  expect({ blocks, transfers }).toEqual({ blocks: head + 1, transfers: (head + 1 - heavyFrom) * LOGS });
  expect(counts.mostAhead).toBeGreaterThanOrEqual(ahead); // with the one that was not taken
  expect(counts.mostAhead).toBeLessThanOrEqual(5);
});

it('blocks that use much gas for few logs are read in ranges by their logs', async () => {
  const { node, stream } = await startNode({ head: 1_999, logsIn: () => LOGS, gasIn: () => 1_000_000 });
  let transfers = 0;
  for await (const range of takeRanges(stream)) transfers += range.transfers.length;
  expect(transfers).toBe(2_000 * LOGS);
  expect(node.countCalls('eth_getLogs')).toBeLessThan(60); // with those of the first ranges; each could have 1,250 logs
});

/** 2 MB of logs in each block, of which headers tell nothing. */
const HEAVY_LOGS: StartOptions = { head: 11, logsIn: () => LOGS, data: `0x${'ab'.repeat(55_000)}` };

it.each([
  { index: 'a chain', isScoped: false },
  { index: 'one contract', isScoped: true },
])(
  'no response is longer than 4 MB, nor a part that is read at once, whatever headers say: index of $index',
  async ({ isScoped }) => {
    const { stream } = await startNode(HEAVY_LOGS, isScoped);
    let next = 0;
    let longest = 0;
    for await (const { blocks } of takeRanges(stream)) {
      const [first = -1, last = -1] = [blocks[0]?.number, blocks.at(-1)?.number];
      expect(first).toBe(next);
      longest = Math.max(longest, last - first + 1);
      next = last + 1;
    }
    expect({ next, longest }).toEqual({ next: 12, longest: 1 });
  },
);

it('blocks with more logs than one response should have are read one after the other, as they arrive', async () => {
  const logs = 8_000;
  const heavy = [0, 30];
  const { singles, stream } = await startNode({ head: 59, logsIn: block => (heavy.includes(block) ? logs : 0) });
  const found = new Map<number, number>();
  for await (const { transfers, blocks } of takeRanges(stream)) {
    const [first] = blocks;
    if (first === undefined || !heavy.includes(first.number)) continue;
    found.set(first.number, transfers.length);
    expect(transfers.map(row => row.place)).toEqual(Array.from({ length: logs }, (_, index) => index));
    const next = first.number + 30;
    if (next > 30) continue;
    await expect.poll(() => singles.get(next)).toBe(1); // it was refused
  }
  expect([...found]).toEqual(heavy.map(block => [block, logs]));
});

it('a reorg between the parts of a range ends the stream', async () => {
  const { chain, stream } = await startStream(7, 0);
  const types: string[] = [];
  for await (const event of stream) {
    types.push(event.type);
    if (types.length === 1) chain.salt = 'fork';
  }
  expect(types[0]).toBe('blocks');
  expect(types.at(-1)).toBe('reorg');
  expect(types.length).toBeLessThan(8);
});
