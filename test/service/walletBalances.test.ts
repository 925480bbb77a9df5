// `walletBalances` on a real Anvil: all balances of one block, whatever parameters the node takes and however the chain changes.
import { afterEach, describe, expect, it } from 'vitest';
import { formatUnits } from '../../src/base/formatUnits.ts';
import { type Hex, toQuantity } from '../../src/base/hex.ts';
import { type ServiceUnderTest, startService } from '../support/filledChain.ts';
import {
  forwardTo,
  type ScriptedCall,
  type ScriptedReply,
  type ScriptedRpcNode,
  startScriptedRpcNode,
} from '../support/scriptedRpcNode.ts';
import { createSyntheticChain } from '../support/syntheticChain.ts';
import { createTestClock } from '../support/testClock.ts';
import { useFilledChain } from '../support/useFilledChain.ts';

const world = useFilledChain();

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map(stop => stop()));
});

/** The test chain behind a node that counts, and may change answers. */
async function counted(
  change: (call: ScriptedCall) => ScriptedReply | undefined = () => undefined,
): Promise<{ node: ScriptedRpcNode; service: ServiceUnderTest; clock: ReturnType<typeof createTestClock> }> {
  const forward = forwardTo(world.anvil.url);
  const node = await startScriptedRpcNode({ answer: call => change(call) ?? forward(call) });
  const clock = createTestClock();
  const service = startService({ local: node.url }, { clock });
  stops.push(async () => {
    await service.stop();
    await node.stop();
  });
  return { node, service, clock };
}

describe('walletBalances', () => {
  it('returns balances at the head in the requested order, with their sum', async () => {
    const { alice, bob, idle } = world.chain.accounts;
    const wallets = [alice, idle, bob, alice, world.chain.vacant];
    const balances = (
      await world.anvil.batch<Hex>(wallets.map(wallet => ({ method: 'eth_getBalance', params: [wallet, 'latest'] })))
    ).map(BigInt);
    const isFirst = (_balance: bigint, index: number) => wallets.indexOf(wallets[index] as Hex) === index;
    const total = balances.filter(isFirst).reduce((sum, balance) => sum + balance, 0n); // alice is given twice
    const reply = await world.service.send('walletBalances', { walletAddresses: wallets });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual([
      {
        chain: 'local',
        chain_id: '0x7a69',
        total_balance: total.toString(),
        block_number: String(world.chain.head.number),
        block_timestamp: new Date(world.chain.head.timestamp * 1000).toISOString(),
        total_balance_formatted: formatUnits(total, 18),
        wallet_balances: wallets.map((wallet, index) => ({
          address: wallet.toLowerCase(),
          balance: balances[index]?.toString(),
          balance_formatted: formatUnits(balances[index] ?? 0n, 18),
        })),
      },
    ]);
  });

  it('returns those of 25 wallets at every past block', async () => {
    const accounts = Object.values(world.chain.accounts);
    const walletAddresses = Array.from({ length: 25 }, (_, index) => accounts[index % accounts.length] as Hex);
    for (const block of [0, 1, 15, 33, world.chain.head.number]) {
      const [record] = await world.service.get('walletBalances', { walletAddresses, toBlock: block });
      const expected = await world.anvil.batch<Hex>(
        walletAddresses.map(wallet => ({ method: 'eth_getBalance', params: [wallet, toQuantity(block)] })),
      );
      expect(record?.walletBalances?.map(({ balance }) => balance)).toEqual(expected.map(BigInt));
      expect(record?.blockNumber).toBe(block);
    }
  });

  it('costs two round trips, of which the first also asks whether a development chain is a fork', async () => {
    const { node, service } = await counted();
    await service.get('walletBalances', { walletAddresses: Object.values(world.chain.accounts) });
    expect(node.requests()).toBe(2);
  });

  it('rejects future blocks', async () => {
    const refusal = await world.service.getFault('walletBalances', {
      walletAddresses: [world.chain.vacant],
      toBlock: 5_000,
    });
    expect(refusal).toEqual({
      status: 404,
      code: 'not-found',
      message: `Block not found: to_block is 5000, the head of local is ${world.chain.head.number}. Use a block up to the head, or leave to_block out for the newest.`,
    });
  });

  it('reads by number when a node takes no block hash, and retries when the block is replaced meanwhile', async () => {
    const made = createSyntheticChain({ head: 100 });
    made.saltFrom = 100;
    let replaced = 0;
    const node = await startScriptedRpcNode({
      answer: call => {
        if (call.method !== 'eth_getBalance') return made.answer(call);
        if (typeof call.params[1] !== 'string') return { error: { code: -32700, message: 'invalid block' } };
        if (replaced++ === 1) made.salt = 'another fork';
        return { result: made.salt === '' ? '0x1' : '0x2' }; // at first one of each fork
      },
    });
    const service = startService({ eth: node.url }, { clock: createTestClock() });
    stops.push(async () => {
      await service.stop();
      await node.stop();
    });
    const walletAddresses = [world.chain.vacant, world.chain.vacant];
    const [record] = await service.get('walletBalances', { walletAddresses });
    expect(record?.walletBalances?.map(({ balance }) => balance)).toEqual([2n, 2n]);
    const before = node.requests();
    await service.get('walletBalances', { walletAddresses });
    expect(node.requests() - before, 'that it takes no hash is remembered').toBeLessThanOrEqual(3);
  });

  it.each([
    'missing trie node abc (path )',
    'state at block #1 is pruned',
    'header not found',
    'historical state not available in path scheme yet',
  ])('reports missing state: %s', async message => {
    const { service } = await counted(({ method }) =>
      method === 'eth_getBalance' ? { error: { code: -32000, message } } : undefined,
    );
    const refusal = await service.getFault('walletBalances', { walletAddresses: [world.chain.vacant], toBlock: 1 });
    expect(refusal).toMatchObject({ status: 502, code: 'node-error' });
    expect(refusal.message).toMatch(/does not have the state of that block\. Use a newer block, or an archive node\.$/);
  });

  it('is fresh until the head changes on development chains, for seconds on others, and final at final blocks', async () => {
    const made = createSyntheticChain({ head: 1_000 });
    const node = await startScriptedRpcNode({
      answer: call => (call.method === 'eth_getBalance' ? { result: '0x1' } : made.answer(call)),
    });
    const service = startService({ eth: node.url });
    stops.push(async () => {
      await service.stop();
      await node.stop();
    });
    const walletAddresses = [world.chain.vacant];
    expect((await world.service.send('walletBalances', { walletAddresses })).freshness?.validity).toBe(
      'untilStateChange',
    );
    expect((await service.send('walletBalances', { walletAddresses })).freshness?.validity).toBe('fewSeconds');
    expect((await service.send('walletBalances', { walletAddresses, toBlock: 936 })).freshness?.validity).toBe(
      'finalized',
    );
    expect((await service.send('walletBalances', { walletAddresses, toBlock: 937 })).freshness?.validity).toBe(
      'untilNextHead',
    );
  });
});
