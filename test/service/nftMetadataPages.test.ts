// Metadata, previews and spam as pages show them, on a real Anvil with a real HTTP server: hostile contracts included.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { from as functionFrom } from 'ox/AbiFunction';
import { encode, from as parametersFrom } from 'ox/AbiParameters';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Hex } from '../../src/base/hex.ts';
import { PAGE_TIMEOUT_MS } from '../../src/service/metadata/tokenMetadata.ts';
import { compileContracts } from '../support/chain/compileContracts.ts';
import { encodeCreationCode, encodeData } from '../support/chain/contractAbis.ts';
import { startService } from '../support/filledChain.ts';
import { allPages, fetchSyncedPage, lower, mineTransactions, mintWithUri, toRecords } from '../support/nftPages.ts';
import { createTestLog } from '../support/testClock.ts';
import { useFilledChain } from '../support/useFilledChain.ts';

const world = useFilledChain({ loopbackOnly: true, allowsLoopbackMetadata: true });
let server: Server;
let base: string;
let asked: string[] = [];
let plain: Hex;
let lure: Hex;
let gift: Hex;

const giveAway = functionFrom('function giveAway(uint160 firstWallet, uint256 firstId, uint256 count)');
const nameAndSymbol = parametersFrom('string, string');

async function deploy(name: string, symbol: string): Promise<Hex> {
  const { Lure } = await compileContracts();
  const data = encodeCreationCode(Lure?.bytecode ?? '0x', encode(nameAndSymbol, [name, symbol]));
  const { receipts } = await mineTransactions(world, [{ from: world.chain.accounts.deployer, data }]);
  return lower(receipts[0]?.contractAddress ?? '0x');
}

const mint = (contract: Hex, to: Hex, id: bigint, uri: string) =>
  mineTransactions(world, [mintWithUri(world.chain.accounts.deployer, contract, to, id, uri)]);

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const reply = (status: number, type: string, body: string | Buffer) =>
      response.writeHead(status, { 'content-type': type }).end(body);
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (path === '/good.json')
      reply(200, 'application/json', JSON.stringify({ name: 'Good', image: `${base}/good.png` }));
    else if (path === '/good.png') reply(200, 'image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47]));
    else if (path === '/page.json')
      reply(200, 'application/json', JSON.stringify({ name: 'Page', image: `${base}/page.html` }));
    else if (path === '/page.html') reply(200, 'text/html', '<script>alert(1)</script>');
    else if (path === '/gone.json')
      reply(200, 'application/json', JSON.stringify({ name: 'Gone', image: `${base}/gone.png` }));
    else if (path === '/moved.json') response.writeHead(302, { location: `${base}/good.json` }).end();
    else if (path === '/away.json') response.writeHead(302, { location: 'https://art.example/1.json' }).end();
    else if (path === '/inside.json') response.writeHead(307, { location: 'http://10.0.0.1/latest' }).end();
    else if (path === '/round.json') response.writeHead(308, { location: '/round.json' }).end();
    else if (path === '/nowhere.json') response.writeHead(301, { location: 'http://[' }).end();
    else if (path === '/script.json') reply(200, 'text/javascript', 'alert(1)');
    else if (path === '/list.json') reply(200, 'application/json', '[1,2,3]');
    else if (path === '/endless.json') {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () => response.write(Buffer.alloc(65_536, 'x')) && setImmediate(more);
      response.on('drain', more);
      more();
    } else if (path === '/silent.json') return;
    else reply(404, 'text/plain', 'no');
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  plain = await deploy('Plain Pictures', 'PLAIN');
  lure = await deploy('Claim at apes-claim.xyz', 'FREE');
  gift = await deploy('Gift Boxes', 'GIFT');
});
afterAll(async () => {
  server?.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
});
beforeEach(() => {
  asked = [];
});

const emptyMetadata = {
  name: null,
  description: null,
  animation_url: null,
  external_link: null,
  image: null,
  attributes: [],
};
const trait = (trait_type: string, value: unknown) => ({
  trait_type,
  value,
  display_type: null,
  max_value: null,
  trait_count: null,
  order: null,
});

describe('metadata on the chain', () => {
  it('ERC-721: decodes and normalizes data URIs, with the image as preview', async () => {
    const { apes, art } = world.chain.contracts;
    const log = createTestLog();
    const service = startService({ local: world.anvil.url }, { loopbackOnly: true, allowsLoopbackMetadata: true, log });
    try {
      const input = { address: apes, tokenId: 1n };
      const [before] = (await fetchSyncedPage(service, 'nftOwners', input)).result;
      expect(before).toMatchObject({ last_token_uri_sync: null, last_metadata_sync: null });
      for (const field of ['normalized_metadata', 'media', 'token_uri', 'metadata'])
        expect(before).not.toHaveProperty(field);

      const [ape] = (
        await fetchSyncedPage(service, 'nftOwners', { ...input, normalizeMetadata: true, mediaItems: true })
      ).result;
      const image = expect.stringMatching(/^data:image\/svg\+xml;base64,/);
      const size = { height: null, width: null, url: image };
      expect(ape).toMatchObject({
        normalized_metadata: {
          ...emptyMetadata,
          name: 'Ape #1',
          description: 'A test ape that lives on the chain.',
          image,
          attributes: [trait('Mood', 'curious'), trait('Level', 1)],
        },
        media: {
          original_media_url: image,
          status: 'success',
          mimetype: 'image/svg+xml',
          updatedAt: expect.stringMatching(/^20\d\d-.*Z$/),
          media_collection: { low: size, medium: size, high: size },
        },
        token_uri: expect.stringMatching(/^data:application\/json;base64,/),
        last_token_uri_sync: expect.stringMatching(/^20\d\d-.*Z$/),
        last_metadata_sync: expect.stringMatching(/^20\d\d-.*Z$/),
      });
      expect(JSON.parse(String(ape?.['metadata']))).toMatchObject({ name: 'Ape #1' });

      const [after] = (await fetchSyncedPage(service, 'nftOwners', input)).result;
      expect(after).toMatchObject({ last_token_uri_sync: ape?.['last_token_uri_sync'] });
      expect(after).not.toHaveProperty('metadata');

      const [drawn] = (await fetchSyncedPage(service, 'nftOwners', { address: art, tokenId: 2n, mediaItems: true }))
        .result;
      expect(drawn).toMatchObject({
        media: {
          original_media_url: 'ipfs://bafy/2.png',
          status: 'host_unavailable',
          mimetype: null,
          media_collection: null,
        },
      });
      expect(drawn).not.toHaveProperty('normalized_metadata');
      // All of them are on one host that is not allowed: it is refused once, not once for each.
      await fetchSyncedPage(service, 'walletNfts', {
        address: world.chain.accounts.erin,
        tokenAddresses: [art],
        mediaItems: true,
      });
      expect(log.of('warn').filter(line => line.includes('token picture'))).toHaveLength(1);
    } finally {
      await service.stop();
    }
  });

  it('ERC-1155: fills in {id}; the owners of one token share its metadata', async () => {
    const { items } = world.chain.contracts;
    const page = await fetchSyncedPage(world.service, 'nftOwners', {
      address: items,
      tokenId: 3n,
      normalizeMetadata: true,
    });
    expect(page.result.length).toBeGreaterThan(1);
    for (const record of page.result)
      expect(record['normalized_metadata']).toEqual({ ...emptyMetadata, name: `Item ${'3'.padStart(64, '0')}` });
  });
});

describe('metadata on other hosts', () => {
  let nextId = 100n;
  const metadataOf = async (id: bigint, uri: string) => {
    const { accounts } = world.chain;
    await mint(plain, accounts.idle, id, uri);
    const input = { address: plain, tokenId: id, normalizeMetadata: true, mediaItems: true };
    return (await fetchSyncedPage(world.service, 'nftOwners', input)).result[0];
  };

  it('is fetched with its image, and cached', async () => {
    const good = await metadataOf(1n, `${base}/good.json`);
    expect(good).toMatchObject({
      normalized_metadata: { ...emptyMetadata, name: 'Good', image: `${base}/good.png` },
      media: {
        original_media_url: `${base}/good.png`,
        status: 'success',
        mimetype: 'image/png',
        media_collection: { high: { url: `${base}/good.png` } },
      },
    });
    expect(asked).toEqual(['/good.json', '/good.png']);
    await metadataOf(2n, `${base}/good.json`);
    expect(asked).toEqual(['/good.json', '/good.png']);
  });

  it.each([
    ['a redirect to a host that is not allowed', '/away.json'],
    ['a redirect to a private address', '/inside.json'],
    ['a redirect to nowhere', '/nowhere.json'],
    ['a script', '/script.json'],
    ['a list', '/list.json'],
    ['nothing there', '/none.json'],
    ['a document without end', '/endless.json'],
  ])('%s gives null, not an error', async (_name, path) => {
    const record = await metadataOf(nextId++, `${base}${path}`);
    expect(record).toMatchObject({
      token_uri: `${base}${path}`,
      normalized_metadata: emptyMetadata,
      last_metadata_sync: null,
      last_token_uri_sync: expect.any(String),
    });
    expect(record).toMatchObject({ media: null });
    expect(record).not.toHaveProperty('metadata');
    expect(asked).toEqual([path]);
  });

  it('redirects are followed to allowed hosts, and a limited number of times', async () => {
    expect(await metadataOf(nextId++, `${base}/moved.json`)).toMatchObject({ normalized_metadata: { name: 'Good' } });
    expect(asked).toContain('/good.json');
    asked = [];
    expect(await metadataOf(nextId++, `${base}/round.json`)).toMatchObject({ normalized_metadata: emptyMetadata });
    expect(asked).toEqual(Array.from({ length: 4 }, () => '/round.json'));
  });

  it('an HTML page and a missing image are no previews', async () => {
    const page = await metadataOf(nextId++, `${base}/page.json`);
    const missing = { mimetype: null, media_collection: null };
    expect(page).toMatchObject({
      media: { original_media_url: `${base}/page.html`, status: 'unsupported_media', ...missing },
    });
    expect(await metadataOf(nextId++, `${base}/gone.json`)).toMatchObject({
      media: { status: 'invalid_url', ...missing },
    });
  });

  it.each([
    ['revert', 'a contract that reverts'],
    ['burn', 'a contract that uses all its gas'],
    ['', 'an empty URI'],
    ['javascript:alert(1)', 'a script as a URI'],
    ['file:///etc/passwd', 'a file of this machine'],
    ['http://127.0.0.1:1/x.json', 'a port where nothing listens'],
    ['data:application/json,{"name":', 'half a document'],
  ])('%s (%s) gives null', async uri => {
    const record = await metadataOf(nextId++, uri);
    expect(record).toMatchObject({ normalized_metadata: emptyMetadata, last_metadata_sync: null });
    expect(record).not.toHaveProperty('metadata');
  });

  it('a host that never answers costs a bounded time, and does not affect other tokens', async () => {
    const { grace } = world.chain.accounts;
    await mint(plain, grace, 601n, `${base}/silent.json`);
    await mint(plain, grace, 602n, 'data:application/json,{"name":"Here"}');
    const late = new AbortController();
    const createTimeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal);
    onTestFinished(() => createTimeout.mockRestore());
    const input = { address: grace, tokenAddresses: [plain], normalizeMetadata: true } as const;
    const page = fetchSyncedPage(world.service, 'walletNfts', input);
    await expect.poll(() => asked).toContain('/silent.json');
    late.abort(new DOMException('The time of the page is over.', 'TimeoutError'));
    const { result } = await page;
    expect(createTimeout).toHaveBeenCalledWith(PAGE_TIMEOUT_MS);
    expect(
      result.map(record => [record['token_id'], (record['normalized_metadata'] as { name: unknown }).name]),
    ).toEqual([
      ['602', 'Here'],
      ['601', null],
    ]);
  });

  it('is looked up without a request to a host unless the user allows it; data URIs always', async () => {
    const own = `data:application/json,${JSON.stringify({ name: 'Own', attributes: [{ trait_type: 'Fur', value: 'Gold' }] })}`;
    await mint(plain, world.chain.accounts.bob, 901n, own);
    await mint(plain, world.chain.accounts.bob, 902n, `${base}/good.json`);
    const lookUp = async (options: { readonly isRemoteAllowed?: true } = {}) => {
      const tokens = ['901', '902', '903'].map(tokenId => ({ contract: plain, tokenId }));
      const { value } = await world.service.lookup('nftMetadata', { chain: 'local', tokens, ...options });
      return value.tokens.map(({ name, isRead, isRemote }) => ({ name, isRead, isRemote }));
    };
    asked = [];
    expect(await lookUp()).toEqual([
      { name: 'Own', isRead: true, isRemote: false },
      { name: null, isRead: false, isRemote: true },
      { name: null, isRead: false, isRemote: false },
    ]);
    expect(asked).toEqual([]);
    expect(await lookUp({ isRemoteAllowed: true })).toContainEqual({ name: 'Good', isRead: true, isRemote: true });
  });

  it('is fetched only when the client wants it', async () => {
    await fetchSyncedPage(world.service, 'walletNfts', { address: world.chain.accounts.grace });
    expect(asked).toEqual([]);
  });
});

describe('possible spam', () => {
  it('is flagged in every list, and excluded on request', async () => {
    const { frank } = world.chain.accounts;
    const before = toRecords(await allPages(world.service, 'walletNfts', { address: frank }));
    await mint(lure, frank, 1n, '');
    await mint(lure, frank, 2n, '');
    const spam = { token_address: lure, possible_spam: 'true', name: 'Claim at apes-claim.xyz', symbol: 'FREE' };

    const all = await allPages(world.service, 'walletNfts', { address: frank, limit: 1, disableTotal: false });
    expect(toRecords(all).slice(0, 2)).toEqual([expect.objectContaining(spam), expect.objectContaining(spam)]);
    expect(toRecords(all).slice(2)).toEqual(before);
    expect(all[0]?.total).toBe(String(before.length + 2));

    const clean = await allPages(world.service, 'walletNfts', {
      address: frank,
      limit: 1,
      disableTotal: false,
      excludeSpam: true,
    });
    expect(toRecords(clean)).toEqual(before);
    expect(clean[0]?.total).toBe(String(before.length));

    const named = { address: frank, tokenAddresses: [lure], disableTotal: false } as const;
    expect((await fetchSyncedPage(world.service, 'walletNfts', named)).total).toBe('2');
    const none = await fetchSyncedPage(world.service, 'walletNfts', { ...named, excludeSpam: true });
    expect(none).toMatchObject({ result: [], total: '0', cursor: null, status: 'SYNCED' });

    const collections = await fetchSyncedPage(world.service, 'walletNftCollections', {
      address: frank,
      disableTotal: false,
    });
    expect(collections.result[0]).toEqual({ ...spam, contract_type: 'ERC721', verified_collection: 'false' });
    const cleanCollections = await allPages(world.service, 'walletNftCollections', {
      address: frank,
      limit: 1,
      disableTotal: false,
      excludeSpam: true,
    });
    expect(toRecords(cleanCollections)).toEqual(collections.result.slice(1));
    expect(cleanCollections[0]?.total).toBe(String(collections.result.length - 1));

    const { result } = await fetchSyncedPage(world.service, 'contractNftTransfers', { address: lure });
    expect(result.map(record => record['possible_spam'])).toEqual(['true', 'true']);
  });

  it('is a mass airdrop until a holder transfers it', async () => {
    const { deployer } = world.chain.accounts;
    const words = (...values: bigint[]) => values.map(value => value.toString(16).padStart(64, '0')).join('');
    const first = BigInt(world.chain.accounts.idle);
    const data = encodeData(giveAway, [first, 1n, 60n]);
    await mineTransactions(world, [{ from: deployer, to: gift, data, gas: 20_000_000 }]);
    const spamOf = async () => {
      const { result } = await fetchSyncedPage(world.service, 'nftOwners', { address: gift, tokenId: 7n });
      return result.map(record => record['possible_spam']);
    };
    expect(await spamOf()).toEqual(['true']);
    const { idle, alice } = world.chain.accounts;
    await mineTransactions(world, [
      { from: idle, to: gift, data: `0x23b872dd${words(BigInt(idle), BigInt(alice), 1n)}` },
    ]);
    expect(await spamOf()).toEqual(['false']);
  });
});
