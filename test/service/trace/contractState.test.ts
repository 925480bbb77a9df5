// The tab State of a contract: what its variables hold at a block, by the layout of its code, with keys that transactions hashed.
import { type Abi, encodeDeployData, encodeFunctionData, type Hex, keccak256, pad, toHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LookupId, LookupInput, LookupOutput } from '../../../src/api/lookups.ts';
import { fetchContractState, fetchStateMembers } from '../../../src/extension/inspector/contractState.ts';
import type { DataPorts } from '../../../src/extension/inspector/inspectorPorts.ts';
import type { ContractStateDetails } from '../../../src/protocol/messages.ts';
import type { ContractStateRow } from '../../../src/view/source/contractStateRows.ts';
import { type Anvil, startAnvil } from '../../support/chain/anvil.ts';
import { type ServiceUnderTest, startService } from '../../support/filledChain.ts';
import { createSourceProject, type SourceProject } from '../../support/source/sourceProject.ts';

const ALICE: Hex = `0x${'a1'.repeat(20)}`;
const BOB: Hex = `0x${'b2'.repeat(20)}`;
const COIN = { symbol: 'ETH', decimals: 18 };
const signal = new AbortController().signal;

let anvil: Anvil;
let service: ServiceUnderTest;
let project: SourceProject;
let sender: Hex;
let state: Hex;
let proxy: Hex;
let ports: DataPorts;

async function send(transaction: Readonly<Record<string, unknown>>): Promise<Hex> {
  const hash = await anvil.rpc<Hex>('eth_sendTransaction', [{ from: sender, gas: '0xe00000', ...transaction }]);
  await anvil.mine();
  return hash;
}

async function deploy(name: string, args: readonly unknown[] = [], library = '00'.repeat(20)): Promise<Hex> {
  const { abi, evm } = project.contract(name);
  const bytecode = `0x${evm.bytecode.object.replace(/__\$.{34}\$__/g, library)}` as Hex;
  const hash = await send({ data: encodeDeployData({ abi: abi as Abi, bytecode, args: [...args] }) });
  return (await anvil.rpc<{ contractAddress: Hex }>('eth_getTransactionReceipt', [hash])).contractAddress;
}

async function call(to: Hex, functionName: string, ...args: readonly unknown[]): Promise<void> {
  const { abi } = project.contract('State');
  await send({ to, data: encodeFunctionData({ abi: abi as Abi, functionName, args: [...args] }) });
}

const setSlot = (address: Hex, slot: bigint, word: bigint) =>
  anvil.rpc('anvil_setStorageAt', [address, pad(toHex(slot), { size: 32 }), pad(toHex(word), { size: 32 })]);

beforeAll(async () => {
  anvil = await startAnvil();
  [sender] = (await anvil.rpc<readonly Hex[]>('eth_accounts')) as [Hex];
  service = startService({ local: anvil.url });
  project = await createSourceProject('solc', ['State.sol'], { evmVersion: 'cancun' });
  const library = await deploy('Names');
  state = await deploy('State', [], library.slice(2));
  proxy = await deploy('StateProxy', [state]);
  ports = {
    async lookup<Id extends LookupId>(id: Id, input: LookupInput<Id>): Promise<LookupOutput<Id>> {
      return (await service.lookup(id, input)).value;
    },
    chains: () => [{ selector: 'local', isOnLoopback: true, isLocal: true }],
    async findBuild(code: Hex) {
      const found = await project.builds.find(code, false);
      if (found === null || found === 'ambiguous' || !('build' in found.read)) return null;
      return { build: found.read.build, declarations: () => project.builds.declarations(found.artifact) };
    },
    isWorkspaceTrusted: () => true,
    getName: (address: string) => (address.toLowerCase() === ALICE ? 'Alice' : null),
    getNameSources: async () => ({ saved: [{ name: 'Alice', address: ALICE }], events: [], chains: [] }),
    learnNames: async (_: string, addresses: Iterable<string>) => {
      for (const address of addresses) learned.add(address.toLowerCase());
    },
  } as unknown as DataPorts;
});
afterAll(async () => {
  await service.stop();
  await anvil.stop();
});

/** Addresses whose names were learned. */
const learned = new Set<string>();

const fetchState = (address: Hex, ...blocks: readonly string[]): Promise<ContractStateDetails> =>
  fetchContractState({ chain: 'local', address, blocks }, COIN, ports, signal);

/** Lines of the rows with members, `path: value`. */
function describeRows(rows: readonly ContractStateRow[]): readonly string[] {
  return rows.flatMap(row => {
    const [, path = ''] = /^[^\n]* (\S+)(?:\n|$)/.exec(row.title.split('\n')[0] as string) ?? [];
    const mark = row.differs && row.place === null ? ' ≠' : '';
    const own = row.values.some(value => value !== '') ? [`${path}: ${row.values.join(' | ')}${mark}`] : [];
    return [...own, ...describeRows(row.members ?? [])];
  });
}
const describeState = ({ groups }: ContractStateDetails) =>
  groups.flatMap(({ title, rows }) => describeRows(rows).map(line => `${title} ${line}`));

test('shows packed variables, structs in nested mappings, arrays, namespaces and strings by the keys of transactions', async () => {
  await call(state, 'setBase', true, BOB, 2);
  await call(state, 'setPosition', ALICE, 7n, 100n, -5, 1);
  await call(state, 'setLabel', ALICE, 7n, 'x'.repeat(40));
  await call(state, 'pushSmall', 3);
  await call(state, 'pushSmall', 4);
  await call(state, 'setTitle', 'A "title"');
  await call(state, 'setMain', 5n, BOB, 9n);
  await call(state, 'addName', 'first', 11n);
  const lines = describeState(await fetchState(state, 'latest'));
  expect(lines).toEqual(
    expect.arrayContaining([
      'State isOn: true',
      'State owner: 0xb2b2…b2b2',
      'State mode: Closed',
      `State positions[${ALICE}][7].amount: 100`,
      `State positions[${ALICE}][7].bias: -5`,
      `State positions[${ALICE}][7].mode: Paused`,
      `State positions[${ALICE}][7].label: "${'x'.repeat(40)}"`,
      'State small: 2 elements',
      'State small[0]: 3',
      'State small[1]: 4',
      'State title: "A \\"title\\""',
      'State MainStorage.count: 5',
      `State MainStorage.shares[${BOB}]: 9`,
      'State book.byName["first"]: 11',
      'State book.all[0]: "first"',
    ]),
  );
});

test('shows variables of a proxy by the layout of its implementation, and what differs between two blocks', async () => {
  await call(proxy, 'setPosition', BOB, 1n, 1n, 0, 0);
  const before = Number(await anvil.rpc<Hex>('eth_blockNumber'));
  await call(proxy, 'setPosition', BOB, 1n, 2n, 0, 0);
  await call(proxy, 'pushSmall', 8);
  const lines = describeState(await fetchState(proxy, String(before), 'latest'));
  expect(lines).toContain(`State positions[${BOB}][1].amount: 1 | 2 ≠`);
  expect(lines).toContain('State small: 0 elements | 1 element');
  expect([...learned]).toEqual(expect.arrayContaining([BOB, state.toLowerCase()])); // a key, and the implementation
  expect(lines).toContain('State small[0]:  | 8 ≠');
  expect(lines.filter(line => line.startsWith('ERC-1967'))).toEqual([
    `ERC-1967 eip1967.proxy.implementation: ${state.slice(0, 6)}…${state.slice(-4)} | ${state.slice(0, 6)}…${state.slice(-4)}`,
  ]);
});

test('says that values before the deployment are those of empty storage, and that a block is not there yet', async () => {
  const created = await deploy('StateProxy', [state]);
  const newest = Number(await anvil.rpc<Hex>('eth_blockNumber'));
  const note = `There was no code at this address at block ${newest - 1}: the values are those of empty storage.`;
  expect((await fetchState(created, String(newest - 1), 'latest')).notes).toContain(note);
  expect((await fetchState(created, String(newest), 'latest')).notes).not.toContain(note);
  const unmined = `There is no block ${newest + 70} yet: the newest one is ${newest}.`;
  await expect(fetchState(created, String(newest + 70), 'latest')).rejects.toThrow(unmined);
});

test('says that other code ran behind a proxy at a block', async () => {
  const created = await deploy('StateProxy', [state]);
  const before = Number(await anvil.rpc<Hex>('eth_blockNumber'));
  const implementation = BigInt(keccak256(toHex('eip1967.proxy.implementation'))) - 1n;
  await setSlot(created, implementation, BigInt(await deploy('State', [], state.slice(2))));
  await anvil.mine();
  const note = (block: number) =>
    `Other code ran at this address at block ${block}: its values are shown by the variables of the newest.`;
  expect((await fetchState(created, String(before), 'latest')).notes).toContain(note(before));
  const upgraded = Number(await anvil.rpc<Hex>('eth_blockNumber'));
  expect((await fetchState(created, String(upgraded), 'latest')).notes).not.toContain(note(upgraded));
});

test('shows the value under a key that the user enters, also by a saved name, and says when it is no key', async () => {
  const details = await fetchState(state, 'latest');
  const group = details.groups.find(({ title }) => title === 'State');
  const positions = group?.rows.find(({ label }) => label === 'positions');
  if (group?.layout == null || positions?.place == null) throw new Error('no mapping');
  const base = { chain: 'local', address: state, blocks: details.blocks.map(String), layout: group.layout };
  const ask = (place: typeof positions.place, key: string) =>
    fetchStateMembers({ ...base, place, from: '0', key }, COIN, ports, signal);
  const { rows } = await ask(positions.place, 'alice');
  expect(rows.map(({ label }) => label)).toEqual([expect.stringMatching(/^\[Alice/)]);
  expect(rows[0]?.keyType).toBe('uint256');
  expect((await ask(positions.place, '12')).problem).toBe('This is no key of the mapping.');
  const unseen = await ask(rows[0]?.place as typeof positions.place, '99');
  expect(describeRows(unseen.rows)[0]).toBe(`positions[${ALICE}][99].amount: 0`);
});

test('reads a bounded number of words of an array and a string that claim to be endless', async () => {
  const address = await deploy('Failing');
  const bytecode = await anvil.rpc<Hex>('eth_getCode', [state, 'latest']);
  await anvil.rpc('anvil_setCode', [address, bytecode]);
  const slotOf = async (name: string) => {
    const found = await project.builds.find(bytecode, false);
    if (found === null || found === 'ambiguous') throw new Error('no build');
    const declarations = await project.builds.declarations(found.artifact);
    return declarations?.storage.find(each => each.name === name)?.slot ?? -1n;
  };
  const [small, list, title, data] = await Promise.all(['small', 'list', 'title', 'data'].map(slotOf));
  await setSlot(address, small as bigint, 1n << 255n);
  await setSlot(address, list as bigint, (1n << 256n) - 1n);
  await setSlot(address, title as bigint, (1n << 255n) + 1n);
  await setSlot(address, data as bigint, 0xfen);
  await setSlot(
    address,
    BigInt(keccak256(pad(toHex(title as bigint), { size: 32 }))),
    BigInt(pad(toHex('abc'), { dir: 'right', size: 32 })),
  );
  await anvil.mine();
  const start = performance.now();
  const details = await fetchState(address, 'latest');
  expect(performance.now() - start).toBeLessThan(10_000);
  const lines = describeState(details);
  expect(lines.find(line => line.startsWith('State small:'))).toMatch(/^State small: 57,896,.* elements$/);
  expect(lines.filter(line => line.startsWith('State small['))).toHaveLength(20);
  expect(lines.find(line => line.startsWith('State title:'))).toMatch(/^State title: "abc.*28,948,.* bytes\)$/);
  expect(lines).toContain('State data: not known');
  const row = details.groups.flatMap(({ rows }) => rows).find(({ label }) => label === 'small');
  const last = ((1n << 255n) - 2n).toString();
  const { rows, next } = await fetchStateMembers(
    {
      chain: 'local',
      address,
      blocks: details.blocks.map(String),
      layout: address,
      place: row?.place as never,
      from: last,
      key: null,
    },
    COIN,
    ports,
    signal,
  );
  expect([rows.length, next]).toEqual([2, null]);
});

test('says that the variables of code without a build are not known', async () => {
  const address: Hex = `0x${'c3'.repeat(20)}`;
  await anvil.rpc('anvil_setCode', [address, '0x6001']);
  expect(await fetchState(address, 'latest')).toMatchObject({
    groups: [],
    notes: ['No build of the workspace has this code, so that its variables are not known.'],
  });
});

test('learns the names of the addresses that immutable variables have', async () => {
  project = await createSourceProject('solc', ['Vaults.sol'], { optimizer: { enabled: true, runs: 200 } });
  const vault = await deploy('Vaults', [7n]);
  learned.clear();
  await fetchState(vault, 'latest');
  expect([...learned]).toContain(sender);
});
