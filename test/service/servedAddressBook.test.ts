// `hexlens serve` with an address book and strict dates, over a real chain and real HTTP.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readUntil } from '../support/readUntil.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import { useFilledChain } from '../support/useFilledChain.ts';
import { type ServeProcess, startServe } from './cliProcess.ts';

const world = useFilledChain();
let server: ServeProcess;
const folder = createTemporaryFolder('hexlens-book-');

beforeAll(async () => {
  const { accounts, contracts } = world.chain;
  const book = join(folder, 'addresses.json');
  const addresses = [
    { address: accounts.alice, name: 'Alice of ours' },
    { address: contracts.apes, name: 'Apes', kind: 'collection', mark: 'verified' },
    { address: contracts.coin, name: 'Coin', kind: 'contract', logo: 'https://example.com/coin.png' },
  ];
  await writeFile(book, JSON.stringify({ version: 1, addresses }));
  const node = `local=${world.anvil.url}`;
  server = await startServe(['--port', '0', '--key', 'k', '--node', node, '--address-book', book]);
});
afterAll(() => server?.stop());

type Rows = readonly Readonly<Record<string, unknown>>[];

async function get(path: string, { ready } = server) {
  // On a busy machine an answer comes before the index has seen the whole chain.
  const response = await readUntil(
    () => fetch(`${ready.url}/api/v2${path}`, { headers: { 'x-api-key': 'k' } }),
    ({ headers }) => !headers.has('x-hexlens-index'),
  );
  return { status: response.status, body: (await response.json()) as { result: Rows; message: string } };
}

test('labels, verified collections and logos are those of the address book', async () => {
  const { accounts, contracts } = world.chain;
  const { result } = (await get(`/${accounts.alice}/nft/transfers?direction=to`)).body;
  const apes = result.filter(row => row['token_address'] === contracts.apes.toLowerCase());
  expect(apes.length).toBeGreaterThan(0);
  for (const row of apes) expect(row).toMatchObject({ to_address_label: 'Alice of ours', verified_collection: 'true' });

  const mints = (await get(`/erc20/mints?wallet_addresses=${accounts.alice}`)).body.result;
  const logoOf = (address: string) =>
    mints.filter(row => row['contract_address'] === address.toLowerCase()).map(row => row['token_logo']);
  expect(new Set(logoOf(contracts.coin))).toEqual(new Set(['https://example.com/coin.png']));
  expect(new Set(logoOf(contracts.usdx))).toEqual(new Set([null]));
});

test('strict dates reject what hosts have dropped, and serve the rest', async () => {
  const strict = await startServe([
    '--port',
    '0',
    '--key',
    'k',
    '--node',
    `local=${world.anvil.url}`,
    '--strict-dates',
  ]);
  try {
    const { accounts, contracts, topics } = world.chain;
    const logs = `/${contracts.apes}/logs`;
    expect(await get(logs, strict)).toMatchObject({
      status: 400,
      body: { message: 'topic0 is required since 2023-09-04' },
    });
    expect((await get(`${logs}?topic0=${topics.transfer}`, strict)).status).toBe(200);
    expect(await get(`/${accounts.alice}/nft/transfers?direction=to`, strict)).toMatchObject({ status: 400 });
    expect(await get(`/${accounts.alice}/nft/transfers`, strict)).toMatchObject({ status: 200 });
    expect(await get('/erc20/mints', strict)).toMatchObject({ status: 410 });
    expect((await get(logs)).status).toBe(200);
  } finally {
    await strict.stop();
  }
});
