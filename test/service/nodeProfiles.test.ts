// Every operation, hover and index that reads a chain, against each kind of node: all see the same chain.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getRecordFee, hasL1Fee } from '../../src/api/transactionFee.ts';
import type { Hex } from '../../src/base/hex.ts';
import { type ServiceUnderTest, startService } from '../support/filledChain.ts';
import {
  type NodeProfile,
  nodeProfiles,
  PROFILE_BLOCKS,
  PROFILE_CONTRACT,
  PROFILE_HEAD,
  PROFILE_HOLDERS,
  profileBlockHash,
  profileTransactionHash,
  startProfileNode,
} from '../support/nodeProfiles.ts';
import { readUntil } from '../support/readUntil.ts';
import type { ScriptedCall, ScriptedRpcNode } from '../support/scriptedRpcNode.ts';
import { createServiceFixture } from '../support/serviceFixture.ts';
import { createSyntheticChain } from '../support/syntheticChain.ts';
import { createTestClock } from '../support/testClock.ts';

const UNKNOWN: Hex = `0x${'77'.repeat(32)}`;
const [holder, recentHolder] = [...PROFILE_HOLDERS.values()];

describe.each(Object.entries<NodeProfile>(nodeProfiles))('%s', (_name, profile) => {
  const chain = `0x${profile.chainId.toString(16)}` as const;
  let node: ScriptedRpcNode;
  let service: ServiceUnderTest;
  beforeAll(async () => {
    node = await startProfileNode(profile);
    service = startService({ [chain]: node.url }, { timeoutMs: 2_000 });
  });
  afterAll(async () => {
    await service.stop();
    await node.stop();
  });

  it.each(Object.values(PROFILE_BLOCKS))('has block %i with its transactions and their log', async block => {
    const byNumber = await service.get('block', { chain, block });
    const byHash = await service.get('block', { chain, block: profileBlockHash(block) });
    expect(byHash).toEqual(byNumber);
    expect(byNumber.transactions?.map(({ hash }) => hash)).toEqual([0, 1].map(at => profileTransactionHash(block, at)));
    expect(byNumber.transactions?.map(({ logs }) => logs?.length)).toEqual(profile.logCounts ?? [1, 0]);
    expect(byNumber.transactions?.map(one => one.receiptStatus)).toEqual([1, 1]);
  });

  it('has each transaction', async () => {
    for (const index of [0, 1]) {
      const hash = profileTransactionHash(PROFILE_BLOCKS.final, index);
      expect(await service.get('transaction', { chain, hash })).toMatchObject({ hash, value: 0n, input: '0x' });
      const { value } = await service.lookup('hashSummary', { chain, hash });
      expect(value).toMatchObject({ kind: 'transaction', status: 'success', value: 0n, inputSize: 0 });
    }
  });

  it('says what a transaction paid', async () => {
    const { amount, token, isIncomplete } = profile.fee ?? {
      amount: 147_000n,
      isIncomplete: hasL1Fee(profile.chainId),
    };
    const hash = profileTransactionHash(PROFILE_BLOCKS.final, 0);
    const record = await service.get('transaction', { chain, hash });
    expect(getRecordFee(record)).toEqual({ amount, isMinimum: isIncomplete ?? false, token: token ?? null });
    const { value } = await service.lookup('hashSummary', { chain, hash });
    expect(value).toMatchObject({ fee: { amount, isMinimum: isIncomplete ?? false, token: token ?? null } });
  });

  it('has nothing above its head, and says so', async () => {
    const block = PROFILE_HEAD + 700;
    expect((await service.send('block', { chain, block })).status).toBe(404);
    expect((await service.send('block', { chain, block: UNKNOWN })).status).toBe(404);
    expect((await service.send('transaction', { chain, hash: UNKNOWN })).status).toBe(404);
    expect((await service.lookup('blockSummary', { chain, block })).value.kind).toBe('nothing');
    expect((await service.lookup('hashSummary', { chain, hash: UNKNOWN })).value.kind).toBe('nothing');
  });

  it('has no block of a number that the chain skipped', async () => {
    for (const block of profile.nullRounds ?? []) {
      expect((await service.send('block', { chain, block })).status).toBe(404);
      expect((await service.lookup('blockSummary', { chain, block })).value.kind).toBe('nothing');
    }
  });

  it('summarizes a block and an address', async () => {
    const { value } = await service.lookup('blockSummary', { chain, block: PROFILE_BLOCKS.final });
    expect(value).toMatchObject({ kind: 'block', number: PROFILE_BLOCKS.final, transactions: 2 });
    const summary = await service.lookup('addressSummary', { chain, address: PROFILE_CONTRACT });
    expect(summary.value).toMatchObject({ kind: 'address', balance: 5n });
    const empty = await service.lookup('blockSummary', { chain, block: 8 });
    expect(empty.value).toMatchObject({ kind: 'block', transactions: 0 });
  });

  const { final, recent } = PROFILE_BLOCKS;
  const getBlocks = async (range: object) =>
    (await service.get('contractLogs', { chain, address: PROFILE_CONTRACT, ...range })).result?.map(log =>
      Number(log.blockNumber),
    );

  it('finds the logs of a contract in one block', async () => {
    expect(await getBlocks({ blockNumber: final })).toEqual([final]);
    expect(await getBlocks({ blockNumber: recent })).toEqual([recent]);
  });

  if (profile.isWithoutLogs) {
    it('says that logs and lists need another node', async () => {
      for (const operation of ['contractLogs', 'contractNftTransfers'] as const) {
        const fault = await service.getFault(operation, { chain, address: PROFILE_CONTRACT });
        expect(fault).toMatchObject({ status: 502, code: 'node-error' });
        expect(fault.message).toMatch(/ does not offer eth_getLogs\. Use another node of the chain in /);
      }
    });
    return;
  }

  it('finds the logs of a contract: all, and none', async () => {
    expect(await getBlocks({})).toEqual([recent, final]);
    expect(await getBlocks({ toBlock: 10 })).toEqual([]);
    expect(await getBlocks({ toDate: new Date(1_700_000_000_000 + 2_000 * 100) })).toEqual([final]);
  });

  it('lists logs from the oldest on, page by page', async () => {
    const input = { chain, address: PROFILE_CONTRACT, order: 'asc', limit: 1 } as const;
    const blocks: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await service.get('contractLogs', { ...input, ...(cursor !== undefined && { cursor }) });
      blocks.push(...(page.result ?? []).map(log => Number(log.blockNumber)));
      cursor = page.cursor ?? undefined;
    } while (cursor !== undefined);
    expect(blocks).toEqual([final, recent]);
  });

  it('lists all transfers of the chain, from either end, page by page', async () => {
    for (const order of ['asc', 'desc'] as const) {
      const ids: (bigint | null)[] = [];
      let cursor: string | undefined;
      do {
        const input = { chain, order, limit: 1, ...(cursor !== undefined && { cursor }) };
        const page = await readUntil(
          () => service.get('nftTransfers', input),
          ({ indexComplete }) => indexComplete === true,
        );
        ids.push(...(page.result ?? []).map(row => row.tokenId));
        cursor = page.cursor ?? undefined;
      } while (cursor !== undefined);
      expect(ids).toEqual(order === 'asc' ? [50n, 195n] : [195n, 50n]);
    }
  });

  it('lists the transfers of a contract and of a wallet, and who owns a token', async () => {
    const read = <T>(work: () => Promise<T & { readonly result?: readonly unknown[] | null }>, count: number) =>
      readUntil(work, ({ result }) => result?.length === count);
    const transfers = await read(() => service.get('contractNftTransfers', { chain, address: PROFILE_CONTRACT }), 2);
    expect(transfers.result?.map(row => [row.tokenId, row.toAddress])).toEqual([
      [195n, recentHolder],
      [50n, holder],
    ]);
    const owners = await read(() => service.get('nftOwners', { chain, address: PROFILE_CONTRACT, tokenId: 50n }), 1);
    expect(owners.result?.[0]?.ownerOf).toBe(holder);
    const wallet = { chain, address: holder as Hex };
    const own = await read(() => service.get('walletNftTransfers', wallet), 1);
    expect(own.result?.[0]?.tokenId).toBe(50n);
    const nfts = await read(() => service.get('walletNfts', wallet), 1);
    expect(nfts.result?.[0]?.tokenId).toBe(50n);
    const collections = await read(() => service.get('walletNftCollections', wallet), 1);
    expect(collections.result?.[0]?.tokenAddress).toBe(PROFILE_CONTRACT);
    expect((await service.get('walletErc20Transfers', wallet)).result).toEqual([]);
  });

  it('has balances, of now and at a block', async () => {
    if (profile.isWithoutOldState) {
      const query = { chain, walletAddresses: [holder as Hex] };
      expect(await service.get('walletBalances', query)).toMatchObject([{ totalBalance: 5n }]);
      const fault = await service.getFault('walletBalances', { ...query, toBlock: final });
      expect(fault).toMatchObject({ status: 502, code: 'node-error' });
      expect(fault.message).toMatch(/ does not have the state of that block\. .*archive node/);
      return;
    }
    for (const range of [{}, { toBlock: final }, { toBlock: profile.nullRounds?.[0] ?? final }]) {
      const [balance] = await service.get('walletBalances', { chain, walletAddresses: [holder as Hex], ...range });
      expect(balance).toMatchObject({ totalBalance: 5n });
    }
  });
});

describe('a limit of the range of logs', () => {
  const { node, service } = createServiceFixture();

  it.each(['a word', 'a timeout'] as const)(
    'is forgotten after ten minutes when it was learned from %s',
    async source => {
      let most = 40;
      const chain = createSyntheticChain({ head: 5_000, chainId: 8453 });
      const getSpan = ({ method, params }: ScriptedCall) => {
        const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: string; toBlock?: string };
        return method === 'eth_getLogs' ? Number(toBlock) - Number(fromBlock) + 1 : 0;
      };
      const gateway = await node({
        answer: call =>
          source === 'a word' && getSpan(call) > most
            ? { error: { code: -32000, message: `block range is limited to ${most} blocks` } }
            : chain.answer(call),
        exchange(exchange) {
          const isTooWide = source === 'a timeout' && exchange.calls.some(call => getSpan(call) > most);
          if (isTooWide) exchange.sendText('', 504);
          return isTooWide;
        },
      });
      const clock = createTestClock();
      const made = service({ '0x2105': gateway.url }, { clock });
      const getWidest = async () => {
        const before = gateway.calls.length;
        await made.get('contractLogs', { chain: '0x2105', address: PROFILE_CONTRACT });
        return Math.max(...gateway.calls.slice(before).map(getSpan));
      };
      expect(await getWidest()).toBe(128);
      most = 10_000;
      expect(await getWidest()).toBe(source === 'a word' ? 40 : 32);
      clock.advance(10 * 60_000);
      expect(await getWidest()).toBeGreaterThan(1_000);
    },
  );
});

it('does not narrow ranges for a node that answers nothing any more, but says so', async () => {
  const node = await startProfileNode({
    ...nodeProfiles.executionApis,
    exchange({ calls, hang }) {
      if (!calls.some(({ method }) => method === 'eth_getLogs')) return false;
      hang();
      return true;
    },
  });
  const made = startService({ eth: node.url }, { timeoutMs: 300 });
  const fault = await made.getFault('contractLogs', { chain: 'eth', address: PROFILE_CONTRACT });
  expect(fault).toMatchObject({ status: 504, code: 'node-timeout' });
  expect(node.countCalls('eth_getLogs')).toBe(3);
  await made.stop();
  await node.stop();
});
