// `contractLogs` on synthetic chains whose nodes have limits, lag behind or return wrong logs: every log once, in few calls.
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Input } from '../../src/api/operations/operations.ts';
import { startService } from '../support/filledChain.ts';
import { type Log, pages, records } from '../support/logPages.ts';
import {
  type NodeScript,
  type ScriptedCall,
  type ScriptedReply,
  startScriptedRpcNode,
} from '../support/scriptedRpcNode.ts';
import {
  createSyntheticChain,
  SYNTHETIC_CONTRACT,
  SYNTHETIC_TOPIC,
  type SyntheticChain,
  type SyntheticOptions,
} from '../support/syntheticChain.ts';
import { createTestClock, createTestLog } from '../support/testClock.ts';

describe('on synthetic chains', () => {
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await Promise.all(stops.splice(0).map(stop => stop()));
  });

  async function over(
    options: SyntheticOptions,
    change: (call: ScriptedCall, chain: SyntheticChain) => ScriptedReply | undefined = () => undefined,
    exchange?: NodeScript['exchange'],
  ) {
    const chain = createSyntheticChain(options);
    const node = await startScriptedRpcNode({
      answer: call => change(call, chain) ?? chain.answer(call),
      ...(exchange !== undefined && { exchange }),
    });
    const clock = createTestClock();
    const log = createTestLog();
    const service = startService({ eth: node.url }, { clock, log });
    stops.push(async () => {
      await service.stop();
      await node.stop();
    });
    return { chain, node, clock, log, service };
  }
  const address = SYNTHETIC_CONTRACT;
  const positions = (list: readonly Log[]) => list.map(log => [log.blockNumber, log.logIndex]);
  const wantedPositions = (chain: SyntheticChain, from = 0, to = chain.head) =>
    chain
      .logs(from, to)
      .reverse()
      .map(log => [Number(log['blockNumber']), Number(log['logIndex'])]);
  const spanOf = ({ params }: ScriptedCall) => {
    const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
    return Number(toBlock) - Number(fromBlock) + 1;
  };
  const refused = (message: string): ScriptedReply => ({ error: { code: -32000, message } });

  it.each<[string, number]>([
    ['eth_getLogs is limited to a 1,000 range', 1_000],
    ['You can make eth_getLogs requests with up to a 10 block range.', 10],
    ['block range is too wide', 100],
    ['exceed maximum block range: 5000', 5_000],
  ])('respects the node’s limits: %s', async (message, most) => {
    const { chain, node, service } = await over(
      { head: most * 30, logsIn: block => (block % (most * 7) === 3 ? 2 : 0) },
      call => (call.method === 'eth_getLogs' && spanOf(call) > most ? refused(message) : undefined),
    );
    const list = await pages(service, { address, limit: 3 });
    expect(positions(records(list))).toEqual(wantedPositions(chain));
    const before = node.countCalls('eth_getLogs');
    await service.get('contractLogs', { address, limit: 100 });
    const spans = node.calls
      .filter(call => call.method === 'eth_getLogs')
      .slice(before - node.countCalls('eth_getLogs'))
      .map(spanOf);
    expect(Math.max(...spans), 'what the node takes is remembered').toBeLessThanOrEqual(most);
  });

  it('narrows the window where there are too many logs, and widens it again', async () => {
    const most = 50;
    const { chain, node, service } = await over(
      { head: 3_000, logsIn: block => (block > 1_000 && block < 1_200 ? 10 : 0) },
      (call, chain) => {
        if (call.method !== 'eth_getLogs') return undefined;
        const { fromBlock, toBlock } = call.params[0] as { fromBlock: string; toBlock: string };
        const found = chain.logs(Number(fromBlock), Number(toBlock));
        return found.length > most ? refused('query returned more than 50 results') : { result: found };
      },
    );
    const list = await pages(service, { address, limit: 100 });
    expect(positions(records(list))).toEqual(wantedPositions(chain));
    expect(node.countCalls('eth_getLogs')).toBeLessThan(150);
  });

  it('reads receipts of a block that has more logs than the node returns at once', async () => {
    const { chain, service } = await over({ head: 20, logsIn: block => (block === 10 ? 30 : 0) }, (call, chain) => {
      const { method, params } = call;
      const block = chain.header(10) as Record<string, unknown>;
      if (method === 'eth_getLogs') return refused('too many logs');
      if (method === 'eth_getBlockReceipts') {
        const logs = chain.logs(Number(params[0]), Number(params[0]));
        if (logs.length === 0) return { result: [] };
        return { result: [{ transactionHash: logs[0]?.['transactionHash'], blockHash: block['hash'], logs }] };
      }
      if (method === 'eth_getBlockByNumber' && params[0] === '0xa' && params[1] === true) {
        const transaction = {
          hash: chain.logs(10, 10)[0]?.['transactionHash'],
          blockHash: block['hash'],
          transactionIndex: '0x0',
        };
        return { result: { ...block, transactions: [transaction] } };
      }
      return undefined;
    });
    expect(positions(records(await pages(service, { address, limit: 20 })))).toEqual(wantedPositions(chain));
  });

  it('fetches each block time once when the node sends none with the logs', async () => {
    const { chain, node, service } = await over({ head: 200, logsIn: block => (block > 190 ? 3 : 0), logTimes: false });
    const first = await service.get('contractLogs', { address });
    expect(first.result).toHaveLength(30);
    for (const log of first.result)
      expect(log.blockTimestamp?.getTime()).toBe(chain.timeOf(log.blockNumber ?? 0) * 1000);
    expect(node.countCalls('eth_getBlockByHash')).toBe(10);
    await service.get('contractLogs', { address });
    expect(node.countCalls('eth_getBlockByHash')).toBe(10);
  });

  it('stops a scan that takes too long, and continues on the next page', async () => {
    const { node, service, clock } = await over({ head: 9_000_000, logsIn: block => (block === 5 ? 1 : 0) }, call => {
      if (call.method !== 'eth_getLogs') return undefined;
      clock.advance(3_000);
      const { fromBlock } = call.params[0] as { fromBlock: string };
      return { result: Number(fromBlock) <= 5 ? createSyntheticChain({ head: 5, logsIn: () => 1 }).logs(5, 5) : [] };
    });
    const first = await service.send('contractLogs', { address });
    expect(first.body).toMatchObject({ result: [], page: '1' });
    expect(first.headers['x-hexlens-scan']).toMatch(/^partial; searched down to block \d+$/);
    expect(node.countCalls('eth_getLogs')).toBe(3);
    const list = await pages(service, { address });
    expect(positions(records(list))).toEqual([[5, 0]]);
    const counted = await service.send('contractLogs', { address, disableTotal: false });
    expect(counted.body).toMatchObject({ total: null });
    expect(counted.headers['x-hexlens-total']).toMatch(/^unavailable; /);
  });

  it.each(['asc', 'desc'] as const)(
    'gets further with each page over a slow node that returns one block at a time, %s',
    async order => {
      const { chain, service, clock } = await over({ head: 4, logsIn: () => 1 }, call => {
        if (call.method !== 'eth_getLogs') return undefined;
        clock.advance(9_000);
        return spanOf(call) > 1 ? refused('block range is limited to 1 block') : undefined;
      });
      const list = await pages(service, { address, order, limit: 100 }, async page => expect(page).toBeLessThan(10));
      const wanted = wantedPositions(chain);
      expect(positions(records(list))).toEqual(order === 'asc' ? wanted.toReversed() : wanted);
    },
  );

  it('finds logs at the end of a long, empty range in few calls', async () => {
    const { node, service } = await over({ head: 2_000_000, logsIn: block => (block === 7 ? 1 : 0) }, (call, chain) =>
      call.method === 'eth_getLogs' && Number((call.params[0] as { fromBlock: string }).fromBlock) > 7
        ? { result: [] }
        : call.method === 'eth_getLogs'
          ? { result: chain.logs(7, 7) }
          : undefined,
    );
    expect(positions((await service.get('contractLogs', { address })).result)).toEqual([[7, 0]]);
    expect(node.countCalls('eth_getLogs')).toBeLessThan(30);
  });

  it('waits for a node that is behind its own head, and reports it in the end', async () => {
    let behind = 2;
    const { chain, clock, service } = await over({ head: 100, logsIn: () => 1 }, (call, chain) => {
      const [block] = call.params as [unknown];
      if (call.method === 'eth_getLogs' && behind > 0) return { result: chain.logs(0, 90) };
      if (call.method === 'eth_getBlockByNumber' && block === '0x64' && behind-- > 0) return { result: null };
      return undefined;
    });
    expect((await service.get('contractLogs', { address, limit: 1 })).result[0]?.blockNumber).toBe(100);
    expect(clock.sleeps).toEqual([250, 500]);
    behind = 1_000;
    const refusal = await service.getFault('contractLogs', { address });
    expect(refusal).toMatchObject({ status: 502, code: 'node-answer' });
    expect(refusal.message).toContain(`it does not have block ${chain.head}, which is not above its head`);
  });

  it('looks for missing logs by bloom filter in blocks close to the head only, and counts the calls', async () => {
    const logsBloom = `0x${'ff'.repeat(256)}`;
    const { node, service } = await over({ head: 2_000, finalDepth: 1_000 }, (call, chain) => {
      if (call.method === 'eth_getBlockByNumber' && /^0x/.test(String(call.params[0])))
        return { result: { ...chain.header(Number(call.params[0])), logsBloom } };
      if (call.method !== 'eth_getLogs') return undefined;
      const isByHash = 'blockHash' in (call.params[0] as object);
      return isByHash || spanOf(call) <= 10 ? { result: [] } : refused('eth_getLogs is limited to a 10 range');
    });
    const { headers } = await service.send('contractLogs', { address });
    expect(headers['x-hexlens-scan']).toMatch(/^partial/);
    const byHash = node.calls.filter(
      ({ method, params }) => method === 'eth_getLogs' && 'blockHash' in (params[0] as object),
    );
    expect(byHash.length).toBeLessThanOrEqual(2);
    expect(node.countCalls('eth_getLogs')).toBe(60);
  });

  const lies: [string, (log: Record<string, unknown>) => Record<string, unknown> | null, RegExp][] = [
    ['of another contract', log => ({ ...log, address: `0x${'ee'.repeat(20)}` }), /the filter does not match/],
    ['with another topic', log => ({ ...log, topics: [`0x${'01'.repeat(32)}`] }), /the filter does not match/],
    ['outside the range', log => ({ ...log, blockNumber: '0xffff' }), /a log of block 65535, outside \d+ to 100/],
    ['without a block hash', log => ({ ...log, blockHash: null }), /blockHash is not a hash/],
    ['of no shape at all', () => null, /a log is not an object/],
  ];
  it.each(lies)('does not accept logs %s', async (_name, lie, sentence) => {
    const { service, node } = await over({ head: 100, logsIn: () => 1 }, (call, chain) =>
      call.method === 'eth_getLogs' ? { result: chain.logs(95, 99).map(lie) } : undefined,
    );
    const refusal = await service.getFault('contractLogs', { address, topic0: SYNTHETIC_TOPIC });
    expect(refusal).toMatchObject({ status: 502, code: 'node-answer' });
    expect(refusal.message).toMatch(sentence);
    expect(refusal.message).toContain(
      `The node of Ethereum (${node.host}) gave an answer to eth_getLogs that cannot be true`,
    );
  });

  it('retries when logs and head are of two forks, and ignores removed logs', async () => {
    let remaining = 1;
    const { service, chain } = await over({ head: 10, logsIn: () => 1 }, (call, chain) => {
      if (call.method !== 'eth_getLogs') return undefined;
      const logs = chain.logs(9, 10);
      if (remaining-- > 0) return { result: logs.map(log => ({ ...log, blockHash: `0x${'fe'.repeat(32)}` })) };
      return { result: [...logs, { ...logs[0], logIndex: '0x9', removed: true }] };
    });
    const { result } = await service.get('contractLogs', { address });
    expect(positions(result)).toEqual([
      [10, 0],
      [9, 0],
    ]);
    expect(result[0]?.blockHash).toBe(chain.hashOf(10));
  });

  it('removes trailing wildcards from the topics', async () => {
    const { service, node } = await over({ head: 10 });
    await service.get('contractLogs', { address });
    await service.get('contractLogs', { address, topic1: SYNTHETIC_TOPIC });
    const topics = node.calls
      .filter(call => call.method === 'eth_getLogs')
      .map(call => (call.params[0] as { topics?: unknown }).topics);
    expect(topics).toEqual([undefined, [null, SYNTHETIC_TOPIC]]);
  });

  it('rejects a cursor from before a reset', async () => {
    const { service, chain, clock } = await over({ head: 100, logsIn: () => 2 });
    const { cursor } = await service.get('contractLogs', { address, limit: 3 });
    chain.salt = 'another';
    clock.advance(60_000);
    const refusal = await service.getFault('contractLogs', { address, limit: 3, cursor: cursor ?? '' });
    expect(refusal.message).toMatch(/^cursor belongs to the chain as it was before it was reset/);
  });

  it('reports an error that is no limit', async () => {
    const { service } = await over({ head: 10 }, call =>
      call.method === 'eth_getLogs' ? refused('please pay first') : undefined,
    );
    const refusal = await service.getFault('contractLogs', { address });
    expect(refusal).toMatchObject({ status: 502, code: 'node-error' });
    expect(refusal.message).toMatch(/refused eth_getLogs: please pay first\./);
  });

  it('is final only when its last block is', async () => {
    const { service } = await over({ head: 1_000, logsIn: () => 1 });
    const classOf = async (input: Partial<Input<'contractLogs'>>) =>
      (await service.send('contractLogs', { address, ...input })).freshness?.validity;
    expect(await classOf({ toBlock: 900 })).toBe('finalized');
    expect(await classOf({ blockNumber: 900 })).toBe('finalized');
    expect(await classOf({ toBlock: 999 })).toBe('untilNextHead');
    expect(await classOf({ toBlock: 99_999 })).toBe('untilNextHead');
    expect(await classOf({})).toBe('untilNextHead');
  });

  it('finds the block of a date in few calls, on steady and on unsteady chains', async () => {
    const unsteady = (block: number) =>
      1_600_000_000 + (block < 700_000 ? block * 15 : 700_000 * 15 + (block - 700_000) * 2);
    for (const timeOf of [(block: number) => 1_600_000_000 + block * 12, unsteady]) {
      const { node, service } = await over({ head: 1_000_000, timeOf }, call =>
        call.method === 'eth_getLogs' ? { result: [] } : undefined,
      );
      for (const block of [1, 123_456, 700_001, 999_999]) {
        const before = node.requests();
        await service.get('contractLogs', {
          address,
          fromDate: new Date(timeOf(block) * 1000),
          toDate: new Date(timeOf(block) * 1000),
        });
        const ranges = node.calls.filter(call => call.method === 'eth_getLogs').map(call => call.params[0]);
        const hex = `0x${block.toString(16)}`;
        expect(ranges.at(-1)).toMatchObject({ fromBlock: hex, toBlock: hex });
        expect(node.requests() - before).toBeLessThanOrEqual(14);
      }
    }
  });

  it('ends the search when block times are not in order', async () => {
    const { service } = await over({ head: 1_000_000, timeOf: block => 1_600_000_000 + ((block * 7_919) % 1_000_003) });
    const reply = await service.send('contractLogs', { address, fromDate: new Date(1_600_400_000_000) });
    expect([200, 502]).toContain(reply.status);
  });

  it('returns every log exactly once, whatever the density, the node’s limit and the page size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          head: fc.integer({ min: 0, max: 800 }),
          counts: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 20 }),
          gap: fc.integer({ min: 1, max: 150 }),
          cap: fc.integer({ min: 20, max: 500 }),
          results: fc.integer({ min: 7, max: 200 }),
          limit: fc.integer({ min: 5, max: 100 }),
          range: fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 0, max: 900 })),
          disableTotal: fc.boolean(),
        }),
        async ({ head, counts, gap, cap, results, limit, range, disableTotal }) => {
          const logsIn = (block: number) => (block % gap === 0 ? (counts[(block / gap) % counts.length] ?? 0) : 0);
          const { chain, service } = await over({ head, logsIn }, (call, chain) => {
            if (call.method !== 'eth_getLogs') return undefined;
            if (spanOf(call) > cap) return refused(`eth_getLogs is limited to a ${cap} range`);
            const { fromBlock, toBlock } = call.params[0] as { fromBlock: string; toBlock: string };
            const found = chain.logs(Number(fromBlock), Number(toBlock));
            return found.length > results ? refused(`query returned more than ${results} results`) : { result: found };
          });
          const [fromBlock, toBlock] = [Math.min(...range), Math.max(...range)];
          const list = await pages(service, { address, limit, fromBlock, toBlock, disableTotal });
          const wanted = wantedPositions(chain, fromBlock, toBlock);
          expect(positions(records(list))).toEqual(wanted);
          for (const page of list) {
            expect(page.result.length).toBeLessThanOrEqual(limit);
            expect([null, wanted.length]).toContain(page.total);
          }
          await Promise.all(stops.splice(0).map(stop => stop()));
        },
      ),
      { seed: 1, numRuns: 40 },
    );
  });
});
