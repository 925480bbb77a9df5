// Who created a contract: an account, a factory, or the genesis block.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Hex, toQuantity } from '../../src/base/hex.ts';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { mineBlock } from '../support/chain/mineBlock.ts';
import { startFaultyNode } from '../support/faultyNode.ts';
import { type ServiceUnderTest, startService } from '../support/filledChain.ts';

/** Creates a contract of one byte with each call, by CREATE. */
const FACTORY = '6460016000f36000526005601b6000f000';
const FACTORY_CREATION: Hex = `0x70${FACTORY}6000526011600ff3`;

let anvil: Anvil;
let service: ServiceUnderTest;
let from: Hex;
let factory: Hex;
let factoryCreation: Hex;

const getReceipt = (hash: Hex) => anvil.rpc<{ contractAddress: Hex | null }>('eth_getTransactionReceipt', [hash]);
const getHashes = async (): Promise<readonly Hex[]> =>
  (await anvil.rpc<{ transactions: readonly Hex[] }>('eth_getBlockByNumber', ['latest', false])).transactions;
const find = async (address: Hex) =>
  (await service.lookup('contractCreation', { chain: 'local', address })).value.creation;

beforeAll(async () => {
  anvil = await startAnvil();
  const [account = '0x'] = await anvil.rpc<readonly Hex[]>('eth_accounts', []);
  from = account;
  await anvil.rpc('anvil_mine', [toQuantity(5)]);
  await mineBlock(anvil, [{ from, data: FACTORY_CREATION }]);
  [factoryCreation = '0x'] = await getHashes();
  factory = (await getReceipt(factoryCreation)).contractAddress ?? '0x';
  service = startService({ local: anvil.url });
});
afterAll(async () => {
  await service?.stop();
  await anvil?.stop();
});

test('names the transaction of an account that created a contract', async () => {
  expect(await find(factory)).toEqual({ block: 6, hash: factoryCreation, from, creator: from, call: 0 });
});

test('names the factory that created a contract, and its call in the transaction', async () => {
  await anvil.rpc('anvil_mine', [toQuantity(3)]);
  // Another transaction of the block creates a contract too.
  await mineBlock(anvil, [
    { from, to: from },
    { from, to: factory },
  ]);
  const [, hash = '0x'] = await getHashes();
  const trace = (await service.lookup('transactionTrace', { chain: 'local', hash })).value;
  const created = trace.kind === 'trace' ? trace.calls[1]?.address : null;
  expect(await find(created ?? '0x')).toEqual({ block: 10, hash, from, creator: factory, call: 1 });
});

test('names nothing for an account, and for a contract that no transaction created', async () => {
  expect(await find(from)).toBeNull();
  const set: Hex = `0x${'5e'.repeat(20)}`;
  await anvil.rpc('anvil_setCode', [set, '0x00']);
  await anvil.rpc('anvil_mine', [toQuantity(1)]);
  expect(await find(set)).toBeNull();
});

test('names the node whose receipt cannot be true', async () => {
  const node = await startFaultyNode(anvil.url, {
    client: null,
    fault: ({ method }) =>
      method === 'eth_getTransactionReceipt' ? { result: { contractAddress: '0x12' } } : undefined,
  });
  const other = startService({ local: node.url });
  const found = other.lookup('contractCreation', { chain: 'local', address: factory });
  await expect(found).rejects.toMatchObject({
    code: 'node-answer',
    message: expect.stringContaining(
      'eth_getTransactionReceipt that cannot be true: contractAddress is not an address',
    ),
  });
  await other.stop();
  await node.stop();
});
