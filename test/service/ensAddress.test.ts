// ENS names against contracts on a real Anvil with the chain id of Ethereum: plain, wildcard, off-chain, absent, hostile.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Abi, encodeDeployData, encodeFunctionData, namehash as viemNamehash } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../src/base/hex.ts';
import { ENS_REGISTRY } from '../../src/service/lookups/ensAddress.ts';
import { parseEnsName } from '../../src/service/lookups/parseEnsName.ts';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { mineBlock, type TestTransaction } from '../support/chain/mineBlock.ts';
import { type ServiceUnderTest, startService } from '../support/filledChain.ts';
import { startScriptedRpcNode } from '../support/scriptedRpcNode.ts';
import { type CompiledContract, compileSolidity } from '../support/source/compileSolidity.ts';

const SOURCE = 'ensContracts/Ens.sol';
const NAMES = ['EnsRegistry', 'PlainResolver', 'WildcardResolver', 'OffchainResolver'] as const;
type Name = (typeof NAMES)[number];
interface Compiled {
  readonly abi: Abi;
  readonly bytecode: Hex;
  readonly runtime: Hex;
}

function compile(): Readonly<Record<Name, Compiled>> {
  const { contracts } = compileSolidity<CompiledContract>({
    sources: { [SOURCE]: { content: readFileSync(fileURLToPath(new URL(SOURCE, import.meta.url)), 'utf8') } },
    settings: {
      evmVersion: 'cancun',
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  });
  const ofSource = contracts[SOURCE] ?? {};
  const compiled = NAMES.map(name => {
    const { abi, evm } = ofSource[name] as CompiledContract;
    return [name, { abi, bytecode: `0x${evm.bytecode.object}`, runtime: `0x${evm.deployedBytecode.object}` }];
  });
  return Object.fromEntries(compiled) as Record<Name, Compiled>;
}

const holder: Hex = '0x00000000000000000000000000000000000a11ce';
/** Claims the name of another one. */
const stranger: Hex = '0x00000000000000000000000000000000000bad01';
/** Writes it in a form that is not normalized. */
const shouting: Hex = '0x00000000000000000000000000000000000bad02';
let anvil: Anvil;
let bare: Anvil;
let service: ServiceUnderTest;

beforeAll(async () => {
  const [chain, empty, contracts] = await Promise.all([startAnvil({ chainId: 1 }), startAnvil(), compile()]);
  [anvil, bare] = [chain, empty];
  const [from = '0x'] = await anvil.rpc<Hex[]>('eth_accounts', []);
  const send = async (transaction: Pick<TestTransaction, 'to' | 'data'>): Promise<Hex | null> => {
    const { receipts } = await mineBlock(anvil, [{ from, ...transaction }]);
    return receipts[0]?.contractAddress ?? null;
  };
  const deploy = async (name: Name) => {
    const { abi, bytecode } = contracts[name];
    return (await send({ data: encodeDeployData({ abi, bytecode }) })) as Hex;
  };
  await anvil.rpc('anvil_setCode', [ENS_REGISTRY, contracts.EnsRegistry.runtime]);
  const [plain, wildcard, offchain] = [
    await deploy('PlainResolver'),
    await deploy('WildcardResolver'),
    await deploy('OffchainResolver'),
  ];
  const call = (name: Name, to: Hex, functionName: string, args: readonly unknown[]) =>
    send({ to, data: encodeFunctionData({ abi: contracts[name].abi, functionName, args }) });
  const point = (name: string, to: Hex) => call('EnsRegistry', ENS_REGISTRY, 'setResolver', [viemNamehash(name), to]);
  await point('alice.eth', plain);
  await call('PlainResolver', plain, 'setAddr', [viemNamehash('alice.eth'), holder]);
  await point('empty.eth', plain);
  await point('wild.eth', wildcard);
  await point('far.eth', offchain);
  for (const [address, name] of [
    [holder, 'alice.eth'],
    [stranger, 'alice.eth'],
    [shouting, 'Alice.eth'],
  ] as const) {
    const reverse = `${address.slice(2)}.addr.reverse`;
    await point(reverse, plain);
    await call('PlainResolver', plain, 'setName', [viemNamehash(reverse), name]);
  }
  service = startService({ eth: anvil.url, local: bare.url });
});

afterAll(async () => {
  await service?.stop();
  await Promise.all([anvil?.stop(), bare?.stop()]);
});

const resolve = async (name: string, chain = 'eth') => (await service.lookup('ensAddress', { chain, name })).value;

describe('ensAddress', () => {
  test("finds the address of the name's resolver", async () => {
    expect(await resolve('alice.eth')).toMatchObject({ name: 'alice.eth', address: holder, outcome: 'found' });
  });

  test('looks up the normalized name', async () => {
    expect(await resolve(' Alice.ETH ')).toMatchObject({ name: 'alice.eth', address: holder });
  });

  test('explains why there is no address', async () => {
    expect(await resolve('empty.eth')).toMatchObject({ address: null, outcome: 'no-address' });
    expect(await resolve('unknown.eth')).toMatchObject({ address: null, outcome: 'unregistered' });
    expect(await resolve('below.alice.eth')).toMatchObject({ address: null, outcome: 'unregistered' });
    expect(await resolve('x.far.eth')).toMatchObject({ address: null, outcome: 'offchain' });
    expect(await resolve('alice.eth', 'local')).toMatchObject({ address: null, outcome: 'no-registry' });
  });

  test('uses the wildcard resolver of a parent name, with the name in DNS encoding', async () => {
    const length = (parseEnsName('a.b.wild.eth').dnsName.length - 2) / 2;
    const address = `0x${(0xe45000000000 + length).toString(16).padStart(40, '0')}`;
    expect(await resolve('a.b.wild.eth')).toMatchObject({ address, outcome: 'found' });
  });

  test('does not look up a name that ENSIP-15 rejects', async () => {
    for (const name of ['аlice.eth', 'a..eth', 'a\u202eb.eth', 'a b.eth', '.eth', '', 'x'.repeat(500)])
      await expect(resolve(name), name).rejects.toMatchObject({ code: 'bad-input' });
  });

  test('rejects for a chain without a node', async () => {
    await expect(resolve('alice.eth', 'sepolia')).rejects.toMatchObject({ code: 'no-node' });
  });
});

describe('ensName', () => {
  const nameOf = async (address: Hex, chain = 'eth') =>
    (await service.lookup('ensName', { chain, address })).value.name;

  test('is the name that leads back to the address', async () => {
    expect(await nameOf(holder)).toBe('alice.eth');
  });

  test('is none where the name is of another address, not normalized, or absent', async () => {
    expect(await nameOf(stranger)).toBeNull();
    expect(await nameOf(shouting)).toBeNull();
    expect(await nameOf(`0x${'77'.repeat(20)}`)).toBeNull();
    expect(await nameOf(holder, 'local')).toBeNull();
  });
});

describe('probeNode', () => {
  test('returns chain and client, configured or not', async () => {
    const { value } = await service.lookup('probeNode', { url: bare.url });
    expect(value).toEqual({
      kind: 'probe',
      chainId: 31337,
      title: 'Local dev chain',
      client: expect.stringMatching(/^anvil/),
      head: 0,
    });
    expect((await service.lookup('probeNode', { url: anvil.url })).value).toMatchObject({
      chainId: 1,
      title: 'Local node (Ethereum)',
    });
  });

  test('a URL that asks for a key is named as the URL, and as the node of no chain', async () => {
    const locked = await startScriptedRpcNode({
      answer: () => undefined,
      exchange: exchange => {
        exchange.sendText('who are you?', 401);
        return true;
      },
    });
    try {
      await expect(service.lookup('probeNode', { url: locked.url })).rejects.toMatchObject({
        message: `The node at ${locked.host} does not accept the request (status 401).`,
        fix: 'Its address may need a key: add it to the URL.',
      });
    } finally {
      await locked.stop();
    }
  });

  test('an unreachable URL is a fault', async () => {
    await expect(service.lookup('probeNode', { url: 'http://127.0.0.1:1' })).rejects.toMatchObject({
      code: 'node-unreachable',
    });
  });
});
