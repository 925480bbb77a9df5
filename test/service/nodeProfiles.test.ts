// Every operation, hover and index that reads a chain, against each kind of node: all see the same chain.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
import type { ScriptedRpcNode } from '../support/scriptedRpcNode.ts';

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
    expect(byNumber.transactions?.map(({ logs }) => logs?.length)).toEqual([1, 0]);
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

  it('has nothing above its head, and says so', async () => {
    const block = PROFILE_HEAD + 700;
    expect((await service.send('block', { chain, block })).status).toBe(404);
    expect((await service.send('block', { chain, block: UNKNOWN })).status).toBe(404);
    expect((await service.send('transaction', { chain, hash: UNKNOWN })).status).toBe(404);
    expect((await service.lookup('blockSummary', { chain, block })).value.kind).toBe('nothing');
    expect((await service.lookup('hashSummary', { chain, hash: UNKNOWN })).value.kind).toBe('nothing');
  });

  it('summarizes a block and an address', async () => {
    const { value } = await service.lookup('blockSummary', { chain, block: PROFILE_BLOCKS.final });
    expect(value).toMatchObject({ kind: 'block', number: PROFILE_BLOCKS.final, transactions: 2 });
    const summary = await service.lookup('addressSummary', { chain, address: PROFILE_CONTRACT });
    expect(summary.value).toMatchObject({ kind: 'address', balance: 5n });
    const empty = await service.lookup('blockSummary', { chain, block: 7 });
    expect(empty.value).toMatchObject({ kind: 'block', transactions: 0 });
  });

  it('finds the logs of a contract: all, of one block, and none', async () => {
    const { final, recent } = PROFILE_BLOCKS;
    const getBlocks = async (range: object) =>
      (await service.get('contractLogs', { chain, address: PROFILE_CONTRACT, ...range })).result?.map(log =>
        Number(log.blockNumber),
      );
    expect(await getBlocks({})).toEqual([recent, final]);
    expect(await getBlocks({ blockNumber: final })).toEqual([final]);
    expect(await getBlocks({ toBlock: 10 })).toEqual([]);
    expect(await getBlocks({ toDate: new Date(1_700_000_000_000 + 2_000 * 100) })).toEqual([final]);
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
    const own = await read(() => service.get('walletNftTransfers', { chain, address: holder as Hex }), 1);
    expect(own.result?.[0]?.tokenId).toBe(50n);
  });
});
