// The rows of the look-up box: ranking of saved entries, chains, history, privacy of what they carry, hostile names.
import { createRequire } from 'node:module';
import { keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import type { SavedEntry } from '../../../../src/addressBook/entry.ts';
import type { Hex } from '../../../../src/base/hex.ts';
import { readAbi } from '../../../../src/decode/abiItem.ts';
import { createAbiRegistry } from '../../../../src/decode/abiRegistry.ts';
import { createEntryRanking } from '../../../../src/view/lookUp/entryRanking.ts';
import {
  addHistoryEntry,
  getHistoryEntries,
  getHistoryKey,
  parseHistory,
  removeHistoryEntry,
} from '../../../../src/view/lookUp/lookUpHistory.ts';
import { isSameItem, keepPlaces, type LookUpItem, type LookUpState } from '../../../../src/view/lookUp/lookUpItem.ts';
import {
  checkLookUpItem,
  describeHash,
  findHashKinds,
  getItemIcon,
  getLookUpItems,
} from '../../../../src/view/lookUp/lookUpItems.ts';
import { formatSummaryPreview, type PreviewSummary } from '../../../../src/view/lookUp/summaryPreview.ts';

const entry = (name: string, more: Partial<SavedEntry> = {}): SavedEntry => ({
  ...{
    id: name,
    address: `0x${Buffer.from(name).toString('hex').padStart(40, 'a').slice(0, 40)}`,
    kind: 'wallet',
    name,
  },
  ...{ chains: [], folder: '', tags: [], notes: '', color: null, trust: null, storage: { kind: 'personal' } },
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
  createEntryRanking(book)
    .rank(typed, 10)
    .map(({ name }) => name);

describe('ranking', () => {
  test('orders exact matches before prefixes, words and substrings', () => {
    expect(names('treasury')).toEqual(['Treasury', 'Treasury Signer', 'Old Treasury', 'MyTreasuryBackup']);
  });

  test('finds entries by the start and the end of the address, by tag and by folder', () => {
    expect(names('0x0000000000')).toEqual(['Relayer']);
    expect(names('beef')).toEqual(['Relayer']);
    expect(names('multisig')).toEqual(['Treasury Signer']);
    expect(names('ops')).toEqual(['Deployer']);
  });

  test('finds words in any order, and letters in order if nothing else matches', () => {
    expect(names('signer treasury')).toEqual(['Treasury Signer']);
    expect(names('dplyr')).toEqual(['Deployer']);
    expect(names('zzz')).toEqual([]);
  });

  test('respects the limit, and the order of the address book without input', () => {
    expect(
      createEntryRanking(book)
        .rank('', 2)
        .map(({ name }) => name),
    ).toEqual(['Old Treasury', 'Treasury']);
    expect(createEntryRanking(book).rank('r', 1)).toHaveLength(1);
  });
});

describe('history', () => {
  const one = { value: '17', label: 'Block 17' };

  test('the key of a local chain has its genesis block, of a public one its selector', () => {
    expect(getHistoryKey({ selector: 'local', isOnLoopback: true }, '0xaa')).toBe('local 0xaa');
    expect(getHistoryKey({ selector: 'local', isOnLoopback: true }, null)).toBeNull();
    expect(getHistoryKey({ selector: 'eth', isOnLoopback: false }, null)).toBe('eth');
  });

  test('is newest first without duplicates, and separate for a restarted chain', () => {
    const before = addHistoryEntry(addHistoryEntry([], 'local 0xaa', one), 'local 0xaa', {
      value: '18',
      label: 'Block 18',
    });
    const history = addHistoryEntry(addHistoryEntry(before, 'local 0xaa', one), 'local 0xbb', {
      value: '1',
      label: 'Block 1',
    });
    expect(getHistoryEntries(history, 'local 0xaa').map(({ value }) => value)).toEqual(['17', '18']);
    expect(getHistoryEntries(history, 'local 0xbb').map(({ value }) => value)).toEqual(['1']);
    expect(getHistoryEntries(removeHistoryEntry(history, 'local 0xaa', '17'), 'local 0xaa')).toHaveLength(1);
  });

  test('forgets the oldest entries beyond its limit', () => {
    let history = parseHistory(undefined);
    for (let at = 0; at < 100; at++)
      history = addHistoryEntry(history, `c${at % 20}`, { value: `${at}`, label: `${at}` });
    expect(history.length).toBeLessThanOrEqual(12);
    for (let at = 0; at < 100; at++) history = addHistoryEntry(history, 'c', { value: `${at}`, label: `${at}` });
    expect(getHistoryEntries(history, 'c')).toHaveLength(30);
  });

  test('ignores invalid parts of the stored value', () => {
    const good = addHistoryEntry([], 'eth', one);
    expect(parseHistory(JSON.parse(JSON.stringify(good)))).toEqual(good);
    for (const stored of [null, 'x', 7, [null], [{ chain: 'eth' }], [{ chain: '', entries: [] }], [[1]]])
      expect(parseHistory(stored)).toEqual([]);
    expect(
      parseHistory([{ chain: 'eth', entries: [null, { value: 1 }, { ...one, value: 'x'.repeat(999) }, one] }]),
    ).toEqual(good);
  });
});

const hash = '0x3c12facc754b02cad873cef7be2f8ddeb7b4d68f3b01638843a78584ba1a72ff';
const state = (more: Partial<LookUpState> = {}): LookUpState => ({
  chains: [
    { selector: 'local', title: 'Local dev chain', isOnLoopback: true },
    { selector: 'eth', title: 'Ethereum', isOnLoopback: false },
  ],
  registry: null,
  ranking: createEntryRanking(book),
  tokens: createEntryRanking([]),
  getName: () => null,
  getRecord: () => null,
  history: [],
  ensChain: 'eth',
  usesAptos: true,
  source: null,
  ...more,
});

describe('answers that come after the rows', () => {
  const places = (items: readonly LookUpItem[]) => items.map(({ label, description }) => `${label} ${description}`);

  test('move no row, which Enter may be on its way for', () => {
    const entries = [{ value: '0x12', label: '0x12' }];
    const before = getLookUpItems('', state());
    expect(before.length).toBeGreaterThan(1);
    const after = getLookUpItems('', state({ history: [{ key: 'local', chain: 'local', entries }] }));
    // Without input the history comes first.
    expect(after[0]?.section).toBe('history');
    const shown = keepPlaces(before, after);
    expect(places(shown.slice(0, before.length))).toEqual(places(before));
    expect(shown.slice(before.length)).toEqual([after[0]]);
    expect(keepPlaces(shown, before)).toEqual(before);
  });

  test('leave the row of a chain the same that has another title by now', () => {
    const [local, eth] = state().chains;
    if (local === undefined || eth === undefined) throw new Error('no chains');
    const before = getLookUpItems('12', state());
    const after = getLookUpItems('12', state({ chains: [{ ...local, title: 'Local node (Ethereum)' }, eth] }));
    expect(places(keepPlaces(before, after))).toEqual(['Block 12 on Local node (Ethereum)', 'Block 12 on Ethereum']);
    const isSame = (at: number, other: number) => isSameItem(before[at] as LookUpItem, after[other] as LookUpItem);
    expect([isSame(0, 0), isSame(1, 1), isSame(0, 1)]).toEqual([true, true, false]);
  });
});

describe('what is known without a lookup', () => {
  const alice = `0x${'a1'.repeat(20)}`;
  const labels = (text: string, more: Partial<LookUpState> = {}) =>
    getLookUpItems(text, state(more)).map(({ label }) => label);

  test('call data and revert data are decoded with values, and Enter opens what was decoded', () => {
    const call = `0xa9059cbb${alice.slice(2).padStart(64, '0')}${'5'.padStart(64, '0')}`;
    const [item] = getLookUpItems(call, state({ getName: address => (address === alice ? 'Alice' : null) }));
    expect(item).toMatchObject({
      label: 'transfer(to: Alice, amount: 5)',
      target: { kind: 'document', lines: ['transfer(to: Alice, amount: 5)'] },
    });
    expect(labels(`0x4e487b71${'12'.padStart(64, '0')}`)).toEqual(['Panic(0x12): division or modulo by zero']);
  });

  test('names errors of the workspace', () => {
    const registry = createAbiRegistry();
    const abi = [{ type: 'error', name: 'Locked', inputs: [{ type: 'uint256', name: 'until' }] }];
    registry.set({ id: 'Vault', items: readAbi(abi, 'Vault') });
    const selector = readAbi(abi, 'Vault')[0]?.hash.slice(0, 10) ?? '';
    expect(labels(`${selector}${'9'.padStart(64, '0')}`, { registry })).toEqual(['Locked(until: 9)']);
    expect(labels(selector, { registry })[0]).toBe('Locked(uint256)');
  });

  test('finds contracts, functions, events and errors of the workspace by name', () => {
    const registry = createAbiRegistry();
    const input = { type: 'uint256', name: 'amount' };
    const abi = [
      { type: 'function', name: 'deposit', inputs: [input], outputs: [] },
      { type: 'event', name: 'Deposited', inputs: [input] },
      { type: 'error', name: 'DepositTooSmall', inputs: [] },
    ];
    registry.set({ id: 'file:///p/out/Harbor.sol/Harbor.json', items: readAbi(abi, 'Harbor') });
    registry.set({ id: 'file:///p/out/Pier.sol/Pier.json', items: readAbi(abi.slice(0, 1), 'Pier') });
    const find = (text: string) =>
      getLookUpItems(text, state({ registry })).map(({ label, description }) => `${label} | ${description}`);
    const selector = readAbi(abi, '')[0]?.hash.slice(0, 10);
    expect(find('deposit')).toEqual([
      `deposit(uint256 amount) | Function ${selector} · Harbor, Pier`,
      expect.stringMatching(/^Deposited\(uint256 amount\) \| Event 0x\w+…\w+ · Harbor$/),
      expect.stringMatching(/^DepositTooSmall\(\) \| Error 0x\w{8} · Harbor$/),
    ]);
    expect(find('Pier.deposit(uint')).toEqual([`deposit(uint256 amount) | Function ${selector} · Pier`]);
    expect(getLookUpItems('harb', state({ registry }))).toMatchObject([
      { label: 'Harbor', target: { kind: 'source', contract: { name: 'Harbor' } } },
    ]);
    expect(find('de')).toEqual([expect.stringMatching(/^Deployer /)]);
  });

  test('digits are no Aptos account where nothing else is of Aptos', () => {
    const targets = (text: string, usesAptos: boolean) =>
      getLookUpItems(text, state({ usesAptos })).flatMap(({ target }) => target?.kind ?? []);
    expect([targets('0x2a', false), targets('0x02387a7b', false)]).toEqual([['block', 'block'], ['copy']]);
    expect(targets('0x2a', true)).toContain('aptosAccount');
  });

  test('names no digits as the word that makes 32 typed bytes an Aptos account', () => {
    const account = getLookUpItems(hash, state()).find(({ target }) => target?.kind === 'aptosAccount');
    const recipient = { isLocal: false, isUserRequested: false };
    expect(account && checkLookUpItem(account, recipient, false)).toMatchObject({
      decision: 'click',
      reason: '32 bytes may be a private key, and nothing here says that this is an address.',
    });
  });

  test('32 bytes are an Aptos account too where Aptos is used, or one is saved', () => {
    const hasAccount = (more: Partial<LookUpState>) =>
      getLookUpItems(hash, state(more)).some(({ target }) => target?.kind === 'aptosAccount');
    expect(hasAccount({ usesAptos: true })).toBe(true);
    expect(hasAccount({ usesAptos: false })).toBe(false);
    expect(hasAccount({ usesAptos: false, getName: () => 'Vault' })).toBe(true);
    expect(hasAccount({ usesAptos: false, chains: [] })).toBe(true);
  });

  test('a signed transaction is looked up by its hash on the chain that it is for', async () => {
    const account = privateKeyToAccount(`0x${'5a'.repeat(32)}`);
    const raw = await account.signTransaction({
      type: 'legacy',
      chainId: 1,
      gas: 21_000n,
      gasPrice: 1n,
      to: account.address,
    });
    const [item, ...more] = getLookUpItems(raw.slice(2), state());
    expect(JSON.parse(JSON.stringify(item?.target))).toEqual({
      kind: 'rawTransaction',
      chain: 'eth',
      hash: keccak256(raw),
      raw,
    });
    expect(more).toEqual([]);
  });

  test('a hash says what it is once that is known, also on chains that were not asked', () => {
    const items = getLookUpItems(hash, state()).filter(({ target }) => target?.kind === 'hash');
    const describe = (kind: string) => {
      const found = { kind } as ReturnType<Parameters<typeof findHashKinds>[1]>;
      const getFound = ({ target }: LookUpItem) => (target?.kind === 'hash' && target.chain === 'local' ? found : null);
      const kinds = findHashKinds(items, getFound);
      return items.map(item => describeHash(item, kinds, getFound(item)));
    };
    expect(describe('pending')).toEqual([
      'Transaction or block on Local dev chain',
      'Transaction or block on Ethereum',
    ]);
    expect(describe('nothing')).toEqual(['Local dev chain', 'Transaction or block on Ethereum']);
    expect(describe('transaction')).toEqual(['Transaction on Local dev chain', 'Transaction on Ethereum']);
    expect(describe('block')).toEqual(['Block on Local dev chain', 'Block on Ethereum']);
  });

  test('the zero address has its name, and says that no one has its key', () => {
    expect(getLookUpItems(`0x${'0'.repeat(40)}`, state())[0]).toMatchObject({
      label: 'Zero address 0x0000…0000',
      detail: expect.stringMatching(/^No one has its key/),
    });
  });

  test('an address and a hash have the icon of what they are once that is known', () => {
    const iconOf = (text: string, found: object | null) => {
      const [item] = getLookUpItems(text, state());
      if (item === undefined) throw new Error('There is no row.');
      const summary = found as PreviewSummary | null;
      return getItemIcon(
        item,
        findHashKinds([item], () => summary),
        summary,
      );
    };
    const address = { kind: 'address', codeSize: 0, delegate: null, token: null };
    const icons = [
      null,
      address,
      { ...address, codeSize: 9 },
      { ...address, codeSize: 9, token: { standard: 'ERC20' } },
    ];
    expect(icons.map(found => iconOf(`0x${'5a'.repeat(20)}`, found))).toEqual([
      ...['account', 'account', 'file-code', 'credit-card'],
    ]);
    const kinds = [null, { kind: 'nothing' }, { kind: 'transaction' }, { kind: 'block' }];
    expect(kinds.map(found => iconOf(hash, found))).toEqual(['symbol-key', 'symbol-key', 'arrow-swap', 'package']);
  });

  test('"latest" is the newest blocks of each chain', () => {
    expect(getLookUpItems('latest', state()).map(({ target }) => target)).toEqual([
      { kind: 'block', chain: 'local', block: 'latest' },
      { kind: 'block', chain: 'eth', block: 'latest' },
    ]);
  });

  test('shortened digits are completed from the address book and the history', () => {
    const [relayer] = book.filter(({ name }) => name === 'Relayer');
    const history = [{ key: 'eth', chain: 'eth', entries: [{ value: hash, label: 'Transaction' }] }];
    for (const dots of ['…', '...', '..']) {
      expect(labels(`${relayer?.address.slice(0, 8)}${dots}beef`)).toEqual(['Relayer']);
      expect(labels(`0x3c12${dots}72ff`, { history })).toEqual(['Transaction']);
      expect(
        labels(`0x3c12${dots}0000`, {
          history,
          chains: [{ selector: 'eth', title: 'Ethereum', isOnLoopback: false }],
        })[0],
      ).toContain('Digits are missing');
      expect(getLookUpItems(`0x3c12${dots}0000`, state({ history }))).toMatchObject([
        { target: { kind: 'shortened', chain: 'local', start: '0x3c12', end: '0000' } },
      ]);
    }
  });

  test('a link to the explorer of a chain is about that chain only', () => {
    const link = 'https://etherscan.io/block/100';
    const targets = (chains: LookUpState['chains']) =>
      getLookUpItems(link, state({ chains })).map(({ target, label }) =>
        target !== null && 'chain' in target ? target.chain : label,
      );
    expect(
      targets([
        { selector: 'local', title: 'Local dev chain', isOnLoopback: true, id: 31_337 },
        { selector: 'eth', title: 'Ethereum', isOnLoopback: false },
      ]),
    ).toEqual(['eth']);
    expect(targets([{ selector: 'local', title: 'Local dev chain', isOnLoopback: true, id: 31_337 }])).toEqual([
      'Ethereum is not configured',
    ]);
    expect(targets([{ selector: 'local', title: 'Local dev chain', isOnLoopback: true, id: 1 }])).toEqual(['local']);
  });

  test('a chain that is configured by its hex id has its links', () => {
    const chains = ['0xa4ec', '0x64'].map(selector => ({ selector, title: selector, isOnLoopback: false }));
    const [item] = getLookUpItems('https://gnosisscan.io/block/100', state({ chains }));
    expect(item?.target).toMatchObject({ chain: '0x64' });
  });
});

describe('items', () => {
  test('one item per chain, or only the chain that a link names', () => {
    const chainsOf = (text: string, more = {}) =>
      getLookUpItems(text, state(more)).flatMap(({ target }) =>
        target !== null && 'chain' in target ? [target.chain] : [],
      );
    expect(chainsOf(hash)).toEqual(['local', 'eth']);
    expect(chainsOf(`https://etherscan.io/tx/${hash}`)).toEqual(['eth']);
    const fork = [{ selector: 'local', title: 'Local dev chain', isOnLoopback: true, id: 137 }];
    expect(chainsOf(`https://polygonscan.com/tx/${hash}`)).toEqual([]);
    expect(chainsOf(`https://polygonscan.com/tx/${hash}`, { chains: fork })).toEqual(['local']);
    expect(chainsOf('17')).toEqual(['local', 'eth']);
  });

  test('rows have icons that VS Code has', () => {
    const icons = createRequire(import.meta.url)('@vscode/codicons/dist/metadata.json');
    const tokens = createEntryRanking([
      { chain: 'local', standard: 'ERC-20', folder: '', address: `0x${'5c'.repeat(20)}`, name: 'TIDE', tags: [] },
    ]);
    const texts = [
      'tide',
      'dev account',
      '0x1::a::B',
      hash,
      hash.slice(0, 42),
      '17',
      'latest',
      'a.eth',
      '0x12345678',
      'zz',
    ];
    const used = texts.flatMap(text => getLookUpItems(text, state({ tokens })).map(({ icon }) => icon));
    expect(used.filter(icon => !Object.hasOwn(icons, icon))).toEqual([]);
  });

  test('a development account is found by its label, on the chains of this machine', () => {
    const account = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
    for (const text of ['Dev account #4', 'dev account 4', 'account #4'])
      expect(getLookUpItems(text, state())[0]).toMatchObject({
        section: 'account',
        label: 'Dev account #4',
        description: '0x15d3…6A65 · Local dev chain',
        target: { kind: 'address', chain: 'local', address: account },
      });
    const rows = (text: string, more = {}) =>
      getLookUpItems(text, state(more)).filter(({ section }) => section === 'account').length;
    expect([rows('dev account'), rows('4'), rows('#19'), rows('')]).toEqual([20, 0, 1, 0]);
    expect(rows('Dev account #4', { chains: [{ selector: 'eth', title: 'Ethereum', isOnLoopback: false }] })).toBe(0);
    expect(getLookUpItems(account, state()).map(({ section }) => section)).not.toContain('account');
  });

  test('a token is found by its symbol and by its name', () => {
    const token = { chain: 'local', standard: 'ERC-20', folder: '', address: `0x${'5c'.repeat(20)}` };
    const tokens = createEntryRanking([
      { ...token, name: 'TIDE', tags: ['Tide Gold'] },
      { ...token, name: 'ORE', tags: ['Ore $(bug)'], address: `0x${'6c'.repeat(20)}` },
    ]);
    const find = (text: string) =>
      getLookUpItems(text, state({ tokens }))
        .filter(({ section }) => section === 'token')
        .map(({ label, description, target }) => [
          label,
          description,
          target !== null && 'chain' in target && target.chain,
        ]);
    const tide = ['TIDE', 'Tide Gold · ERC-20 · 0x5c5c…5c5C · Local dev chain', 'local'];
    expect([find('tide'), find('Tide Gold'), find('gold')]).toEqual([[tide], [tide], [tide]]);
    expect(find('ore')[0]?.[1]).toContain('Ore $ (bug)');
    expect([find('silver'), find('')]).toEqual([[], []]);
  });

  test('a chain has the name that its node reports, whatever public network has its id', () => {
    const chains = [{ selector: 'sepolia', title: 'Local node (Sepolia)', isOnLoopback: true, id: 11_155_111 }];
    const history = [
      { key: 'sepolia 0xaa', chain: 'sepolia', entries: [{ value: '0x17', label: 'Block 23' }] },
      { key: 'eth', chain: 'eth', entries: [{ value: '0x18', label: 'Block 24' }] },
    ];
    const describe = (text: string) => getLookUpItems(text, state({ chains, history }))[0]?.description;
    expect(['17', hash, hash.slice(0, 42), 'latest', '0x3c12…72ff', 'Block 23'].map(describe)).toEqual([
      'on Local node (Sepolia)',
      'Transaction or block on Local node (Sepolia)',
      'Local node (Sepolia)',
      'on Local node (Sepolia)',
      'Search the newest blocks of Local node (Sepolia)',
      'Local node (Sepolia)',
    ]);
  });

  test('an address can be saved if it is not yet, and shows its name if it is', () => {
    const address = '0x00000000000000000000000000000000deadbeef';
    expect(getLookUpItems(`${address.slice(0, -1)}a`, state())[0]?.addressToSave).toMatch(/^0x/);
    const [item] = getLookUpItems(
      '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
      state({ getName: () => 'Vitalik $(bug)' }),
    );
    expect(item).toMatchObject({ addressToSave: null, label: 'Vitalik $ (bug) 0xd8dA…6045' });
  });

  test('shows a wrong checksum', () => {
    const [item] = getLookUpItems('0xd8da6bf26964af9D7eed9e03e53415d37aa96045', state());
    expect(item).toMatchObject({ icon: 'warning', description: expect.stringContaining('checksum is wrong') });
  });

  test('saved entries match the input; without input the history is first', () => {
    const history = [{ key: 'eth', chain: 'eth', entries: [{ value: '17', label: 'Block 17' }] }];
    const sections = (typed: string) => [
      ...new Set(getLookUpItems(typed, state({ history })).map(({ section }) => section)),
    ];
    expect(sections('')).toEqual(['history', 'saved']);
    expect(sections('treas')).toEqual(['saved']);
    expect(getLookUpItems('', state({ history }))[0]).toMatchObject({
      target: { kind: 'type', text: '17' },
      historyKey: 'eth',
    });
  });

  test('a saved entry is looked up on its own chains only', () => {
    const [entry] = book;
    const open = (chains: readonly string[], more: Partial<LookUpState> = {}) =>
      getLookUpItems(
        '',
        state({ ranking: createEntryRanking(entry === undefined ? [] : [{ ...entry, chains }]), ...more }),
      )[0];
    expect(open([])).toMatchObject({ target: { kind: 'address', chain: 'local' } });
    expect(open(['eth'])).toMatchObject({ target: { kind: 'address', chain: 'eth' } });
    expect(open(['polygon'])).toMatchObject({ target: { kind: 'connect' }, detail: 'Polygon is not configured' });
    const fork = { chains: [{ selector: 'local', title: 'Local dev chain', isOnLoopback: true, id: 137 }] };
    expect(open(['polygon'], fork)).toMatchObject({ target: { kind: 'address', chain: 'local' } });
    expect(open(['eth'], fork)).toMatchObject({ target: { kind: 'connect' } });
  });

  test('without a node there is an item to connect one', () => {
    const none = state({ chains: [], ensChain: null, ranking: createEntryRanking([]) });
    expect(getLookUpItems('17', none)).toMatchObject([{ target: { kind: 'connect' } }]);
    expect(getLookUpItems('vitalik.eth', none)).toMatchObject([{ target: { kind: 'connect' } }]);
    expect(getLookUpItems('', none)).toMatchObject([{ section: 'hint', target: null }]);
    expect(getLookUpItems('nothing like it', none)).toMatchObject([{ section: 'hint', target: null }]);
  });

  test('a private key has no target and cannot be copied', () => {
    const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
    expect(getLookUpItems(key, state())).toMatchObject([
      { target: null, copyText: null, addressToSave: null, literal: null },
    ]);
  });
});

describe('previews', () => {
  const chain = { name: 'eth', id: 1, title: 'Ethereum', coin: 'ETH', decimals: 18, explorer: null };

  test('names from a chain contain no icons, line breaks or hidden characters', () => {
    const token = {
      standard: 'ERC20',
      name: 'x',
      symbol: '$(bug)\n\u202eEVIL',
      decimals: 18,
      totalSupply: 1n,
    } as const;
    const line = formatSummaryPreview(
      {
        ...{ kind: 'address', chain, address: '0x', balance: 10n ** 18n, nonce: 1, codeSize: 5, delegate: null },
        ...{ codeHash: null, proxy: null, token, blockNumber: 1 },
      },
      0,
    );
    expect(line).toBe('Contract · ERC-20 $ (bug) ·EVIL · 1 ETH');
  });

  test('names the contract of the workspace that an address has the code of', () => {
    const summary = {
      ...{ kind: 'address', chain, address: '0x', balance: 0n, nonce: 1, codeSize: 5, delegate: null },
      ...{ codeHash: null, proxy: null, token: null, blockNumber: 1 },
    } as PreviewSummary;
    const build = { name: 'Vault', source: 'src/$(bug)Vault.sol', ids: [], difference: null, copy: null };
    expect(formatSummaryPreview(summary, 0, () => null, build)).toBe(
      'Contract · Vault (src/$ (bug)Vault.sol), your build · 0 ETH',
    );
  });

  test('without a time leave out what changes with it: ages, balances, whether the build is that of now', () => {
    const account = {
      ...{ kind: 'address', chain, address: '0x', balance: 5n, nonce: 1, codeSize: 0, delegate: null },
      ...{ codeHash: null, proxy: null, token: null, blockNumber: 1 },
    } as PreviewSummary;
    const build = { name: 'Vault', source: 'src/Vault.sol', ids: [], difference: null, copy: null };
    expect(formatSummaryPreview(account, null)).toBe('Account');
    expect(formatSummaryPreview({ ...account, balance: 0n, nonce: 0 } as PreviewSummary, null)).toBe('Account');
    const contract = { ...account, codeSize: 5 } as PreviewSummary;
    expect(formatSummaryPreview(contract, null, () => null, build)).toBe('Contract · Vault (src/Vault.sol)');
    const transaction = (status: string) =>
      ({
        ...{ kind: 'transaction', chain, hash, status, from: `0x${'a1'.repeat(20)}`, to: null, value: 0n },
        ...{ blockNumber: 7, time: new Date(0) },
      }) as unknown as PreviewSummary;
    const failed = formatSummaryPreview(transaction('failed'), null, () => 'Alice');
    expect(failed).toBe('Transaction · Failed · Alice → new contract · 0 ETH · block 7');
    expect(formatSummaryPreview(transaction('failed'), 60_000, () => 'Alice')).toBe(`${failed} · 1 minute ago`);
    expect(formatSummaryPreview(transaction('pending'), null)).not.toContain('Pending');
  });

  test('names the parties of a transaction, without icons', () => {
    const [from, to]: readonly [Hex, Hex] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`];
    const transaction = {
      ...{ kind: 'transaction', chain, hash, status: 'success', from, to, created: null, value: 0n, nonce: 0 },
      ...{ input: null, inputSize: 0, selector: null, blockNumber: 7, transactionIndex: 0, time: null },
      ...{ gasLimit: 0n, gasUsed: null, gasPrice: null, logs: 0, topics: [], transfers: [] },
    } as unknown as PreviewSummary;
    const getName = (address: Hex) => (address === from ? 'Alice $(bug)' : null);
    expect(formatSummaryPreview(transaction, 0, getName)).toMatch(
      /^Transaction · Success · Alice \$ \(bug\) → 0xb2B2…/i,
    );
  });

  test('shows where in the source a transaction failed, beside its status', () => {
    const party: Hex = `0x${'a1'.repeat(20)}`;
    const transaction = {
      ...{ kind: 'transaction', chain, hash, status: 'failed', from: party, to: party, value: 0n },
      ...{ blockNumber: 7, time: null },
    } as unknown as PreviewSummary;
    expect(formatSummaryPreview(transaction, 0, () => null, null, 'src/$(bug)Vault.sol:41 (inferred)')).toMatch(
      /^Transaction · Failed · src\/\$ \(bug\)Vault\.sol:41 \(inferred\) · 0xA1a1/i,
    );
  });

  test('shows that nothing was found', () => {
    expect(formatSummaryPreview({ kind: 'nothing', chain }, 0)).toBe('Not found on Ethereum');
    const unused: PreviewSummary = {
      ...{ kind: 'address', chain, address: '0x', balance: 0n, nonce: 0, codeSize: 0, delegate: null },
      ...{ codeHash: null, proxy: null, token: null, blockNumber: 1 },
    };
    expect(formatSummaryPreview(unused, 0)).toBe('Nothing on Ethereum: no code, balance or transactions');
    expect(formatSummaryPreview({ ...unused, codeSize: null }, 0)).toBe('Account · 0 ETH · 0 sent');
  });
});
