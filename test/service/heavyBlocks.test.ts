// How much of a chain is in memory while it is read: of blocks that are full of logs, few at a time, whatever came before.
import { afterAll, expect, it } from 'vitest';
import type { Hex } from '../../src/base/hex.ts';
import { createEvmNodes } from '../../src/service/evm/evmNodes.ts';
import { streamBlocks } from '../../src/service/indexer/blockStream.ts';
import { createChainRangeReader } from '../../src/service/indexer/chainRangeReader.ts';
import { createTokenContractCache } from '../../src/service/indexer/tokenContractCache.ts';
import { topics } from '../support/chain/contractAbis.ts';
import { createRpcFixture } from '../support/rpcFixture.ts';
import { createSyntheticChain } from '../support/syntheticChain.ts';
import { createTestClock, createTestLog } from '../support/testClock.ts';

const { http, scriptedNode } = createRpcFixture();
const ending = new AbortController();
afterAll(() => ending.abort());

const LOGS = 20;
const WALLET: Hex = `0x${'ab'.repeat(20).padStart(64, '0')}`;

/** A stream of the blocks of a node, of which those from `heavyFrom` on use all the gas of a usual block. */
async function startStream(head: number, heavyFrom: number) {
  const isHeavy = (block: number) => block >= heavyFrom;
  const chain = createSyntheticChain({
    head,
    topics: [topics.transfer, WALLET, WALLET, WALLET],
    logsIn: block => (isHeavy(block) ? LOGS : 0),
    gasIn: block => (isHeavy(block) ? 30_000_000 : 0),
  });
  const counts = { sent: 0, taken: 0, mostAhead: 0 };
  const node = await scriptedNode({
    answer(call) {
      const reply = call.method === 'eth_call' ? { result: '0x' } : chain.answer(call);
      if (call.method === 'eth_getLogs' && reply !== undefined && 'result' in reply)
        counts.sent += (reply.result as readonly unknown[]).length / LOGS;
      counts.mostAhead = Math.max(counts.mostAhead, counts.sent - counts.taken);
      return reply;
    },
  });
  const nodes = { local: node.url };
  const client = createEvmNodes({ nodes, http, clock: createTestClock(), log: createTestLog(), timeoutMs: 20_000 });
  const evmNode = await client.find('local');
  const reader = createChainRangeReader(evmNode, createTokenContractCache(evmNode));
  const stream = streamBlocks({ reader, from: 0, to: head, finalized: head, parent: null }, ending.signal);
  return { chain, counts, stream };
}

it.each([
  { chain: 'in a short chain, whose ranges are read at the same time', head: 59, heavyFrom: 0, ahead: 5 },
  { chain: 'after many empty blocks, by which ranges grow', head: 1_060, heavyFrom: 1_000, ahead: 2 },
])('heavy blocks are read one by one, at most four ahead: $chain', async ({ head, heavyFrom, ahead }) => {
  const { counts, stream } = await startStream(head, heavyFrom);
  let blocks = 0;
  let transfers = 0;
  for await (const event of stream) {
    if (event.type === 'reorg') throw new Error('There was no reorg.');
    const { range } = event;
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
