// Internal transactions of a real Anvil, by every trace method, and from nodes without any.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Hex } from '../../src/base/hex.ts';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { fillChain } from '../support/chain/fillChain.ts';
import { FILLED_BLOCKS } from '../support/chain/filledAnvil.ts';
import { mineBlock } from '../support/chain/mineBlock.ts';
import { type ServiceUnderTest, startService } from '../support/filledChain.ts';
import {
  forwardTo,
  type ScriptedCall,
  type ScriptedReply,
  type ScriptedRpcNode,
  startScriptedRpcNode,
} from '../support/scriptedRpcNode.ts';
import { createTestClock } from '../support/testClock.ts';
import { useFilledChain } from '../support/useFilledChain.ts';

const world = useFilledChain();

type Forward = (call: ScriptedCall) => Promise<ScriptedReply>;

describe('internal transactions', () => {
  const NO_METHOD: ScriptedReply = { error: { code: -32601, message: 'Method not found' } };
  const NO_STATE: ScriptedReply = { error: { code: -32000, message: 'missing trie node' } };
  const STATE_METHODS: readonly string[] = ['eth_getBalance', 'eth_getStorageAt', 'eth_getTransactionCount'];
  const nodes: ScriptedRpcNode[] = [];
  const services: ServiceUnderTest[] = [];
  afterAll(async () => {
    await Promise.all(services.map(service => service.stop()));
    await Promise.all(nodes.map(node => node.stop()));
  });

  /** The same chain behind a node that lacks some methods or changes some answers. */
  async function behind(
    change: (call: ScriptedCall, forward: Forward) => ScriptedReply | Promise<ScriptedReply> | undefined,
  ) {
    const forward = forwardTo(world.anvil.url);
    const node = await startScriptedRpcNode({ answer: call => change(call, forward) ?? forward(call) });
    const service = startService({ local: node.url }, { clock: createTestClock() });
    nodes.push(node);
    services.push(service);
    return { node, service };
  }
  const lacking =
    (...methods: readonly string[]) =>
    ({ method }: ScriptedCall) =>
      methods.includes(method) ? NO_METHOD : undefined;

  /** Without the state before its blocks, a transaction cannot be run again. */
  const withoutState =
    (change: (call: ScriptedCall, forward: Forward) => ScriptedReply | Promise<ScriptedReply> | undefined) =>
    (call: ScriptedCall, forward: Forward) =>
      STATE_METHODS.includes(call.method) ? NO_STATE : change(call, forward);

  const include = 'internal_transactions';
  const tracedBlocks = () => [
    world.chain.blocks.internal,
    world.chain.blocks.failures,
    world.chain.blocks.sales,
    world.chain.blocks.first,
    world.chain.blocks.empty,
  ];
  const traceOf = async (service: ServiceUnderTest) => {
    const lists = [];
    for (const { number } of tracedBlocks()) {
      const reply = await service.send('block', { block: number, include });
      expect(reply.status).toBe(200);
      expect(reply.headers).toEqual({});
      lists.push(
        (reply.body as { transactions: { internal_transactions: unknown[] }[] }).transactions.map(
          t => t.internal_transactions,
        ),
      );
    }
    return lists;
  };

  it('are the calls below the transaction, in the order of execution', async () => {
    const { chain, service } = world;
    const lower = (name: keyof typeof chain.contracts) => chain.contracts[name].toLowerCase();
    const { internalTransactions } = await service.get('transaction', { hash: chain.transactions.internal, include });
    const two = 2_000_000_000_000_000_000n;
    expect(internalTransactions?.map(({ type, from, to, value, error }) => [type, from, to, value, error])).toEqual([
      ['CALL', lower('vault'), lower('picky'), 1n, 'execution reverted'],
      ['CALL', lower('vault'), lower('forwarder1'), two, null],
      ['CALL', lower('forwarder1'), lower('forwarder2'), two, null],
      ['CALL', lower('forwarder2'), lower('forwarder3'), two, null],
      ['CALL', lower('forwarder3'), chain.accounts.erin.toLowerCase(), two, null],
    ]);
    expect(internalTransactions?.[0]).toMatchObject({
      transactionHash: chain.transactions.internal,
      blockNumber: chain.blocks.internal.number,
      blockHash: chain.blocks.internal.hash,
      input: '0x',
    });
    const created = await service.get('transaction', { hash: chain.transactions.internalCreate, include });
    expect(created.internalTransactions?.map(({ type, value }) => [type, value])).toEqual([
      ['CREATE', 500_000_000_000_000_000n],
      ['CREATE2', 500_000_000_000_000_000n],
      ['CALL', 0n],
      ['SELFDESTRUCT', 500_000_000_000_000_000n],
    ]);
    expect(created.internalTransactions?.[3]?.to).toBe(chain.accounts.frank.toLowerCase());
    const failed = await service.get('transaction', { hash: chain.transactions.ethTransfer, include });
    expect(failed.internalTransactions).toEqual([]);
  });

  it('are the same by every trace method', async () => {
    const expected = await traceOf(world.service);
    expect(expected.flat(2).length).toBeGreaterThan(20);
    const ways: [string, readonly string[]][] = [
      ['debug_traceBlockByHash', ['trace_block']],
      ['debug_traceTransaction', ['trace_block', 'debug_traceBlockByHash']],
    ];
    for (const [way, missing] of ways) {
      const { node, service } = await behind(lacking(...missing));
      expect(await traceOf(service), way).toEqual(expected);
      expect(node.countCalls(way)).toBeGreaterThan(0);
      for (const method of missing) expect(node.countCalls(method), `${method} is called once`).toBe(1);
    }
  });

  it('have the gas of a revert from another method when the first one lacks it', async () => {
    const expected = await traceOf(world.service);
    type Trace = { readonly error?: string };
    const { node, service } = await behind(async (call, forward) => {
      const reply = await forward(call);
      if (call.method !== 'trace_block' || !('result' in reply)) return reply;
      const traces = reply.result as readonly Trace[];
      return { result: traces.map(trace => (trace.error === undefined ? trace : { ...trace, result: null })) };
    });
    expect(await traceOf(service)).toEqual(expected);
    expect(node.countCalls('debug_traceBlockByHash')).toBeGreaterThan(0);
  });

  it('name no contract for a creation that failed, but the gas that it used', async () => {
    const { service } = await behind(async (call, forward) => {
      const reply = await forward(call);
      if (call.method !== 'trace_transaction' || !('result' in reply)) return reply;
      const traces = reply.result as readonly { readonly type: string }[];
      const failed = { error: 'Out of gas', result: null };
      return { result: traces.map(trace => (trace.type === 'create' ? { ...trace, ...failed } : trace)) };
    });
    const reply = await service.send('transaction', { hash: world.chain.transactions.internalCreate, include });
    const [first] = (reply.body as { internal_transactions: Readonly<Record<string, unknown>>[] })
      .internal_transactions;
    expect(first).toMatchObject({ type: 'CREATE', to: `0x${'0'.repeat(40)}`, error: 'Out of gas' });
    expect(first?.['gas_used']).toBe(first?.['gas']);
  });

  describe('from a node that traces only opcodes', () => {
    const STEPS = { enableMemory: true };
    let steps: Anvil;
    beforeAll(async () => {
      steps = await startAnvil({ args: ['--steps-tracing'] });
      const { head } = await fillChain(steps, { blocks: FILLED_BLOCKS });
      expect(head).toEqual(world.chain.head); // the same chain, read step by step
    });
    afterAll(() => steps.stop());

    // Neither the balance of a destroyed contract nor the gas of a call to an account without code is in the opcode trace.
    const comparable = (lists: unknown) =>
      (lists as Record<string, unknown>[][][]).map(block =>
        block.map(list =>
          list.map(entry => {
            const { gas: _gas, gas_used: _used, output, error, ...rest } = entry;
            const ran = String(output).length > 2 && !String(entry['to']).startsWith(`0x${'0'.repeat(38)}`);
            const shown = { ...rest, failed: error !== undefined, output: ran ? output : null };
            return entry['type'] === 'SELFDESTRUCT' ? { ...shown, value: null } : shown;
          }),
        ),
      );

    it('are the same when a node ignores the tracer', async () => {
      const forward = forwardTo(steps.url);
      const { service } = await behind(({ method, params }) => {
        if (method === 'trace_block' || method === 'debug_traceBlockByHash') return NO_METHOD;
        return method === 'debug_traceTransaction' ? forward({ method, params: [params[0], STEPS] }) : undefined;
      });
      expect(comparable(await traceOf(service))).toEqual(comparable(await traceOf(world.service)));
    });

    it('are those of a replay when a node rejects every tracer', async () => {
      const forward = forwardTo(steps.url);
      const { service } = await behind(({ method, params }) => {
        if (method === 'trace_block' || method === 'debug_traceBlockByHash') return NO_METHOD;
        if (method !== 'debug_traceTransaction') return undefined;
        const options = params[1] as { tracer?: string };
        if (options.tracer !== undefined) return { error: { code: -32000, message: 'Only the default tracer works' } };
        return forward({ method, params: [params[0], STEPS] });
      });
      expect((await traceOf(service))[0]?.[1]).toHaveLength(5);
    });

    it('move the same sums through a delegated call, whatever value a node gives it', async () => {
      const [proxy, delegate, receiver] = ['d1', 'd2', 'd3'].map(byte => `0x${byte.repeat(20)}`);
      const noData = '5f'.repeat(4);
      await steps.rpc('anvil_setCode', [proxy, `0x${noData}73${delegate?.slice(2)}5af400`]);
      // Sends half of the value of the call around it: CALLVALUE PUSH1 1 SHR.
      await steps.rpc('anvil_setCode', [delegate, `0x${noData}3460011c73${receiver?.slice(2)}5af100`]);
      const { alice } = world.chain.accounts;
      const transaction = { from: alice, to: proxy as Hex, value: 2_000n };
      const { receipts } = await mineBlock(steps, [transaction]);
      const hash = receipts[0]?.transactionHash;

      interface Frame {
        readonly type: string;
        readonly value?: string | undefined;
        readonly calls?: readonly Frame[];
      }
      /** The result of `callTracer` as nodes send it that give a delegated call `value`, or no value. */
      const withValue = (frame: Frame, value: string | undefined): Frame => ({
        ...frame,
        ...(frame.type === 'DELEGATECALL' && { value }),
        ...(frame.calls !== undefined && { calls: frame.calls.map(call => withValue(call, value)) }),
      });
      const forward = forwardTo(steps.url);
      const tracer = (value: string | undefined) => async (call: ScriptedCall) => {
        const reply = await forward(call);
        return 'result' in reply ? { result: withValue(reply.result as Frame, value) } : reply;
      };
      const opcodes = ({ method, params }: ScriptedCall) => forward({ method, params: [params[0], STEPS] });
      const traces = { inherited: tracer('0x7d0'), zero: tracer('0x0'), absent: tracer(undefined), opcodes };
      for (const [name, trace] of Object.entries({ ...traces, parity: undefined })) {
        const { node, service } = await behind(call => {
          if (call.method === 'debug_traceTransaction' && trace !== undefined) return trace(call);
          return trace !== undefined && call.method === 'trace_transaction' ? NO_METHOD : forward(call);
        });
        const { internalTransactions } = await service.get('transaction', { hash: hash ?? '0x', include });
        expect(
          internalTransactions?.map(({ type, from, to, value }) => [type, from, to, value]),
          name,
        ).toEqual([
          ['DELEGATECALL', proxy, delegate, 0n],
          ['CALL', proxy, receiver, 1_000n],
        ]);
        expect(node.countCalls('debug_traceTransaction') > 0, name).toBe(trace !== undefined);
      }
    });

    it('are unavailable, not empty, when the node recorded no opcodes and lacks the state', async () => {
      const { service } = await behind(
        withoutState(({ method, params }, forward) => {
          if (method === 'trace_block' || method === 'debug_traceBlockByHash') return NO_METHOD;
          return method === 'debug_traceTransaction' ? forward({ method, params: [params[0], STEPS] }) : undefined;
        }),
      );
      const { number } = world.chain.blocks.internal;
      const reply = await service.send('block', { block: number, include });
      expect(reply.headers['x-hexlens-internal-transactions']).toMatch(/^unavailable; .*: no call trace came$/);
    });
  });

  const TRACE_METHODS = ['trace_block', 'trace_transaction', 'debug_traceBlockByHash', 'debug_traceTransaction'];

  it('of a block are the same from a node that has no trace methods, but the state to run it again', async () => {
    const { service } = await behind(lacking(...TRACE_METHODS));
    const withoutTexts = (lists: unknown) =>
      (lists as Record<string, unknown>[][][]).map(block =>
        block.map(list => list.map(({ error, ...rest }) => ({ ...rest, failed: error !== undefined }))),
      );
    expect(withoutTexts(await traceOf(service))).toEqual(withoutTexts(await traceOf(world.service)));
  });

  it('of a block are not those of a run that used other gas than the receipts say', async () => {
    const raise = (receipt: object) => ({ ...receipt, gasUsed: '0x5f5e100' });
    const { service } = await behind((call, forward) => {
      if (TRACE_METHODS.includes(call.method)) return NO_METHOD;
      if (call.method !== 'eth_getBlockReceipts') return undefined;
      return forward(call).then(reply => ({ result: (reply as { result: object[] }).result.map(raise) }));
    });
    const reply = await service.send('block', { block: world.chain.blocks.internal.number, include });
    expect(reply.headers['x-hexlens-internal-transactions']).toMatch(/^unavailable; /);
  });

  it('of a block are an empty list with a reason from a node without trace methods and state', async () => {
    const { service } = await behind(withoutState(lacking(...TRACE_METHODS)));
    const { number } = world.chain.blocks.internal;
    const reply = await service.send('block', { block: number, include });
    expect(reply.status).toBe(200);
    expect(reply.headers['x-hexlens-internal-transactions']).toBe(
      'unavailable; the node of Local dev chain has neither trace_block nor debug_traceTransaction',
    );
    const { transactions } = await service.get('block', { block: number, include });
    expect(transactions?.map(entry => entry.internalTransactions)).toEqual([[], [], [], []]);
    const without = await service.send('block', { block: number });
    expect(JSON.stringify(without.body)).not.toContain('internal_transactions');
    expect(without.headers).toEqual({});
  });

  it('are unavailable when a node’s trace lacks a transaction of the block', async () => {
    const { service } = await behind(({ method }) => (method === 'trace_block' ? { result: [] } : undefined));
    expect(await traceOf(service)).toEqual(await traceOf(world.service));
  });

  it('of the other transactions stay when one cannot be traced, which is named', async () => {
    const { number } = world.chain.blocks.internal;
    const block = await world.service.get('block', { block: number });
    const broken = block.transactions?.[0]?.hash;
    const { service } = await behind(
      withoutState(({ method, params }) => {
        if (method === 'trace_block' || method === 'debug_traceBlockByHash') return NO_METHOD;
        if (method !== 'debug_traceTransaction' || params[0] !== broken) return undefined;
        return { error: { code: -32000, message: 'execution timeout' } };
      }),
    );
    const reply = await service.send('block', { block: number, include });
    expect(reply.headers['x-hexlens-internal-transactions']).toMatch(
      new RegExp(`^incomplete; not traced: ${broken}; .* refused debug_traceTransaction: execution timeout$`),
    );
    const lists = (await service.get('block', { block: number, include })).transactions?.map(
      entry => entry.internalTransactions?.length,
    );
    const complete = (await world.service.get('block', { block: number, include })).transactions?.map(
      entry => entry.internalTransactions?.length,
    );
    expect(lists).toEqual(complete?.map((count, index) => (index === 0 ? 0 : count)));
  });

  it('are unavailable with a reason when the node lacks the state to trace them', async () => {
    const gone: ScriptedReply = {
      error: { code: -32000, message: 'historical state not available; use an archive node' },
    };
    const { service } = await behind(withoutState(({ method }) => (/^(trace|debug)_/.test(method) ? gone : undefined)));
    const reply = await service.send('block', { block: world.chain.blocks.internal.number, include });
    expect(reply.headers['x-hexlens-internal-transactions']).toMatch(
      /^unavailable; the node of Local dev chain refused debug_traceTransaction: historical state not available, use/,
    );
  });
});
