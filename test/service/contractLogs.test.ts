// `contractLogs` against a real Anvil: every contract's logs, page by page, by block, date and topic.
import { describe, expect, it } from 'vitest';
import type { Input } from '../../src/api/operations/operations.ts';
import type { Hex } from '../../src/base/hex.ts';
import { pages, records } from '../support/logPages.ts';
import { mineTransactions, mintApeTransaction } from '../support/nftPages.ts';
import { useFilledChain } from '../support/useFilledChain.ts';

describe('on Anvil', () => {
  const world = useFilledChain();

  interface RawLog {
    readonly topics: readonly Hex[];
    readonly blockNumber: Hex;
    readonly blockTimestamp: Hex;
    readonly [key: string]: unknown;
  }
  /** The node's own answer, newest first, in the words of the description. */
  async function expected(address: Hex, topics: readonly (Hex | null)[] = [], from = 0, to = world.chain.head.number) {
    const range = { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` };
    const logs = await world.anvil.rpc<RawLog[]>('eth_getLogs', [{ address, topics, ...range }]);
    return logs.reverse().map(log => ({
      transaction_hash: log['transactionHash'],
      address: address.toLowerCase(),
      block_timestamp: new Date(Number(log.blockTimestamp) * 1000).toISOString(),
      block_number: Number(log.blockNumber),
      block_hash: log['blockHash'],
      data: log['data'],
      ...Object.fromEntries(log.topics.map((topic, index) => [`topic${index}`, topic])),
      transaction_index: Number(log['transactionIndex']),
      log_index: Number(log['logIndex']),
    }));
  }
  const bodyOf = async (input: Input<'contractLogs'>) => {
    const { status, body } = await world.service.send('contractLogs', input);
    expect(status).toBe(200);
    return body as { result: unknown[]; cursor: string | null; total: string | null; page: string; page_size: string };
  };

  it('returns the logs of every contract, newest first, in pages', async () => {
    for (const [name, address] of Object.entries(world.chain.contracts)) {
      const wanted = await expected(address);
      const result: unknown[] = [];
      let cursor: string | undefined;
      let page = 1;
      do {
        const body = await bodyOf({ address, limit: 7, cursor });
        expect(body).toMatchObject({ page: String(page++), page_size: '7', total: null });
        result.push(...body.result);
        cursor = body.cursor ?? undefined;
        expect(cursor === undefined, 'a cursor exactly when there is more').toBe(result.length === wanted.length);
      } while (cursor !== undefined);
      expect(result, name).toEqual(wanted);
    }
  });

  it('returns 100 logs per page without a limit', async () => {
    const { apes } = world.chain.contracts;
    const wanted = await expected(apes);
    const body = await bodyOf({ address: apes });
    expect(body).toMatchObject({ page: '1', page_size: '100', result: wanted.slice(0, 100) });
  });

  it('filters by block, by range and by topics', async () => {
    const { contracts, topics, blocks, accounts } = world.chain;
    const { apes } = contracts;
    const { number } = blocks.transfers;
    const padded: Hex = `0x${accounts.alice.slice(2).toLowerCase().padStart(64, '0')}`;
    const cases: [Input<'contractLogs'>, unknown[]][] = [
      [{ address: apes, blockNumber: number }, await expected(apes, [], number, number)],
      [{ address: apes, blockNumber: number, fromBlock: 0, toBlock: 99 }, await expected(apes, [], number, number)],
      [{ address: apes, fromBlock: 3, toBlock: number }, await expected(apes, [], 3, number)],
      [{ address: apes, toBlock: number }, await expected(apes, [], 0, number)],
      [{ address: apes, fromBlock: number, toBlock: 1_000_000 }, await expected(apes, [], number)],
      [{ address: apes, topic0: topics.approvalForAll }, await expected(apes, [topics.approvalForAll])],
      [{ address: apes, topic2: padded }, await expected(apes, [null, null, padded])],
      [{ address: apes, topic0: topics.transfer, topic1: padded }, await expected(apes, [topics.transfer, padded])],
      [{ address: apes, topic0: topics.deposited }, []],
      [{ address: apes, fromBlock: 1_000_000 }, []],
      [{ address: apes, blockNumber: 1_000_000 }, []],
      [{ address: accounts.alice }, []],
    ];
    for (const [input, wanted] of cases)
      expect((await bodyOf({ ...input, limit: 100 })).result).toEqual(wanted.slice(0, 100));
  });

  it('filters by dates, inclusive at both ends', async () => {
    const { apes } = world.chain.contracts;
    const { number, timestamp } = world.chain.blocks.transfers;
    const day = (seconds: number) => new Date(seconds * 1000);
    const cases: [Partial<Input<'contractLogs'>>, [number, number]][] = [
      [{ fromDate: day(timestamp), toDate: day(timestamp) }, [number, number]],
      [{ fromDate: day(timestamp - 11), toDate: day(timestamp + 11) }, [number, number]],
      [{ fromDate: day(timestamp + 1) }, [number + 1, world.chain.head.number]],
      [{ toDate: day(timestamp - 1) }, [0, number - 1]],
      [{ fromDate: day(0), toDate: day(timestamp) }, [0, number]],
      [{ fromDate: day(timestamp + 0.5), toDate: day(timestamp + 12.5) }, [number + 1, number + 1]],
      [{ toBlock: number, fromDate: day(timestamp + 99) }, [0, number]],
    ];
    for (const [input, [from, to]] of cases)
      expect((await bodyOf({ address: apes, ...input })).result).toEqual(
        (await expected(apes, [], from, to)).slice(0, 100),
      );
    for (const input of [{ toDate: day(1_000_000) }, { fromDate: day(2_000_000_000) }])
      expect(await bodyOf({ address: apes, ...input })).toMatchObject({ result: [], cursor: null });
  });

  it('returns the same total on every page when it is requested', async () => {
    const { apes } = world.chain.contracts;
    const wanted = await expected(apes);
    const list = await pages(world.service, { address: apes, limit: 50, disableTotal: false });
    expect(list.map(page => page.total)).toEqual(list.map(() => wanted.length));
    expect(records(list)).toHaveLength(wanted.length);
    expect((await bodyOf({ address: apes, fromBlock: 99, disableTotal: false })).total).toBe('0');
  });

  it('returns stable pages while the chain grows', async () => {
    const { anvil, chain, service } = world;
    const snapshot = await anvil.rpc('evm_snapshot');
    try {
      const { apes } = chain.contracts;
      const before = records(await pages(service, { address: apes, limit: 30 }));
      let id = 77_000n;
      const during = await pages(service, { address: apes, limit: 30 }, async () => {
        await mineTransactions(world, [mintApeTransaction(world, chain.accounts.alice, id++)]);
      });
      expect(records(during)).toEqual(before);
      const after = await service.get('contractLogs', { address: apes, limit: 1 });
      expect(after.result[0]?.blockNumber).toBeGreaterThan(chain.head.number);
    } finally {
      await anvil.rpc('evm_revert', [snapshot]);
    }
  });

  it('rejects damaged cursors, cursors of other filters and reversed ranges', async () => {
    const { apes, coin } = world.chain.contracts;
    const { cursor } = await world.service.get('contractLogs', { address: apes, limit: 5 });
    expect(cursor).toMatch(/^[\w-]+$/);
    const given = cursor ?? '';
    const cases: [Input<'contractLogs'>, RegExp][] = [
      [{ address: apes, cursor: `${given}x` }, /^cursor is damaged/],
      [{ address: apes, cursor: given.slice(0, -4) }, /^cursor is damaged/],
      [{ address: apes, cursor: 'nonsense' }, /^cursor is damaged/],
      [{ address: coin, cursor: given }, /^cursor belongs to other filters/],
      [{ address: apes, topic0: world.chain.topics.transfer, cursor: given }, /^cursor belongs to other filters/],
      [{ address: apes, fromBlock: 9, toBlock: 3 }, /^from_block 9 is greater than to_block 3$/],
      [{ address: apes, fromDate: new Date(9e11), toDate: new Date(8e11) }, /^from_date is later than to_date$/],
    ];
    for (const [input, message] of cases) {
      const refusal = await world.service.getFault('contractLogs', input);
      expect(refusal).toMatchObject({ status: 400, code: 'bad-input' });
      expect(refusal.message).toMatch(message);
    }
    const otherLimit = await world.service.get('contractLogs', { address: apes, limit: 2, cursor: given });
    expect(otherLimit.result).toHaveLength(2);
  });

  it('marks deprecated parameters in the response headers', async () => {
    const { apes } = world.chain.contracts;
    const all = await world.service.send('contractLogs', { address: apes, topic1: `0x${'00'.repeat(32)}` });
    expect(all.headers).toEqual({ deprecation: `@${Date.parse('2023-09-04T00:00:00Z') / 1000}` });
    // That a known host has removed the operation concerns that host only.
    const input = { address: apes, topic0: world.chain.topics.transfer };
    expect((await world.service.send('contractLogs', input)).headers).toEqual({});
    const counted = await world.service.send('contractLogs', { ...input, disableTotal: false });
    expect(counted.headers).toEqual({ 'x-hexlens-deprecated-soon': 'disable_total' });
  });
});
