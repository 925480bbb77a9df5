// Chain selectors: names and ids in any spelling, `local`, and chains outside the table.
import { describe, expect, test } from 'vitest';
import {
  chains,
  getChainById,
  getChainByName,
  parseChainSelector,
  resolveChain,
  toHexChainId,
} from '../../src/api/chains.ts';
import { chainSelector, InvalidValueError } from '../../src/api/operations/parameterKinds.ts';

/** "Chain selector values" of the description, letter by letter. */
const described = [
  ['eth', '0x1'],
  ['goerli', '0x5'],
  ['sepolia', '0xaa36a7'],
  ['polygon', '0x89'],
  ['mumbai', '0x13881'],
  ['bsc', '0x38'],
  ['bsc testnet', '0x61'],
  ['avalanche', '0xa86a'],
  ['fantom', '0xfa'],
  ['palm', '0x2a15c308d'],
  ['cronos', '0x19'],
  ['arbitrum', '0xa4b1'],
] as const;

describe('the chain table', () => {
  test('lists the chains of the description, in its order', () => {
    expect(chains.map(chain => [chain.name, toHexChainId(chain.id)])).toEqual(described);
  });

  test.each(described)('%s is %s in every spelling', (name, hex) => {
    const digits = hex.slice(2);
    const spellings = [
      name,
      name.toUpperCase(),
      ` ${name} `,
      hex,
      `0X${digits}`,
      `0x${digits.toUpperCase()}`,
      `0x${digits.padStart(14, '0')}`,
    ];
    for (const spelling of spellings) expect(parseChainSelector(spelling)).toBe(name);
    expect(getChainByName(name)).toBe(getChainById(Number(hex)));
  });

  test('has unique names, ids and explorers', () => {
    for (const key of ['name', 'id', 'title'] as const) {
      expect(new Set(chains.map(chain => chain[key])).size).toBe(chains.length);
    }
    for (const { explorer } of chains) if (explorer !== null) expect(explorer).toMatch(/^https:\/\/[a-z.]+$/);
  });
});

describe('parseChainSelector', () => {
  const others: readonly (readonly [text: string, selector: string | null])[] = [
    ['local', 'local'],
    ['LOCAL', 'local'],
    ['Anvil', 'anvil'],
    ['hardhat2', 'hardhat2'],
    ['fork-mainnet', 'fork-mainnet'],
    ['localnet', null],
    ['devnet', null],
    ['0x7a69', '0x7a69'],
    ['0x7A69', '0x7a69'],
    ['0x00007a69', '0x7a69'],
    ['0x2105', '0x2105'],
    ['0x1fffffffffffff', '0x1fffffffffffff'],
    ['0x20000000000000', null],
    [`0x${'f'.repeat(64)}`, null],
    ['', null],
    ['0x', null],
    ['0x0', null],
    ['0x0000', null],
    ['0xg', null],
    ['1', null],
    ['31337', null],
    ['-0x1', null],
    ['0x1.', null],
    ['0x1 0x5', null],
    ['ethereum', null],
    ['bsc  testnet', null],
    ['bsc-testnet', null],
    ['eth,polygon', null],
    ['еth', null], // a Cyrillic letter
    ['constructor', null],
    ['__proto__', null],
  ];

  test.each(others)('reads %j as %j', (text, selector) => {
    expect(parseChainSelector(text)).toBe(selector);
    if (selector !== null) expect(parseChainSelector(selector)).toBe(selector);
  });

  test('the parameter takes further names and decimal ids, and says what to use instead of anything else', () => {
    const further = { '1': 'eth', '31337': 'local', ethereum: 'eth', base: '0x2105', 'base sepolia': '0x14a34' };
    for (const [text, selector] of Object.entries(further)) expect(chainSelector.parse(text)).toBe(selector);
    for (const text of ['', '0x', '0x0', '0xg', '-0x1', '0x1 0x5', 'eth,polygon', 'еth', 'constructor', '__proto__']) {
      expect(() => chainSelector.parse(text)).toThrow(InvalidValueError);
      expect(() => chainSelector.parse(text)).toThrow(/is not a chain: .*such as eth, .*chain id such as 8453/);
    }
  });
});

describe('resolveChain', () => {
  test('uses the table for a described chain, whatever id its node reports', () => {
    expect(resolveChain('eth', 31337)).toBe(getChainByName('eth'));
  });

  test('describes local as the dev chain, or as a fork', () => {
    expect(resolveChain('local', 31337)).toMatchObject({
      name: 'local',
      id: 31337,
      title: 'Local dev chain',
      coin: 'ETH',
      explorer: null,
    });
    expect(resolveChain('local', 137)).toMatchObject({
      name: 'local',
      title: 'Local node (Polygon)',
      coin: 'POL',
      explorer: 'https://polygonscan.com',
    });
    expect(resolveChain('local', 1234567)).toMatchObject({
      name: 'local',
      title: 'Local node (chain 1234567)',
      coin: 'ETH',
    });
  });

  test('creates a generic entry for a chain outside the table', () => {
    expect(resolveChain('0x2106', 0x2106)).toEqual({
      name: '0x2106',
      id: 8454,
      title: 'Chain 8454',
      coin: 'ETH',
      decimals: 18,
      explorer: null,
    });
  });
});

test('names Base and OP Mainnet, whose selector is their id', () => {
  expect(resolveChain('0x2105', 8453)).toMatchObject({ name: '0x2105', title: 'Base', coin: 'ETH' });
  expect(resolveChain('local', 10)).toMatchObject({ name: 'local', title: 'Local node (OP Mainnet)' });
  expect(parseChainSelector('0x2105')).toBe('0x2105');
});
