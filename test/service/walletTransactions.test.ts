// Transactions of a wallet on a real Anvil, from each source that a node may have, compared with all blocks of the chain.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Input } from '../../src/api/operations/operations.ts';
import type { Hex } from '../../src/base/hex.ts';
import { type FilledChain, type ServiceUnderTest, startFilledChain, startService } from '../support/filledChain.ts';
import { lower } from '../support/nftPages.ts';
import { startPublicNode } from '../support/publicNode.ts';
import { forwardTo, type ScriptedCall, type ScriptedReply } from '../support/scriptedRpcNode.ts';
import { createTestClock } from '../support/testClock.ts';

interface RawTransaction {
  readonly hash: Hex;
  readonly from: Hex;
  readonly to: Hex | null;
  readonly blockNumber: Hex;
  readonly value: Hex;
}

let world: FilledChain;
/** Every transaction of the chain, oldest first. */
let all: readonly RawTransaction[];
let created: ReadonlyMap<Hex, Hex | null>;
beforeAll(async () => {
  world = await startFilledChain({ clock: createTestClock() }); // its time is never up, however slow this machine is
  // Only on a development chain, a contract may send a transaction.
  const { apes } = world.chain.contracts;
  await world.anvil.rpc('anvil_impersonateAccount', [apes]);
  await world.anvil.rpc('anvil_setBalance', [apes, '0xde0b6b3a7640000']);
  await world.anvil.rpc('eth_sendTransaction', [{ from: apes, to: world.chain.accounts.bob, value: '0x1' }]);
  await world.anvil.rpc('evm_mine');
  const head = Number(await world.anvil.rpc<Hex>('eth_blockNumber'));
  const blocks = await world.anvil.batch<{ transactions: readonly RawTransaction[] }>(
    Array.from({ length: head + 1 }, (_, number) => ({
      method: 'eth_getBlockByNumber',
      params: [`0x${number.toString(16)}`, true],
    })),
  );
  all = blocks.flatMap(block => block.transactions);
  const receipts = await world.anvil.batch<{ transactionHash: Hex; contractAddress: Hex | null }>(
    all.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  );
  created = new Map(receipts.map(receipt => [receipt.transactionHash, receipt.contractAddress]));
});
afterAll(() => world?.stop());

const hashesOf = (address: Hex) =>
  all
    .filter(({ hash, from, to }) => [from, to, created.get(hash)].some(side => side && lower(side) === lower(address)))
    .map(({ hash }) => hash);

/** All pages of the list, and the headers of the first. */
async function list(service: ServiceUnderTest, input: Input<'walletTransactions'>) {
  const records: Readonly<Record<string, unknown>>[] = [];
  let first: Readonly<Record<string, string>> | undefined;
  for (let cursor: string | undefined; ; ) {
    const { status, headers, body } = await service.send('walletTransactions', { ...input, cursor });
    expect(status, JSON.stringify(body)).toBe(200);
    first ??= headers;
    const page = body as { result: typeof records; cursor: string | null };
    records.push(...page.result);
    if (page.cursor === null) return { hashes: records.map(record => record['hash']), records, headers: first };
    cursor = page.cursor;
  }
}

describe('on a development chain', () => {
  it('lists what a wallet or contract sent, received, or was created by, in both orders and any page size', async () => {
    const { accounts, contracts } = world.chain;
    for (const [address, limits] of [
      [accounts.alice, [7, 100]],
      [accounts.deployer, [100]],
      [accounts.idle, [100]],
      [contracts.apes, [100]],
    ] as const) {
      const expected = hashesOf(address);
      for (const limit of limits) {
        const newestFirst = await list(world.service, { address, limit });
        expect(newestFirst.hashes, `${address} ${limit}`).toEqual(expected.toReversed());
        expect((await list(world.service, { address, limit, order: 'asc' })).hashes).toEqual(expected);
      }
    }
  });

  it('names its source, and lists a range of blocks', async () => {
    const address = world.chain.accounts.alice;
    const { headers } = await list(world.service, { address });
    expect(headers).toMatchObject({ 'x-hexlens-source': 'eth_getBlockByNumber' });
    expect(headers['x-hexlens-partial']).toBeUndefined();
    const [fromBlock, toBlock] = [5, 30];
    const expected = all.filter(
      ({ blockNumber }) => Number(blockNumber) >= fromBlock && Number(blockNumber) <= toBlock,
    );
    const wanted = hashesOf(address).filter(hash => expected.some(one => one.hash === hash));
    expect((await list(world.service, { address, fromBlock, toBlock })).hashes).toEqual(wanted.toReversed());
  });

  it('returns the fields of a transaction without logs, with the calls inside it on request', async () => {
    const { transactions, contracts } = world.chain;
    const address = contracts.vault;
    const plain = await list(world.service, { address });
    const traced = await list(world.service, { address, include: 'internal_transactions' });
    expect(traced.hashes).toEqual(plain.hashes);
    for (const [index, record] of plain.records.entries()) {
      const whole = await world.service.send('transaction', { hash: record['hash'] as Hex });
      const { logs, internal_transactions: _internal, ...fields } = whole.body as Record<string, unknown>;
      expect(Array.isArray(logs)).toBe(true);
      expect(record).toEqual({ ...fields, receipt_root: null });
      const inside = await world.service.send('transaction', {
        hash: record['hash'] as Hex,
        include: 'internal_transactions',
      });
      const calls = (inside.body as Record<string, unknown>)['internal_transactions'];
      expect(traced.records[index]?.['internal_transactions']).toEqual(calls);
    }
    expect(Object.keys(transactions).length).toBeGreaterThan(0);
  });

  it('rejects a cursor of another wallet', async () => {
    const { alice, bob } = world.chain.accounts;
    const { body } = await world.service.send('walletTransactions', { address: alice, limit: 1 });
    const { cursor } = body as { cursor: string };
    expect((await world.service.getFault('walletTransactions', { address: bob, limit: 1, cursor })).status).toBe(400);
  });
});

type Answer = (call: ScriptedCall) => Promise<ScriptedReply> | undefined;

/** The service over the same chain behind a node of a public chain that has some methods more. */
async function withPublicNode(answer: Answer, work: (service: ServiceUnderTest) => Promise<void>): Promise<void> {
  const front = await startPublicNode(world.anvil.url, {
    override: call => (call.method === 'eth_chainId' ? Promise.resolve({ result: '0x1' }) : answer(call)),
  });
  const service = startService({ eth: front.url }, { clock: createTestClock() });
  try {
    await work(service);
  } finally {
    await service.stop();
    await front.stop();
  }
}

describe('on a public chain', () => {
  it('uses the index of a node with Otterscan methods', async () => {
    const forward = forwardTo(world.anvil.url);
    const answer: Answer = call => (call.method.startsWith('ots_') ? forward(call) : undefined);
    await withPublicNode(answer, async service => {
      for (const address of [world.chain.accounts.alice, world.chain.accounts.bob]) {
        const expected = hashesOf(address);
        for (const limit of [7, 100]) {
          const newestFirst = await list(service, { address, chain: 'eth', limit });
          expect(newestFirst.headers['x-hexlens-source']).toBe('ots_searchTransactionsBefore');
          expect(newestFirst.hashes).toEqual(expected.toReversed());
          expect((await list(service, { address, chain: 'eth', limit, order: 'asc' })).hashes).toEqual(expected);
        }
      }
    });
  });

  it('uses the transfers that a provider lists, and says what they lack', async () => {
    const answer: Answer = ({ method, params }) =>
      method === 'alchemy_getAssetTransfers' ? Promise.resolve({ result: listTransfers(params[0]) }) : undefined;
    await withPublicNode(answer, async service => {
      const address = world.chain.accounts.alice;
      for (const limit of [7, 100]) {
        const { hashes, headers } = await list(service, { address, chain: 'eth', limit });
        expect(hashes).toEqual(hashesOf(address).toReversed());
        expect(headers['x-hexlens-source']).toBe('alchemy_getAssetTransfers');
        expect(headers['x-hexlens-partial']).toMatch(/created the address/);
        expect((await list(service, { address, chain: 'eth', limit, order: 'asc' })).hashes).toEqual(hashesOf(address));
      }
    });
  });

  it('uses the traces of a client that has an index of them', async () => {
    const forward = forwardTo(world.anvil.url);
    const answer: Answer = call =>
      call.method === 'web3_clientVersion'
        ? Promise.resolve({ result: 'erigon/3.0.4/linux-amd64/go1.24.2' })
        : call.method === 'trace_filter'
          ? forward(call)
          : undefined;
    await withPublicNode(answer, async service => {
      const { accounts, contracts } = world.chain;
      for (const [address, limits] of [
        [accounts.alice, [7, 100]],
        [accounts.idle, [100]],
        [contracts.apes, [100]],
      ] as const) {
        const expected = hashesOf(address);
        for (const limit of limits) {
          const { hashes, headers } = await list(service, { address, chain: 'eth', limit });
          expect(hashes).toEqual(expected.toReversed());
          expect(headers['x-hexlens-source']).toBe('trace_filter');
          expect(headers['x-hexlens-partial']).toBeUndefined();
          expect((await list(service, { address, chain: 'eth', limit, order: 'asc' })).hashes).toEqual(expected);
        }
      }
    });
  });

  it('does not ask a client to trace where it has no index for it', async () => {
    const answer: Answer = ({ method }) => {
      if (method === 'trace_filter') throw new Error('It would execute every block again.');
      return undefined;
    };
    await withPublicNode(answer, async service => {
      const { headers } = await list(service, { address: world.chain.accounts.alice, chain: 'eth', limit: 7 });
      expect(headers['x-hexlens-source']).toBe('eth_getTransactionCount');
    });
  });

  it('finds what the wallet sent by its nonce where the node has no index, and says so', async () => {
    await withPublicNode(
      () => undefined,
      async service => {
        const { alice, deployer, idle } = world.chain.accounts;
        for (const [address, limits] of [
          [alice, [7, 100]],
          [deployer, [100]],
          [idle, [100]],
        ] as const) {
          const sent = all.filter(({ from }) => lower(from) === lower(address)).map(({ hash }) => hash);
          for (const limit of limits) {
            const { hashes, headers } = await list(service, { address, chain: 'eth', limit });
            expect(hashes).toEqual(sent.toReversed());
            expect(headers['x-hexlens-source']).toBe('eth_getTransactionCount');
            expect(headers['x-hexlens-partial']).toMatch(/only transactions that the address sent/);
            expect((await list(service, { address, chain: 'eth', limit, order: 'asc' })).hashes).toEqual(sent);
          }
        }
      },
    );
  });
});

it('a contract, whose nonce counts what it created, has one page on a node without an index', async () => {
  const address = world.chain.contracts.apes;
  const answer: Answer = ({ method, params }) =>
    method === 'eth_getTransactionCount' && lower(params[0] as Hex) === lower(address)
      ? Promise.resolve({ result: params[1] }) // one more in each block
      : undefined;
  await withPublicNode(answer, async service => {
    const { body, headers } = await service.send('walletTransactions', { address, chain: 'eth', limit: 5 });
    expect(body).toMatchObject({ result: [], cursor: null });
    expect(headers['x-hexlens-partial']).toMatch(/only transactions that the address sent/);
  });
});

/** What such a provider returns: pages of external transfers of one side. */
function listTransfers(request: unknown) {
  const { fromAddress, toAddress, fromBlock, toBlock, order, maxCount, pageKey } = request as Record<string, string>;
  const rows = all.filter(
    ({ from, to, blockNumber }) =>
      Number(blockNumber) >= Number(fromBlock) &&
      Number(blockNumber) <= Number(toBlock) &&
      (fromAddress === undefined || lower(from) === lower(fromAddress as Hex)) &&
      (toAddress === undefined || (to !== null && lower(to) === lower(toAddress as Hex))),
  );
  const ordered = order === 'desc' ? rows.toReversed() : rows;
  const start = Number(pageKey ?? 0);
  const end = start + Number(maxCount);
  return {
    transfers: ordered.slice(start, end).map(({ hash, blockNumber }) => ({ hash, blockNum: blockNumber })),
    ...(end < ordered.length && { pageKey: String(end) }),
  };
}
