// Two versions of the official SDK against our HTTP server: all Aptos methods that both have.
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultConfiguration } from '../../src/api/configuration.ts';
import { silentLog } from '../../src/base/log.ts';
import { type RunningServer, startServer } from '../../src/cli/startServer.ts';
import { toBothEndpoints } from '../support/aptos/aptosFixture.ts';
import { type FakeAptosNetwork, startFakeAptosNetwork } from '../support/aptos/fakeAptosNetwork.ts';
import { getCollectionId, getTokenId } from '../support/aptos/ledgerActions.ts';
import {
  alice,
  bob,
  card,
  carol,
  createSampleLedger,
  gem,
  HUGE_AMOUNT,
  MOON,
  type SampleLedger,
  stamp,
} from '../support/aptos/sampleLedger.ts';

let sample: SampleLedger;
let main: FakeAptosNetwork;
let other: FakeAptosNetwork;
let serving: RunningServer;

beforeAll(async () => {
  sample = createSampleLedger(1);
  main = await startFakeAptosNetwork(sample.ledger);
  other = await startFakeAptosNetwork(createSampleLedger(2).ledger);
  serving = await startServer({
    port: 0,
    key: 'k',
    configuration: {
      ...defaultConfiguration,
      aptos: { mainnet: toBothEndpoints(main), testnet: toBothEndpoints(other) },
    },
    log: silentLog,
  });
});
afterAll(async () => {
  await serving?.stop();
  await main?.stop();
  await other?.stop();
});

interface SdkResponse {
  readonly raw: {
    readonly result: readonly Record<string, unknown>[];
    readonly hasNextPage: boolean;
    readonly cursor: string | null;
  };
  readonly pagination?: unknown;
  hasNext?(): boolean;
}
type Method = (request: Record<string, unknown>) => Promise<unknown>;
type Groups = Readonly<Record<'coins' | 'nfts' | 'wallets', Readonly<Record<string, Method>>>>;

interface Axios {
  readonly interceptors: {
    readonly request: { use(change: (config: { readonly baseURL?: string }) => unknown): number };
  };
}

const require = createRequire(import.meta.url);
/** The SDK works once per process: each version gets fresh modules, and so do the files that share this worker. */
function forgetModules(): void {
  for (const file of Object.keys(require.cache)) if (/moralis|axios/.test(file)) delete require.cache[file];
}
afterAll(forgetModules);

/** The SDK has fixed addresses: its requests to them are sent to our server, otherwise unchanged. */
async function start(name: 'moralis' | 'moralis-2.22'): Promise<Groups> {
  forgetModules();
  const entry = require.resolve(name);
  const inside = createRequire(entry);
  const axios = createRequire(inside.resolve('@moralisweb3/common-core'))('axios') as Axios;
  axios.interceptors.request.use(config => {
    if (!/^https:\/\/aptos-(mainnet|testnet)\./.test(config.baseURL ?? ''))
      throw new Error(`Sent to ${config.baseURL}`);
    return { ...config, baseURL: `${serving.url}/aptos` };
  });
  const loaded = require(entry) as { readonly default?: unknown };
  const moralis = (loaded.default ?? loaded) as { start(options: object): Promise<void>; readonly AptosApi: Groups };
  await moralis.start({ apiKey: 'k' });
  return moralis.AptosApi;
}

describe.each(['moralis', 'moralis-2.22'] as const)('%s', name => {
  let api: Groups;
  beforeAll(async () => {
    api = await start(name);
  });

  const call = async (group: keyof Groups, method: string, request: Record<string, unknown>) => {
    const send = api[group][method];
    if (send === undefined) throw new Error(`${name} has no ${group}.${method}`);
    const answer = (await send(request)) as SdkResponse & { toJSON(): unknown };
    return JSON.parse(JSON.stringify(answer)) as {
      result: Record<string, unknown>[];
      hasNextPage: boolean;
      cursor?: string;
    };
  };

  test('returns coin transfers by type, wallet and block', async () => {
    const byType = await call('coins', 'getCoinTransfersByCoinType', { coinType: MOON, limit: 2 });
    expect(byType.result.map(row => row['amount'])).toEqual(['55', '55']);
    expect(byType.hasNextPage).toBe(true);
    const next = await call('coins', 'getCoinTransfersByCoinType', { coinType: MOON, limit: 2, cursor: byType.cursor });
    expect(next.result.map(row => row['amount'])).toEqual([String(HUGE_AMOUNT), String(HUGE_AMOUNT)]);
    const byWallet = await call('coins', 'getCoinTransfersByOwnerAddresses', {
      ownerAddresses: [alice, bob],
      limit: 100,
      coinTypeWhitelist: [MOON],
      network: 'mainnet',
    });
    expect(byWallet.result.map(row => row['coin_type'])).toEqual([MOON, MOON]);
    const byBlock = await call('coins', 'getCoinTransfersByBlockHeights', {
      blockHeights: [String(sample.heights.failed)],
      limit: 5,
    });
    expect(byBlock.result).toEqual([
      expect.objectContaining({ is_gas_fee: true, is_transaction_success: false, event_creation_number: '-1' }),
    ]);
  });

  test('returns NFT transfers, creators, owners and wallets', async () => {
    const moved = await call('nfts', 'getNFTTransfersByWallets', { walletAddresses: [carol], limit: 5 });
    expect(moved.result).toEqual([expect.objectContaining({ from_address: alice, to_address: carol, name: 'Ruby' })]);
    const made = await call('nfts', 'getNFTsByCreators', { creatorAddresses: [bob], limit: 5 });
    expect(made.result).toEqual([
      expect.objectContaining({ name: stamp.name, token_data_id_hash: getTokenId(stamp), uri_mutable: 'true' }),
    ]);
    const owners = await call('nfts', 'getNFTOwnersByCollection', {
      collectionDataIdHash: getCollectionId(card),
      limit: 5,
      walletBlacklist: [alice],
    });
    expect(owners.result.map(row => row['owner_address'])).toEqual([bob]);
    const held = await call('wallets', 'getNFTByOwners', { ownerAddresses: [carol], limit: 5, network: 'testnet' });
    expect(held.result.map(row => row['token_data_id_hash'])).toEqual([gem.object.slice(2)]);
    expect(other.requests.length).toBeGreaterThan(0);
  });

  test('rejects with the message of the service', async () => {
    const send = api.coins['getCoinTransfersByCoinType'] as Method;
    await expect(send({ coinType: MOON, limit: 0 })).rejects.toThrow(/limit must not be less than 1/);
  });
});

test('a 400 has the body and the headers of the Aptos group', async () => {
  const get = (path: string) => fetch(`${serving.url}/aptos${path}`, { headers: { 'x-api-key': 'k' } });
  const rejected = await get(`/wallets/nfts?limit=101&owner_addresses[]=not-an-address&collection_whitelist[0]=x`);
  expect(rejected.status).toBe(400);
  expect(await rejected.json()).toEqual({
    statusCode: 400,
    error: 'Bad Request',
    message: [
      expect.stringMatching(/^owner_addresses is not an Aptos address/),
      'limit must not be greater than 100',
      expect.stringMatching(/^collection_whitelist must be 64 hex digits/),
    ],
  });
  const answered = await get(`/wallets/nfts?limit=1&owner_addresses%5B%5D=${carol}`);
  expect(answered.headers.get('x-hexlens-network')).toBe('mainnet');
  const page = (await answered.json()) as { result: Record<string, unknown>[] };
  expect(Object.keys(page)).toEqual(['cursor', 'hasNextPage', 'result']);
  expect(page.result[0]).toEqual({
    amount: '1',
    collection_data_id_hash: gem.collectionObject.slice(2),
    collection_name: 'Gems',
    creator_address: alice,
    last_transaction_timestamp: expect.stringMatching(/T\d\d:\d\d:\d\d\.000Z$/),
    last_transaction_version: expect.stringMatching(/^\d+$/),
    name: 'Ruby',
    owner_address: carol,
    property_version: '0',
    table_type: '0x1::object::ObjectCore',
    token_data_id_hash: gem.object.slice(2),
    token_properties: '{"rank":"gold"}',
  });
  const unknown = await get(`/wallets/nfts?limit=1&owner_addresses=${carol}&network=devnet`);
  expect(unknown.status).toBe(400);
});
