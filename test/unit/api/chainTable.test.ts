// Chains beyond those of the description: titles, coins and explorers from the generated list.
import { expect, test } from 'vitest';
import { CHAIN_DATA } from '../../../src/api/chainData.ts';
import { findChainIdByName, findChainIdByWord, parseWrittenChain } from '../../../src/api/chainNames.ts';
import { chains, isOwnNode, resolveChain } from '../../../src/api/chains.ts';
import { findChain, findChainIdByExplorer } from '../../../src/api/chainTable.ts';

test('a chain of a hex id has its own title, coin and explorer', () => {
  const gnosis = findChain(100);
  expect(gnosis).toEqual({
    name: '0x64',
    id: 100,
    title: 'Gnosis',
    coin: 'XDAI',
    decimals: 18,
    explorer: 'https://gnosisscan.io',
  });
  expect(resolveChain('0x64', 100, gnosis)).toBe(gnosis);
});

test('a local node that forks it has its coin', () => {
  expect(resolveChain('local', 100, findChain(100))).toMatchObject({
    name: 'local',
    title: 'Local node (Gnosis)',
    coin: 'XDAI',
  });
});

test("the description's chains stay as they are", () => {
  for (const chain of chains) expect(findChain(chain.id)).toBe(chain);
});

test('an unknown id is no chain', () => {
  expect(findChain(999_999_999_999)).toBeUndefined();
  expect(resolveChain('0x3e7', 999)).toMatchObject({ title: 'Chain 999', coin: 'ETH', explorer: null });
});

test('every coin that does not have 18 decimals is listed with its own', () => {
  expect(findChain(2_020)).toMatchObject({ decimals: 18 }); // Ronin
  const tron = findChain(728_126_428);
  expect(tron).toMatchObject({ title: 'Tron', coin: 'TRX', decimals: 6 });
});

const listed = CHAIN_DATA.trim()
  .split(/[\n;]/)
  .flatMap(line => findChain(Number.parseInt(line, 10)) ?? []);

test('the default explorer of every chain names its chain, unless several chains have it', () => {
  expect(listed.length).toBeGreaterThan(600);
  const words = CHAIN_DATA.split(/[|;\s]/);
  for (const { id, explorer } of [...chains, ...listed]) {
    if (explorer === null) continue;
    const { host, pathname } = new URL(explorer);
    const isShared = words.filter(word => `https://${word}` === explorer).length > 1;
    const found = findChainIdByExplorer(host, `${pathname}/address/0x1`);
    expect([explorer, found]).toEqual([explorer, isShared ? null : id]);
  }
});

test.each([
  ['etherscan.io', '/tx/', 1],
  ['www.etherscan.io', '/tx/', 1],
  ['ETHERSCAN.IO', '/tx/', 1],
  ['api-sepolia.etherscan.io', '/api', 11_155_111],
  ['worldscan.org', '/tx/', 480],
  ['base-sepolia.blockscout.com', '/tx/', 84_532],
  ['arbitrum-sepolia.blockscout.com', '/tx/', 421_614],
  ['explorer.cronos.org', '/tx/', 25],
  ['explorer.cronos.org', '/testnet/tx/', 338],
  ['hashscan.io', '/testnet/transaction/', 296],
  ['hashscan.io', '/', null],
  ['www.oklink.com', '/xlayer/tx/', 196],
  ['areonscan.com', '/tx/', null],
  ['example.com', '', null],
  ['notetherscan.io', '', null],
  ['etherscan.io.evil.example', '', null],
  ['constructor', '', null],
  ['', '', null],
])('%s%s shows chain %s', (host, path, id) => {
  expect(findChainIdByExplorer(host, path)).toBe(id);
});

test('names of people and fields name a chain only where a chain is expected', () => {
  for (const word of ['bob', 'new', 'meta', 'anvil']) expect([word, findChainIdByWord(word)]).toEqual([word, null]);
  expect(findChainIdByName('bob')).toBe(60_808);
  expect(findChainIdByWord('gno')).toBe(100);
});

test.each(['localhost', 'Localhost', 'foundry', 'hardhat', 'anvil', 'ganache'])(
  'the name %s is of no chain id: the node tells it',
  name => {
    expect(findChainIdByName(name)).toBeNull();
    expect(findChainIdByExplorer(`${name}.blockscout.com`)).toBeNull();
    expect(isOwnNode(parseWrittenChain(name) ?? '')).toBe(true);
  },
);
