// Lookups against a real Anvil: right values in one round trip, a second one only where needed.
import { keccak256 } from 'ox/Hash';
import { afterEach, describe, expect, it } from 'vitest';
import { type Hex, hexToBytes } from '../../src/base/hex.ts';
import { IMPLEMENTATION_SLOT } from '../../src/service/evm/proxyProbe.ts';
import { startAnvil } from '../support/chain/anvil.ts';
import { HOSTILE_SYMBOL } from '../support/chain/deployContracts.ts';
import { type ServiceUnderTest, startService } from '../support/filledChain.ts';
import { mineTransactions } from '../support/nftPages.ts';
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

const chain = { name: 'local', id: 31337, title: 'Local dev chain', coin: 'ETH', decimals: 18, explorer: null };

describe('addressSummary', () => {
  const of = async (address: Hex, service = world.service) =>
    (await service.lookup('addressSummary', { chain: 'local', address })).value;

  it('tells an account', async () => {
    const { alice, idle } = world.chain.accounts;
    const [balance, nonce] = await world.anvil.batch<Hex>([
      { method: 'eth_getBalance', params: [alice, 'latest'] },
      { method: 'eth_getTransactionCount', params: [alice, 'latest'] },
    ]);
    expect(await of(alice)).toEqual({
      kind: 'address',
      chain,
      address: alice.toLowerCase(),
      balance: BigInt(balance ?? 0),
      nonce: Number(nonce),
      codeSize: 0,
      codeHash: null,
      delegate: null,
      proxy: null,
      token: null,
      blockNumber: world.chain.head.number,
    });
    expect(await of(idle)).toMatchObject({ balance: 10_000n * 10n ** 18n, nonce: 0 });
    expect(await of(world.chain.vacant)).toMatchObject({ balance: 0n, nonce: 0, codeSize: 0 });
  });

  it('tells tokens of every standard', async () => {
    const { contracts, holdings } = world.chain;
    const supply = Object.values(holdings.coin).reduce((sum, amount) => sum + BigInt(amount), 0n);
    const cases: [Hex, object | null][] = [
      [
        contracts.apes,
        { standard: 'ERC721', name: 'HexLens Test Apes', symbol: 'APE', decimals: null, totalSupply: null },
      ],
      [contracts.items, { standard: 'ERC1155', name: 'HexLens Test Items', symbol: 'ITEM', decimals: null }],
      [
        contracts.coin,
        { standard: 'ERC20', name: 'HexLens Test Coin', symbol: 'TEST', decimals: 18, totalSupply: supply },
      ],
      [contracts.usdx, { standard: 'ERC20', decimals: 6 }],
      [contracts.oldToken, { standard: 'ERC20', name: 'Old Test Token', symbol: 'OLD', decimals: 9 }],
      [contracts.hostile, { standard: 'ERC20', symbol: HOSTILE_SYMBOL }],
      [contracts.vault, null],
      [contracts.seaport, null],
      [contracts.conduitController, null],
    ];
    for (const [address, token] of cases) {
      const summary = await of(address);
      if (token === null) expect(summary.token).toBeNull();
      else expect(summary.token).toMatchObject(token);
      const code = await world.anvil.rpc<Hex>('eth_getCode', [address, 'latest']);
      expect(summary.codeSize).toBe(hexToBytes(code).length);
      expect([...(summary.token?.name ?? '')].length).toBeLessThanOrEqual(64);
    }
    expect((await of(contracts.art)).token?.totalSupply).toBe(2n); // enumerable
  });

  it('tells what is behind a proxy and an account with delegated code', async () => {
    const { anvil } = world;
    const target = world.chain.contracts.apes.toLowerCase() as Hex;
    const slot: Hex = `0x${(BigInt(keccak256(new TextEncoder().encode('eip1967.proxy.implementation'), { as: 'Hex' })) - 1n).toString(16)}`;
    expect(IMPLEMENTATION_SLOT).toBe(slot);
    const snapshot = await anvil.rpc('evm_snapshot');
    try {
      const word: Hex = `0x${target.slice(2).padStart(64, '0')}`;
      const proxy: Hex = `0x${'5a'.repeat(20)}`;
      await anvil.rpc('anvil_setCode', [proxy, '0x5f5f5f5f5f545af400']); // with DELEGATECALL
      await anvil.rpc('anvil_setStorageAt', [proxy, slot, word]);
      expect(await of(proxy)).toMatchObject({
        proxy: { kind: 'ERC-1967', implementations: [target], beacon: null },
        delegate: null,
      });
      await anvil.rpc('anvil_setStorageAt', [proxy, slot, `0x${'ff'.repeat(32)}`]);
      expect((await of(proxy)).proxy).toBeNull();
      await anvil.rpc('anvil_setCode', [world.chain.vacant, `0xef0100${target.slice(2)}`]);
      expect(await of(world.chain.vacant)).toMatchObject({ delegate: target, codeSize: 23, token: null });
    } finally {
      await anvil.rpc('evm_revert', [snapshot]);
    }
  });

  it('is not taken in by a contract that says yes to everything', async () => {
    const snapshot = await world.anvil.rpc('evm_snapshot');
    try {
      // PUSH1 1, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN
      await world.anvil.rpc('anvil_setCode', [world.chain.vacant, '0x600160005260206000f3']);
      expect(await of(world.chain.vacant)).toMatchObject({ codeSize: 10, token: null });
    } finally {
      await world.anvil.rpc('evm_revert', [snapshot]);
    }
  });

  it('costs one round trip for an account and two for a contract', async () => {
    const { node, service } = await counted();
    await of(world.chain.accounts.alice, service);
    expect(node.requests()).toBe(1);
    await of(world.chain.accounts.bob, service);
    expect(node.requests()).toBe(2);
    await of(world.chain.contracts.apes, service);
    expect(node.requests()).toBe(4);
  });

  it('leaves out what a node does not tell', async () => {
    const refused: ScriptedReply = { error: { code: -32601, message: 'Method not found' } };
    const { service } = await counted(({ method }) =>
      /eth_(getCode|getStorageAt|getTransactionCount)/.test(method) ? refused : undefined,
    );
    expect(await of(world.chain.contracts.apes, service)).toMatchObject({ nonce: null, codeSize: null, token: null });
  });
});

describe('hashSummary', () => {
  const of = async (hash: Hex, service = world.service) =>
    (await service.lookup('hashSummary', { chain: 'local', hash })).value;

  it('tells a transaction', async () => {
    const { transactions, blocks, contracts, accounts, topics } = world.chain;
    const hash = transactions.transferApe;
    const receipt = await world.anvil.rpc<Record<string, Hex>>('eth_getTransactionReceipt', [hash]);
    expect(await of(hash)).toEqual({
      kind: 'transaction',
      chain,
      hash,
      status: 'success',
      from: accounts.alice.toLowerCase(),
      to: contracts.apes.toLowerCase(),
      created: null,
      value: 0n,
      selector: '0x23b872dd',
      inputSize: 100,
      input: expect.stringMatching(/^0x23b872dd[0-9a-f]{192}$/),
      nonce: expect.any(BigInt),
      gasUsed: BigInt(receipt['gasUsed'] ?? 0),
      gasLimit: 400_000n,
      gasPrice: BigInt(receipt['effectiveGasPrice'] ?? 0),
      fee: {
        amount: BigInt(receipt['gasUsed'] ?? 0) * BigInt(receipt['effectiveGasPrice'] ?? 0),
        isMinimum: false,
        token: null,
      },
      blockNumber: blocks.transfers.number,
      blockHash: blocks.transfers.hash,
      time: new Date(blocks.transfers.timestamp * 1000),
      transactionIndex: 0,
      logs: 1,
      topics: [topics.transfer],
      transfers: [
        {
          tokenAddress: contracts.apes.toLowerCase(),
          from: accounts.alice.toLowerCase(),
          to: expect.stringMatching(/^0x[0-9a-f]{40}$/),
          amount: null,
          tokenId: expect.any(BigInt),
        },
      ],
    });
    expect(await of(`0x${hash.slice(2).toUpperCase()}`)).toEqual(await of(hash));
    expect(await of(transactions.failed)).toMatchObject({ status: 'failed', logs: 0, topics: [] });
    expect(await of(transactions.ethTransfer)).toMatchObject({ selector: null, inputSize: 0, value: 15n * 10n ** 17n });
    expect(await of(transactions.creation)).toMatchObject({ to: null, created: contracts.apes.toLowerCase() });
    expect(await of(transactions.mintApes)).toMatchObject({ logs: 5, topics: Array(5).fill(topics.transfer) });
  });

  it('tells a block, and nothing', async () => {
    const { number, hash, timestamp, transactions } = world.chain.blocks.busy;
    const block = await of(hash);
    expect(block).toMatchObject({ kind: 'block', number, hash, transactions, time: new Date(timestamp * 1000) });
    expect((await world.service.lookup('blockSummary', { chain: 'local', block: number })).value).toEqual(block);
    expect(await of(`0x${'77'.repeat(32)}`)).toEqual({ kind: 'nothing', chain });
    const past = await world.service.lookup('blockSummary', { chain: 'local', block: 123_456 });
    expect(past.value).toEqual({ kind: 'nothing', chain });
  });

  it('names no contract of a creation that failed', async () => {
    const { anvil } = world;
    const snapshot = await anvil.rpc('evm_snapshot');
    try {
      const creation = { from: world.chain.accounts.alice, data: '0xfe', gas: 100_000, fails: true } as const;
      const { receipts } = await mineTransactions(world, [creation]);
      expect(await of(receipts[0]?.transactionHash ?? '0x')).toMatchObject({
        status: 'failed',
        to: null,
        created: null,
      });
    } finally {
      await anvil.rpc('evm_revert', [snapshot]);
    }
  });

  it('tells a pending transaction', async () => {
    const { anvil } = world;
    const { alice, bob } = world.chain.accounts;
    const snapshot = await anvil.rpc('evm_snapshot');
    try {
      const hash = await anvil.rpc<Hex>('eth_sendTransaction', [{ from: alice, to: bob, value: '0x7' }]);
      expect(await of(hash)).toMatchObject({
        status: 'pending',
        blockNumber: null,
        time: null,
        gasUsed: null,
        logs: null,
      });
      await anvil.rpc('anvil_dropTransaction', [hash]); // else the next block has it
    } finally {
      await anvil.rpc('evm_revert', [snapshot]);
    }
  });

  it('costs one round trip, and another for the time only where no answer has it', async () => {
    const first = await counted();
    await of(world.chain.transactions.sale, first.service);
    await of(world.chain.blocks.busy.hash, first.service);
    await of(`0x${'77'.repeat(32)}`, first.service);
    expect(first.node.requests()).toBe(3);
    const forward = forwardTo(world.anvil.url);
    const strip = ({ result }: { result?: unknown }): ScriptedReply => {
      const { blockTimestamp: _time, ...rest } = (result ?? {}) as Record<string, unknown>;
      return { result: rest };
    };
    const node = await startScriptedRpcNode({
      answer: async call => {
        const reply = await forward(call);
        return /Transaction(ByHash|Receipt)$/.test(call.method) ? strip(reply as { result?: unknown }) : reply;
      },
    });
    const service = startService({ local: node.url });
    stops.push(async () => {
      await service.stop();
      await node.stop();
    });
    expect(await of(world.chain.transactions.sale, service)).toMatchObject({
      time: new Date(world.chain.blocks.sales.timestamp * 1000),
    });
    expect(node.requests()).toBe(2);
    await of(world.chain.transactions.bid, service); // of the same block
    expect(node.requests()).toBe(3);
  });
});

describe('chainStatus', () => {
  it('tells head and client of a node', async () => {
    const { head } = world.chain;
    const genesis = await world.anvil.rpc<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false]);
    const latest = await world.anvil.rpc<{ hash: Hex }>('eth_getBlockByNumber', ['latest', false]);
    expect(await world.service.lookup('chainStatus', { chain: 'local' })).toEqual({
      value: {
        selector: 'local',
        chain,
        source: 'node',
        head: head.number,
        headHash: latest.hash,
        headTime: new Date(head.timestamp * 1000),
        client: 'anvil/v1.7.1',
        genesisHash: genesis.hash,
        isLocal: true,
        isIndexedWhole: true,
        problem: null,
      },
    });
  });

  it('tells that others know the chain of a fork, which is indexed whole', async () => {
    const fork = await startAnvil({ args: ['--fork-url', world.anvil.url] });
    const service = startService({ local: fork.url });
    stops.push(async () => {
      await service.stop();
      await fork.stop();
    });
    const { value } = await service.lookup('chainStatus', { chain: 'local' });
    expect(value).toMatchObject({ isLocal: false, isIndexedWhole: true });
  });

  it('tells what is wrong with one', async () => {
    const service = startService({ local: 'http://127.0.0.1:1', eth: 'nonsense' });
    stops.push(() => service.stop());
    const { value } = await service.lookup('chainStatus', { chain: 'local' });
    expect(value).toMatchObject({ selector: 'local', chain: null, head: null, headTime: null, client: null });
    expect(value.problem).toMatch(
      /^The node of Local dev chain \(127\.0\.0\.1:1\) cannot be reached: nothing is listening.*hexlens\.nodes/,
    );
    const other = await service.lookup('chainStatus', { chain: 'eth' });
    expect(other.value.problem).toMatch(
      /^The address of the node of Ethereum is not an http, https, ws or wss URL\. Correct it/,
    );
    await expect(service.lookup('chainStatus', { chain: 'polygon' })).rejects.toMatchObject({ code: 'no-node' });
  });
});
