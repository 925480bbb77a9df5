// State changes of real transactions: by name as getters say, and slot for slot as the node's prestateTracer says.
import { type Abi, decodeFunctionResult, encodeDeployData, encodeFunctionData, type Hex, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SendLookup } from '../../../src/api/lookups.ts';
import type { AccountChanges, StateChanges, StorageChange } from '../../../src/api/stateChanges.ts';
import type { SourceLocation } from '../../../src/api/transactionStack.ts';
import { fetchStateChanges } from '../../../src/decode/source/fetchTransactionSource.ts';
import { formatPath } from '../../../src/decode/source/slotNames.ts';
import { type Anvil, startAnvil } from '../../support/chain/anvil.ts';
import { type ServiceUnderTest, startService } from '../../support/filledChain.ts';
import { scaleRounds } from '../../support/rounds.ts';
import {
  type Compiler,
  type CompilerSettings,
  createSourceProject,
  type SourceProject,
} from '../../support/source/sourceProject.ts';
import { fetchTracedChanges, listRawChanges } from '../../support/source/tracedChanges.ts';

/** Writes of each kind with each of the three builds: 12 of each kind, and 36 where HEXLENS_TEST_ROUNDS is 3. */
const WRITES = scaleRounds(4);
const GAS = '0xe00000';

interface Call {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** A kind of write: what is called, and for each variable that it may change, its path and the getter that reads it. */
interface WriteKind {
  readonly title: string;
  create(random: (limit: number) => number): {
    readonly write: Call;
    readonly variables: readonly { readonly path: string; readonly getter: Call; readonly index?: number }[];
  };
}

const MODES = ['Open', 'Paused', 'Closed'];
const ADDRESSES = [1, 2, 3].map((digit): Hex => `0x${String(digit).repeat(40)}`);
const KEYS: readonly Hex[] = ['0x00000001', '0xa1b2c3d4', '0xffffffff'];
const createText = (random: (limit: number) => number): string =>
  'äbcdefghij'.repeat(8).slice(0, [0, 1, 15, 30, 31, 32, 33, 63, 64, 70][random(10)]);

const KINDS: readonly WriteKind[] = [
  {
    title: 'packed variables of a base contract',
    create: random => ({
      write: { name: 'setBase', args: [random(2) === 1, ADDRESSES[random(3)], random(250)] },
      variables: ['isOn', 'owner', 'mode'].map(name => ({ path: name, getter: { name, args: [] } })),
    }),
  },
  {
    title: 'packed structs in nested mappings',
    create: random => {
      const [who, id] = [ADDRESSES[random(3)], BigInt(random(2))];
      const args = [who, id, BigInt(random(1_000)), random(1_000) - 500, random(250)];
      const getter = { name: 'positions', args: [who, id] };
      return {
        write: { name: 'setPosition', args },
        variables: ['amount', 'bias', 'mode'].map((member, index) => ({
          path: `positions[${who}][${id}].${member}`,
          getter,
          index,
        })),
      };
    },
  },
  {
    title: 'strings across 31 and 32 bytes in a mapping',
    create: random => {
      const [who, id] = [ADDRESSES[random(3)], BigInt(random(2))];
      return {
        write: { name: 'setLabel', args: [who, id, createText(random)] },
        variables: [
          { path: `positions[${who}][${id}].label`, getter: { name: 'positions', args: [who, id] }, index: 5 },
        ],
      };
    },
  },
  {
    title: 'strings across 31 and 32 bytes',
    create: random => ({
      write: { name: 'setTitle', args: [createText(random)] },
      variables: [{ path: 'title', getter: { name: 'title', args: [] } }],
    }),
  },
  {
    title: 'bytes across 31 and 32 bytes',
    create: random => ({
      write: { name: 'setData', args: [toHex(new TextEncoder().encode(createText(random)))] },
      variables: [{ path: 'data', getter: { name: 'data', args: [] } }],
    }),
  },
  {
    title: 'elements of arrays of arrays',
    create: random => {
      const [row, column] = [BigInt(random(4)), BigInt(random(3))];
      return {
        write: { name: 'setGrid', args: [row, column, BigInt(random(1_000) - 500)] },
        variables: [{ path: `grid[${row}][${column}]`, getter: { name: 'gridAt', args: [row, column] } }],
      };
    },
  },
  {
    title: 'user-defined types by keys of four bytes',
    create: random => {
      const key = KEYS[random(3)];
      return {
        write: { name: 'setPrice', args: [key, BigInt(random(1_000) - 500)] },
        variables: [{ path: `prices[${key}]`, getter: { name: 'prices', args: [key] } }],
      };
    },
  },
  {
    title: 'a key whose hash the optimizer computed',
    create: random => ({
      write: { name: 'setConstant', args: [BigInt(random(100))] },
      variables: [{ path: 'constants[7]', getter: { name: 'constants', args: [7] } }],
    }),
  },
  {
    title: 'an ERC-7201 namespace',
    create: random => {
      const who = ADDRESSES[random(3)];
      return {
        write: { name: 'setMain', args: [BigInt(random(100)), who, BigInt(random(100))] },
        variables: [
          { path: 'MainStorage.count', getter: { name: 'mainCount', args: [] } },
          { path: `MainStorage.shares[${who}]`, getter: { name: 'shareOf', args: [who] } },
        ],
      };
    },
  },
  {
    title: 'storage that a linked library was given',
    create: random => {
      const name = createText(random);
      return {
        write: { name: 'addName', args: [name, BigInt(random(100))] },
        variables: [{ path: `book.byName[${JSON.stringify(name)}]`, getter: { name: 'valueOf', args: [name] } }],
      };
    },
  },
];

/** The function that a place is in: each begins at a line of its own. */
function functionAt(text: string, location: SourceLocation | null): string | null {
  const lines = text.split('\n').slice(0, (location?.start.line ?? -1) + 1);
  return lines.findLast(line => /^ {4}function /.test(line))?.match(/function (\w+)/)?.[1] ?? null;
}

/** Further variables that a kind of write changes, which no getter reads. */
const UNREAD = /^(?:MainStorage\.last|book\.all|grid\.length)/;

function createRandom(seed: number): (limit: number) => number {
  let state = seed;
  return limit => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
}

const toText = (value: unknown, path: string): string => {
  if (path.endsWith('mode')) return MODES[Number(value)] ?? '';
  return typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value) ? value.toLowerCase() : String(value);
};

class Chain {
  readonly anvil: Anvil;
  readonly project: SourceProject;
  readonly service: ServiceUnderTest;
  readonly #account: Hex;
  readonly lookup: SendLookup;

  constructor(anvil: Anvil, service: ServiceUnderTest, project: SourceProject, account: Hex) {
    this.anvil = anvil;
    this.project = project;
    this.service = service;
    this.#account = account;
    this.lookup = async (id, input) => (await service.lookup(id, input)).value;
  }

  async send(transaction: Readonly<Record<string, unknown>>): Promise<Hex> {
    const sender = { from: this.#account };
    const hash = await this.anvil.rpc<Hex>('eth_sendTransaction', [{ ...sender, gas: GAS, ...transaction }]);
    await this.anvil.mine();
    return hash;
  }

  async deploy(
    name: string,
    args: readonly unknown[] = [],
    library = '00'.repeat(20),
  ): Promise<[address: Hex, hash: Hex]> {
    const { abi, evm } = this.project.contract(name);
    const bytecode = `0x${evm.bytecode.object.replace(/__\$.{34}\$__/g, library)}` as Hex;
    const hash = await this.send({ data: encodeDeployData({ abi: abi as Abi, bytecode, args: [...args] }) });
    const receipt = await this.anvil.rpc<{ contractAddress: Hex }>('eth_getTransactionReceipt', [hash]);
    return [receipt.contractAddress, hash];
  }

  encode({ name, args }: Call): Hex {
    return encodeFunctionData({ abi: this.project.contract('State').abi as Abi, functionName: name, args: [...args] });
  }

  async read(to: Hex, call: Call, index: number | undefined): Promise<unknown> {
    const data = await this.anvil.rpc<Hex>('eth_call', [{ to, data: this.encode(call) }, 'latest']);
    const abi = this.project.contract('State').abi as Abi;
    const result = decodeFunctionResult({ abi, functionName: call.name, data });
    return index === undefined ? result : (result as readonly unknown[])[index];
  }

  async changes(hash: Hex, isNamed = true): Promise<StateChanges> {
    const builds = isNamed ? this.project.builds : null;
    const changes = await fetchStateChanges(this.lookup, builds, { chain: 'local', hash });
    if (changes.kind === 'noStateChanges') throw new Error(String(changes.reason));
    return changes;
  }

  async changesOf(hash: Hex, address: Hex): Promise<AccountChanges> {
    const { accounts } = await this.changes(hash);
    const found = accounts.find(each => each.address === address.toLowerCase());
    if (found === undefined) throw new Error('the account did not change');
    return found;
  }
}

const describeChange = ({ path, oldValue, newValue }: StorageChange): string =>
  `${formatPath(path)}: ${oldValue} → ${newValue}`;

interface Build {
  readonly title: string;
  readonly compiler: Compiler;
  readonly settings: CompilerSettings;
}

const OPTIMIZER = { enabled: true, runs: 200 };
const BUILDS: readonly Build[] = [
  { title: 'solc 0.8.30', compiler: 'solc', settings: { evmVersion: 'cancun' } },
  {
    title: 'solc 0.8.30 by IR with the optimizer',
    compiler: 'solc',
    settings: { evmVersion: 'cancun', viaIR: true, optimizer: OPTIMIZER },
  },
  {
    title: 'solc 0.8.37 with the optimizer',
    compiler: 'solc-0.8.37',
    settings: { evmVersion: 'cancun', optimizer: OPTIMIZER },
  },
];

let anvil: Anvil;
let service: ServiceUnderTest;
let accounts: readonly Hex[];
beforeAll(async () => {
  anvil = await startAnvil();
  accounts = await anvil.rpc<readonly Hex[]>('eth_accounts');
  service = startService({ local: anvil.url });
});
afterAll(async () => {
  await service.stop();
  await anvil.stop();
});

describe.each(BUILDS)('state changes of $title', ({ compiler, settings }) => {
  let chain: Chain;
  let state: Hex;
  let proxy: Hex;
  let deployment: Hex;
  beforeAll(async () => {
    const project = await createSourceProject(compiler, ['State.sol'], settings);
    chain = new Chain(anvil, service, project, accounts[0] as Hex);
    const [library] = await chain.deploy('Names');
    [state, deployment] = await chain.deploy('State', [], library.slice(2));
    [proxy] = await chain.deploy('StateProxy', [state]);
  });

  const readAll = (to: Hex, variables: ReturnType<WriteKind['create']>['variables']) =>
    Promise.all(variables.map(async ({ path, getter, index }) => toText(await chain.read(to, getter, index), path)));

  test('name contracts before plain accounts', async () => {
    const hash = await chain.send({ to: state, data: chain.encode({ name: 'setPrice', args: ['0x00000009', 1n] }) });
    const { accounts: changed } = await chain.changes(hash);
    expect(changed.map(({ address }) => address).slice(0, 2)).toEqual([state, accounts[0]]);
  });

  test.each(KINDS)(
    'have the values that getters had before and after: $title',
    async ({ create }) => {
      const random = createRandom(17);
      for (let i = 0; i < WRITES; i++) {
        const to = i % 2 === 0 ? state : proxy;
        const { write, variables } = create(random);
        const before = await readAll(to, variables);
        const hash = await chain.send({ to, data: chain.encode(write) });
        const after = await readAll(to, variables);
        const expected = variables.flatMap(({ path }, at) =>
          before[at] === after[at] ? [] : [`${path}: ${before[at]} → ${after[at]}`],
        );
        const { accounts: changed } = await chain.changes(hash);
        const storage = changed.find(({ address }) => address === to.toLowerCase())?.storage ?? [];
        const read = storage.map(describeChange).filter(line => !UNREAD.test(line));
        expect(read.sort()).toEqual(expected.sort());
        expect(storage.every(({ path, unnamed }) => path.length > 0 && unnamed === null)).toBe(true);
        const names = storage.map(({ location }) => functionAt(chain.project.text('State.sol'), location));
        const writer = write.name === 'addName' ? 'add' : write.name;
        // Optimized IR may have no place for an instruction: then none is claimed.
        const known = settings.viaIR === true ? names.filter(name => name !== null) : names;
        expect(known.filter(name => name !== writer)).toEqual([]);
        const raw = await chain.changes(hash, false);
        expect(listRawChanges(raw)).toEqual(await fetchTracedChanges(anvil, hash));
      }
    },
    120_000,
  );

  test('name elements and the length of arrays that grow and shrink', async () => {
    const list = async (name: string, args: readonly unknown[] = []) => {
      const hash = await chain.send({ to: state, data: chain.encode({ name, args }) });
      return (await chain.changesOf(hash, state)).storage.map(describeChange);
    };
    await list('pushSmall', [5]);
    expect(await list('pushSmall', [6])).toEqual(['small.length: 1 → 2', 'small[1]: 0 → 6']);
    expect(await list('setSmall', [1n, 9])).toEqual(['small[1]: 6 → 9']);
    expect((await list('popSmall')).sort()).toEqual(['small.length: 2 → 1', 'small[1]: 9 → 0']);
    const label = 'a label that is longer than a word';
    const pushed = await list('pushPosition', [7n, '0x12345678', label]);
    const members = [
      'amount: 0 → 7',
      'bias: 0 → -1',
      'mode: Open → Paused',
      'isActive: false → true',
      'tag: 0x00000000 → 0x12345678',
    ];
    expect([...pushed].sort()).toEqual(
      [...members.map(each => `list[0].${each}`), `list[0].label:  → ${label}`, 'list.length: 0 → 1'].sort(),
    );
    const popped = await list('popPosition');
    expect(popped).toContain(`list[0].label: ${label} → `);
    expect(popped).toContain('list.length: 1 → 0');
  });

  test('have the line that wrote each of them', async () => {
    const hash = await chain.send({ to: proxy, data: chain.encode({ name: 'setTitle', args: ['with a line'] }) });
    const { storage, contract, address } = await chain.changesOf(hash, proxy);
    expect([contract, address]).toEqual(['State', proxy.toLowerCase()]);
    const text = chain.project.text('State.sol').split('\n');
    expect(storage.map(({ location }) => text[location?.start.line ?? 0]?.trim())).toEqual([
      'function setTitle(string calldata next) external { title = next; }',
    ]);
  });

  test('leave out what failed, was caught and undone, and what is the same after it', async () => {
    const gap = Number(await chain.read(state, { name: 'gapValue', args: [] }, undefined));
    const failed = await chain.send({ to: state, data: chain.encode({ name: 'tryFailing', args: [3n] }) });
    const { accounts: changed } = await chain.changes(failed);
    const withStorage = changed.filter(({ storage }) => storage.length > 0);
    expect(withStorage.flatMap(({ storage }) => storage.map(describeChange))).toEqual([`gap: ${gap} → ${gap + 2}`]);
    const twice = await chain.send({ to: state, data: chain.encode({ name: 'setTwice', args: [99n] }) });
    expect((await chain.changes(twice)).accounts.flatMap(({ storage }) => storage)).toEqual([]);
  });

  test('say why a word has no name, and name slots of constants and standards', async () => {
    const raw = await chain.send({ to: state, data: chain.encode({ name: 'setRaw', args: [5n] }) });
    const [named] = (await chain.changesOf(raw, state)).storage;
    expect(named && formatPath(named.path)).toBe('RAW_SLOT');
    const unknown = await chain.send({ to: state, data: chain.encode({ name: 'setUnknown', args: [1n << 200n, 5n] }) });
    expect((await chain.changesOf(unknown, state)).storage.map(({ unnamed, newValue }) => [unnamed, newValue])).toEqual(
      [['unknownSlot', toHex(5n, { size: 32 })]],
    );
    const [created, hash] = await chain.deploy('StateProxy', [state]);
    const { contract, storage, codeSize, nonce } = await chain.changesOf(hash, created);
    expect(contract).toBe('StateProxy');
    expect(storage.map(({ path, type }) => [formatPath(path), type])).toEqual([
      ['eip1967.proxy.implementation', 'address'],
    ]);
    expect([codeSize?.before, nonce?.after]).toEqual([0, 1n]);
    const withoutBuild = (await chain.changes(hash, false)).accounts.find(
      ({ address }) => address === created.toLowerCase(),
    );
    expect(withoutBuild?.storage.map(describeChange)).toEqual([
      `eip1967.proxy.implementation: 0x${'0'.repeat(40)} → ${state.toLowerCase()}`,
    ]);
  });

  test('have the contracts and initial values of a creation', async () => {
    const { storage, codeSize } = await chain.changesOf(deployment, state);
    expect(codeSize?.after).toBeGreaterThan(1_000);
    expect(storage.map(({ path }) => formatPath(path))).toEqual(['failing']);
    const { accounts: created } = await chain.changes(deployment);
    const contracts = created.filter(({ codeSize: size }) => size !== null).map(({ contract }) => contract);
    // `Failing` writes no storage.
    expect(contracts.sort()).toEqual(['Failing', 'State']);
  });
});

test('balances move without code, and a failed transaction changes only what it costs', async () => {
  const project = await createSourceProject('solc', ['State.sol'], { evmVersion: 'cancun' });
  const chain = new Chain(anvil, service, project, accounts[0] as Hex);
  const to = `0x${'ab'.repeat(20)}` as Hex;
  const { accounts: changed } = await chain.changes(await chain.send({ to, value: toHex(5n) }));
  expect(changed.find(({ address }) => address === to)).toEqual({
    ...{ address: to, contract: null, balance: { before: 0n, after: 5n }, nonce: null, codeSize: null, storage: [] },
  });
  const [library] = await chain.deploy('Names');
  const [state] = await chain.deploy('State', [], library.slice(2));
  const failed = await chain.send({ to: state, data: chain.encode({ name: 'popSmall', args: [] }) });
  const after = await chain.changes(failed);
  expect(after.accounts.flatMap(({ storage }) => storage)).toEqual([]);
  expect(after.accounts.find(({ address }) => address === accounts[0])?.nonce).not.toBeNull();
});
