// The address page: what people read of an address.

// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import type { SavedEntry } from '../../../src/addressBook/entry.ts';
import type { AddressSummary } from '../../../src/api/lookups.ts';
import { HexLensError } from '../../../src/base/errors.ts';
import { toPlainAddressSummary } from '../../../src/protocol/messages.ts';
import { type ConnectedPanelOptions, ok } from './connectedPanel.ts';
import { find, textOf } from './dom.ts';
import { createPageFixture, eventually, shows } from './openPage.ts';

const { open } = createPageFixture();

const alice = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const logic = '0x5fbdb2315678afecb367f032d93f642f64180aa3';

const summaryOf = (change: Partial<AddressSummary> = {}): AddressSummary => ({
  kind: 'address',
  chain: { name: 'local', id: 31337, title: 'Local dev chain', coin: 'ETH', decimals: 18, explorer: null },
  address: alice,
  balance: 10n ** 18n,
  nonce: 3,
  codeSize: 0,
  codeHash: null,
  delegate: null,
  proxy: null,
  token: null,
  blockNumber: 7,
  ...change,
});

interface OpenOptions extends Pick<ConnectedPanelOptions, 'ensName' | 'entries'> {
  /** Only this machine knows the chain. */
  readonly isLocal?: boolean;
  readonly reply?: ConnectedPanelOptions['reply'];
}

const openAddress = (summary: AddressSummary, { isLocal = false, reply, ensName, entries }: OpenOptions = {}) =>
  open({
    target: { kind: 'address', chain: 'local', address: alice },
    reply: reply ?? (() => ok({ result: [], cursor: null })),
    lookup: id =>
      id === 'addressSummary' ? summary : id === 'chainStatus' ? { head: 7, problem: null, isLocal } : undefined,
    ...(ensName !== undefined && { ensName }),
    ...(entries !== undefined && { entries }),
  });

const tabs = () =>
  [...(find(document, '[role=tablist]')?.querySelectorAll('[role=tab]') ?? [])].map(tab => tab.textContent?.trim());
const showsTabs = (expected: readonly string[]) => eventually(() => expect(tabs()).toEqual(expected));
const token = { name: 'A', symbol: 'A', decimals: 18, totalSupply: 1n };
const holdings = ['ERC-20 tokens', 'ERC-20 transfers', 'NFTs', 'NFT transfers', 'Collections'];

test('shows and copies addresses with their checksums', async () => {
  const proxy = { kind: 'ERC-1967' as const, implementations: [logic] as const, beacon: null };
  const { connected, page } = await openAddress(summaryOf({ codeSize: 50, proxy }));
  await shows('0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
  await shows('0x5FbD…0aa3');
  expect(textOf(page)).not.toContain(alice);
  find(document, '[aria-label="Copy the address"]')?.click();
  await eventually(() => expect(connected.copied).toEqual(['0x70997970C51812dc3A010C7d01b50e0d17dc79C8']));
  expect(connected.posted).toContainEqual(
    expect.objectContaining({
      method: 'state',
      params: expect.objectContaining({ history: [expect.objectContaining({ title: 'Address 0x7099…79C8' })] }),
    }),
  );
});

test.each([
  ['an account', {}, 'account'],
  ['a contract', { codeSize: 50 }, 'file-code'],
  ['an account with delegated code', { codeSize: 23, delegate: logic }, 'account'],
  ['a token', { codeSize: 50, token: { ...token, standard: 'ERC20' } }, 'credit-card'],
  ['a collection', { codeSize: 50, token: { ...token, standard: 'ERC721' } }, 'library'],
] as const)('has the icon of %s once it is known', async (_, fields, icon) => {
  const { connected } = await openAddress(summaryOf(fields));
  await eventually(() => expect(connected.icons.at(-1)).toBe(icon));
  expect(connected.icons[0]).toBe('account');
  connected.session.open({ kind: 'block', chain: 'local', block: '1' });
  expect(connected.icons.at(-1)).toBe('package');
});

test('keeps the icon of an address when that of the page before is known late', async () => {
  const late = Promise.withResolvers<AddressSummary>();
  const requested: string[] = [];
  const summaries = { [alice]: late.promise, [logic]: summaryOf({ address: logic, codeSize: 0 }) };
  const { connected } = await open({
    target: { kind: 'address', chain: 'local', address: alice },
    reply: () => ok({ result: [], cursor: null }),
    lookup(id, input) {
      if (id !== 'addressSummary') return;
      const { address } = input as { readonly address: typeof alice | typeof logic };
      requested.push(address);
      return summaries[address];
    },
  });
  await eventually(() => expect(requested).toContain(alice));
  connected.session.open({ kind: 'address', chain: 'local', address: logic });
  await shows('0x5FbDB2315678afecb367f032d93F642f64180aa3');
  late.resolve(summaryOf({ codeSize: 50, token: { ...token, standard: 'ERC20' } }));
  await late.promise;
  await new Promise(setImmediate);
  expect(connected.icons.at(-1)).toBe('account');
});

test('says that no one spends what the zero address has', async () => {
  await openAddress(summaryOf({ address: `0x${'0'.repeat(40)}`, balance: 10n ** 18n }));
  await shows('Owner No one has its key: what it receives, such as fees of a development chain, cannot be spent.');
});

test('shows the address with its checksum also when nothing is read of it', async () => {
  await open({
    target: { kind: 'address', chain: 'local', address: alice },
    reply: () => ok({ result: [], cursor: null }),
    lookup() {
      throw new HexLensError('node-unreachable', 'The node cannot be reached.');
    },
  });
  await shows('The node cannot be reached.');
  await shows('0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
});

test('shows the balance after each new block', async () => {
  let block = 7;
  await open({
    target: { kind: 'address', chain: 'local', address: alice },
    following: true,
    reply: () => ok({ result: [], cursor: null }),
    lookup: id => {
      if (id === 'addressSummary') return summaryOf({ balance: BigInt(block) * 10n ** 18n, blockNumber: block });
      return id === 'chainStatus' ? { head: block, problem: null, isLocal: true } : undefined;
    },
  });
  await shows(/Balance\s*7 ETH/);
  block = 8;
  await shows(/Balance\s*8 ETH/);
});

test('does not call a contract by the name of its address when it has other code', async () => {
  const address = '0xca11bde05977b3631167028862be2a173976ca11';
  const summary = summaryOf({ address, codeSize: 9, codeHash: `0x${'11'.repeat(32)}` });
  await openAddress(summary);
  await shows('Not the known Multicall3: other code here');
  const other = { name: 'Multicall3', relation: 'differs' } as const;
  const nameOf = (name: string, knownCode: typeof other | null) =>
    toPlainAddressSummary(summary, 'local', name, null, knownCode, {
      ensName: null,
      emptyTabs: [],
      isCodeMissing: false,
    }).name;
  expect(nameOf('Multicall3', other)).toBeNull();
  expect(nameOf('Multicall3', null)).toBe('Multicall3');
  expect(nameOf('My batcher', other)).toBe('My batcher');
});

test.each<[string, Partial<AddressSummary>, SavedEntry['kind'], boolean]>([
  ['without code that is saved as a contract', {}, 'contract', true],
  ['with code', { codeSize: 9 }, 'contract', false],
  ['of a wallet', {}, 'wallet', false],
])('says of an address %s whether code is missing', async (_name, change, kind, isMissing) => {
  const entry: SavedEntry = {
    ...{ id: 'vault', name: 'Vault', address: alice, kind, chains: ['local'], folder: '', tags: [], notes: '' },
    ...{ color: null, trust: null, storage: { kind: 'personal' } },
  };
  const { page } = await openAddress(summaryOf(change), { entries: [entry] });
  await shows(/Balance/);
  expect(/Code\s*Saved as a contract, no code here: redeployed\?/.test(textOf(page))).toBe(isMissing);
});

test('shows the ENS name once it is known', async () => {
  await openAddress(summaryOf(), { ensName: 'alice.eth' });
  await shows(/Account\s*alice\.eth/);
});

test.each<[string, Partial<AddressSummary>, RegExp, RegExp]>([
  ['an account', { nonce: 3 }, /Transactions sent\s*3/, /Contracts created/],
  ['a contract, whose nonce starts at 1', { codeSize: 9, nonce: 3 }, /Contracts created\s*2/, /Transactions sent/],
  ['a contract that created none', { codeSize: 9, nonce: 1 }, /Balance/, /Contracts created\s*[01]/],
  [
    'an account with delegated code',
    { codeSize: 23, nonce: 3, delegate: logic },
    /delegated code/,
    /(sent|created)\s*[23]/,
  ],
])('counts what was sent or created by %s', async (_name, change, shown, absent) => {
  const { page } = await openAddress(summaryOf(change));
  await shows(shown);
  expect(textOf(page)).not.toMatch(absent);
});

describe('shows the tabs that make sense for', () => {
  test('an account', async () => {
    await openAddress(summaryOf(), { isLocal: true });
    await showsTabs(['Transactions', ...holdings]);
  });

  test('an ERC-20', async () => {
    await openAddress(summaryOf({ codeSize: 9, token: { ...token, standard: 'ERC20' } }));
    await showsTabs(['Logs', 'Read and Simulate', 'State', 'Token transfers', 'Mints', 'Transactions']);
  });

  test('an ERC-721', async () => {
    await openAddress(summaryOf({ codeSize: 9, token: { ...token, standard: 'ERC721' } }));
    await showsTabs([
      'Logs',
      'Read and Simulate',
      'State',
      'Tokens',
      'Token transfers',
      'Lowest price',
      'Transactions',
    ]);
  });

  test('another contract on a public chain, which is not asked what the contract holds', async () => {
    const paths: string[] = [];
    const reply: ConnectedPanelOptions['reply'] = ({ path }) => {
      paths.push(path);
      return ok({ result: [], cursor: null });
    };
    await openAddress(summaryOf({ codeSize: 9 }), { reply });
    await showsTabs(['Logs', 'Read and Simulate', 'State', 'Transactions', ...holdings]);
    expect(paths.filter(path => path.includes('nft') || path.includes('erc20'))).toEqual([]);
  });

  test('a contract of a development chain that holds one NFT', async () => {
    const nft = { token_address: logic, token_id: '7', amount: '1', owner_of: alice, contract_type: 'ERC721' };
    const reply: ConnectedPanelOptions['reply'] = ({ path }) => {
      if (path.endsWith('/erc20')) return ok([]);
      const result = path.endsWith('/nft') ? [nft] : [];
      return ok({ result, cursor: null, page: 0, page_size: 25, status: 'SYNCED' });
    };
    await openAddress(summaryOf({ codeSize: 9 }), { isLocal: true, reply });
    await showsTabs(['Logs', 'Read and Simulate', 'State', 'Transactions', 'NFTs']);
  });

  test('a contract whose lists cannot be read: all', async () => {
    const reply: ConnectedPanelOptions['reply'] = ({ path }) =>
      path.endsWith('/logs') ? ok({ result: [], cursor: null }) : { status: 502, headers: {}, body: { message: 'no' } };
    await openAddress(summaryOf({ codeSize: 9 }), { isLocal: true, reply });
    await showsTabs(['Logs', 'Read and Simulate', 'State', 'Transactions', ...holdings]);
  });
});

test('fetches no metadata and pictures of NFTs, whose hosts contracts choose, unless the user asks for them', async () => {
  const nft = { token_address: logic, token_id: '7', amount: '1', owner_of: alice, contract_type: 'ERC721' };
  const requests: string[] = [];
  const reply: ConnectedPanelOptions['reply'] = ({ path, query }) => {
    requests.push(`${path} ${JSON.stringify(query)}`);
    if (path.endsWith('/erc20')) return ok([]);
    const result = path.endsWith('/nft') ? [nft] : [];
    return ok({ result, cursor: null, page: 0, page_size: 25, status: 'SYNCED' });
  };
  await openAddress(summaryOf(), { isLocal: true, reply });
  await showsTabs(['Transactions', ...holdings]);
  const getTabs = () => [...(find(document, '[role=tablist]')?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])];
  const paths = ['/erc20', '/erc20/transfers', '/nft', '/nft/transfers', '/nft/collections'];
  for (const [index, path] of paths.entries()) {
    const tab = getTabs()[index + 1];
    expect(tab?.textContent?.trim()).toBe(holdings[index]);
    tab?.click();
    await eventually(() =>
      expect(
        requests.some(request => request.includes(`${alice}${path} `)),
        path,
      ).toBe(true),
    );
    await shows(path === '/nft' ? '0x5FbD' : 'No rows.');
  }
  expect(requests.filter(request => /metadata|media/i.test(request))).toEqual([]);
});

test('the menu of views is that of the selected tab', async () => {
  const nft = { token_address: logic, token_id: '7', amount: '1', owner_of: alice, contract_type: 'ERC721' };
  await openAddress(summaryOf(), {
    isLocal: true,
    reply: ({ path }) => {
      if (path.endsWith('/erc20')) return ok([]);
      return ok({ result: path.endsWith('/nft') ? [nft] : [], cursor: null, page: 0, page_size: 25, status: 'SYNCED' });
    },
  });
  await showsTabs(['Transactions', ...holdings]);
  const getViews = () =>
    [...(find(document, 'select.views')?.querySelectorAll('option') ?? [])].map(({ textContent }) => textContent);
  const select = (name: string) => {
    const tabs = [...(find(document, '[role=tablist]')?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])];
    tabs.find(({ textContent }) => textContent?.trim() === name)?.click();
  };
  await eventually(() => expect(getViews()).toEqual(['Rows', 'Chart', 'Raw']));
  select('NFTs');
  await eventually(() => expect(getViews()).toEqual(['Rows', 'Images', 'Chart', 'Raw']));
  select('Transactions');
  await eventually(() => expect(getViews()).toEqual(['Rows', 'Chart', 'Raw']));
  select('NFTs');
  await eventually(() => expect(getViews()).toEqual(['Rows', 'Images', 'Chart', 'Raw']));
});

const factory = '0xcd234a471b72ba2f1ccf0a70fcaba648a5eecd8d';
const created = {
  kind: 'creation',
  creation: { block: 5, hash: `0x${'ab'.repeat(32)}`, from: alice, creator: alice, call: 0 },
};

const site = { line: 20, character: 8 };
/** Of `new Vault(…)`. */
const creation = {
  ...{ call: 2, calledContract: 'Vault', contract: 'Vault', functionName: 'constructor', definition: null },
  callSite: { source: 'src/Factory.sol', file: 'src/Factory.sol', isChanged: false, start: site, end: site },
};

test.each([
  ['the account that created a contract', alice, /Created by\s*0x7099…79c8\s*Created in\s*0xabab/i],
  [
    'the contract that created it, and who called that',
    factory,
    /Created by\s*0xcd23…Cd8d\s*called by\s*0x7099…79C8[\s\S]*Created at\s*src\/Factory.sol:21/i,
  ],
])('names %s', async (_, creator, expected) => {
  const { page } = await open({
    target: { kind: 'address', chain: 'local', address: logic },
    reply: () => ok({ result: [], cursor: null }),
    source: { stack: null, calls: [creation], unmatched: new Map(), lostSources: [] },
    lookup: id =>
      id === 'addressSummary'
        ? summaryOf({ address: logic, codeSize: 50 })
        : id === 'contractCreation'
          ? { ...created, creation: { ...created.creation, creator, call: creator === alice ? 0 : 2 } }
          : id === 'chainStatus'
            ? { head: 7, problem: null, isLocal: true }
            : undefined,
  });
  await eventually(() => expect(textOf(page)).toMatch(expected));
});
