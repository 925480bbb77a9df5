// `block` and `transaction` against a real Anvil, field by field, and against nodes without receipts by block.
import { describe, expect, it } from 'vitest';
import type { Output } from '../../src/api/operations/operations.ts';
import type { Hex } from '../../src/base/hex.ts';
import { expectedBlock } from '../support/blockWitness.ts';
import { startService } from '../support/filledChain.ts';
import { forwardTo, startScriptedRpcNode } from '../support/scriptedRpcNode.ts';
import { useFilledChain } from '../support/useFilledChain.ts';

const world = useFilledChain();

describe('block', () => {
  it('returns every block of the chain with every documented field', async () => {
    for (let number = 0; number <= world.chain.head.number; number++) {
      const reply = await world.service.send('block', { block: number });
      expect(reply.status).toBe(200);
      expect(reply.headers).toEqual({});
      expect(reply.body).toEqual(await expectedBlock(world.anvil, number));
    }
  });

  it('finds the same block by hash in any letter case, and by hex number', async () => {
    const { number, hash } = world.chain.blocks.sales;
    const byNumber = await world.service.send('block', { block: number });
    expect(await world.service.send('block', { block: hash })).toEqual(byNumber);
    expect(await world.service.send('block', { block: `0x${hash.slice(2).toUpperCase()}` })).toEqual(byNumber);
    expect(await world.service.send('block', { block: number, chain: '0x7A69' })).toEqual(byNumber);
  });

  it('returns no to_address but a contract address for a contract creation', async () => {
    const { transactions } = await world.service.get('block', { block: world.chain.blocks.first.number });
    const creation = transactions?.find(({ hash }) => hash === world.chain.transactions.creation);
    expect(creation?.toAddress).toBeNull();
    expect(creation?.receiptContractAddress).toBe(world.chain.contracts.apes.toLowerCase());
  });

  it('adds the address book’s names as labels', async () => {
    const { alice, bob } = world.chain.accounts;
    const addressBook = {
      [alice.toLowerCase()]: [
        { name: 'Alice on Ethereum', chains: ['eth'] },
        { name: 'Alice', chains: ['local'] },
      ],
      [bob.toLowerCase()]: [{ name: 'Bob on Ethereum', chains: ['eth'] }],
    };
    const service = startService({ local: world.anvil.url }, { addressBook });
    const found = await service.get('transaction', { hash: world.chain.transactions.ethTransfer });
    expect(found).toMatchObject({
      fromAddressLabel: 'Alice',
      toAddress: bob.toLowerCase(),
      toAddressLabel: null,
    });
    await service.stop();
  });

  it.each<[string, number | Hex]>([
    ['a number past the head', 999_999],
    ['an unknown hash', `0x${'12'.repeat(32)}`],
  ])('does not find %s', async (_name, block) => {
    expect(await world.service.send('block', { block })).toMatchObject({
      status: 404,
      headers: { 'x-hexlens-fault': 'not-found' },
      body: { message: 'Block not found' },
    });
  });

  it.each([
    ['eth', '0x1', '58750003716598352816469'],
    ['local', '0x7a69', '0'],
  ])('returns the total difficulty of %s when the node no longer has it', async (chain, id, expected) => {
    const forward = forwardTo(world.anvil.url);
    const withoutTotal = (block: object) => ({ ...block, totalDifficulty: undefined });
    const node = await startScriptedRpcNode({
      answer: async call => {
        if (call.method === 'eth_chainId') return { result: id };
        const reply = await forward(call);
        const isBlock = /^eth_getBlockBy/.test(call.method) && 'result' in reply && reply.result !== null;
        return isBlock ? { result: withoutTotal(reply.result as object) } : reply;
      },
    });
    const service = startService({ [chain]: node.url });
    const { body } = await service.send('block', { block: 3, chain });
    expect(body).toMatchObject({ number: 3, difficulty: '0', total_difficulty: expected });
    await service.stop();
    await node.stop();
  });

  it('is fresh only until the head of a development chain changes', async () => {
    const reply = await world.service.send('block', { block: 1 });
    expect(reply.freshness).toEqual({
      validity: 'untilNextHead',
      chain: 'local',
      state: {
        genesisHash: world.chain.genesisHash,
        headHash: world.chain.head.hash,
        headNumber: world.chain.head.number,
      },
    });
  });
});

describe('transaction', () => {
  it('returns every transaction as the record of its block has it', async () => {
    const blocks = new Map<string, Output<'block'>>();
    for (const [name, hash] of Object.entries(world.chain.transactions)) {
      const found = await world.service.get('transaction', { hash });
      const key = String(found.blockNumber);
      if (!blocks.has(key)) blocks.set(key, await world.service.get('block', { block: found.blockNumber ?? 0 }));
      expect(
        blocks.get(key)?.transactions?.find(entry => entry.hash === hash),
        name,
      ).toEqual(found);
    }
  });

  it('returns not-found for an unknown hash', async () => {
    const refusal = await world.service.getFault('transaction', { hash: `0x${'34'.repeat(32)}` });
    expect(refusal).toEqual({ status: 404, code: 'not-found', message: 'Transaction not found' });
  });

  it('returns a pending transaction with null for what is not known yet', async () => {
    const { anvil, chain, service } = world;
    const { alice, bob } = chain.accounts;
    const snapshot = await anvil.rpc('evm_snapshot');
    try {
      const hash = await anvil.rpc<Hex>('eth_sendTransaction', [{ from: alice, to: bob, value: '0x7' }]);
      const pending = await service.get('transaction', { hash, include: 'internal_transactions' });
      expect(pending).toMatchObject({
        hash,
        value: 7n,
        blockNumber: null,
        blockHash: null,
        blockTimestamp: null,
        transactionIndex: null,
        receiptStatus: null,
        receiptGasUsed: null,
        logs: [],
        internalTransactions: [],
      });
      await anvil.rpc('evm_mine');
      const mined = await service.get('transaction', { hash });
      expect(mined).toMatchObject({ blockNumber: chain.head.number + 1, receiptStatus: 1 });
    } finally {
      await anvil.rpc('evm_revert', [snapshot]);
    }
  });
});

describe('receipts', () => {
  it('are fetched one by one from a node without eth_getBlockReceipts, which is called once only', async () => {
    const forward = forwardTo(world.anvil.url);
    const refusals = [
      { code: -32004, message: 'Method eth_getBlockReceipts is not supported' },
      { code: -32700, message: 'The method eth_getBlockReceipts does not exist/is not available' },
    ];
    for (const error of refusals) {
      const node = await startScriptedRpcNode({
        answer: call => (call.method === 'eth_getBlockReceipts' ? { error } : forward(call)),
      });
      const service = startService({ local: node.url });
      const { number, hash, transactions } = world.chain.blocks.busy;
      const expected = await world.service.send('block', { block: number });
      expect((await service.send('block', { block: number })).body).toEqual(expected.body);
      expect((await service.send('block', { block: hash })).body).toEqual(expected.body);
      expect(node.countCalls('eth_getBlockReceipts')).toBe(1);
      expect(node.countCalls('eth_getTransactionReceipt')).toBe(2 * transactions);
      await service.stop();
      await node.stop();
    }
  });

  it('are fetched by number from a node that takes no hash', async () => {
    const forward = forwardTo(world.anvil.url);
    const node = await startScriptedRpcNode({
      answer: call =>
        call.method === 'eth_getBlockReceipts' && String(call.params[0]).length > 60
          ? { error: { code: -32602, message: 'invalid argument 0: hex number > 64 bits' } }
          : forward(call),
    });
    const service = startService({ local: node.url });
    const { hash } = world.chain.blocks.sales;
    expect((await service.send('block', { block: hash })).body).toEqual(
      (await world.service.send('block', { block: hash })).body,
    );
    expect(node.countCalls('eth_getTransactionReceipt')).toBe(0);
    await service.stop();
    await node.stop();
  });
});
