// Rows from records: exact amounts, sanitized names, transfers from the side of the entry.
import { describe, expect, test } from 'vitest';
import { entryKinds } from '../../../../src/addressBook/entry.ts';
import type { TreeRowKind } from '../../../../src/api/operations/operation.ts';
import { type OperationId, operationIds, operations } from '../../../../src/api/operations/operations.ts';
import { parseInputTexts } from '../../../../src/api/wire/inputTexts.ts';
import { createAbiRegistry } from '../../../../src/decode/abiRegistry.ts';
import { appendRows, toSectionPage } from '../../../../src/view/tree/sectionRows.ts';
import type { RowContext, TreeSection } from '../../../../src/view/tree/treeRow.ts';
import {
  getAptosCollectionSections,
  getEntrySections,
  getTokenSections,
} from '../../../../src/view/tree/treeSections.ts';

const alice = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const bob = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const apes = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const zero = `0x${'0'.repeat(40)}`;
const hash = `0x${'ab'.repeat(32)}`;
const now = Date.UTC(2024, 0, 2);

const context: RowContext = {
  now,
  chain: 'local',
  coin: 'ETH',
  decimals: 18,
  ownAddress: alice,
  getName: address => (address === bob ? 'Bob' : null),
  format: {
    registry: createAbiRegistry(),
    getName: address => (address === bob ? 'Bob' : null),
    getUnit: token => (token === apes ? { symbol: 'MFT', decimals: 18 } : null),
  },
};

const sectionTraits = (operation: OperationId) => operations[operation].traits.treeSections ?? [];

/** The last section of the operation, or the one with this kind of rows. */
const section = (operation: OperationId, rows = sectionTraits(operation).at(-1)?.rows): TreeSection => {
  if (rows === undefined) throw new Error(`${operation} has no section.`);
  return { key: 'x', title: 'X', icon: 'x', request: { operation, parameters: {} }, rows, omittedIfEmpty: false };
};

const page = (result: readonly unknown[], more: object = {}) => ({
  result,
  cursor: null,
  total: null,
  status: null,
  ...more,
});

const transfer = (change: object) => ({
  tokenAddress: apes,
  tokenId: 7n,
  fromAddress: alice,
  toAddress: bob,
  value: null,
  amount: 1n,
  contractType: 'ERC721',
  blockNumber: 9,
  blockTimestamp: new Date(now - 3_600_000),
  transactionHash: hash,
  logIndex: 3,
  ...change,
});

/** A record as it is decoded: what the host left out is `null`. */
const decoded = (operation: OperationId, record: object) => ({
  ...Object.fromEntries(Object.keys(operations[operation].reply.record.fields).map(name => [name, null])),
  ...record,
});

const one = (operation: OperationId, record: object, rows?: TreeRowKind) => {
  const found = toSectionPage(section(operation, rows), page([decoded(operation, record)]), context).rows;
  expect(found).toHaveLength(1);
  return found[0] as NonNullable<(typeof found)[0]>;
};

describe('a transaction', () => {
  const callData = `0xa9059cbb${bob.slice(2).padStart(64, '0')}${(10n ** 18n).toString(16).padStart(64, '0')}`;
  const sent = { hash, fromAddress: alice, toAddress: apes, value: 0n, input: callData, receiptStatus: 1 };
  const factsOf = (record: object) => {
    const { label, description, facts } = one('walletTransactions', record);
    return { label, description, ...Object.fromEntries(facts.map(({ name, value }) => [name, value])) };
  };

  test('is named by its method, with the arguments in the tooltip', () => {
    expect(factsOf(sent)).toMatchObject({
      label: 'transfer · to 0x5FbD…0aa3',
      Method: expect.stringMatching(/^transfer\(address \w+, uint256 \w+\)$/),
      Call: 'transfer(to: Bob, amount: 1 MFT)',
    });
    expect(factsOf({ ...sent, value: 10n ** 18n })).toMatchObject({
      label: '1 ETH · to 0x5FbD…0aa3',
      description: 'transfer',
    });
    expect(factsOf({ ...sent, input: '0x12345678' })).toMatchObject({ label: '0x12345678 · to 0x5FbD…0aa3' });
  });

  test('that creates a contract has no method', () => {
    const facts = factsOf({ ...sent, toAddress: null, receiptContractAddress: apes, input: '0x6080604052' });
    expect(facts).toMatchObject({ label: 'creates 0x5FbD…0aa3' });
    expect(facts).not.toHaveProperty('Method');
    const failed = factsOf({ ...sent, toAddress: null, receiptContractAddress: apes, receiptStatus: 0, input: '0x60' });
    expect(failed).toMatchObject({ label: 'creates a contract', description: 'failed' });
    expect(failed).not.toHaveProperty('Created contract');
  });
});

describe('sections', () => {
  const own = '0x'.padEnd(42, '1');
  const all = [
    ...entryKinds.flatMap(kind =>
      getEntrySections({ kind, address: kind === 'aptos' ? '0x'.padEnd(66, '1') : own }, 'local'),
    ),
    ...getTokenSections(own, 2n ** 255n, 'local'),
    ...getAptosCollectionSections('0x'.padEnd(66, '1'), ''),
  ];

  test.each(all.map(each => [`${each.title}: ${each.request.operation}`, each] as const))(
    '%s is a valid request',
    (_, { request }) => {
      expect(() => parseInputTexts(request.operation, request.parameters)).not.toThrow();
      expect(Object.keys(operations)).toContain(request.operation);
    },
  );

  test('keys are unique below one entry', () => {
    for (const kind of entryKinds) {
      const keys = getEntrySections({ kind, address: own }, 'local').map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  describe('below a contract are those that make sense for', () => {
    const titles = (traits: Parameters<typeof getEntrySections>[2]) =>
      getEntrySections({ kind: 'contract', address: own }, 'local', traits).map(({ title }) => title);
    const holdings = ['ERC-20 Tokens', 'NFTs', 'NFT Transfers'];

    test('an ERC-20', () => {
      expect(titles({ codeSize: 9, token: { standard: 'ERC20' } })).toEqual([
        ...['Balance', 'Logs', 'ERC-20 Transfers', 'ERC-20 Mints', 'Transactions'],
      ]);
    });

    test.each(['ERC721', 'ERC1155'])('an %s', standard => {
      expect(titles({ codeSize: 9, token: { standard } })).toEqual([
        ...['Balance', 'Logs', 'Tokens and Owners', 'NFT Transfers', 'Lowest Price', 'Transactions'],
      ]);
    });

    test('another contract, which may hold tokens', () => {
      const sections = getEntrySections({ kind: 'contract', address: own }, 'local', { codeSize: 9, token: null });
      expect(sections.map(({ title }) => title)).toEqual(['Balance', 'Logs', 'Transactions', ...holdings]);
      const optional = sections.filter(({ omittedIfEmpty }) => omittedIfEmpty);
      expect(optional.map(({ title }) => title)).toEqual(holdings);
    });

    test('a contract whose code is gone: it still has its logs', () => {
      expect(titles({ codeSize: 0, token: null })).toContain('Logs');
    });

    test('a contract that a host knows no code of: all', () => {
      expect(titles({ codeSize: null, token: null })).toEqual(titles(null));
      expect(titles(null)).toEqual(expect.arrayContaining([...holdings, 'Tokens and Owners', 'ERC-20 Mints']));
    });
  });

  test('a wallet has its tokens, and a collection what the user says that it is', () => {
    const wallet = getEntrySections({ kind: 'wallet', address: own }, 'local').map(({ title }) => title);
    expect(wallet.slice(0, 3)).toEqual(['Balance', 'ERC-20 Tokens', 'NFTs']);
    const erc20 = { codeSize: 9, token: { standard: 'ERC20' } };
    const collection = getEntrySections({ kind: 'collection', address: own }, 'local', erc20).map(({ title }) => title);
    expect(collection).toEqual(['Tokens and Owners', 'NFT Transfers', 'Lowest Price', 'Logs', 'Balance']);
  });

  test('every operation with sections is in some section, in a parameter that it has', () => {
    const withSections = operationIds.filter(id => sectionTraits(id).length > 0);
    expect(withSections.length).toBe(19);
    expect([...new Set(all.map(({ request }) => request.operation))].sort()).toEqual(withSections.toSorted());
    for (const id of withSections)
      for (const { parameter } of sectionTraits(id))
        expect(Object.keys(operations[id].parameters)).toContain(parameter ?? 'address');
  });
});

describe('amounts', () => {
  test('a balance is short in the label and exact in the facts and the clipboard', () => {
    const balance = 9_986_509_631_000_000_000_123n;
    const record = {
      blockNumber: 60,
      blockTimestamp: new Date(now),
      walletBalances: [{ address: alice, balance, balanceFormatted: 'not this' }],
    };
    const [row] = toSectionPage(section('walletBalances'), [record], context).rows;
    expect(row?.label).toBe('9,986.509631 ETH');
    expect(row?.copyText).toBe('9986.509631000000000123');
    expect(row?.facts).toContainEqual({ name: 'Smallest unit', value: '9,986,509,631,000,000,000,123' });
  });

  test('a mint without decimals is shown raw', () => {
    const mint = {
      contractAddress: apes,
      transactionHash: hash,
      value: 5_000_000n,
      tokenDecimals: null,
      tokenSymbol: 'USDX',
      toWallet: bob,
      blockTimestamp: null,
      logIndex: 0,
    };
    expect(one('erc20Mints', mint).label).toBe('5,000,000 (raw) USDX');
    expect(one('erc20Mints', { ...mint, tokenDecimals: 6 }).label).toBe('5 USDX');
  });

  test('token ids of 256 bits are shortened in the label and complete in the clipboard', () => {
    const tokenId = 2n ** 256n - 1n;
    const row = one('walletNfts', {
      tokenAddress: apes,
      tokenId,
      ownerOf: alice,
      amount: 1n,
      name: 'Apes',
      contractType: 'ERC721',
    });
    expect(row.label).toMatch(/^Apes #115792…9935$/);
    expect(row.copyText).toBe(tokenId.toString());
    expect(row.sections?.map(({ request }) => request.operation)).toEqual(['nftOwners', 'tokenNftTransfers']);
    expect(row.sections?.[0]?.request.parameters['tokenId']).toBe(tokenId.toString());
  });
});

describe('transfers', () => {
  test.each([
    ['out', { fromAddress: alice, toAddress: bob }, 'to Bob', 'arrow-up'],
    ['in', { fromAddress: bob, toAddress: alice }, 'from Bob', 'arrow-down'],
    ['to itself', { fromAddress: alice, toAddress: alice }, 'to itself', 'sync'],
    ['a mint', { fromAddress: zero, toAddress: bob }, 'minted to Bob', 'sparkle'],
    ['a mint to itself', { fromAddress: zero, toAddress: alice }, 'minted', 'sparkle'],
    ['a burn', { fromAddress: bob, toAddress: zero }, 'burned by Bob', 'flame'],
    ['between others', { fromAddress: bob, toAddress: apes }, 'Bob → 0x5FbD…0aa3', 'arrow-swap'],
  ])('%s', (_, change, text, icon) => {
    const row = one('walletNftTransfers', transfer(change));
    expect(row.label).toBe(`#7 ${text}`);
    expect(row.description).toBe('0x5FbD…0aa3 · 1 hour ago');
    expect(row.icon).toBe(icon);
    expect(row.target).toEqual({ kind: 'transaction', hash });
  });

  test('records without an id or address give no row', () => {
    const { rows } = toSectionPage(
      section('walletNftTransfers'),
      page([transfer({ tokenId: null }), transfer({})]),
      context,
    );
    expect(rows).toHaveLength(1);
  });

  test('each token of a collection is listed once across all pages', () => {
    const tokens = section('contractNftTransfers', 'token');
    const first = toSectionPage(
      tokens,
      page([transfer({}), transfer({ logIndex: 2 }), transfer({ tokenId: 8n })]),
      context,
    );
    const second = toSectionPage(tokens, page([transfer({ tokenId: 8n }), transfer({ tokenId: 9n })]), context);
    const rows = appendRows(appendRows([], first.rows), second.rows);
    expect(rows.map(({ label }) => label)).toEqual(['#7', '#8', '#9']);
    expect(appendRows(rows, second.rows)).toBe(rows);
  });
});

describe('hostile text', () => {
  const evil = '\u202e<img src=x onerror=alert(1)>\n[click](command:evil)\u0000$(trash)';

  test('names from a chain are one line without control and direction characters', () => {
    const rows = [
      one('walletNftCollections', { tokenAddress: apes, name: evil, symbol: evil, contractType: evil }),
      one('walletNfts', {
        tokenAddress: apes,
        tokenId: 1n,
        ownerOf: alice,
        amount: 1n,
        name: evil,
        normalizedMetadata: { name: evil },
      }),
      one('aptosWalletNfts', {
        tokenDataIdHash: hash,
        ownerAddress: hash,
        name: evil,
        collectionName: evil,
        amount: 1n,
      }),
      one('aptosNftsByCreators', { tokenDataIdHash: hash, name: evil, collectionName: evil, supply: 1n }),
    ];
    for (const { label, description, accessibilityLabel } of rows)
      for (const text of [label, description, accessibilityLabel])
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
  });

  test('a name without readable characters is ignored', () => {
    const row = one('walletNftCollections', {
      tokenAddress: apes,
      name: '\u200b\u200b',
      symbol: '',
      contractType: null,
    });
    expect(row.label).toBe('0x5FbD…0aa3');
  });

  test('metadata that is not JSON, or whose name is not a string, gives no name', () => {
    const nft = { tokenAddress: apes, tokenId: 1n, ownerOf: alice, amount: 1n, name: 'Apes' };
    expect(one('walletNfts', { ...nft, normalizedMetadata: null, metadata: '{' }).label).toBe('Apes #1');
    expect(one('walletNfts', { ...nft, normalizedMetadata: { name: { a: 1 } } }).label).toBe('Apes #1');
  });
});

test('an incomplete index is reported, and logs are named by their events', () => {
  expect(toSectionPage(section('walletNfts'), page([], { status: 'SYNCING' }), context).isSyncing).toBe(true);
  expect(toSectionPage(section('walletNfts'), page([], { status: 'SYNCED', cursor: 'c' }), context)).toMatchObject({
    isSyncing: false,
    cursor: 'c',
  });
  const log = {
    transactionHash: hash,
    blockHash: hash,
    logIndex: 1,
    topic0: hash,
    blockNumber: 3,
    blockTimestamp: new Date(now),
  };
  const transfer = {
    ...log,
    address: apes,
    topic0: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    topic1: `0x${alice.slice(2).padStart(64, '0')}`,
    topic2: `0x${bob.slice(2).padStart(64, '0')}`,
    topic3: null,
    data: `0x${(12n * 10n ** 18n).toString(16).padStart(64, '0')}`,
  };
  expect(one('contractLogs', transfer)).toMatchObject({
    label: 'Transfer',
    description: expect.stringMatching(/^12 MFT 0x7099…79C8 → Bob · block 3/),
  });
  const tokenId = `0x${'7'.padStart(64, '0')}`;
  const nft = one('contractLogs', { ...transfer, topic3: tokenId, data: '0x' });
  expect(nft.description).toMatch(/^#7 0x7099…79C8 → Bob · block 3/);
  // Data of another event under the same topic is not decoded.
  expect(one('contractLogs', { ...transfer, data: '0x12' })).toMatchObject({ label: '0xddf2…b3ef' });
  expect(one('contractLogs', { ...log, topic0: null }).label).toBe('Anonymous event');
});
