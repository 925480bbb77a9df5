// The index's operations over HTTP, by a child process with an index folder, as outside clients use them.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checksumAddress } from '../../src/base/checksumAddress.ts';
import { HOSTILE_NAME, HOSTILE_SYMBOL } from '../support/chain/deployContracts.ts';
import { lower, mineTransactions, mintApeTransaction, type PageOnWire, tokenNames } from '../support/nftPages.ts';
import { readChain, type Witness, withHexIds } from '../support/nftWitness.ts';
import { readUntil } from '../support/readUntil.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import { useFilledChain } from '../support/useFilledChain.ts';
import { runCliHere, type ServeProcess, startServe } from './cliProcess.ts';

const world = useFilledChain();
let witness: Witness;
const folder = createTemporaryFolder('hexlens-data-');
let cli: ServeProcess;
const start = () =>
  startServe(['--port', '0', '--key', 'k', '--node', `local=${world.anvil.url}`, '--data', join(folder, 'new')]);

beforeAll(async () => {
  const hostile = { name: HOSTILE_NAME, symbol: HOSTILE_SYMBOL, decimals: 18, spam: true };
  witness = await readChain(world.anvil, tokenNames(world.chain, hostile));
  cli = await start();
  await getSynced('/api/v2/nft/transfers?limit=1');
});
afterAll(() => cli?.stop());

async function get(path: string) {
  const response = await fetch(`${cli.ready.url}${path}`, { headers: { 'x-api-key': 'k' } });
  return { status: response.status, headers: response.headers, body: (await response.json()) as PageOnWire };
}
/** On a busy machine a response may be of an index that is still behind, and says so. */
const getSynced = (path: string) =>
  readUntil(
    () => get(path),
    ({ headers }) => !headers.has('x-hexlens-index'),
  );
/** Every page behind a path that already has a query. */
async function all(path: string): Promise<readonly PageOnWire[]> {
  const pages: PageOnWire[] = [];
  let cursor = '';
  do {
    const { status, body } = await get(`${path}&cursor=${cursor}`);
    expect(status, JSON.stringify(body)).toBe(200);
    pages.push(body);
    cursor = body.cursor ?? '';
  } while (cursor !== '');
  return pages;
}
const records = (pages: readonly PageOnWire[]) => pages.flatMap(page => page.result);

describe('every list, under both base paths', () => {
  test.each(['/api/v2', '/api/v2.2'])('responds to %s', async base => {
    const { apes, items, coin } = world.chain.contracts;
    const alice = world.chain.accounts.alice;
    const wallet = lower(alice);
    const query = 'chain=0x7a69&limit=17';
    expect(records(await all(`${base}/nft/transfers?${query}`))).toEqual(witness.transfers);
    expect(records(await all(`${base}/${checksumAddress(alice)}/nft/transfers?${query}&direction=to`))).toEqual(
      witness.transfers.filter(transfer => transfer.to_address === wallet),
    );
    expect(records(await all(`${base}/nft/${apes}/transfers?${query}&format=hex&to_block=9`))).toEqual(
      withHexIds(
        witness.transfers.filter(entry => entry.token_address === lower(apes) && Number(entry.block_number) <= 9),
      ),
    );
    expect(records(await all(`${base}/nft/${items}/0x1/transfers?${query}`))).toEqual(
      witness.transfers.filter(entry => entry.token_address === lower(items) && entry.token_id === '1'),
    );
    expect(records(await all(`${base}/nft/${items}/1/owners?chain=local&limit=2`))).toEqual(
      witness.owners.filter(owner => owner.token_address === lower(items) && owner.token_id === '1'),
    );
    expect(
      records(await all(`${base}/${alice}/nft?${query}&token_addresses[]=${apes}&token_addresses%5B1%5D=${items}`)),
    ).toEqual(
      witness.owners.filter(
        owner => owner.owner_of === wallet && [apes, items].map(lower).includes(owner.token_address),
      ),
    );
    const collections = records(await all(`${base}/${alice}/nft/collections?chain=local&limit=1&exclude_spam=true`));
    expect(collections.map(record => record['token_address']).sort()).toEqual(
      [...new Set(witness.owners.filter(owner => owner.owner_of === wallet).map(owner => owner.token_address))].sort(),
    );
    expect(records(await all(`${base}/erc20/mints?${query}&exclude_contracts=${coin}`))).toEqual(
      witness.mints.filter(mint => mint.contract_address !== lower(coin)),
    );
    const { status, body } = await get(`${base}/nft/${apes}/lowestprice?chain=local&marketplace=opensea&days=7`);
    expect([status, body]).toEqual([200, expect.objectContaining({ transaction_hash: world.chain.transactions.sale })]);
  });
});

test('a cursor with a forged key or range is rejected on every list', async () => {
  const { apes, items, coin } = world.chain.contracts;
  const { alice } = world.chain.accounts;
  const lists = [
    '/nft/transfers?',
    `/nft/${apes}/transfers?`,
    `/nft/${items}/1/owners?`,
    `/${alice}/nft?`,
    `/${alice}/nft/collections?`,
    '/erc20/mints?',
    `/${coin}/logs?`,
  ];
  for (const list of lists) {
    const path = `/api/v2${list}limit=1`;
    const cursor = (await get(path)).body.cursor ?? '';
    expect((await get(`${path}&cursor=${forgeCursor(cursor, () => {})}`)).status).toBe(200);
    const { key, pinned } = readCursor(cursor);
    const forgeries = [
      ...key.map((_field, index) => (payload: CursorPayload) => payload[1].splice(index, 1, '?')),
      ...key.map((_field, index) => (payload: CursorPayload) => payload[1].splice(index, 1, 2 ** 60)),
      ...Object.keys(pinned).map(name => (payload: CursorPayload) => Object.assign(payload[2], { [name]: 'x' })),
    ];
    for (const forge of forgeries) {
      const forged = forgeCursor(cursor, forge);
      const { status, body } = await get(`${path}&cursor=${forged}`);
      expect(status, `${list} ${Buffer.from(forged, 'base64url')} ${JSON.stringify(body)}`).toBe(400);
    }
  }
});

type CursorPayload = [filters: string, key: unknown[], pinned: Record<string, unknown>, page: number, total: unknown];

const parseCursor = (cursor: string): CursorPayload =>
  JSON.parse(Buffer.from(cursor, 'base64url').toString().split('.').slice(2).join('.')) as CursorPayload;

function readCursor(cursor: string) {
  const [, key, pinned] = parseCursor(cursor);
  return { key, pinned };
}

/** The checksum of a cursor is no secret. */
function forgeCursor(cursor: string, forge: (payload: CursorPayload) => void): string {
  const payload = parseCursor(cursor);
  forge(payload);
  const text = JSON.stringify(payload);
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return Buffer.from(`h1.${(hash >>> 0).toString(36)}.${text}`).toString('base64url');
}

test('a total never makes a client request a page behind the last one', async () => {
  const { alice } = world.chain.accounts;
  const paths = ['/nft/transfers?', `/${alice}/nft/transfers?`, `/${alice}/nft?`, `/${alice}/nft/collections?`];
  for (const path of paths) {
    const pages = await all(`/api/v2${path}disable_total=false&limit=3`);
    const { total, page, page_size, cursor } = pages.at(-1) ?? {};
    expect(cursor).toBeNull();
    expect(total).toBe(String(records(pages).length));
    // What the official SDK does when there is no cursor: it asks for more where a numeric total is larger than this.
    expect(typeof total).toBe('string');
    const first = Number(pages[0]?.page);
    expect(Number(total)).toBeLessThanOrEqual(Number(page_size) * (Number(page) + 1 - first));
  }
});

test('a block that was just mined is in the next response', async () => {
  const { idle } = world.chain.accounts;
  const { apes } = world.chain.contracts;
  const count = async () => (await getSynced(`/api/v2/${idle}/nft?token_addresses=${apes}`)).body.result.length;
  expect(await count()).toBe(0);
  for (let id = 1; id <= 3; id++) {
    await mineTransactions(world, [mintApeTransaction(world, idle, BigInt(960_000 + id))]);
    expect(await count()).toBe(id);
  }
});

test('the index is stored in its folder and used by the next process', async () => {
  const files = await readdir(join(folder, 'new'));
  expect(files.length).toBeGreaterThan(0);
  const before = (await getSynced('/api/v2/nft/transfers?limit=5')).body;
  await cli.stop();
  cli = await start();
  expect((await getSynced('/api/v2/nft/transfers?limit=5')).body).toEqual(before);
  expect(cli.stderr()).not.toMatch(/ (warn|error) |Warning/);
});

test('a folder option without a value is a usage error', async () => {
  const ended = await runCliHere(['serve', '--data', '']);
  expect(ended).toMatchObject({
    code: 2,
    stderr: 'hexlens: --data needs a folder. Leave it out to keep everything in memory.\n',
  });
});
