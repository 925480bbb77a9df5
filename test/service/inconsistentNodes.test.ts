// Nodes whose responses contradict each other: they are rejected, and calls around a reorg are repeated.
import { describe, expect, it } from 'vitest';
import type { Hex } from '../../src/base/hex.ts';
import type { ScriptedCall, ScriptedReply } from '../support/scriptedRpcNode.ts';
import { createServiceFixture, hash32, wallet } from '../support/serviceFixture.ts';
import { createSyntheticChain, type SyntheticChain } from '../support/syntheticChain.ts';

const { node, service } = createServiceFixture();

describe('nodes with inconsistent responses', () => {
  const sender: Hex = `0x${'01'.repeat(20)}`;
  const transactionOf = (chain: SyntheticChain, block: number) => ({
    hash: hash32('cc'),
    from: sender,
    to: wallet,
    nonce: '0x0',
    value: '0x1',
    gas: '0x5208',
    gasPrice: '0x1',
    input: '0x',
    blockHash: chain.hashOf(block),
    blockNumber: `0x${block.toString(16)}`,
    transactionIndex: '0x0',
  });
  const receiptOf = (chain: SyntheticChain, block: number) => ({
    transactionHash: hash32('cc'),
    blockHash: chain.hashOf(block),
    blockNumber: `0x${block.toString(16)}`,
    transactionIndex: '0x0',
    gasUsed: '0x5208',
    cumulativeGasUsed: '0x5208',
    status: '0x1',
    logs: [],
    contractAddress: null,
  });
  /** Every block holds one transaction; `lie` changes answers, and says how often it was asked. */
  async function lyingService(
    lie: (call: ScriptedCall, chain: SyntheticChain, truth: unknown) => ScriptedReply | undefined,
  ) {
    const chain = createSyntheticChain({ head: 100 });
    const truth = ({ method, params }: ScriptedCall): unknown => {
      const height = (value: unknown) =>
        String(value).length > 60
          ? Array.from({ length: 101 }, (_, block) => block).find(block => chain.hashOf(block) === value)
          : Number(value);
      if (/^eth_getBlockBy/.test(method) && /^0x/.test(String(params[0]))) {
        const block = height(params[0]) ?? -1;
        const header = chain.header(block);
        return header === null
          ? null
          : { ...header, transactions: params[1] === true ? [transactionOf(chain, block)] : [hash32('cc')] };
      }
      if (method === 'eth_getBlockReceipts') return [receiptOf(chain, height(params[0]) ?? 0)];
      if (method === 'eth_getTransactionByHash') return transactionOf(chain, 50);
      if (method === 'eth_getTransactionReceipt') return receiptOf(chain, 50);
      return undefined;
    };
    const lying = await node({
      answer: call => {
        const honest = truth(call);
        return lie(call, chain, honest) ?? (honest === undefined ? chain.answer(call) : { result: honest });
      },
    });
    return { lying, made: service({ eth: lying.url }), chain };
  }
  const isBlock = ({ method, params }: ScriptedCall) => method === 'eth_getBlockByNumber' && params[0] === '0x32';
  const always =
    (pattern: RegExp, change: (truth: Record<string, unknown>, chain: SyntheticChain) => unknown) =>
    (call: ScriptedCall, chain: SyntheticChain, truth: unknown): ScriptedReply | undefined =>
      pattern.test(call.method) && (isBlock(call) || !/ByNumber/.test(call.method))
        ? { result: change(truth as Record<string, unknown>, chain) }
        : undefined;
  const first = (value: unknown) => (value as Record<string, unknown>[])[0] ?? {};

  it('accepts the honest chain that the other tests modify', async () => {
    const { made } = await lyingService(() => undefined);
    expect((await made.get('block', { block: 50 })).transactions).toHaveLength(1);
    expect(await made.get('transaction', { hash: hash32('cc') })).toMatchObject({ blockNumber: 50, receiptStatus: 1 });
  });

  const blockLies: [string, ReturnType<typeof always>, RegExp][] = [
    [
      'no block although the head is higher',
      always(/BlockByNumber/, () => null),
      /block 50 is missing below the head 100\. It may have thrown old blocks away/,
    ],
    [
      'a block of another number',
      always(/BlockByNumber/, (_, chain) => chain.header(51)),
      /block 51 .* came instead of block 50/,
    ],
    ['a block without a hash', always(/BlockByNumber/, truth => ({ ...truth, hash: null })), /hash is not a hash/],
    ['a block that is no object', always(/BlockByNumber/, () => 'block'), /the block is not an object/],
    [
      'a block without a time',
      always(/BlockByNumber/, truth => ({ ...truth, timestamp: 'now' })),
      /timestamp is not a quantity/,
    ],
    [
      'a time past every calendar',
      always(/BlockByNumber/, truth => ({ ...truth, timestamp: '0x1fffffffffffff' })),
      /timestamp is past every calendar/,
    ],
    [
      'hashes instead of transactions',
      always(/BlockByNumber/, truth => ({ ...truth, transactions: [hash32('cc')] })),
      /a transaction is not an object/,
    ],
    [
      'a transaction of another block',
      always(/BlockByNumber/, (truth, chain) => ({ ...truth, transactions: [transactionOf(chain, 7)] })),
      /transaction 0xcc\w+ is of another block/,
    ],
    [
      'transactions out of order',
      always(/BlockByNumber/, truth => ({
        ...truth,
        transactions: ['0x1', '0x0'].map(transactionIndex => ({ ...first(truth['transactions']), transactionIndex })),
      })),
      /the transactions of block 50 are in no order/,
    ],
    [
      'a transaction without a sender',
      always(/BlockByNumber/, truth => ({ ...truth, transactions: [{ ...first(truth['transactions']), from: null }] })),
      /from is not an address/,
    ],
    [
      'receipts of another block',
      always(/Receipts/, (_, chain) => [receiptOf(chain, 7)]),
      /the receipt of transaction 0xcc\w+ is of another block/,
    ],
    [
      'too few receipts, and none for one transaction alone',
      always(/Receipts|Receipt$/, truth => (Array.isArray(truth) ? [] : null)),
      /there is no receipt for transaction 0xcc\w+ of block 50/,
    ],
    [
      'receipts of other transactions only',
      always(/Receipts|Receipt$/, truth =>
        Array.isArray(truth) ? [{ ...first(truth), transactionHash: hash32('dd') }] : null,
      ),
      /there is no receipt for transaction 0xcc/,
    ],
    [
      'receipts that are nothing',
      always(/Receipts|Receipt$/, truth => (Array.isArray(truth) ? [null] : null)),
      /there is no receipt for transaction 0xcc/,
    ],
    [
      'logs that are nothing',
      always(/Receipts/, truth => [{ ...first(truth), logs: [null] }]),
      /a log is not an object/,
    ],
  ];
  it.each(blockLies)('%s', async (_name, lie, sentence) => {
    const { made, lying } = await lyingService(lie);
    const refusal = await made.getFault('block', { block: 50 });
    expect(refusal).toMatchObject({ status: 502, code: 'node-answer' });
    expect(refusal.message).toMatch(sentence);
    expect(refusal.message).toContain(`The node of Ethereum (${lying.host}) gave an answer to eth_get`);
  });

  it.each<[string, ReturnType<typeof always>]>([
    ['is empty', always(/Receipts/, () => [])],
    ['has only those of others', always(/Receipts/, truth => [{ ...first(truth), transactionHash: hash32('dd') }])],
    ['has nothing in their places', always(/Receipts/, () => [null])],
  ])('reads the receipts singly that the list of a block lacks when it %s', async (_name, lie) => {
    const { made, lying } = await lyingService(lie);
    expect((await made.get('block', { block: 50 })).transactions?.[0]?.receiptStatus).toBe(1);
    expect(lying.countCalls('eth_getBlockReceipts'), 'the list is not requested again').toBe(1);
  });

  it('rejects a block with another hash', async () => {
    const { made } = await lyingService((call, chain) =>
      call.method === 'eth_getBlockByHash' ? { result: { ...chain.header(3), transactions: [] } } : undefined,
    );
    expect((await made.getFault('block', { block: hash32('ee') })).message).toMatch(
      /block 3 .* came instead of block 0xee/,
    );
  });

  it('rejects a missing latest block', async () => {
    const { made } = await lyingService(call => (call.params[0] === 'latest' ? { result: null } : undefined));
    expect((await made.getFault('block', { block: 50 })).message).toMatch(/there is no latest block/);
  });

  it('rejects a missing chain id', async () => {
    const { made } = await lyingService(call => (call.method === 'eth_chainId' ? { result: 'one' } : undefined));
    expect((await made.getFault('block', { block: 50 })).message).toMatch(
      /eth_chainId that cannot be true: it is not a chain id/,
    );
  });

  it.each<[string, ReturnType<typeof always>, RegExp]>([
    [
      'another transaction',
      always(/TransactionByHash/, truth => ({ ...truth, hash: hash32('dd') })),
      /0xdd\w+ came instead of 0xcc/,
    ],
    [
      'the receipt of another transaction',
      always(/Receipt$/, truth => ({ ...truth, transactionHash: hash32('dd') })),
      /the receipt is of another transaction/,
    ],
    [
      'a receipt of another block',
      always(/Receipt$/, truth => ({ ...truth, blockHash: hash32('dd') })),
      /do not name the same block\. The node may still be indexing it/,
    ],
    ['no receipt for what is in a block', always(/Receipt$/, () => null), /do not name the same block/],
    ['a receipt without a transaction', always(/TransactionByHash/, () => null), /do not name the same block/],
    [
      'a block that is not there',
      always(/BlockByHash/, () => null),
      /block 0x\w+, which it named itself, is not there/,
    ],
  ])('%s', async (_name, lie, sentence) => {
    const { made } = await lyingService(lie);
    const refusal = await made.getFault('transaction', { hash: hash32('cc') });
    expect(refusal).toMatchObject({ status: 502, code: 'node-answer' });
    expect(refusal.message).toMatch(sentence);
  });

  it('accepts the second response after a reorg between two calls', async () => {
    let lies = 2;
    const { made } = await lyingService((call, chain) => {
      if (call.method === 'eth_getBlockReceipts' && lies-- > 0) return { result: [receiptOf(chain, 7)] };
      return undefined;
    });
    expect((await made.get('block', { block: 50 })).transactions?.[0]?.receiptStatus).toBe(1);
    let remaining = 1;
    const other = await lyingService((call, chain) => {
      if (call.method === 'eth_getTransactionReceipt' && remaining-- > 0) return { result: receiptOf(chain, 7) };
      return undefined;
    });
    expect(await other.made.get('transaction', { hash: hash32('cc') })).toMatchObject({ receiptStatus: 1 });
  });

  it('sorts receipts that come in another order', async () => {
    const chain = createSyntheticChain({ head: 100 });
    const transactions = ['c1', 'c2', 'c3'].map((byte, index) => ({
      ...transactionOf(chain, 50),
      hash: hash32(byte),
      transactionIndex: `0x${index}`,
    }));
    const receipts = transactions.map(({ hash }, index) => ({
      ...receiptOf(chain, 50),
      transactionHash: hash,
      gasUsed: `0x${index + 1}`,
    }));
    const lying = await node({
      answer: call => {
        if (isBlock(call)) return { result: { ...chain.header(50), transactions } };
        return call.method === 'eth_getBlockReceipts' ? { result: receipts.toReversed() } : chain.answer(call);
      },
    });
    const found = await service({ eth: lying.url }).get('block', { block: 50 });
    expect(found.transactions?.map(entry => entry.receiptGasUsed)).toEqual([1n, 2n, 3n]);
  });
});
