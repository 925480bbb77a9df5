// Imports of files as wallets, explorers, deployment tools and spreadsheets write them.
import { describe, expect, test } from 'vitest';
import { emptyAddressBook } from '../../../src/addressBook/addressBookState.ts';
import { importBookCsv, importBookJson } from '../../../src/addressBook/bookFormats.ts';
import {
  decodeImportedText,
  detectImportSource,
  importFile,
  isImportCandidate,
} from '../../../src/addressBook/importFile.ts';
import { planImport } from '../../../src/addressBook/importPlan.ts';
import type { ImportResult } from '../../../src/addressBook/importResult.ts';

const ONE = '0x1111111111111111111111111111111111111111';
const TWO = '0x2222222222222222222222222222222222222222';
const CHECKSUMMED = '0x52908400098527886E0F7030069857D2E4169EE7';
const MISTYPED = '0x8617E340B3D01FA5F11F306F4090FD50E238070d';

const show = ({ entries }: ImportResult) => entries.map(({ name, address, chains }) => [name, address, ...chains]);
const json = (value: unknown, path = '') => importBookJson(JSON.stringify(value), path);

describe('CSV', () => {
  test.each([
    ['chainId', '1'],
    ['chain_id', '0x1'],
    ['Chain', 'eth'],
    ['blockchain', 'Ethereum Mainnet'],
    ['Network', 'eip155:1'],
  ])('limits an entry to the chain in the column %s: %s', (column, chain) => {
    expect(show(importBookCsv(`address,name,${column}\n${ONE},Alice,${chain}\n`))).toEqual([['Alice', ONE, 'eth']]);
  });

  test('keeps two names of one address on two chains, as Safe exports them', () => {
    const { entries } = importBookCsv(`address,name,chainId\n${ONE},Alice,1\n${ONE},Alice on Gnosis, 100\n`);
    expect(planImport(emptyAddressBook, entries).map(({ entry }) => [entry.name, ...entry.chains])).toEqual([
      ['Alice', 'eth'],
      ['Alice on Gnosis', '0x64'],
    ]);
  });

  test.each(['Name Tag', 'nameTag', 'name_tag', 'Alias', 'Label', 'Public Name Tag', 'Wallet Name', 'Tag', 'Remark'])(
    'finds names under %s',
    column => {
      expect(show(importBookCsv(`,Wallet Address,${column}\n0,${ONE},Acme: Deployer\n`))).toEqual([
        ['Acme: Deployer', ONE],
      ]);
    },
  );

  test('names the columns that it does not read', () => {
    const { ignored } = importBookCsv(`,Address,Name Tag,Balance,Txn Count,Empty\n0,${ONE},Acme,1.1 ETH,226,\n`);
    expect(ignored).toEqual(['Balance', 'Txn Count']);
  });

  test('prefers the better of two names, also where a row has only the other one', () => {
    const text = `address,label,name\n${ONE},exchange,Acme\n${TWO},exchange,\n`;
    const { entries, ignored, rejected } = importBookCsv(text);
    expect(entries.map(({ name }) => name)).toEqual(['Acme']);
    expect(ignored).toEqual(['label']);
    expect(rejected).toHaveLength(1);
  });

  test.each([
    ['a line that names the separator', `sep=;\r\naddress;name\r\n${ONE};Alice, Bob\r\n`, 'Alice, Bob'],
    ['names before addresses', `Alice,${ONE}\n`, 'Alice'],
    ['a heading that is not known', `Konto;Name\n${ONE};Alice\n`, 'Alice'],
    ['columns between bars', `address|name\n${ONE}|Alice\n`, 'Alice'],
    ['German headings', `Adresse;Bezeichnung\n${ONE};Alice\n`, 'Alice'],
  ])('reads %s', (_, text, name) => {
    expect(show(importBookCsv(text))).toEqual([[name, ONE]]);
  });

  test('takes the chain from a prefix of the address, and rejects what contradicts itself', () => {
    const rows = [`eth:${ONE},Alice,`, `gno:${TWO},Bob,`, `eip155:137:${TWO},Carol,`, `${ONE}@base,Dan,8453`];
    const { entries } = importBookCsv(`address,name,chain\n${rows.join('\n')}\n`);
    expect(entries.map(({ chains }) => chains)).toEqual([['eth'], ['0x64'], ['polygon'], ['0x2105']]);
    const { rejected } = importBookCsv(`address,name,chain\neth:${ONE},Alice,137\nnowhere:${ONE},Bob,\n`);
    expect(rejected.map(({ message }) => message)).toEqual([
      'The address is of the chain eth, its entry of polygon.',
      'The address names a chain that is not known: nowhere.',
    ]);
  });

  test('reports a wrong checksum instead of saving the address with a right one', () => {
    const { entries, rejected } = importBookCsv(`address,name\n${CHECKSUMMED},Right\n${MISTYPED},Wrong\n`);
    expect(entries.map(({ name }) => name)).toEqual(['Right']);
    expect(rejected).toEqual([{ location: 'line 3', message: expect.stringContaining('checksum') as string }]);
  });

  test('an unknown chain limits the entry to none, instead of to all', () => {
    const imported = importBookCsv(`address,name,chain\n${ONE},Alice,nowhere\n`);
    expect(show(imported)).toEqual([['Alice', ONE, 'nowhere']]);
    expect(imported.ignored).toEqual(['the chain nowhere']);
  });
});

describe('JSON', () => {
  test.each([
    ['a list with chainId', [{ address: ONE, name: 'Dai', chainId: 137 }], [['Dai', ONE, 'polygon']]],
    ['a list with chain', [{ address: ONE, name: 'Dai', chain: 'base' }], [['Dai', ONE, '0x2105']]],
    ['a list with network', [{ contract: ONE, label: 'Dai', network: 'sepolia' }], [['Dai', ONE, 'sepolia']]],
    [
      'a list with a chain object',
      [{ address: ONE, name: 'Dai', chain: { id: 10, name: 'OP' } }],
      [['Dai', ONE, '0xa']],
    ],
    [
      'a token list',
      { name: 'Made up', tokens: [{ chainId: 1, address: ONE, name: 'Dai', symbol: 'DAI', decimals: 18 }] },
      [['Dai', ONE, 'eth']],
    ],
    [
      'a map of addresses',
      { Vault: ONE, Token: TWO },
      [
        ['Vault', ONE],
        ['Token', TWO],
      ],
    ],
    [
      'maps by chain',
      { mainnet: { Vault: ONE }, '8453': { Vault: { address: TWO, block: 5 } } },
      [
        ['Vault', TWO, '0x2105'],
        ['Vault', ONE, 'eth'],
      ],
    ],
    [
      'chains by contract',
      { Vault: { base: ONE, '10': TWO } },
      [
        ['Vault', TWO, '0xa'],
        ['Vault', ONE, '0x2105'],
      ],
    ],
    ['a chain beside the addresses', { chainId: 137, Vault: ONE }, [['Vault', ONE, 'polygon']]],
    [
      'labels by address',
      { [ONE]: 'Acme', [TWO]: { name: 'Market', labels: ['dex'] } },
      [
        ['Acme', ONE],
        ['Market', TWO],
      ],
    ],
    [
      'parts of a proxy',
      { Vault: { proxy: ONE, implementation: TWO } },
      [
        ['Vault proxy', ONE],
        ['Vault implementation', TWO],
      ],
    ],
    [
      "MetaMask's address book",
      { addressBook: { '0x1': { [ONE]: { address: ONE, chainId: '0x1', isEns: false, memo: '', name: 'Alice' } } } },
      [['Alice', ONE, 'eth']],
    ],
    [
      "Safe's export",
      {
        version: '3.0',
        data: {
          addressBook: { '100': { [ONE]: 'Alice' } },
          addedSafes: { '1': { [TWO]: { owners: [{ value: ONE }], threshold: 1 } } },
        },
      },
      [['Alice', ONE, '0x64']],
    ],
    [
      'an old export of Safe',
      { data: { SAFE__addressBook: JSON.stringify([{ address: ONE, name: 'Alice', chainId: '1' }]) } },
      [['Alice', ONE, 'eth']],
    ],
    [
      "hardhat-deploy's export",
      { '10': [{ name: 'optimism', chainId: '10', contracts: { Vault: { address: ONE, abi: [] } } }] },
      [['Vault', ONE, '0xa']],
    ],
    [
      "Truffle's artifact",
      { contractName: 'Vault', abi: [], networks: { '1': { address: ONE } } },
      [['Vault', ONE, 'eth']],
    ],
    [
      'accounts of MetaMask, whose names are in their metadata',
      { accounts: { 'a-b': { id: 'a-b', address: ONE, metadata: { name: 'Account 1', keyring: {} } } } },
      [['Account 1', ONE]],
    ],
    ['accounts of Rabby', [{ address: ONE, aliasName: 'Hot', brandName: 'Rabby' }], [['Hot', ONE]]],
    [
      'a list by numbers, which are no chains',
      { '0': { Vault: ONE }, '1': { Token: TWO } },
      [
        ['Vault', ONE],
        ['Token', TWO],
      ],
    ],
  ])('reads %s', (_, value, entries) => {
    expect(show(json(value))).toEqual(entries);
  });

  test('reads comments, and commas at the end', () => {
    expect(show(importBookJson(`// made by hand\n{ "Vault": "${ONE}", /* old */ "Token": "${TWO}", }`))).toEqual([
      ['Vault', ONE],
      ['Token', TWO],
    ]);
  });

  test('takes the chain from the name of the file or its folder', () => {
    expect(show(json({ Vault: ONE }, '/w/deployments/base.json'))).toEqual([['Vault', ONE, '0x2105']]);
    expect(show(json({ Vault: ONE }, '/w/8453/addresses.json'))).toEqual([['Vault', ONE, '0x2105']]);
    expect(show(json({ Vault: ONE }, '/w/core/addresses.json'))).toEqual([['Vault', ONE]]);
  });

  test('takes no 32 bytes from a map, which may be a private key', () => {
    const { entries } = json({ deployer: `0x${'1'.repeat(64)}`, Vault: ONE });
    expect(entries.map(({ name }) => name)).toEqual(['Vault']);
  });

  test('names the fields that it does not read, and counts addresses without a name', () => {
    const { ignored } = json({ tokens: [{ address: ONE, name: 'Dai', decimals: 18 }], owners: [ONE, TWO] });
    expect(ignored).toEqual(['decimals', '2 addresses without a name']);
  });

  test('reports a wrong checksum, also in a committed file', () => {
    const entry = { address: MISTYPED, name: 'Wrong' };
    for (const value of [[entry], { version: 1, addresses: [entry] }, { Wrong: MISTYPED }]) {
      const { entries, rejected } = json(value);
      expect(entries).toEqual([]);
      expect(rejected.map(({ message }) => message)).toEqual([expect.stringContaining('checksum')]);
    }
  });

  test('rejects a mistyped address in a list with its place', () => {
    expect(
      json([
        { address: '0x12', name: 'Short' },
        { address: 'alice', name: 'Alice' },
      ]).rejected,
    ).toEqual([{ location: 'entry 2', message: expect.stringContaining('address is invalid') as string }]);
  });
});

describe('Foundry', () => {
  const run = {
    transactions: [{ hash: '0x1', transactionType: 'CREATE', contractName: 'Vault', contractAddress: ONE }],
    receipts: [{ transactionHash: '0x1', status: '0x1' }],
    chain: 8453,
  };

  test.each([
    'broadcast/Deploy.s.sol/8453/run-latest.json',
    'broadcast/Deploy.s.sol/8453/deploy-latest.json',
    'broadcast/Deploy.s.sol/8453/deployAll-latest.json',
    'broadcast/Deploy.s.sol/8453/deploy-1700000000.json',
    'copies/my-run.json',
  ])('reads the run %s', async path => {
    const result = await importFile({ path: `/w/${path}`, text: JSON.stringify(run), readSibling: async () => null });
    expect(show(result)).toEqual([['Vault', ONE, '0x2105']]);
  });

  test('finds the latest run of each function, and no former ones', () => {
    expect(detectImportSource('/w/broadcast/Deploy.s.sol/1/deploy-latest.json')).toBe('foundry');
    expect(detectImportSource('/w/broadcast/multi/Deploy.s.sol-latest/deploy.json')).toBe('foundry');
    expect(isImportCandidate('/w/broadcast/Deploy.s.sol/1/deploy-latest.json')).toBe(true);
    expect(isImportCandidate('/w/broadcast/Deploy.s.sol/1/deploy-1700000000.json')).toBe(false);
  });
});

test.each([
  ['UTF-8', new TextEncoder().encode('ä')],
  ['UTF-16 with a mark', Uint8Array.of(0xff, 0xfe, 0xe4, 0)],
  ['UTF-16 in the other order', Uint8Array.of(0xfe, 0xff, 0, 0xe4)],
  ['UTF-16 without a mark', new Uint8Array(Buffer.from('ä,0x1234567890', 'utf16le')), 'ä,0x1234567890'],
  ["Windows' code page", Uint8Array.of(0xe4)],
])('reads text in %s', (_, bytes, text = 'ä') => {
  expect(decodeImportedText(bytes)).toBe(text);
});
