// Which chains may make HexLens fetch metadata from this machine: a development chain of its own, and no fork.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encode, from as parametersFrom } from 'ox/AbiParameters';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Hex } from '../../src/base/hex.ts';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { compileContracts } from '../support/chain/compileContracts.ts';
import { encodeCreationCode } from '../support/chain/contractAbis.ts';
import { startGanache } from '../support/chain/ganache.ts';
import type { TestNode } from '../support/chain/testNode.ts';
import { type ServiceUnderTest, startService } from '../support/filledChain.ts';
import { fetchSyncedPage, lower, mineTransactions, mintWithUri, toRecords } from '../support/nftPages.ts';
import { forwardTo, type ScriptedRpcNode, startScriptedRpcNode } from '../support/scriptedRpcNode.ts';
import { useFilledChain } from '../support/useFilledChain.ts';

const world = useFilledChain();
let fork: Anvil;
let server: Server;
let requested: string[] = [];
let collection: Hex;
let uris: readonly string[] = [];

/** The test chain behind a node that calls itself or its chain otherwise, such as a tunnel to a node of a public chain. */
const startNamedNode = (client: string | null, chainId: number): Promise<ScriptedRpcNode> => {
  const forward = forwardTo(world.anvil.url);
  return startScriptedRpcNode({
    answer: async call => {
      if (client !== null && call.method === 'web3_clientVersion') return { result: client };
      if (call.method === 'eth_chainId') return { result: `0x${chainId.toString(16)}` };
      return forward(call);
    },
  });
};

beforeAll(async () => {
  server = createServer((request, response) => {
    requested.push(request.url ?? '');
    if (request.url === '/redirect') response.writeHead(302, { location: '/secret' }).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"internal","image":"/secret"}');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  uris = ['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0177.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0.0.0.0', '0']
    .map(host => `http://${host}:${port}/secret`)
    .concat(`http://127.0.0.1:${port}/redirect`);
  const { deployer, alice } = world.chain.accounts;
  const { Lure } = await compileContracts();
  const data = encodeCreationCode(Lure?.bytecode ?? '0x', encode(parametersFrom('string, string'), ['Lure', 'LURE']));
  const { receipts } = await mineTransactions(world, [{ from: deployer, data }]);
  collection = lower(receipts[0]?.contractAddress ?? '0x');
  await mineTransactions(
    world,
    uris.map((uri, index) => mintWithUri(deployer, collection, alice, BigInt(9_000 + index), uri)),
  );
  fork = await startAnvil({ args: ['--fork-url', world.anvil.url] });
});
afterAll(async () => {
  await fork?.stop();
  server?.closeAllConnections();
  server?.close();
});

async function fetchNames(service: ServiceUnderTest): Promise<ReadonlyMap<string, unknown>> {
  requested = [];
  const page = await fetchSyncedPage(service, 'walletNfts', {
    address: world.chain.accounts.alice,
    tokenAddresses: [collection],
    normalizeMetadata: true,
    mediaItems: true,
  });
  return new Map(
    toRecords([page]).flatMap(({ token_uri, metadata }: Readonly<Record<string, unknown>>) =>
      typeof token_uri === 'string' && uris.includes(token_uri) ? [[token_uri, metadata ?? null]] : [],
    ),
  );
}

async function withService<T>(url: string, work: (service: ServiceUnderTest) => Promise<T>, allows = true): Promise<T> {
  const service = startService({ local: url }, { loopbackOnly: true, allowsLoopbackMetadata: allows });
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

const isLocal = async (service: ServiceUnderTest) =>
  (await service.lookup('chainStatus', { chain: 'local' })).value.isLocal;

describe('metadata on this machine', () => {
  it('is fetched for a development chain, in every spelling of the loopback address', () =>
    withService(world.anvil.url, async service => {
      expect(await isLocal(service)).toBe(true);
      const names = await fetchNames(service);
      expect(names.size).toBe(uris.length);
      expect(names.get(uris[0] ?? '')).toContain('internal');
      expect(names.get(uris[1] ?? '')).toContain('internal');
      expect(requested.length).toBeGreaterThan(0);
    }));

  it('is not fetched unless the configuration allows it', () =>
    withService(
      world.anvil.url,
      async service => {
        const names = await fetchNames(service);
        expect(names.size).toBe(uris.length);
        expect([...names.values()].every(value => value === null)).toBe(true);
        expect(requested).toEqual([]);
      },
      false,
    ));

  it('is not fetched for a fork', () =>
    withService(fork.url, async service => {
      expect(await isLocal(service)).toBe(false);
      const names = await fetchNames(service);
      expect(names.size).toBe(uris.length);
      expect([...names.values()].every(value => value === null)).toBe(true);
      const image = await service.lookup('mediaPreview', { chain: 'local', uri: uris[0] ?? '' });
      expect(image.value.problem).toBe('refused');
      expect(requested).toEqual([]);
    }));

  it('is not fetched for a development chain with the id of a public one, whose contracts it may have', async () => {
    const node = await startNamedNode(null, 1);
    try {
      await withService(node.url, async service => {
        expect(await isLocal(service)).toBe(true);
        const names = await fetchNames(service);
        expect(names.size).toBe(uris.length);
        expect([...names.values()].every(value => value === null)).toBe(true);
        expect(requested).toEqual([]);
      });
    } finally {
      await node.stop();
    }
  });

  it.each([
    ['a tunnel to a public chain', 'Geth/v1.16.5-stable/linux-amd64/go1.25.1', 1],
    ['a public chain of an unknown id', 'Geth/v1.16.5-stable/linux-amd64/go1.25.1', 424_242],
    ['a development node that does not say whether it is a fork', 'testrpc/1.0', 31_337],
  ])('is not fetched for %s', async (_name, client, chainId) => {
    const node = await startNamedNode(client, chainId);
    try {
      await withService(node.url, async service => {
        expect(await isLocal(service)).toBe(false);
        const names = await fetchNames(service);
        expect(names.size).toBe(uris.length);
        expect([...names.values()].every(value => value === null)).toBe(true);
        for (const uri of uris) {
          const image = await service.lookup('mediaPreview', { chain: 'local', uri });
          expect(image.value.problem, uri).toBe('refused');
        }
        expect(requested).toEqual([]);
      });
    } finally {
      await node.stop();
    }
  });
});

describe('a Ganache chain', () => {
  const check = async (start: () => Promise<TestNode>) => {
    const node = await start();
    try {
      return await withService(node.url, isLocal);
    } finally {
      await node.stop();
    }
  };
  it('is found to be a local chain', async () => expect(await check(startGanache)).toBe(true));
  it('is not local when it is a fork', async () =>
    expect(await check(() => startGanache({ forkUrl: world.anvil.url }))).toBe(false));
});
