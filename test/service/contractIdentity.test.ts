// Contracts on a real Anvil against the artifacts of the compiler that built them, and behind every kind of proxy.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Abi, encodeDeployData, encodeFunctionData } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../src/base/hex.ts';
import { getArtifactOrigin } from '../../src/decode/artifactOrigin.ts';
import { createBuildIndex } from '../../src/decode/buildIndex.ts';
import { countDifferentBytes, readBuiltContract } from '../../src/decode/runtimeCode.ts';
import { compareWithKnownCode } from '../../src/detect/knownCode.ts';
import { getWellKnownAddress } from '../../src/detect/wellKnownAddresses.ts';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { mineBlock, type TestReceipt, type TestTransaction } from '../support/chain/mineBlock.ts';
import { type ServiceUnderTest, startService } from '../support/filledChain.ts';
import { compileSolidity } from '../support/source/compileSolidity.ts';

const SOURCE = 'src/Proxies.sol';

interface SolcContract {
  readonly abi: Abi;
  readonly metadata: string;
  readonly evm: Readonly<
    Record<
      'bytecode' | 'deployedBytecode',
      {
        readonly object: string;
        readonly linkReferences: Readonly<
          Record<string, Readonly<Record<string, readonly { start: number; length: number }[]>>>
        >;
        readonly immutableReferences?: Readonly<Record<string, unknown>>;
      }
    >
  >;
}

/** `comment` is appended to the source: it changes nothing but the metadata. */
function compile(comment = '', change = (source: string) => source): Readonly<Record<string, SolcContract>> {
  const content = change(readFileSync(fileURLToPath(new URL('proxyContracts/Proxies.sol', import.meta.url)), 'utf8'));
  const { contracts } = compileSolidity<SolcContract>({
    sources: { [SOURCE]: { content: `${content}\n${comment}` } },
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { '*': { '*': ['abi', 'metadata', 'evm.bytecode', 'evm.deployedBytecode'] } },
    },
  });
  return {
    ...contracts[SOURCE],
    ...contracts['@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol'],
    ...contracts['@openzeppelin/contracts/proxy/beacon/BeaconProxy.sol'],
    ...contracts['@openzeppelin/contracts/proxy/beacon/UpgradeableBeacon.sol'],
  };
}

/** As Foundry writes it into `out/`. */
const toFoundryArtifact = ({ abi, metadata, evm }: SolcContract) => ({
  abi,
  bytecode: { ...evm.bytecode, object: `0x${evm.bytecode.object}` },
  deployedBytecode: { ...evm.deployedBytecode, object: `0x${evm.deployedBytecode.object}` },
  metadata: JSON.parse(metadata) as unknown,
});

/** As Hardhat 2 writes it into `artifacts/`: without the positions of immutables. */
const toHardhatArtifact = (contractName: string, { abi, evm }: SolcContract) => ({
  _format: 'hh-sol-artifact-1',
  contractName,
  sourceName: SOURCE,
  abi,
  bytecode: `0x${evm.bytecode.object}`,
  deployedBytecode: `0x${evm.deployedBytecode.object}`,
  linkReferences: evm.bytecode.linkReferences,
  deployedLinkReferences: evm.deployedBytecode.linkReferences,
});

function link(object: string, address: Hex): Hex {
  return `0x${object.replace(/__\$.{34}\$__/g, address.slice(2).toLowerCase())}`;
}

let anvil: Anvil;
let service: ServiceUnderTest;
let contracts: Readonly<Record<string, SolcContract>>;
let from: Hex;
const addresses: Record<string, Hex> = {};

interface Receipt extends TestReceipt {
  readonly logs: readonly { readonly data: Hex }[];
}

async function send(transaction: Pick<TestTransaction, 'to' | 'data'>): Promise<Receipt> {
  const { receipts } = await mineBlock(anvil, [{ from, gas: 6_000_000, ...transaction }]);
  return receipts[0] as Receipt;
}

async function deploy(name: string, args: readonly unknown[] = []): Promise<Hex> {
  const { abi, evm } = contracts[name] as SolcContract;
  const bytecode = link(evm.bytecode.object, addresses['Fees'] ?? '0x');
  const { contractAddress } = await send({ data: encodeDeployData({ abi, bytecode, args }) });
  return contractAddress?.toLowerCase() as Hex;
}

const call = (name: string, to: Hex, functionName: string, args: readonly unknown[]) =>
  send({ to, data: encodeFunctionData({ abi: (contracts[name] as SolcContract).abi, functionName, args }) });

const codeOf = async (address: Hex) => (await service.lookup('contractCode', { chain: 'local', address })).value;
const summaryOf = async (address: Hex) => (await service.lookup('addressSummary', { chain: 'local', address })).value;
const digitsOf = async (address: Hex): Promise<string> => ((await codeOf(address)).code ?? '0x').slice(2);

beforeAll(async () => {
  [anvil, contracts] = await Promise.all([startAnvil(), compile()]);
  [from] = (await anvil.rpc<Hex[]>('eth_accounts', [])) as [Hex];
  service = startService({ local: anvil.url });
  addresses['Fees'] = await deploy('Fees');
  addresses['Vault'] = await deploy('Vault', [from, 5n]);
  addresses['Counter'] = await deploy('Counter');
});
afterAll(async () => {
  await service?.stop();
  await anvil?.stop();
});

const addressOf = (name: string): Hex => addresses[name] as Hex;

function indexOf(artifacts: Readonly<Record<string, object>>) {
  const index = createBuildIndex();
  for (const [id, artifact] of Object.entries(artifacts)) {
    const built = readBuiltContract(artifact, id);
    if (built !== null)
      index.set(id, built, getArtifactOrigin(id, [{ folder: '/p', outputs: ['/p/out', '/p/artifacts'] }]));
  }
  return index;
}

describe('the build of a contract', () => {
  test('is what the compiler wrote, not the copy of a deployment or of an earlier build', async () => {
    const vault = toHardhatArtifact('Vault', contracts['Vault'] as SolcContract);
    const rebuiltVault = toHardhatArtifact('Vault', contracts['Counter'] as SolcContract);
    const code = await digitsOf(addressOf('Vault'));
    const deployed = '/p/ignition/deployments/chain-31337/artifacts/Module#Vault.json';
    const old = '/p/out-old/Proxies.sol/Vault.json';
    const own = '/p/out/Proxies.sol/Vault.json';
    expect(indexOf({ [deployed]: vault, [old]: vault, [own]: vault }).find(code)).toMatchObject({
      ids: [own],
      origin: { kind: 'build' },
    });
    const rebuilt = indexOf({ [old]: vault, [deployed]: vault, [own]: rebuiltVault });
    const match = rebuilt.find(code);
    expect(match).toMatchObject({ name: 'Vault', ids: [deployed], origin: { kind: 'deployment', tool: 'Ignition' } });
    expect(match === null ? [] : rebuilt.getBuilds(match).map(({ id }) => id)).toEqual([own]);
    expect(indexOf({ [old]: vault, [own]: rebuiltVault }).find(code)).toMatchObject({
      ids: [old],
      origin: { kind: 'copy' },
    });
  });

  test('is found by its code: immutables and the links of libraries do not count', async () => {
    const index = indexOf(
      Object.fromEntries(
        ['Vault', 'Fees', 'Counter', 'Cloner'].map(name => [
          `/p/out/Proxies.sol/${name}.json`,
          toFoundryArtifact(contracts[name] as SolcContract),
        ]),
      ),
    );
    for (const name of ['Vault', 'Fees', 'Counter'])
      expect(index.find(await digitsOf(addressOf(name)))).toMatchObject({ name, source: SOURCE });
    expect(index.find(await digitsOf(await deploy('Loupe')))).toBeNull();
  });

  test('is found by artifacts of Hardhat, which do not say where immutables are', async () => {
    const path = '/p/artifacts/src/Proxies.sol/Vault.json';
    const index = indexOf({ [path]: toHardhatArtifact('Vault', contracts['Vault'] as SolcContract) });
    expect(index.find(await digitsOf(addressOf('Vault')))).toEqual({
      name: 'Vault',
      source: SOURCE,
      ids: [path],
      origin: { kind: 'build' },
    });
  });

  test('is one contract when two tools built it, and none when two contracts have the same code', async () => {
    const [vault, counter, twin] = [contracts['Vault'], contracts['Counter'], contracts['Twin']] as SolcContract[];
    const both = indexOf({
      a: toFoundryArtifact(vault as SolcContract),
      b: toHardhatArtifact('Vault', vault as SolcContract),
    });
    const index = both.find(await digitsOf(addressOf('Vault')));
    expect(index?.ids).toEqual(['a', 'b']);
    const twins = indexOf({
      Counter: toFoundryArtifact(counter as SolcContract),
      Twin: toFoundryArtifact(twin as SolcContract),
    });
    const code = await digitsOf(addressOf('Counter'));
    // The metadata tells them apart, until it is of an older build.
    expect(twins.find(code)).toMatchObject({ name: 'Counter' });
    const later = compile('// a later build');
    const rebuilt = indexOf({
      Counter: toFoundryArtifact(later['Counter'] as SolcContract),
      Twin: toFoundryArtifact(later['Twin'] as SolcContract),
    });
    expect(rebuilt.find(code)).toBeNull();
    expect(indexOf({ Counter: toFoundryArtifact(later['Counter'] as SolcContract) }).find(code)).toMatchObject({
      name: 'Counter',
    });
  });

  test('differs in the bytes that were changed', async () => {
    const changed = compile('', source => source.replace('percent / 100', 'percent / 200'));
    const built = readBuiltContract(toFoundryArtifact(changed['Fees'] as SolcContract), '/p/out/Fees.json');
    const code = await digitsOf(addressOf('Fees'));
    expect(built && countDifferentBytes(code, built)).toBe(1);
    expect(indexOf({ '/p/out/Fees.json': toFoundryArtifact(changed['Fees'] as SolcContract) }).find(code)).toBeNull();
  });

  test('is none for an interface, and for a file that is no artifact', () => {
    expect(readBuiltContract({ abi: [], deployedBytecode: { object: '0x' } }, 'I.json')).toBeNull();
    expect(readBuiltContract({ abi: [], deployedBytecode: '0xzz' }, 'I.json')).toBeNull();
    expect(readBuiltContract([], 'I.json')).toBeNull();
  });

  test.each([
    '../../etc/Vault.sol',
    '/etc/Vault.sol',
    'a/../Vault.sol',
    'C:\\Vault.sol',
    'Vault.txt',
    'https://a/V.sol',
  ])('has no source in %s', sourceName => {
    expect(readBuiltContract({ sourceName, deployedBytecode: '0x00' }, 'Vault.json')).toMatchObject({ source: null });
  });
});

describe('a well-known contract', () => {
  const deployer: Hex = '0x4e59b44847b379578588920ca78fbf26c0b4956c'; // Anvil has it from the start
  const multicall: Hex = '0xca11bde05977b3631167028862be2a173976ca11';
  const compare = async (address: Hex) => compareWithKnownCode(address, (await summaryOf(address)).codeHash);

  test('is known by its address and its code', async () => {
    expect((await summaryOf(deployer)).codeHash).toBe(getWellKnownAddress(deployer.slice(2))?.codeHash);
    expect(await compare(deployer)).toBeNull();
  });

  test('is recognized at another address', async () => {
    const copy: Hex = `0x${'5f'.repeat(20)}`;
    await anvil.rpc('anvil_setCode', [copy, await anvil.rpc<Hex>('eth_getCode', [deployer, 'latest'])]);
    expect(await compare(copy)).toEqual({ name: 'CREATE2 deployer', relation: 'copy' });
    expect(await compare(addressOf('Counter'))).toBeNull();
  });

  test('is not taken for another contract at its address', async () => {
    await anvil.rpc('anvil_setCode', [multicall, '0x600160005260206000f3']);
    expect(await compare(multicall)).toEqual({ name: 'Multicall3', relation: 'differs' });
  });

  test.each([
    ['Permit2', 9_152, 6_983],
    ['ERC-4337 EntryPoint 0.8', 21_738, 13_774],
  ])('has one hash on all chains, although its code has the id of the chain: %s', async (_, size, chainIdAt) => {
    const hashOf = async (at: number, value: string) => {
      const address: Hex = `0x${'61'.repeat(20)}`;
      const code = Buffer.alloc(size, 0x5b).fill(Buffer.from(value.padStart(64, '0'), 'hex'), at, at + 32);
      await anvil.rpc('anvil_setCode', [address, `0x${code.toString('hex')}`]);
      await anvil.rpc('anvil_mine', ['0x1']); // else the cached state of the node may be used
      return (await summaryOf(address)).codeHash;
    };
    const onEthereum = await hashOf(chainIdAt, '1');
    expect(await hashOf(chainIdAt, '7a69')).toBe(onEthereum);
    expect(await hashOf(chainIdAt + 32, '7a69')).not.toBe(onEthereum);
  });

  test('has a hash only if it has code of its own', async () => {
    const account: Hex = `0x${'60'.repeat(20)}`;
    expect((await summaryOf(account)).codeHash).toBeNull();
    await anvil.rpc('anvil_setCode', [account, `0xef0100${addressOf('Counter').slice(2)}`]);
    expect(await summaryOf(account)).toMatchObject({ delegate: addressOf('Counter'), codeHash: null });
  });
});

describe('a proxy', () => {
  /** Where the look-ups of hovers and of decoders say that its calls go. */
  async function expectProxy(address: Hex, proxy: object | null): Promise<void> {
    expect((await codeOf(address)).proxy).toEqual(proxy);
    expect((await summaryOf(address)).proxy).toEqual(proxy);
  }

  test('is followed by ERC-1967, directly and by a beacon', async () => {
    const counter = addressOf('Counter');
    await expectProxy(await deploy('ERC1967Proxy', [counter, '0x8381f58a']), {
      kind: 'ERC-1967',
      implementations: [counter],
      beacon: null,
    });
    const beacon = await deploy('UpgradeableBeacon', [counter, from]);
    await expectProxy(await deploy('BeaconProxy', [beacon, '0x8381f58a']), {
      kind: 'ERC-1967 beacon',
      implementations: [counter],
      beacon,
    });
  });

  test.each([
    ['0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7', 'ERC-1822'],
    ['0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3', 'OpenZeppelin'],
  ])('with its implementation in slot %s', async (slot, kind) => {
    const counter = addressOf('Counter');
    const proxy: Hex = `0x${'5a'.repeat(19)}${kind === 'ERC-1822' ? '01' : '02'}`;
    // GAS DELEGATECALL somewhere in the code
    await anvil.rpc('anvil_setCode', [proxy, '0x5f5f5f5f5f545af400']);
    await anvil.rpc('anvil_setStorageAt', [proxy, slot, `0x${counter.slice(2).padStart(64, '0')}`]);
    await expectProxy(proxy, { kind, implementations: [counter], beacon: null });
  });

  test('of ERC-1167, with and without arguments', async () => {
    const cloner = await deploy('Cloner');
    const { logs } = await call('Cloner', cloner, 'cloneAll', [addressOf('Vault')]);
    expect(logs).toHaveLength(2);
    for (const { data } of logs)
      await expectProxy(`0x${data.slice(26)}`, {
        kind: 'ERC-1167',
        implementations: [addressOf('Vault')],
        beacon: null,
      });
  });

  test.each([
    ['shorter by one instruction', '3d3d3d3d363d3d37363d73', '5af43d3d93803e602a57fd5bf3'],
    ['with PUSH0 (ERC-7511)', '365f5f375f5f365f73', '5af43d5f5f3e5f3d91602a57fd5bf3'],
    ['with PUSH0, as of Solady', '5f5f365f5f37365f73', '5af43d5f5f3e5f3d91602a57fd5bf3'],
    ['of Vyper', '366000600037611000600036600073', '5af4602c57600080fd5b6110006000f3'],
    [
      'that logs what it receives',
      '36602f57343d527f9e4ac34f21c619cefc926c8bd93b54bf5a39c7ab2127a895af1cc0691d7e3dff593da1005b3d3d3d3d363d3d37363d73',
      '5af43d3d93803e605b57fd5bf3',
    ],
  ])('is followed by its minimal code %s', async (_, before, after) => {
    const counter = addressOf('Counter');
    const proxy: Hex = `0x${'5b'.repeat(20)}`;
    await anvil.rpc('anvil_setCode', [proxy, `0x${before}${counter.slice(2)}${after}`]);
    await expectProxy(proxy, { kind: 'ERC-1167', implementations: [counter], beacon: null });
  });

  test('of minimal code whose target is a proxy too: what it finds in the storage of the first one', async () => {
    const vault = addressOf('Vault');
    const target = await deploy('ERC1967Proxy', [addressOf('Counter'), '0x8381f58a']);
    const toMinimal = (to: Hex) => `0x363d3d373d3d3d363d73${to.slice(2)}5af43d82803e903d91602b57fd5bf3`;
    const [inner, outer, empty, endless]: Hex[] = ['64', '65', '66', '67'].map(byte => `0x${byte.repeat(20)}` as const);
    const slot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
    await anvil.rpc('anvil_setCode', [inner, toMinimal(target)]);
    await anvil.rpc('anvil_setCode', [outer, toMinimal(inner as Hex)]);
    await anvil.rpc('anvil_setCode', [empty, toMinimal(target)]);
    await anvil.rpc('anvil_setStorageAt', [outer, slot, `0x${vault.slice(2).padStart(64, '0')}`]);
    await expectProxy(outer as Hex, { kind: 'ERC-1967', implementations: [vault], beacon: null });
    await expectProxy(empty as Hex, { kind: 'ERC-1167', implementations: [target], beacon: null });
    await anvil.rpc('anvil_setCode', [endless, toMinimal(endless as Hex)]);
    await expectProxy(endless as Hex, { kind: 'ERC-1167', implementations: [endless], beacon: null });
  });

  test('of minimal code with a vanity address, whose zeros are left out', async () => {
    const proxy: Hex = `0x${'5c'.repeat(20)}`;
    const short = 'ab'.repeat(16);
    await anvil.rpc('anvil_setCode', [proxy, `0x363d3d373d3d3d363d6f${short}5af43d82803e903d91602757fd5bf3`]);
    await expectProxy(proxy, { kind: 'ERC-1167', implementations: [`0x00000000${short}`], beacon: null });
  });

  test('is followed where it is one of a Safe', async () => {
    const counter = addressOf('Counter');
    const proxy: Hex = `0x${'5e'.repeat(20)}`;
    // The proxy of Safe 1.3.0, without its metadata.
    const code =
      '608060405273ffffffffffffffffffffffffffffffffffffffff600054167fa619486e0000000000000000000000000000000000000000' +
      '000000000000000060003514156050578060005260206000f35b3660008037600080366000845af43d6000803e60008114156070573d' +
      '6000fd5b3d6000f3fe';
    await anvil.rpc('anvil_setCode', [proxy, `0x${code}`]);
    await anvil.rpc('anvil_setStorageAt', [proxy, '0x0', `0x${counter.slice(2).padStart(64, '0')}`]);
    expect(await anvil.rpc('eth_call', [{ to: proxy, data: '0xa619486e' }, 'latest'])).toBe(
      `0x${counter.slice(2).padStart(64, '0')}`,
    );
    await expectProxy(proxy, { kind: 'Safe', implementations: [counter], beacon: null });
  });

  test('that is a diamond', async () => {
    const loupe = await deploy('Loupe');
    const diamond = await deploy('DiamondLike', [loupe, addressOf('Counter')]);
    await call('Loupe', diamond, 'setFacets', [[loupe, addressOf('Counter')]]);
    await expectProxy(diamond, { kind: 'ERC-2535', implementations: [loupe, addressOf('Counter')], beacon: null });
  });

  test('is none of the contracts that pass nothing on, whatever their storage says', async () => {
    const slot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
    await anvil.rpc('anvil_setStorageAt', [addressOf('Counter'), slot, `0x${'11'.repeat(20).padStart(64, '0')}`]);
    await expectProxy(addressOf('Counter'), null);
    await expectProxy(await deploy('Vault', [from, 1n]), null);
  });

  test('is no account: its code says where it is delegated to', async () => {
    const account: Hex = `0x${'5d'.repeat(20)}`;
    await anvil.rpc('anvil_setCode', [account, `0xef0100${addressOf('Counter').slice(2)}`]);
    expect(await codeOf(account)).toMatchObject({ delegate: addressOf('Counter'), proxy: null });
  });

  test('may be what an account delegates to: its implementation is in the storage of the account', async () => {
    const [account, other]: Hex[] = [`0x${'62'.repeat(20)}`, `0x${'63'.repeat(20)}`];
    const delegate = await deploy('ERC1967Proxy', [addressOf('Counter'), '0x8381f58a']);
    const implementation = addressOf('Vault');
    const slot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
    for (const address of [account, other] as Hex[])
      await anvil.rpc('anvil_setCode', [address, `0xef0100${delegate.slice(2)}`]);
    await anvil.rpc('anvil_setStorageAt', [account, slot, `0x${implementation.slice(2).padStart(64, '0')}`]);
    await expectProxy(account as Hex, { kind: 'ERC-1967', implementations: [implementation], beacon: null });
    await expectProxy(other as Hex, null);
    expect(await codeOf(account as Hex)).toMatchObject({ delegate });
  });
});
