// The hosted service's official clients against our server over a real chain: every operation they have in groups A and B.

import { privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatUnits } from '../../src/base/formatUnits.ts';
import { type ServeProcess, startServe } from '../service/cliProcess.ts';
import { readUntil } from '../support/readUntil.ts';
import { useFilledChain } from '../support/useFilledChain.ts';
import { type OfficialClient, type SdkResponse, startBrowserClient, startNodeClient } from './officialClients.ts';

const PAGE = 'http://dapp.example';
const KEY = 'a-key-of-ours';
const CHAIN = '0x7a69';
/** The first account of every Foundry chain: its key is public. */
const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');

const world = useFilledChain();
let server: ServeProcess;
beforeAll(async () => {
  const node = `local=${world.anvil.url}`;
  server = await startServe(['--port', '0', '--key', KEY, '--node', node, '--cors', PAGE]);
  // Until the index is at the chain's head, lists are incomplete.
  await readUntil(
    () => raw('/nft/transfers?limit=1&from_block=0&chain=local'),
    page => page['index_complete'] === true,
  );
});
afterAll(() => server?.stop());

/** The raw answer without a client in between. */
async function raw(path: string): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${server.ready.url}/api/v2${path}`, { headers: { 'x-api-key': KEY } });
  expect(response.status).toBe(200);
  return (await response.json()) as Readonly<Record<string, unknown>>;
}
const listOf = (response: SdkResponse | null) => response?.result as readonly Readonly<Record<string, unknown>>[];
/** What the SDK's value classes say of themselves: an address, an amount, a number. */
const shown = (value: unknown): string => String(JSON.parse(JSON.stringify(value ?? null))).toLowerCase();
/** The smallest unit of an amount of native coin. */
const wei = (amount: unknown): string => String((amount as { readonly wei: unknown }).wei);
/** Every record of a list, without a client in between. */
async function rawRecords(path: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const records: Readonly<Record<string, unknown>>[] = [];
  for (let cursor = ''; ; ) {
    const body = await raw(`${path}&chain=local&limit=100&cursor=${cursor}`);
    records.push(...(body['result'] as typeof records));
    if (typeof body['cursor'] !== 'string') return records;
    cursor = body['cursor'];
  }
}

const versions: readonly (readonly [string, string, () => Promise<OfficialClient>])[] = [
  ['2.27.2, in Node', '/api/v2.2', () => startNodeClient('moralis', server.ready.url, KEY)],
  ['2.22.5, in Node', '/api/v2', () => startNodeClient('moralis-2.22', server.ready.url, KEY)],
  ['2.22.5, in a web page', '/api/v2', () => startBrowserClient(server.ready.url, KEY, `${PAGE}/`)],
];

describe.each(versions)('%s', (name, base, start) => {
  const old = name.startsWith('2.22');
  let client: OfficialClient;
  beforeAll(async () => {
    client = await start();
  });
  afterAll(() => client?.stop());

  /** All pages of a list by the SDK's own `next()`. */
  async function all(
    first: Promise<SdkResponse | null>,
  ): Promise<{ readonly pages: number; readonly records: readonly Readonly<Record<string, unknown>>[] }> {
    let page = await first;
    const records = [...listOf(page)];
    let pages = 1;
    while (page?.hasNext?.() === true) {
      page = (await page.next?.()) ?? null;
      records.push(...listOf(page));
      pages++;
    }
    return { pages, records };
  }

  test('sends its own requests, of which only the host is replaced', async () => {
    await client.sdk.EvmApi.block['getBlock']?.({ chain: CHAIN, blockNumberOrHash: '1' });
    const { method, url, headers } = client.sentRequests.at(-1) ?? { method: '', url: '', headers: {} };
    expect([method, url]).toEqual(['GET', `https://deep-index.moralis.io${base}/block/1?chain=${CHAIN}`]);
    const named = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]));
    expect(named).toMatchObject({
      ...{ 'x-api-key': KEY, 'x-moralis-platform': expect.any(String) },
      'x-moralis-platform-version': name.slice(0, 6),
    });
  });

  test('getBlock, with internal transactions', async () => {
    const { number, hash } = world.chain.blocks.internal;
    const parameters = { chain: CHAIN, blockNumberOrHash: String(number), include: 'internal_transactions' };
    const response = await client.sdk.EvmApi.block['getBlock']?.(parameters);
    const block = response?.result as Readonly<Record<string, unknown>>;
    expect(block['transactions']).not.toHaveLength(0);
    expect(shown(block['hash'])).toBe(hash);
    expect(Number(shown(block['number']))).toBe(number);
    expect(JSON.stringify(response?.toJSON())).toContain('internal_transactions');
  });

  test('getBlock of an unknown block is null', async () => {
    const response = await client.sdk.EvmApi.block['getBlock']?.({ chain: CHAIN, blockNumberOrHash: '999999' });
    expect(response).toBeNull();
  });

  test('reads the logs of a contract with getContractLogs', async () => {
    const address = world.chain.contracts.apes;
    const topic0 = world.chain.topics.transfer;
    const expected = await rawRecords(`/${address}/logs?topic0=${topic0}`);
    const { pages, records } = await all(
      client.sdk.EvmApi.events['getContractLogs']?.({
        chain: CHAIN,
        address,
        topic0,
        limit: 3,
      }) as Promise<SdkResponse>,
    );
    expect(pages).toBeGreaterThan(1);
    expect(records.map(record => shown(record['transactionHash']))).toEqual(
      expected.map(record => record['transaction_hash']),
    );
    expect(records.map(record => shown(record['address']))).toEqual(expected.map(() => address.toLowerCase()));
  });

  const transferKeys = (records: readonly Readonly<Record<string, unknown>>[]) =>
    records.map(record => [shown(record['transactionHash']), shown(record['tokenId'])].join());
  const wireKeys = (records: readonly Readonly<Record<string, unknown>>[]) =>
    records.map(record => [record['transaction_hash'], record['token_id']].join());

  test.each<[string, () => object, () => string]>([
    [
      'getWalletNFTTransfers',
      () => ({ address: world.chain.accounts.alice, fromBlock: 0 }),
      () => `/${world.chain.accounts.alice}/nft/transfers?from_block=0`,
    ],
    [
      'getNFTContractTransfers',
      () => ({ address: world.chain.contracts.items }),
      () => `/nft/${world.chain.contracts.items}/transfers?`,
    ],
    [
      'getNFTTransfers',
      () => ({ address: world.chain.contracts.apes, tokenId: '1' }),
      () => `/nft/${world.chain.contracts.apes}/1/transfers?`,
    ],
    [
      'getNFTTransfersFromToBlock',
      () => ({ fromBlock: 0, toBlock: 9_999 }),
      () => '/nft/transfers?from_block=0&to_block=9999',
    ],
  ])('reads all pages of %s', async (method, parameters, path) => {
    const expected = await rawRecords(path());
    const call = client.sdk.EvmApi.nft[method]?.({ chain: CHAIN, limit: 2, ...parameters() });
    const { pages, records } = await all(call as Promise<SdkResponse>);
    expect(pages).toBe(Math.ceil(expected.length / 2));
    expect(transferKeys(records)).toEqual(wireKeys(expected));
    // This SDK reads to_address of these lists as the token's address: a mistake of its own.
    if (method === 'getWalletNFTTransfers')
      expect(records.map(record => shown(record['fromAddress']))).toEqual(
        expected.map(record => record['from_address']),
      );
  });

  test.runIf(old)('with a total, which the newer one no longer asks for, pages still end', async () => {
    const parameters = { chain: CHAIN, address: world.chain.contracts.items, limit: 2, disableTotal: false };
    const { records } = await all(
      client.sdk.EvmApi.nft['getNFTContractTransfers']?.(parameters) as Promise<SdkResponse>,
    );
    expect(records).toHaveLength((await rawRecords(`/nft/${parameters.address}/transfers?`)).length);
  });

  test('getWalletTransactions, page by page, with internal transactions', async () => {
    const address = world.chain.contracts.vault;
    const expected = await rawRecords(`/${address}?include=internal_transactions`);
    const parameters = {
      chain: CHAIN,
      address,
      limit: 2,
      include: 'internal_transactions',
      ...(!old && { order: 'DESC' }),
    };
    const { pages, records } = await all(
      client.sdk.EvmApi.transaction['getWalletTransactions']?.(parameters) as Promise<SdkResponse>,
    );
    expect(pages).toBe(Math.ceil(expected.length / 2));
    expect(records.map(record => shown(record['hash']))).toEqual(expected.map(record => record['hash']));
    expect(records.map(record => shown(record['from']))).toEqual(expected.map(record => record['from_address']));
    expect(records.map(record => wei(record['value']))).toEqual(expected.map(record => record['value']));
  });

  test('reads the tokens of a wallet with getWalletTokenBalances', async () => {
    const address = world.chain.accounts.alice;
    const expected = (await raw(`/${address}/erc20?chain=local`)) as unknown as readonly Record<string, unknown>[];
    const parameters = { chain: CHAIN, address };
    const response = await client.sdk.EvmApi.token['getWalletTokenBalances']?.(parameters);
    const balances = response?.result as unknown as readonly { readonly value: string; readonly token: unknown }[];
    expect(expected.length).toBeGreaterThan(1);
    expect(balances.map(balance => JSON.parse(JSON.stringify(balance)).value.replace(/\.0$/, ''))).toEqual(
      expected.map(record => formatUnits(BigInt(String(record['balance'])), Number(record['decimals']))),
    );
  });

  test.each([
    ['getWalletTokenTransfers', () => world.chain.accounts.alice, '/erc20/transfers'],
    ['getTokenTransfers', () => world.chain.contracts.coin, ''],
  ] as const)('reads all pages of %s', async (method, getAddress, path) => {
    const address = getAddress();
    // The older one can not ask for an order.
    const order = old ? 'desc' : 'asc';
    const expected = await rawRecords(
      path === '' ? `/erc20/${address}/transfers?order=${order}` : `/${address}${path}?order=${order}`,
    );
    const parameters = { chain: CHAIN, address, limit: 2, ...(!old && { order: 'ASC' }) };
    const { pages, records } = await all(client.sdk.EvmApi.token[method]?.(parameters) as Promise<SdkResponse>);
    expect(expected.length).toBeGreaterThan(2);
    expect(pages).toBe(Math.ceil(expected.length / 2));
    expect(
      records.map(record => [shown(record['transactionHash']), shown(record['contractAddress'] ?? record['address'])]),
    ).toEqual(expected.map(record => [record['transaction_hash'], record['address']]));
  });

  test('getNFTTokenIdOwners, with metadata', async () => {
    const address = world.chain.contracts.items;
    const expected = await rawRecords(`/nft/${address}/1/owners?`);
    const parameters = { chain: CHAIN, address, tokenId: '1', limit: 1, normalizeMetadata: true, mediaItems: true };
    const { records, pages } = await all(
      client.sdk.EvmApi.nft['getNFTTokenIdOwners']?.(parameters) as Promise<SdkResponse>,
    );
    expect(pages).toBe(expected.length);
    expect(records.map(record => shown(record['ownerOf']))).toEqual(expected.map(record => record['owner_of']));
    expect(records.map(record => shown(record['amount']))).toEqual(expected.map(record => record['amount']));
  });

  test('getWalletNFTs and getWalletNFTCollections', async () => {
    const address = world.chain.accounts.alice;
    const { apes, items } = world.chain.contracts;
    const nfts = { chain: CHAIN, address, limit: 1, tokenAddresses: [apes, items] };
    const query = `chain=local&token_addresses[]=${apes}&token_addresses[]=${items}`;
    const expected = await rawRecords(`/${address}/nft?${query}`);
    const owned = await all(client.sdk.EvmApi.nft['getWalletNFTs']?.(nfts) as Promise<SdkResponse>);
    expect(owned.records.map(record => shown(record['tokenId']))).toEqual(expected.map(record => record['token_id']));
    expect(owned.pages).toBe(expected.length);
    const parameters = { chain: CHAIN, address, limit: 1 };
    const collections = await all(
      client.sdk.EvmApi.nft['getWalletNFTCollections']?.(parameters) as Promise<SdkResponse>,
    );
    const wanted = await rawRecords(`/${address}/nft/collections?`);
    expect(collections.records.map(record => shown(record['tokenAddress']))).toEqual(
      wanted.map(record => record['token_address']),
    );
  });

  test('reads the lowest price of a collection with getNFTLowestPrice', async () => {
    const address = world.chain.contracts.apes;
    const expected = await raw(`/nft/${address}/lowestprice?chain=local`);
    const response = await client.sdk.EvmApi.nft['getNFTLowestPrice']?.({
      chain: CHAIN,
      address,
      days: 7,
      marketplace: 'opensea',
    });
    const trade = response?.result as Readonly<Record<string, unknown>>;
    expect(shown(trade['transactionHash'])).toBe(expected['transaction_hash']);
    expect(wei(trade['price'])).toBe(expected['price']);
  });

  test('reads balances of several wallets with getNativeBalancesForAddresses', async () => {
    const { idle, alice } = world.chain.accounts;
    const response = await client.sdk.EvmApi.balance['getNativeBalancesForAddresses']?.({
      chain: CHAIN,
      walletAddresses: [idle, alice],
    });
    const [entry] = listOf(response ?? null);
    const wallets = entry?.['walletBalances'] as readonly Readonly<Record<string, unknown>>[];
    expect(wallets.map(({ address }) => shown(address))).toEqual([idle, alice].map(address => address.toLowerCase()));
    expect(wei(wallets[0]?.['balance'])).toBe('10000000000000000000000');
  });

  test.runIf(old)('getErc20Mints, which the newer one no longer has', async () => {
    const expected = (await raw('/erc20/mints?chain=local&limit=100')) as { result: Record<string, unknown>[] };
    const parameters = { chain: CHAIN, limit: 1, excludeContracts: [world.chain.contracts.vault] };
    const { records } = await all(client.sdk.EvmApi.token['getErc20Mints']?.(parameters) as Promise<SdkResponse>);
    expect(
      records.map(record =>
        shown(
          (record['mint'] as Record<string, unknown> | undefined)?.['transactionHash'] ?? record['transactionHash'],
        ),
      ),
    ).toEqual(expected.result.map(record => record['transaction_hash']));
  });

  test('Auth.verify: returns the identity of a valid signature, and a readable error for an invalid one', async () => {
    const message = createSiweMessage({
      ...{ address: account.address, chainId: 1, domain: 'dapp.example', uri: `${PAGE}/login`, version: '1' },
      nonce: `nonce${name.replace(/\W/g, '')}`, // each once
      statement: 'Sign in, please.',
      issuedAt: new Date(),
      expirationTime: new Date(Date.now() + 600_000),
    });
    const signature = await account.signMessage({ message });
    const response = await client.sdk.Auth.verify({ networkType: 'evm', network: 'evm', message, signature });
    expect(client.sentRequests.at(-1)).toMatchObject({
      method: 'POST',
      url: 'https://authapi.moralis.io/challenge/verify/evm',
    });
    const identity = response.result as Readonly<Record<string, unknown>>;
    expect(shown(identity['address'])).toBe(account.address.toLowerCase());
    expect(identity).toMatchObject({ domain: 'dapp.example', statement: 'Sign in, please.', uri: `${PAGE}/login` });
    const other = `0x${'11'.repeat(64)}1b`;
    await expect(
      client.sdk.Auth.verify({ networkType: 'evm', network: 'evm', message, signature: other }),
    ).rejects.toThrow(/C0006.*(signature|signed)/i);
  });

  test('shows the messages of our errors to its user', async () => {
    const call = client.sdk.EvmApi.nft['getWalletNFTs']?.({ chain: '0x38', address: world.chain.accounts.alice });
    await expect(call).rejects.toThrow(/\[C0006\] Request failed.*(bsc|BNB)/);
  });
});

test('a page of another origin gets no response', async () => {
  const client = await startBrowserClient(server.ready.url, KEY, 'http://evil.example/');
  try {
    await expect(client.sdk.EvmApi.block['getBlock']?.({ chain: CHAIN, blockNumberOrHash: '1' })).rejects.toThrow(
      /Network Error/,
    );
  } finally {
    await client.stop();
  }
});
