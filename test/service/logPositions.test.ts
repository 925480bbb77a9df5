// Chains that number logs in their own ways: every log is listed once, in the order of the chain, and owners are right.
import { afterEach, expect, it } from 'vitest';
import { type Hex, toQuantity } from '../../src/base/hex.ts';
import { type ServiceUnderTest, startService } from '../support/filledChain.ts';
import { PROFILE_CONTRACT, profileTransactionHash, startProfileNode } from '../support/nodeProfiles.ts';
import { readUntil } from '../support/readUntil.ts';
import type { ScriptedReply, ScriptedRpcNode } from '../support/scriptedRpcNode.ts';

type Wire = Record<string, unknown>;
const word = (value: number | Hex): Hex => `0x${BigInt(value).toString(16).padStart(64, '0')}`;
const [zero, alice, bob] = [0, 0xa1, 0xb0] as const;
const toAddress = (wallet: number): Hex => `0x${wallet.toString(16).padStart(40, '0')}`;
const chain = '0x531' as const;

/** `[transaction, log index, from, to, token id]` of the logs of the older block, in the order of its receipts. */
type Logs = readonly (readonly [number, number, number, number, number])[];

let stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  stops = [];
});

async function start(
  logs: Logs,
  options: { readonly indexOf?: (transaction: number) => number; readonly isReversed?: boolean } = {},
): Promise<{ readonly service: ServiceUnderTest; readonly node: ScriptedRpcNode }> {
  const { indexOf = index => index, isReversed = false } = options;
  const withIndex = (wire: Wire, index: number): Wire => ({ ...wire, transactionIndex: toQuantity(indexOf(index)) });
  const node = await startProfileNode({
    about: 'numbers its logs as a test says',
    chainId: 1329,
    transaction: withIndex,
    receipt: withIndex,
    logs: (wire, number) =>
      number !== 50
        ? []
        : logs.map(([transaction, logIndex, from, to, id]) => ({
            ...withIndex(wire, transaction),
            transactionHash: profileTransactionHash(50, transaction),
            logIndex: toQuantity(logIndex),
            topics: [(wire['topics'] as Hex[])[0], word(from), word(to), word(id)],
          })),
    reply({ method }, honest): ScriptedReply | undefined {
      const reply = honest();
      if (!isReversed || method !== 'eth_getBlockReceipts' || !('result' in reply)) return undefined;
      return { result: (reply.result as readonly Wire[]).toReversed() };
    },
  });
  const service = startService({ [chain]: node.url }, { timeoutMs: 2_000 });
  stops.push(
    () => node.stop(),
    () => service.stop(),
  );
  return { service, node };
}

async function readTransfers(service: ServiceUnderTest, count: number, limit = 100) {
  const read = (cursor?: string) =>
    service.get('contractNftTransfers', { chain, address: PROFILE_CONTRACT, limit, ...(cursor && { cursor }) });
  let page = await readUntil(read, ({ result }) => result?.length === Math.min(count, limit));
  const rows = [...(page.result ?? [])];
  while (page.cursor) {
    page = await read(page.cursor);
    rows.push(...(page.result ?? []));
  }
  return rows.map(row => [row.transactionIndex, row.logIndex, row.tokenId, row.toAddress]);
}

const getOwner = async (service: ServiceUnderTest, tokenId: bigint) =>
  (await service.get('nftOwners', { chain, address: PROFILE_CONTRACT, tokenId })).result?.map(row => row.ownerOf);

it('lists two logs of one block that have the log index 0, each of its own transaction', async () => {
  const { service } = await start([
    [0, 0, zero, alice, 1],
    [1, 0, zero, bob, 2],
  ]);
  expect(await readTransfers(service, 2)).toEqual([
    [1, 0, 2n, toAddress(bob)],
    [0, 0, 1n, toAddress(alice)],
  ]);
  expect(await getOwner(service, 1n)).toEqual([toAddress(alice)]);
  expect(await getOwner(service, 2n)).toEqual([toAddress(bob)]);
  const logs = await service.get('contractLogs', { chain, address: PROFILE_CONTRACT });
  expect(logs.result?.map(log => [log.transactionIndex, log.logIndex])).toEqual([
    [1, 0],
    [0, 0],
  ]);
});

it('lists the logs of two clauses of a transaction, whose log indexes repeat, in the order of its receipt', async () => {
  const { service } = await start([
    [0, 0, zero, alice, 1],
    [0, 1, zero, alice, 7],
    [0, 0, alice, bob, 7],
    [0, 0, alice, bob, 1],
  ]);
  for (const limit of [100, 1])
    expect(await readTransfers(service, 4, limit)).toEqual([
      [0, 0, 1n, toAddress(bob)],
      [0, 0, 7n, toAddress(bob)],
      [0, 1, 7n, toAddress(alice)],
      [0, 0, 1n, toAddress(alice)],
    ]);
  expect(await getOwner(service, 1n)).toEqual([toAddress(bob)]);
  const firstPage = await service.get('contractLogs', { chain, address: PROFILE_CONTRACT, limit: 2 });
  const secondPage = await service.get('contractLogs', {
    ...{ chain, address: PROFILE_CONTRACT, limit: 2, cursor: firstPage.cursor ?? '' },
  });
  expect([firstPage, secondPage].flatMap(page => page.result ?? []).map(log => Number(log.topic3))).toEqual([
    1, 7, 7, 1,
  ]);
});

it('lists equal logs of two clauses as two', async () => {
  const { service } = await start([
    [0, 0, alice, alice, 7],
    [0, 0, alice, alice, 7],
  ]);
  expect(await readTransfers(service, 2)).toHaveLength(2);
  const wallet = { chain, address: toAddress(alice) };
  const own = await readUntil(
    () => service.get('walletNftTransfers', wallet),
    ({ result }) => result?.length === 2,
  );
  expect(own.result).toHaveLength(2);
});

it('knows the owner where a wallet receives a token in one clause and sends it in the next', async () => {
  const { service } = await start([
    [0, 0, bob, alice, 7],
    [0, 0, alice, bob, 7],
  ]);
  const wallet = { chain, address: toAddress(alice) };
  const transfers = await readUntil(
    () => service.get('walletNftTransfers', wallet),
    ({ result }) => result?.length === 2,
  );
  expect(transfers.result?.map(row => row.fromAddress)).toEqual([toAddress(alice), toAddress(bob)]);
  expect((await service.get('walletNfts', wallet)).result).toEqual([]);
});

it('lists logs of transactions with gaps in their indexes, and of receipts in another order', async () => {
  const { service } = await start(
    [
      [0, 0, zero, alice, 1],
      [0, 1, alice, bob, 1],
      [1, 0, bob, alice, 1],
    ],
    { indexOf: index => 3 + 5 * index, isReversed: true },
  );
  expect(await readTransfers(service, 3)).toEqual([
    [8, 0, 1n, toAddress(alice)],
    [3, 1, 1n, toAddress(bob)],
    [3, 0, 1n, toAddress(alice)],
  ]);
  expect(await getOwner(service, 1n)).toEqual([toAddress(alice)]);
});

it('reads no receipt where log indexes tell the order', async () => {
  const { service, node } = await start([
    [0, 0, zero, alice, 1],
    [0, 1, zero, alice, 2],
    [1, 2, zero, bob, 3],
  ]);
  expect(await readTransfers(service, 3)).toHaveLength(3);
  expect(node.countCalls('eth_getTransactionReceipt')).toBe(0);
});
