// ABIs of verified contracts from a host that speaks the API of Sourcify, over real sockets; hosts that lie.
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import type { Hex } from '../../src/base/hex.ts';
import { createServiceFixture } from '../support/serviceFixture.ts';
import { type Behavior, json, type Remote, startRemote } from '../unit/client/remoteServer.ts';

const contract: Hex = `0x${'c0'.repeat(20)}`;
const abi = [
  { type: 'function', name: 'cap', inputs: [], outputs: [{ name: '', type: 'uint256' }], stateMutability: 'view' },
];
const answer = {
  ...{ matchId: '1', creationMatch: 'exact_match', runtimeMatch: 'exact_match', verifiedAt: '2024-07-24T12:00:00Z' },
  ...{ match: 'exact_match', chainId: '1', address: contract },
  ...{
    abi,
    compilation: { language: 'Solidity', compiler: 'solc', name: 'Vault', fullyQualifiedName: 'src/Vault.sol:Vault' },
  },
};

const fixture = createServiceFixture();
const remotes: Remote[] = [];
afterEach(async () => {
  for (const remote of remotes.splice(0)) await remote.close();
});

async function host(behave: Behavior): Promise<Remote> {
  const remote = await startRemote(behave);
  remotes.push(remote);
  return remote;
}
const replying = (body: unknown, status = 200) => host((_, response: ServerResponse) => json(response, status, body));

function node(chainId: number, client: string) {
  const header = (number: number) => ({
    ...{ number: `0x${number.toString(16)}`, timestamp: '0x65000000' },
    hash: `0x${String(number).padStart(64, '1')}`,
    parentHash: `0x${String(Math.max(0, number - 1)).padStart(64, '1')}`,
  });
  return fixture.node({
    answer({ method, params }) {
      if (method === 'eth_chainId') return { result: `0x${chainId.toString(16)}` };
      if (method === 'web3_clientVersion') return { result: client };
      if (method === 'eth_blockNumber') return { result: '0x64' };
      if (method === 'eth_getBlockByNumber') return { result: header(params[0] === '0x0' ? 0 : 100) };
      return undefined;
    },
  });
}

/** Looks the contract up with these hosts in the settings. */
async function lookUp(hosts: readonly Remote[], [chainId, client]: readonly [number, string] = [1, 'Geth/v1.16.5']) {
  const { url } = await node(chainId, client);
  const chain = chainId === 1 ? 'eth' : 'local';
  const service = fixture.service(
    { [chain]: url },
    { getVerifiedSources: () => hosts.map(({ origin }) => `${origin}/server`) },
  );
  return (await service.lookup('verifiedAbi', { chain, address: contract })).value.found;
}

describe('the ABI of a verified contract', () => {
  test('is read from the host, with its name and how well it matches', async () => {
    const remote = await replying(answer);
    const found = await lookUp([remote]);
    expect(found).toEqual({
      host: new URL(remote.origin).host,
      match: 'exact',
      name: 'Vault',
      abi: JSON.stringify(abi),
    });
    expect(remote.seen.map(({ target }) => target)).toEqual([
      `/server/v2/contract/1/${contract}?fields=abi,compilation`,
    ]);
    expect(remote.seen[0]?.headers).not.toHaveProperty('authorization');
  });

  test('may match in part', async () => {
    expect((await lookUp([await replying({ ...answer, match: 'match' })]))?.match).toBe('partial');
  });

  test('comes from the next host where one does not know the contract, or fails', async () => {
    const unknown = await replying({ match: null, chainId: '1', address: contract }, 404);
    const broken = await replying('down', 503);
    expect((await lookUp([unknown, broken, await replying(answer)]))?.name).toBe('Vault');
    expect(await lookUp([unknown])).toBeNull();
  });

  test.each<readonly [string, (response: ServerResponse) => void]>([
    ['HTML', response => response.end('<html><script>alert(1)</script></html>')],
    ['another contract', response => json(response, 200, { ...answer, address: `0x${'d0'.repeat(20)}` })],
    ['another chain', response => json(response, 200, { ...answer, chainId: '10' })],
    ['an ABI that is no list', response => json(response, 200, { ...answer, abi: 'function cap()' })],
    ['a match of another kind', response => json(response, 200, { ...answer, match: 'constructor' })],
    ['a redirect to this machine', response => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()],
    ['null', response => json(response, 200, null)],
  ])('is rejected where the host sends %s', async (_, send) => {
    const remote = await host((__, response) => send(response));
    await expect(lookUp([remote])).rejects.toMatchObject({ code: 'host-error' });
    expect(remote.seen).toHaveLength(1);
  });

  test.each([
    [429, 'rate-limited', /is limiting requests/],
    [503, 'host-error', /can not respond at the moment \(status 503\)/],
  ])('says what status %i means', async (status, code, message) => {
    const fault = { code, message: expect.stringMatching(message), fix: expect.stringMatching(/^Try again/) };
    await expect(lookUp([await replying('<html>', status)])).rejects.toMatchObject(fault);
  });

  test('is rejected where it is huge', async () => {
    const remote = await host((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const write = () => {
        while (!response.destroyed && response.write(' '.repeat(64 * 1024)));
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    });
    await expect(lookUp([remote])).rejects.toMatchObject({ code: 'too-large' });
  });

  test('has no name where the host sends one that is no identifier', async () => {
    const name = '[Vault](command:workbench.action.terminal.new)';
    const remote = await replying({ ...answer, compilation: { name } });
    expect((await lookUp([remote]))?.name).toBeNull();
  });

  test.each<readonly [number, string]>([
    [31337, 'anvil/v1.4.0'],
    [1, 'anvil/v1.4.0'],
    [1337, 'Geth/v1.16.5'],
  ])('is not asked for on a development chain (%i, %s)', async (chainId, client) => {
    const remote = await replying(answer);
    await expect(lookUp([remote], [chainId, client])).rejects.toMatchObject({ code: 'bad-input' });
    expect(remote.seen).toEqual([]);
  });
});
