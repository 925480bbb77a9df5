// State changes and gas of random writes of many kinds: names and values as getters have them, slots as the node's tracer.

import { type Abi, decodeFunctionResult, encodeDeployData, encodeFunctionData, type Hex, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SendLookup } from '../../../src/api/lookups.ts';
import type { StateChanges } from '../../../src/api/stateChanges.ts';
import type { TransactionGas } from '../../../src/api/transactionGas.ts';
import { hexToBytes, toWordHex } from '../../../src/base/hex.ts';
import { readContractState, SeenKeys, type StateEntry } from '../../../src/decode/source/contractState.ts';
import { fetchStateChanges, fetchTransactionGas } from '../../../src/decode/source/fetchTransactionSource.ts';
import type { FetchWords } from '../../../src/decode/source/readVariable.ts';
import { formatPath } from '../../../src/decode/source/slotNames.ts';

import { type Anvil, startAnvil } from '../../support/chain/anvil.ts';
import { type ServiceUnderTest, startService } from '../../support/filledChain.ts';
import { scaleRounds } from '../../support/rounds.ts';
import { createSourceProject, type SourceProject } from '../../support/source/sourceProject.ts';
import { fetchTracedChanges, listRawChanges } from '../../support/source/tracedChanges.ts';

const WRITES = scaleRounds(3);

type Random = (limit: number) => number;
type Call = readonly [name: string, ...args: readonly unknown[]];
/** What a write may change: the path of a variable, the getter that reads it, and the index of its value there. */
type Read = readonly [path: string, getter: Call, index?: number];

interface Kind {
  readonly title: string;
  create(random: Random): { readonly write: Call; readonly reads: readonly Read[] };
}

const PHASES = ['Idle', 'Open', 'Settling', 'Closed'];
const ADDRESSES = [1, 2, 3].map((digit): Hex => `0x${String(digit).repeat(40)}`);
const address = (random: Random): Hex => ADDRESSES[random(3)] as Hex;
const LENGTHS = [0, 1, 30, 31, 32, 33, 63, 64, 65, 100];
const text = (random: Random): string => 'abçdefg—hij'.repeat(12).slice(0, LENGTHS[random(10)]);
const bytes = (random: Random, length: number): Hex =>
  `0x${Array.from({ length }, () => random(256).toString(16).padStart(2, '0')).join('')}`;
const signed = (random: Random): bigint => BigInt(random(2_000) - 1_000);

/** Members of a struct in their order in a getter. */
const members = (path: string, names: readonly string[], getter: Call): readonly Read[] =>
  names.map((name, index) => [`${path}.${name}`, getter, index] as const);
const LEG = ['tick', 'since', 'venue', 'isLong'];

const KINDS: readonly Kind[] = [
  {
    title: 'packed variables of bases with gaps',
    create: random => ({
      write: ['setRoot', BigInt(random(9)), BigInt(random(9)), address(random), random(2) === 1],
      reads: [
        ['rootCount', ['rootCountValue']],
        ['rootEpoch', ['rootEpochValue']],
        ['steward', ['steward']],
        ['sealedOff', ['sealedOffValue']],
      ],
    }),
  },
  {
    title: 'variables of the same name in a base and in the contract',
    create: random =>
      random(2) === 0
        ? { write: ['setOwnShade', random(5)], reads: [['Ledger.shade', ['ownShadeValue']]] }
        : {
            write: ['setShade', random(5), random(9)],
            reads: [
              ['Side.shade', ['shadeValue']],
              ['sidePhase', ['sidePhase']],
            ],
          },
  },
  {
    title: 'packed structs in mappings with enums as keys, set and deleted',
    create: random => {
      const [phase, who] = [random(4), address(random)];
      const path = `legs[${PHASES[phase]}][${who}]`;
      const write: Call =
        random(3) === 0
          ? ['deleteLeg', phase, who]
          : ['setLeg', phase, who, signed(random), random(1_000), bytes(random, 3), random(2) === 1];
      return { write, reads: members(path, LEG, ['legs', phase, who]) };
    },
  },
  {
    title: 'structs with strings and mappings by a string',
    create: random => {
      const [name, key] = [text(random), bytes(random, 32)];
      const path = `named[${JSON.stringify(name)}]`;
      const getter: Call = ['namedOf', name, key];
      return {
        write: ['setNamed', name, signed(random), text(random), key, BigInt(random(1_000))],
        reads: [
          [`${path}.phase`, getter, 0],
          [`${path}.second.tick`, getter, 1],
          [`${path}.memo`, getter, 2],
          [`${path}.limits[${key}]`, getter, 3],
        ],
      };
    },
  },
  {
    title: 'arrays of five bytes that grow and shrink',
    create: random => ({
      write: random(3) === 0 ? ['popTag'] : ['pushTag', bytes(random, 5)],
      reads: [
        ['tags.length', ['tagCount']],
        ...Array.from({ length: 60 }, (_, i): Read => [`tags[${i}]`, ['tagAt', BigInt(i)]]),
      ],
    }),
  },
  {
    title: 'arrays of a fixed length of single bytes',
    create: random => {
      const index = BigInt(random(7));
      return { write: ['setMark', index, bytes(random, 1)], reads: [[`marks[${index}]`, ['marks', index]]] };
    },
  },
  {
    title: 'user-defined types in arrays of arrays, which are cut again',
    create: random => {
      const cells = Array.from({ length: 12 }, (_, i) => [Math.floor(i / 3), i % 3] as const);
      return {
        write: random(4) === 0 ? ['cutGrid'] : ['setGrid', BigInt(random(4)), BigInt(random(3)), BigInt(random(1_000))],
        reads: [
          ['grid.length', ['gridRows']],
          ...cells.map(([row, column]): Read => [`grid[${row}][${column}]`, ['gridAt', BigInt(row), BigInt(column)]]),
        ],
      };
    },
  },
  {
    title: 'structs in fixed arrays, with parts that are deleted',
    create: random => {
      const index = BigInt(random(2));
      const path = `fixedOrders[${index}]`;
      const write: Call =
        random(4) === 0 ? ['deleteFixedLeg', index] : ['setFixed', index, signed(random), text(random), random(9_999)];
      const getter: Call = ['fixedOf', index, 0n];
      return {
        write,
        reads: [
          [`${path}.first.tick`, getter, 0],
          [`${path}.first.isLong`, getter, 1],
          [`${path}.memo`, getter, 2],
          [`${path}.fills.length`, getter, 3],
          ...Array.from({ length: 50 }, (_, i): Read => [`${path}.fills[${i}]`, ['fixedOf', index, BigInt(i)], 4]),
        ],
      };
    },
  },
  {
    title: 'arrays of strings across 31 and 32 bytes, which are deleted as a whole',
    create: random => ({
      write: random(6) === 0 ? ['deleteMemos'] : ['setMemo', BigInt(random(5)), text(random)],
      reads: [
        ['memos.length', ['memoCount']],
        ...Array.from({ length: 5 }, (_, i): Read => [`memos[${i}]`, ['memoAt', BigInt(i)]]),
      ],
    }),
  },
  {
    title: 'packed booleans in arrays by a negative key',
    create: random => {
      const [key, index] = [random(3) - 1, BigInt(random(40))];
      return {
        write: ['setFlag', key, index, random(2) === 1],
        reads: [[`flags[${key}][${index}]`, ['flagOf', key, index]]],
      };
    },
  },
  {
    title: 'arrays in mappings of mappings, pushed and popped',
    create: random => {
      const [who, phase] = [address(random), random(2)];
      const path = `queues[${who}][${PHASES[phase]}]`;
      return {
        write: random(3) === 0 ? ['popQueue', who, phase] : ['pushQueue', who, phase, BigInt(random(1_000))],
        reads: [
          [`${path}.length`, ['queueOf', who, phase, 0n], 0],
          ...Array.from({ length: 50 }, (_, i): Read => [`${path}[${i}]`, ['queueOf', who, phase, BigInt(i)], 1]),
        ],
      };
    },
  },
  {
    title: 'an ERC-7201 namespace with arrays, mappings, enums and bytes',
    create: random => {
      const [who, phase] = [address(random), random(20)];
      const getter: Call = ['vaultOf', who, BigInt(phase % 5)];
      return {
        write: ['setVault', who, BigInt(random(1_000)), phase, toHex(text(random)), text(random)],
        reads: [
          ['VaultStorage.shares.length', getter, 0],
          [`VaultStorage.phases[${phase % 5}]`, getter, 1],
          ['VaultStorage.note', getter, 2],
          [`VaultStorage.orders[${who}].memo`, getter, 3],
          [`VaultStorage.orders[${who}].first.venue`, getter, 4],
        ],
      };
    },
  },
  {
    title: 'transient variables, of which nothing lasts, beside one in storage',
    create: random => ({
      write: ['setTransient', BigInt(random(100)), bytes(random, 11)],
      reads: [['rootEpoch', ['rootEpochValue']]],
    }),
  },
];

const OLD_KINDS: readonly Kind[] = [
  {
    title: 'packed variables of a base with a gap',
    create: random => ({
      write: ['setRoot', BigInt(random(9)), random(2) === 1],
      reads: [
        ['rootCount', ['rootCountValue']],
        ['isOpen', ['isOpen']],
      ],
    }),
  },
  {
    title: 'structs with strings in nested mappings, set and deleted',
    create: random => {
      const [who, id] = [address(random), random(3)];
      const names = ['tick', 'phase', 'venue', 'memo'];
      const write: Call =
        random(3) === 0
          ? ['deleteLeg', who, id]
          : ['setLeg', who, id, signed(random), random(9), bytes(random, 3), text(random)];
      return { write, reads: members(`legs[${who}][${id}]`, names, ['legs', who, id]) };
    },
  },
  KINDS[4] as Kind,
  {
    title: 'arrays of structs that grow and shrink',
    create: random => ({
      write: random(3) === 0 ? ['popLeg'] : ['pushLeg', signed(random), text(random)],
      reads: [
        ['list.length', ['legAt', 0n], 2],
        ...Array.from({ length: 60 }, (_, i): readonly Read[] => [
          [`list[${i}].tick`, ['legAt', BigInt(i)], 0],
          [`list[${i}].memo`, ['legAt', BigInt(i)], 1],
        ]).flat(),
      ],
    }),
  },
  {
    title: 'bytes across 31 and 32 bytes',
    create: random => ({ write: ['setData', toHex(text(random))], reads: [['data', ['data']]] }),
  },
];

/** What the writes change that no getter reads. */
const UNREAD = /^(?:VaultStorage\.shares\[|list\[\d+\]\.(?:phase|venue)|named\[.*\]\.first)/s;

function createRandom(seed: number): Random {
  let state = seed;
  return limit => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 9) % limit;
  };
}

interface Build {
  readonly title: string;
  readonly file: string;
  readonly contract: string;
  readonly kinds: readonly Kind[];
  readonly phases: readonly string[];
  create(): Promise<SourceProject>;
}

const OPTIMIZER = { enabled: true, runs: 200 };
const NEW = { file: 'StateKinds.sol', contract: 'Ledger', kinds: KINDS, phases: PHASES };
const OLD = { file: 'OldLedger.sol', contract: 'OldLedger', kinds: OLD_KINDS, phases: ['Idle', 'Open', 'Closed'] };
const BUILDS: readonly Build[] = [
  {
    ...NEW,
    title: 'solc 0.8.37',
    create: () => createSourceProject('solc-0.8.37', [NEW.file], { evmVersion: 'cancun' }),
  },
  {
    ...NEW,
    title: 'solc 0.8.37 with the optimizer',
    create: () => createSourceProject('solc-0.8.37', [NEW.file], { evmVersion: 'cancun', optimizer: OPTIMIZER }),
  },
  {
    ...NEW,
    title: 'solc 0.8.37 by IR with the optimizer',
    create: () =>
      createSourceProject('solc-0.8.37', [NEW.file], { evmVersion: 'cancun', viaIR: true, optimizer: OPTIMIZER }),
  },
  { ...OLD, title: 'solc 0.6', create: () => createSourceProject('solc-0.6', [OLD.file], {}) },
  {
    ...OLD,
    title: 'solc 0.6 with the optimizer',
    create: () => createSourceProject('solc-0.6', [OLD.file], { optimizer: OPTIMIZER }),
  },
];

let anvil: Anvil;
let service: ServiceUnderTest;
let sender: Hex;
beforeAll(async () => {
  anvil = await startAnvil();
  [sender] = (await anvil.rpc<readonly Hex[]>('eth_accounts')) as [Hex];
  service = startService({ local: anvil.url });
});
afterAll(async () => {
  await service.stop();
  await anvil.stop();
});

async function send(transaction: Readonly<Record<string, unknown>>): Promise<Hex> {
  const hash = await anvil.rpc<Hex>('eth_sendTransaction', [{ from: sender, gas: '0xe00000', ...transaction }]);
  await anvil.mine();
  return hash;
}

const lookup: SendLookup = async (id, input) => (await service.lookup(id, input)).value;

async function fetchChanges(project: SourceProject | null, hash: Hex): Promise<StateChanges> {
  const changes = await fetchStateChanges(lookup, project?.builds ?? null, { chain: 'local', hash });
  if (changes.kind === 'noStateChanges') throw new Error(String(changes.reason));
  return changes;
}

async function fetchGas(project: SourceProject, hash: Hex): Promise<TransactionGas> {
  const gas = await fetchTransactionGas(lookup, project.builds, { chain: 'local', hash });
  if (gas.kind === 'noGas') throw new Error(String(gas.reason));
  return gas;
}

/** All parts of the gas together. */
function sumGas({ fixed, codeDeposit, sources, unmapped, unknown }: TransactionGas): number {
  const { transaction, data, accessList, authorizations, refund, floor } = fixed;
  const parts = [...sources.flatMap(({ lines }) => lines), ...unmapped, ...unknown];
  const steps = parts.reduce((sum, { gas }) => sum + gas, 0);
  return transaction + data + accessList + authorizations + floor - refund + codeDeposit + steps;
}

describe.each(BUILDS)('$title', ({ contract, kinds, phases, create }) => {
  let project: SourceProject;
  let ledger: Hex;
  beforeAll(async () => {
    project = await create();
    const { abi, evm } = project.contract(contract);
    const hash = await send({ data: encodeDeployData({ abi: abi as Abi, bytecode: `0x${evm.bytecode.object}` }) });
    ledger = (await anvil.rpc<{ contractAddress: Hex }>('eth_getTransactionReceipt', [hash])).contractAddress;
  }, 120_000);

  const encode = ([functionName, ...args]: Call) =>
    encodeFunctionData({ abi: project.contract(contract).abi as Abi, functionName, args });

  const toText = (path: string, value: unknown): string => {
    if (/(?:^|\.)(?:sidePhase|phase)$|\.phases\[/.test(path)) return phases[Number(value)] ?? '';
    return typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value) ? value.toLowerCase() : String(value);
  };

  /** Values by path, of one moment; each getter is called once. */
  async function readAll(reads: readonly Read[]): Promise<ReadonlyMap<string, string>> {
    const abi = project.contract(contract).abi as Abi;
    const calls = [...new Map(reads.map(([, getter]) => [encode(getter), getter[0]]))];
    const outputs = await anvil.batch<Hex>(
      calls.map(([data]) => ({ method: 'eth_call', params: [{ to: ledger, data }, 'latest'] })),
    );
    const results = new Map(
      calls.map(([data, functionName], index) => [
        data,
        decodeFunctionResult({ abi, functionName, data: outputs[index] ?? '0x' }) as unknown,
      ]),
    );
    return new Map(
      reads.map(([path, getter, index]) => {
        const result = results.get(encode(getter));
        return [path, toText(path, index === undefined ? result : (result as readonly unknown[])[index])];
      }),
    );
  }

  test.each(kinds)(
    'names what was written and its gas: $title',
    async ({ create: createWrite }) => {
      const random = createRandom(7);
      const problems: string[] = [];
      const last = new Map<string, string>();
      const keys = new SeenKeys();
      for (let i = 0; i < WRITES; i++) {
        const { write, reads } = createWrite(random);
        const before = await readAll(reads);
        const hash = await send({ to: ledger, data: encode(write) });
        const after = await readAll(reads);
        for (const [path, value] of after) last.set(path, value);
        const expected = reads.flatMap(([path]) =>
          before.get(path) === after.get(path) ? [] : [`${path}: ${before.get(path)} → ${after.get(path)}`],
        );
        const changes = await fetchChanges(project, hash);
        const storage = changes.accounts.find(({ address: of }) => of === ledger.toLowerCase())?.storage ?? [];
        const read = storage.map(({ path, oldValue, newValue }) => `${formatPath(path)}: ${oldValue} → ${newValue}`);
        const known = read.filter(line => !UNREAD.test(line)).sort();
        const name = `${write[0]}(${write.slice(1).join(', ')})`;
        if (JSON.stringify(known) !== JSON.stringify(expected.sort()))
          problems.push(`${name}: ${JSON.stringify(known)} is not ${JSON.stringify(expected)}`);
        const raw = listRawChanges(await fetchChanges(null, hash));
        const traced = await fetchTracedChanges(anvil, hash);
        if (JSON.stringify(raw) !== JSON.stringify(traced)) problems.push(`${name}: ${raw} is not ${traced}`);
        const gas = await fetchGas(project, hash);
        const { gasUsed } = await anvil.rpc<{ gasUsed: Hex }>('eth_getTransactionReceipt', [hash]);
        if (sumGas(gas) !== Number(gasUsed)) problems.push(`${name}: ${sumGas(gas)} is not ${Number(gasUsed)} gas`);
      }
      for (const input of (await service.lookup('storageKeys', { chain: 'local', address: ledger })).value.preimages)
        keys.addPreimage(hexToBytes(input));
      problems.push(...(await compareState(keys, last)));
      expect(problems).toEqual([]);
    },
    600_000,
  );

  /** The same values at the newest block, as the tab State of the contract has them. */
  async function compareState(keys: SeenKeys, values: ReadonlyMap<string, string>): Promise<readonly string[]> {
    const code = await anvil.rpc<Hex>('eth_getCode', [ledger, 'latest']);
    const found = await project.builds.find(code, false);
    if (found === null || found === 'ambiguous') return ['no build'];
    const declarations = await project.builds.declarations(found.artifact);
    if (declarations === null) return ['no layout'];
    const fetchWords: FetchWords = async slots =>
      (await service.lookup('storageWords', { chain: 'local', address: ledger, slots: slots.map(toWordHex) })).value
        .words;
    const shown = new Map<string, string[]>();
    const add = ({ path, values: [value], lengths: [length], members: inner }: StateEntry): void => {
      const name = formatPath(path);
      if (value !== null && value !== undefined) shown.set(name, [...(shown.get(name) ?? []), value]);
      if (length !== null && length !== undefined) shown.set(`${name}.length`, [length.toString()]);
      for (const each of inner ?? []) add(each);
    };
    for (const entry of (await readContractState(declarations, keys, [fetchWords])).entries) add(entry);
    // What is not set has no key, and of long arrays the beginning is shown.
    const isUnset = (value: string) => /^(?:0|false|0x0*|Idle|)$/.test(value);
    return [...values].flatMap(([path, value]) => {
      const own = shown.get(path);
      if (own === undefined ? isUnset(value) || /\[[2-9]\d+\]/.test(path) : own.includes(value)) return [];
      return [`State ${path}: ${own} is not ${value}`];
    });
  }
});
