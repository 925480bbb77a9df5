// Names and ids by which people write chains.
import { describe, expect, test } from 'vitest';
import { getEntriesByChain, listChainNames, parseWrittenChain } from '../../src/api/chainNames.ts';

describe('parseWrittenChain', () => {
  test.each([
    ['base', '0x2105'],
    ['BASE', '0x2105'],
    ['optimism', '0xa'],
    ['baseSepolia', '0x14a34'],
    ['Base Sepolia', '0x14a34'],
    ['base-sepolia', '0x14a34'],
    ['8453', '0x2105'],
    [' 10 ', '0xa'],
    ['0xA', '0xa'],
    ['1', 'eth'],
    ['mainnet', 'eth'],
    ['bscTestnet', 'bsc testnet'],
    ['bsc testnet', 'bsc testnet'],
    ['local', 'local'],
    ['123456789', '0x75bcd15'],
    ['31337', 'local'],
    ['1337', '0x539'],
    ['anvil', 'anvil'],
    ['Hardhat', 'hardhat'],
    ['foundry', 'local'],
    ['localhost', 'local'],
    ['0x7a69', '0x7a69'],
    // Short names of EIP-3770, and CAIP-2.
    ['gno', '0x64'],
    ['oeth', '0xa'],
    ['arb1', 'arbitrum'],
    ['avalanche_c', 'avalanche'],
    ['matic-network', 'polygon'],
    ['holesky', '0x4268'],
    ['blastsep', '0xa0c71fd'],
    ['sep', 'sepolia'],
    ['basesep', '0x14a34'],
    ['matic', 'polygon'],
    ['mon', '0x8f'],
    ['eip155:137', 'polygon'],
    // Names that hosted services use, and titles.
    ['polygon amoy', '0x13882'],
    ['chiliz testnet', '0x15b32'],
    ['gnosis testnet', '0x27d8'],
    ['linea sepolia', '0xe705'],
    ['moonbase', '0x507'],
    ['arbitrum-sepolia', '0x66eee'],
    ['bsc-testnet', 'bsc testnet'],
    ['Ethereum Mainnet', 'eth'],
    ['Polygon Mainnet', 'polygon'],
    ['Arbitrum One', 'arbitrum'],
    ['World Chain', '0x1e0'],
  ])('%j is the chain %s', (text, selector) => {
    expect(parseWrittenChain(text)).toBe(selector);
  });

  test.each([
    'nowhere',
    'basee',
    'zoraTestnet',
    'eip155:',
    'solana:101',
    '',
    ' ',
    '0',
    '0x',
    '-1',
    '1.5',
    '99999999999999999',
    'constructor',
    'a'.repeat(100),
  ])('%j is no chain', text => {
    expect(parseWrittenChain(text)).toBeNull();
  });

  test('entries by decimal ids follow those by names, in their order', () => {
    const urls = { local: 'a', '8453': 'b', base: 'c', '10': 'd', '0x2': 'e', '99999999999': 'f' };
    expect(getEntriesByChain(urls).map(([chain]) => chain)).toEqual([
      'local',
      'base',
      '0x2',
      '10',
      '8453',
      '99999999999',
    ]);
  });

  test('takes each name that the schema of address books offers', () => {
    expect(listChainNames().length).toBeGreaterThan(600);
    for (const name of listChainNames()) expect(parseWrittenChain(name), name).not.toBeNull();
  });
});
