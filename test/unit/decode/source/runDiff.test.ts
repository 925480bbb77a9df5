// What several transactions changed together.
import { describe, expect, test } from 'vitest';
import type { AccountChanges, StorageChange } from '../../../../src/api/stateChanges.ts';
import { HexLensError } from '../../../../src/base/errors.ts';
import type { Hex } from '../../../../src/base/hex.ts';
import { localizable } from '../../../../src/base/localize.ts';
import { createAbiRegistry } from '../../../../src/decode/abiRegistry.ts';
import { fetchRunDiff, formatRunDiff, type RunLookups } from '../../../../src/decode/source/runDiff.ts';

const vault: Hex = `0x${'aa'.repeat(20)}`;
const sender: Hex = `0x${'bb'.repeat(20)}`;
const toHash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;

const change = (name: string, oldValue: string, newValue: string): StorageChange => ({
  path: [{ kind: 'name', name }],
  type: 'uint256',
  slots: [name === 'total' ? 0n : 1n],
  ...{ oldValue, newValue, step: 1, location: null, isInferred: false, unnamed: null },
});
const changed = (before: bigint, after: bigint, ...storage: readonly StorageChange[]): AccountChanges => ({
  address: vault,
  contract: 'Vault',
  balance: { before, after },
  ...{ nonce: null, codeSize: null, storage },
});

/** Three transactions in blocks 5 and 6; the last one can not be run again. */
const changes = [
  changed(1n, 5n, change('total', '0', '7'), change('paused', '0', '1')),
  changed(5n, 1n, change('total', '7', '9'), change('paused', '1', '0')),
];
const lookups = {
  listTransactions: async (block: number) => (block === 5 ? [toHash(0), toHash(1)] : block === 6 ? [toHash(2)] : []),
  trace: async (hash: Hex) =>
    hash === toHash(2)
      ? { kind: 'noTrace', reason: localizable('The state is gone.') }
      : {
          kind: 'trace',
          status: 'success',
          chain: null,
          calls: [{ kind: 'CALL', address: vault, caller: sender, input: '0x12345678' }],
        },
  source: async () => null,
  state: async (hash: Hex) => ({
    kind: 'stateChanges',
    accounts: [changes[Number(hash)]],
    omitted: 0,
    withoutLayout: [],
  }),
  nameContracts: async () => () => null,
} as unknown as RunLookups;

test('compares the state before the first transaction with that after the last one', async () => {
  const { state, methods, transactions, unread } = await fetchRunDiff({ from: 4, to: 7 }, lookups, createAbiRegistry());
  expect(state.accounts).toEqual([
    // What was changed back is left out: the balance, and `paused`.
    {
      address: vault,
      contract: 'Vault',
      balance: null,
      nonce: null,
      codeSize: null,
      storage: [change('total', '0', '9')],
    },
  ]);
  expect(methods).toEqual([
    { to: vault, contract: 'Vault', method: '0x12345678', outcome: 'success', count: 2, created: [] },
  ]);
  expect(transactions).toBe(3);
  expect(unread.map(({ hash }) => hash)).toEqual([toHash(2)]);
});

test.each([
  [5, 'Blocks 6 to 6: 1 transaction, 0 failed'],
  [4, 'Blocks 5 to 6: 3 transactions, 0 failed'],
])('counts one transaction in the singular, of blocks after %d', async (from, heading) => {
  const diff = await fetchRunDiff({ from, to: 6 }, lookups, createAbiRegistry());
  expect(formatRunDiff(diff).split('\n')[0]).toBe(heading);
});

test('reads only blocks after the first one', async () => {
  const { transactions } = await fetchRunDiff({ from: 5, to: 5 }, lookups, createAbiRegistry());
  expect(transactions).toBe(0);
});

test('says of a transaction whose changes are not known that they are missing', async () => {
  const reason = localizable('The node has no state.');
  const state = async () => ({ kind: 'noStateChanges', reason }) as const;
  const { unread } = await fetchRunDiff({ from: 4, to: 5 }, { ...lookups, state }, createAbiRegistry());
  expect(unread).toEqual([
    { hash: toHash(0), reason },
    { hash: toHash(1), reason },
  ]);
});

test('one transaction with too many steps is named, and the others are read', async () => {
  const trace = async (hash: Hex) => {
    if (hash === toHash(0)) throw new HexLensError('too-large', 'It has too many steps.');
    return lookups.trace(hash);
  };
  const { unread, methods } = await fetchRunDiff({ from: 4, to: 5 }, { ...lookups, trace }, createAbiRegistry());
  expect(unread).toEqual([{ hash: toHash(0), reason: 'It has too many steps.' }]);
  expect(methods.map(({ count }) => count)).toEqual([1]);
});

test.each([
  ['one block has 2,000 transactions', [2_000, 0], 2_000, false],
  ['another one is in a block after them', [2_000, 0, 1], 2_000, true],
  ['one block has 2,001', [2_001], 2_000, true],
] as const)('says whether there are more than it reads: %s', async (_, counts, read, hasMore) => {
  const listTransactions = async (block: number) =>
    Array.from({ length: counts[block] ?? 0 }, (_, index) => toHash(10_000 * block + index));
  const trace = async () => ({ kind: 'noTrace', reason: localizable('The state is gone.') });
  const many = { ...lookups, listTransactions, trace } as unknown as RunLookups;
  const diff = await fetchRunDiff({ from: -1, to: counts.length - 1 }, many, createAbiRegistry());
  expect([diff.transactions, diff.hasMore]).toEqual([read, hasMore]);
  expect(formatRunDiff(diff).includes('Only the first 2000 transactions were read.')).toBe(hasMore);
});

describe('contracts that were created', () => {
  const factory: Hex = `0x${'fa'.repeat(20)}`;
  const [first, second, older]: Hex[] = ['c1', 'c2', '0d'].map((byte): Hex => `0x${byte.repeat(20)}`);
  const create = (address: Hex | null, status = 'success') => ({
    ...{ kind: 'trace', status, hash: toHash(0), by: 'replay', verified: true, steps: 0, gasUsed: 1, failure: null },
    chain: { name: 'local', id: 31337, title: 'Local', coin: 'ETH', decimals: 18, explorer: null },
    calls: [{ kind: 'CREATE', address, caller: sender, input: '0x60', isUndone: status === 'failed' }],
  });
  const traces = [create(first ?? null), create(second ?? null), create(null, 'failed')];
  const sources = {
    stack: null,
    calls: [{ call: 0, calledContract: 'Hive', contract: 'Base' }],
    unmatched: new Map(),
    lostSources: [],
  };
  const current: StorageChange = {
    ...change('current', older as Hex, first as Hex),
    path: [
      { kind: 'name', name: 'current' },
      { kind: 'key', key: second as Hex, type: 'address' },
    ],
    type: 'contract Hive',
  };
  const state = {
    accounts: [{ ...changed(0n, 0n, current), balance: null, address: factory, contract: 'Apiary' }],
    omitted: 0,
  };
  const names = new Map<Hex, string>([
    [first as Hex, 'Hive'],
    [second as Hex, 'Hive'],
    [older as Hex, 'OldHive'],
  ]);
  const fetch = (listed: readonly number[]) =>
    fetchRunDiff(
      { from: 4, to: 5 },
      {
        ...lookups,
        listTransactions: async () => listed.map(toHash),
        trace: async (hash: Hex) => traces[Number(hash)],
        source: async () => sources,
        state: async () => ({ kind: 'stateChanges', withoutLayout: [], ...state }),
        nameContracts: async () => (address: Hex) => names.get(address) ?? null,
      } as unknown as RunLookups,
      createAbiRegistry(),
    );

  test('are counted by their names, those too that failed', async () => {
    const counted = { to: null, contract: 'Hive', method: 'constructor' };
    expect((await fetch([0, 1, 2])).methods).toEqual([
      { ...counted, outcome: 'success', count: 2, created: [first, second] },
      { ...counted, outcome: 'failed', count: 1, created: [] },
    ]);
  });

  test('are named in the text, as are all contracts in keys and values', async () => {
    const lines = formatRunDiff(await fetch([0])).split('\n');
    expect(lines).toEqual([
      'Blocks 5 to 5: 1 transaction, 0 failed',
      `    1 × success  constructor  new contract ${first} Hive`,
      '',
      'Created',
      `    ${first} Hive by ${sender} in ${toHash(0)}`,
      '',
      'State changes',
      `${factory} Apiary`,
      `    current[${second} Hive]: ${older} OldHive → ${first} Hive`,
    ]);
  });

  test('are one line of the text where they are several', async () => {
    expect(formatRunDiff(await fetch([0, 1])).split('\n')[1]).toBe('    2 × success  constructor  new contract Hive');
  });
});

describe('a slot that one transaction names and another one does not', () => {
  const word = (oldValue: bigint, newValue: bigint): StorageChange => ({
    ...change('total', toHash(Number(oldValue)), toHash(Number(newValue))),
    ...{ path: [], type: 'bytes32', unnamed: 'unknownSlot' },
  });
  const sum = async (...storage: readonly StorageChange[]) => {
    const accounts = storage.map(each => changed(0n, 0n, each));
    const ofHash = (hash: Hex) => ({
      kind: 'stateChanges',
      accounts: [accounts[Number(hash)]],
      omitted: 0,
      withoutLayout: [],
    });
    const listTransactions = async () => storage.map((_, index) => toHash(index));
    const own = { ...lookups, listTransactions, state: async (hash: Hex) => ofHash(hash) } as unknown as RunLookups;
    const trace = async () => lookups.trace(toHash(0));
    const { state } = await fetchRunDiff({ from: 4, to: 5 }, { ...own, trace }, createAbiRegistry());
    return state.accounts.flatMap(({ storage: all }) =>
      all.map(({ path, oldValue, newValue }) => [path.length === 0 ? 'slot' : 'total', oldValue, newValue]),
    );
  };

  test.each([
    ['is one change by name', [change('total', '0', '5'), word(5n, 7n)], [['total', '0', '7']]],
    ['is one change by name, whichever comes first', [word(1n, 5n), change('total', '5', '9')], [['total', '1', '9']]],
    ['is no change where it has its first value again', [word(1n, 5n), change('total', '5', '1')], []],
    [
      'stays two changes where their values are not of one variable',
      [change('total', '0', '5'), word(6n, 7n)],
      [
        ['total', '0', '5'],
        ['slot', toHash(6), toHash(7)],
      ],
    ],
    [
      'is one change by name again after both',
      [change('total', '0', '5'), word(5n, 7n), change('total', '7', '8')],
      [['total', '0', '8']],
    ],
  ])('%s', async (_title, storage, expected) => {
    expect(await sum(...storage)).toEqual(expected);
  });
});
