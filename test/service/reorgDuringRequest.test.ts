// A chain that changes between two calls of one request: it is read again, and the reply is of one chain.
import { describe, expect, it } from 'vitest';
import type { Input, OperationId } from '../../src/api/operations/operations.ts';
import type { Hex } from '../../src/base/hex.ts';
import type { Anvil } from '../support/chain/anvil.ts';
import { apesAbi, encodeData } from '../support/chain/contractAbis.ts';
import { mineBlock } from '../support/chain/mineBlock.ts';
import type { TestChain } from '../support/chain/testChain.ts';
import { type FaultyNode, startFaultyNode } from '../support/faultyNode.ts';
import { isBehind, type ServiceUnderTest, startService } from '../support/filledChain.ts';
import { createIndexFixture } from '../support/indexFixture.ts';
import { fetchSyncedPage, type PageOnWire } from '../support/nftPages.ts';
import { readUntil } from '../support/readUntil.ts';
import type { ScriptedReply } from '../support/scriptedRpcNode.ts';
import { createTestClock } from '../support/testClock.ts';

const stage = createIndexFixture();
const TOP = 30;

async function begin(client: string | null) {
  const { anvil, chain } = await stage.filledAnvil({ blocks: 24, ...(client !== null && { chainId: 1 }) });
  await anvil.rpc('anvil_mine', ['0x6']); // only these are replaced: see startFilledAnvil
  const node = await startFaultyNode(anvil.url, { client });
  stage.atEnd(() => node.stop());
  const service = startService({ [client === null ? 'local' : 'eth']: node.url });
  stage.atEnd(() => service.stop());
  return { anvil, chain, node, service };
}

const HEADER_NOT_FOUND: ScriptedReply = { error: { code: -32000, message: 'header not found' } };

/** When `method` is called next, four blocks become three other ones, and that call fails as on a block that is gone. */
function reorgAt(node: FaultyNode, anvil: Anvil, method: string, reply: ScriptedReply | 'honest'): () => boolean {
  let isDone = false;
  node.setFault(async (call, honest) => {
    if (call.method !== method || isDone) return undefined;
    isDone = true;
    await anvil.rpc('anvil_setCoinbase', [`0x${'77'.repeat(20)}`]);
    await anvil.rpc('anvil_reorg', [4, []]);
    await anvil.rpc('anvil_rollback', [1]);
    return reply === 'honest' ? honest() : reply;
  });
  return () => isDone;
}

type Request = { readonly [Id in OperationId]: readonly [Id, Input<Id>] }[OperationId];
type Case = readonly [method: string, reply: ScriptedReply | 'honest', getRequest: (chain: TestChain) => Request];
/** On a development chain the index gets them with the blocks. */
const PUBLIC_ONLY = 'transfers whose transactions are gone';
const GONE: ScriptedReply = { result: null };

const cases: Readonly<Record<string, Case>> = {
  'balances at a block that is gone': [
    'eth_getBalance',
    'honest',
    ({ accounts }) => ['walletBalances', { walletAddresses: [accounts.alice] }],
  ],
  'balances that the node rejects': [
    'eth_getBalance',
    HEADER_NOT_FOUND,
    ({ accounts }) => ['walletBalances', { walletAddresses: [accounts.alice] }],
  ],
  'logs above the head': ['eth_getLogs', 'honest', ({ contracts }) => ['contractLogs', { address: contracts.apes }]],
  'logs that the node rejects': [
    'eth_getLogs',
    { error: { code: -32602, message: 'BlockOutOfRangeError: block height is 29 but requested was 30' } },
    ({ contracts }) => ['contractLogs', { address: contracts.apes }],
  ],
  'a block whose receipts are gone': [
    'eth_getBlockReceipts',
    GONE,
    () => ['block', { block: TOP - 2, include: 'internal_transactions' }],
  ],
  'a transaction whose receipt is gone': [
    'eth_getTransactionReceipt',
    GONE,
    ({ transactions }) => ['transaction', { hash: transactions.mintCoin }],
  ],
  'NFTs of a wallet': [
    'eth_getLogs',
    HEADER_NOT_FOUND,
    ({ accounts }) => ['walletNfts', { address: accounts.alice, limit: 5 }],
  ],
  'owners of a token, by calls at a block that is gone': [
    'eth_call',
    HEADER_NOT_FOUND,
    ({ contracts }) => ['nftOwners', { address: contracts.items, tokenId: 1n }],
  ],
  'transfers of the whole chain': ['eth_getLogs', HEADER_NOT_FOUND, () => ['nftTransfers', { limit: 5 }]],
  'mints of the whole chain': ['eth_getLogs', 'honest', () => ['erc20Mints', { limit: 5 }]],
  [PUBLIC_ONLY]: [
    'eth_getTransactionByHash',
    GONE,
    ({ contracts }) => ['contractNftTransfers', { address: contracts.apes, limit: 5 }],
  ],
};

/** The reply of an index at the head. Without its cursor, which names the end of the range. */
async function getSynced(service: ServiceUnderTest, id: OperationId, input: object): Promise<unknown> {
  const { body } = await readUntil(
    () => service.send(id, input as Input<OperationId>),
    ({ headers }) => !isBehind(headers),
  );
  return Array.isArray(body) ? body : { ...(body as object), cursor: null };
}

describe.each([
  ['a development chain', null],
  ['a public chain', 'Geth/v1.16.5-stable/linux-amd64/go1.25.1'],
])('a reorg in the middle of a request to %s', (_, client) => {
  const entries = Object.entries(cases).filter(([name]) => client !== null || name !== PUBLIC_ONLY);
  it.each(entries)('is followed: %s', async (_name, [method, reply, getRequest]) => {
    const { anvil, chain, node, service } = await begin(client);
    const isDone = reorgAt(node, anvil, method, reply);
    const [id, input] = getRequest(chain);
    const { status, body } = await service.send(id, input as Input<OperationId>);
    expect(status, JSON.stringify(body).slice(0, 300)).toBe(200);
    await expect.poll(isDone).toBe(true); // an index that a busy machine delays meets it in the background
    const clean = startService({ [client === null ? 'local' : 'eth']: node.url });
    stage.atEnd(() => clean.stop());
    const wanted = await getSynced(clean, id, input);
    // A public chain is looked at once a second: until then the service may know the head before the reorg.
    await expect.poll(() => getSynced(service, id, input)).toEqual(wanted);
  });
});

describe('a reorg while an index of a public chain begins', () => {
  it('does not fail a request that does not wait for the index, which becomes that of the new chain', async () => {
    const { anvil, chain, node } = await begin('Geth/v1.16.5-stable/linux-amd64/go1.25.1');
    const { accounts, contracts } = chain;
    const data = encodeData(apesAbi.mint, [accounts.alice, 800n]);
    await mineBlock(anvil, [{ from: accounts.deployer, to: contracts.apes, data }]);
    // A clock on which waiting takes no time: no request waits for an index at all.
    const service = startService({ eth: node.url }, { clock: createTestClock() });
    stage.atEnd(() => service.stop());
    let calls = 0;
    node.setFault(async ({ method }, honest) => {
      if (method !== 'eth_getCode') return undefined;
      if (++calls === 1) await anvil.rpc('anvil_rollback', [1]);
      return honest();
    });
    const input = { address: contracts.apes, limit: 5 };
    const { status, body } = await service.send('contractNftTransfers', input);
    expect(status, JSON.stringify(body)).toBe(200);
    await expect.poll(() => calls).toBeGreaterThan(1);
    const fresh = startService({ eth: node.url });
    stage.atEnd(() => fresh.stop());
    const { result } = await fetchSyncedPage(fresh, 'contractNftTransfers', input);
    expect(result).toHaveLength(5);
    const readRows = async () => ((await service.send('contractNftTransfers', input)).body as PageOnWire).result;
    await expect.poll(readRows).toEqual(result); // without the NFT of the block that is gone
  });
});

describe('a page that is read in several ranges', () => {
  it.each([
    ['contractLogs', (address: Hex) => ({ address, limit: 100 })],
    ['nftTransfers', () => ({ limit: 100 })],
  ] as const)('is of one fork: %s', async (id, createInput) => {
    const { anvil, chain, node, service } = await begin('Geth/v1.16.5-stable/linux-amd64/go1.25.1');
    const { accounts, contracts } = chain;
    for (const tokenId of [800n, 801n]) {
      const data = encodeData(apesAbi.mint, [accounts.alice, tokenId]);
      await mineBlock(anvil, [{ from: accounts.deployer, to: contracts.apes, data }]);
    }
    let ranges = 0;
    node.setFault(async ({ method, params }, honest) => {
      if (method !== 'eth_getLogs') return undefined;
      const { fromBlock, toBlock } = params[0] as { fromBlock: Hex; toBlock: Hex };
      if (Number(toBlock) - Number(fromBlock) >= 5)
        return { error: { code: -32005, message: 'block range too large, maximum is 5' } };
      if (++ranges === 2) {
        await anvil.rpc('anvil_setCoinbase', [`0x${'77'.repeat(20)}`]);
        await anvil.rpc('anvil_rollback', [2]);
        await anvil.rpc('anvil_mine', ['0x2']);
      }
      return honest();
    });
    const { status, body } = await service.send(id, createInput(contracts.apes) as Input<OperationId>);
    expect(ranges).toBeGreaterThan(2);
    expect(status).toBe(200);
    const clean = startService({ eth: node.url });
    stage.atEnd(() => clean.stop());
    const { result } = (await clean.send(id, createInput(contracts.apes) as Input<OperationId>)).body as PageOnWire;
    expect((body as PageOnWire).result).toEqual(result);
  });
});

it('a block that was mined after the request before, and undone during this one, is followed', async () => {
  const { anvil, chain, node, service } = await begin(null);
  const balances = () => service.send('walletBalances', { walletAddresses: [chain.accounts.alice] });
  const before = await balances();
  await anvil.rpc('anvil_mine', ['0x1']);
  let isUndone = false;
  node.setFault(async ({ method }) => {
    if (method !== 'eth_getBalance' || isUndone) return undefined;
    isUndone = true;
    await anvil.rpc('anvil_rollback', [1]);
    return HEADER_NOT_FOUND;
  });
  const { status, body } = await balances();
  expect([status, body]).toEqual([200, before.body]);
  expect(isUndone).toBe(true);
});

it('a node whose chain stays the same is trusted: its fault is reported', async () => {
  const { node, chain, service } = await begin(null);
  await fetchSyncedPage(service, 'contractNftTransfers', { address: chain.contracts.apes });
  node.setFault(({ method }) => (method === 'eth_getBalance' ? HEADER_NOT_FOUND : undefined));
  const { status } = await service.send('walletBalances', { walletAddresses: [chain.accounts.alice as Hex] });
  expect(status).toBe(502);
});
