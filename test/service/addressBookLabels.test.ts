// Names and trust of the address book in replies: they change at once, without a new service or index.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AddressBookConfiguration, defaultConfiguration } from '../../src/api/configuration.ts';
import type { Hex } from '../../src/base/hex.ts';
import { silentLog } from '../../src/base/log.ts';
import { createClient } from '../../src/client/client.ts';
import type { Backend } from '../../src/worker/backend.ts';
import { createNodeBackend } from '../../src/worker/nodeBackend.ts';
import { readUntil } from '../support/readUntil.ts';
import { useFilledChain } from '../support/useFilledChain.ts';

const world = useFilledChain();
let backend: Backend;

beforeAll(async () => {
  backend = createNodeBackend({ log: silentLog });
});
afterAll(() => backend?.stop());

const configure = (book?: AddressBookConfiguration) =>
  backend.configure({ ...defaultConfiguration, nodes: { local: world.anvil.url }, ...(book && { addressBook: book }) });

const client = createClient({ send: (request, options) => backend.call(request, options) });

test('labels and trust are the latest ones', async () => {
  const { accounts, contracts } = world.chain;
  const alice = accounts.alice.toLowerCase();
  const apes = contracts.apes.toLowerCase();
  const transfers = async () => {
    const page = await client.walletNftTransfers({ address: accounts.alice, direction: 'to', limit: 100 });
    return page.result.filter(row => row.tokenAddress?.toLowerCase() === apes);
  };
  configure();
  await readUntil(
    () => client.walletNfts({ address: alice as Hex, limit: 1 }),
    ({ status }) => status === 'SYNCED',
  );
  const plain = await transfers();
  expect(plain.length).toBeGreaterThan(0);
  expect(plain.map(row => row.toAddressLabel)).toEqual(plain.map(() => null));
  expect(plain.map(row => row.verifiedCollection)).toEqual(plain.map(() => false));

  configure({
    [alice]: [{ name: 'Alice of ours', chains: ['local'] }],
    [apes]: [{ name: 'Apes', chains: [], trust: 'verified' }],
  });
  const named = await transfers();
  expect(named.map(row => row.toAddressLabel)).toEqual(plain.map(() => 'Alice of ours'));
  expect(named.map(row => row.verifiedCollection)).toEqual(plain.map(() => true));

  configure({ [apes]: [{ name: 'Apes', chains: [], trust: 'spam' }] });
  const marked = await transfers();
  expect(marked.map(row => row.toAddressLabel)).toEqual(plain.map(() => null));
  expect(marked.map(row => row.possibleSpam)).toEqual(plain.map(() => true));

  // The same addresses of another chain say nothing here.
  configure({
    [alice]: [{ name: 'Alice of Ethereum', chains: ['eth'] }],
    [apes]: [{ name: 'Apes', chains: ['eth', 'polygon'], trust: 'spam' }],
  });
  expect(await transfers()).toEqual(plain);
});

test('an address that is called like a property of every object has no label', async () => {
  configure(JSON.parse('{"__proto__":[{"name":"x","chains":[]}]}'));
  const page = await client.walletNftTransfers({ address: world.chain.accounts.bob, limit: 5 });
  expect(page.result.map(row => row.fromAddressLabel)).toEqual(page.result.map(() => null));
});
