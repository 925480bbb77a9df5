// The rows of the look-up box: ranking of saved entries, chains, history, privacy of what they carry, hostile names.
import { describe, expect, test } from 'vitest';
import type { SavedEntry } from '../../../../src/addressBook/entry.ts';
import { createRanking } from '../../../../src/view/lookUp/entryRanking.ts';
import {
  chainKey,
  entriesOf,
  readHistory,
  withEntry,
  withoutEntry,
} from '../../../../src/view/lookUp/lookUpHistory.ts';
import { type LookUpState, lookUpItems } from '../../../../src/view/lookUp/lookUpItems.ts';
import { previewLine } from '../../../../src/view/lookUp/summaryPreview.ts';

const entry = (name: string, more: Partial<SavedEntry> = {}): SavedEntry => ({
  ...{
    id: name,
    address: `0x${Buffer.from(name).toString('hex').padStart(40, 'a').slice(0, 40)}`,
    kind: 'wallet',
    name,
  },
  ...{ chains: [], folder: '', tags: [], notes: '', color: null, mark: null, place: { kind: 'personal' } },
  ...more,
});

const book = [
  entry('Old Treasury'),
  entry('Treasury'),
  entry('Treasury Signer', { tags: ['multisig'] }),
  entry('Deployer', { folder: 'Team/Ops' }),
  entry('Relayer', { address: '0x00000000000000000000000000000000deadbeef' }),
  entry('MyTreasuryBackup'),
];
const names = (typed: string) =>
  createRanking(book)
    .rank(typed, 10)
    .map(({ name }) => name);

describe('ranking', () => {
  test('exact before prefix before word before middle', () => {
    expect(names('treasury')).toEqual(['Treasury', 'Treasury Signer', 'Old Treasury', 'MyTreasuryBackup']);
  });

  test('by address from its front, by its last digits, by tag, by folder', () => {
    expect(names('0x0000000000')).toEqual(['Relayer']);
    expect(names('beef')).toEqual(['Relayer']);
    expect(names('multisig')).toEqual(['Treasury Signer']);
    expect(names('ops')).toEqual(['Deployer']);
  });

  test('words in any order, and letters in order when nothing else fits', () => {
    expect(names('signer treasury')).toEqual(['Treasury Signer']);
    expect(names('dplyr')).toEqual(['Deployer']);
    expect(names('zzz')).toEqual([]);
  });

  test('keeps to the limit, and to the order of the book when nothing is typed', () => {
    expect(
      createRanking(book)
        .rank('', 2)
        .map(({ name }) => name),
    ).toEqual(['Old Treasury', 'Treasury']);
    expect(createRanking(book).rank('r', 1)).toHaveLength(1);
  });
});

describe('history', () => {
  const one = { value: '17', label: 'Block 17' };

  test('a local chain is its genesis block, a public one its selector', () => {
    expect(chainKey({ selector: 'local', local: true }, '0xaa')).toBe('local 0xaa');
    expect(chainKey({ selector: 'local', local: true }, null)).toBeNull();
    expect(chainKey({ selector: 'eth', local: false }, null)).toBe('eth');
  });

  test('newest first, each value once, a chain that was reset has its own', () => {
    const before = withEntry(withEntry([], 'local 0xaa', one), 'local 0xaa', { value: '18', label: 'Block 18' });
    const history = withEntry(withEntry(before, 'local 0xaa', one), 'local 0xbb', { value: '1', label: 'Block 1' });
    expect(entriesOf(history, 'local 0xaa').map(({ value }) => value)).toEqual(['17', '18']);
    expect(entriesOf(history, 'local 0xbb').map(({ value }) => value)).toEqual(['1']);
    expect(entriesOf(withoutEntry(history, 'local 0xaa', '17'), 'local 0xaa')).toHaveLength(1);
  });

  test('is bounded', () => {
    let history = readHistory(undefined);
    for (let at = 0; at < 100; at++) history = withEntry(history, `c${at % 20}`, { value: `${at}`, label: `${at}` });
    expect(history.length).toBeLessThanOrEqual(12);
    for (let at = 0; at < 100; at++) history = withEntry(history, 'c', { value: `${at}`, label: `${at}` });
    expect(entriesOf(history, 'c')).toHaveLength(30);
  });

  test('reads what was stored, whatever it is', () => {
    const good = withEntry([], 'eth', one);
    expect(readHistory(JSON.parse(JSON.stringify(good)))).toEqual(good);
    for (const stored of [null, 'x', 7, [null], [{ chain: 'eth' }], [{ chain: '', entries: [] }], [[1]]])
      expect(readHistory(stored)).toEqual([]);
    expect(
      readHistory([{ chain: 'eth', entries: [null, { value: 1 }, { ...one, value: 'x'.repeat(999) }, one] }]),
    ).toEqual(good);
  });
});

const hash = '0x3c12facc754b02cad873cef7be2f8ddeb7b4d68f3b01638843a78584ba1a72ff';
const state = (more: Partial<LookUpState> = {}): LookUpState => ({
  chains: [
    { selector: 'local', local: true },
    { selector: 'eth', local: false },
  ],
  ranking: createRanking(book),
  nameOf: () => null,
  history: [],
  ensChain: 'eth',
  ...more,
});

describe('rows', () => {
  test('one per chain, only the chain that a link names', () => {
    const chainsOf = (text: string, more = {}) =>
      lookUpItems(text, state(more)).flatMap(({ goal }) => (goal !== null && 'chain' in goal ? [goal.chain] : []));
    expect(chainsOf(hash)).toEqual(['local', 'eth']);
    expect(chainsOf(`https://etherscan.io/tx/${hash}`)).toEqual(['eth']);
    expect(chainsOf(`https://polygonscan.com/tx/${hash}`)).toEqual(['local']);
    expect(chainsOf('17')).toEqual(['local', 'eth']);
  });

  test('an address can be saved while it is not, and says its name when it is', () => {
    const address = '0x00000000000000000000000000000000deadbeef';
    expect(lookUpItems(`${address.slice(0, -1)}a`, state())[0]?.save).toMatch(/^0x/);
    const [item] = lookUpItems('0xd8da6bf26964af9d7eed9e03e53415d37aa96045', state({ nameOf: () => 'Vitalik $(bug)' }));
    expect(item).toMatchObject({ save: null, label: 'Vitalik $ (bug) 0xd8dA…6045' });
  });

  test('a wrong checksum is said', () => {
    const [item] = lookUpItems('0xd8da6bf26964af9D7eed9e03e53415d37aa96045', state());
    expect(item).toMatchObject({ icon: 'warning', description: expect.stringContaining('checksum is wrong') });
  });

  test('saved entries come with what is typed; history first when nothing is', () => {
    const history = [{ key: 'eth', chain: 'eth', entries: [{ value: '17', label: 'Block 17' }] }];
    const sections = (typed: string) => [
      ...new Set(lookUpItems(typed, state({ history })).map(({ section }) => section)),
    ];
    expect(sections('')).toEqual(['history', 'saved']);
    expect(sections('treas')).toEqual(['saved']);
    expect(lookUpItems('', state({ history }))[0]).toMatchObject({
      goal: { kind: 'type', text: '17' },
      historyOf: 'eth',
    });
  });

  test('without a node there is a way to one, and no dead end', () => {
    const none = state({ chains: [], ensChain: null, ranking: createRanking([]) });
    expect(lookUpItems('17', none)).toMatchObject([{ goal: { kind: 'connect' } }]);
    expect(lookUpItems('vitalik.eth', none)).toMatchObject([{ goal: { kind: 'connect' } }]);
    expect(lookUpItems('', none)).toMatchObject([{ section: 'hint', goal: null }]);
    expect(lookUpItems('nothing like it', none)).toMatchObject([{ section: 'hint', goal: null }]);
  });

  test('a private key leads nowhere and is not offered for copying', () => {
    const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
    expect(lookUpItems(key, state())).toMatchObject([{ goal: null, copy: null, save: null, subject: null }]);
  });
});

describe('previews', () => {
  const chain = { name: 'eth', id: 1, title: 'Ethereum', coin: 'ETH', decimals: 18, explorer: null };

  test('names from a chain make no icons, lines or hidden characters', () => {
    const token = {
      standard: 'ERC20',
      name: 'x',
      symbol: '$(bug)\n\u202eEVIL',
      decimals: 18,
      totalSupply: 1n,
    } as const;
    const line = previewLine(
      {
        ...{ kind: 'address', chain, address: '0x', balance: 10n ** 18n, nonce: 1, codeSize: 5, delegate: null },
        ...{ implementation: null, token, blockNumber: 1 },
      },
      0,
    );
    expect(line).toBe('Contract · ERC-20 $ (bug) ·EVIL · 1 ETH');
  });

  test('nothing is said as such', () => {
    expect(previewLine({ kind: 'nothing', chain }, 0)).toBe('Not found on Ethereum');
  });
});
