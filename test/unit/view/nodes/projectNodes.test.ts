// Nodes in foundry.toml and hardhat.config.*: read as text, placeholders reported, nothing executed.
import { describe, expect, test } from 'vitest';
import { findProjectNodes, getSelectorChoices, suggestNodeName } from '../../../../src/view/nodes/projectNodes.ts';
import { measureCpuMs } from '../../../support/cpuTime.ts';
import { measureGrowth } from '../../../support/measureGrowth.ts';

const foundry = `
[profile.default]
src = "src"   # url = "http://not.this"
eth_rpc_url = "http://127.0.0.1:8545"

[rpc_endpoints]
mainnet = "\${MAINNET_RPC_URL}"
sepolia = 'https://sepolia.example/v3/abc#frag' # with a comment
optimism = { endpoint = "https://op.example", retries = 3 }
"base" = "$BASE_URL"

[etherscan]
mainnet = { key = "k", url = "https://api.example/api" }
`;

const hardhat = `
// networks: { old: { url: "https://old.example" } }
import { vars } from "hardhat/config";
module.exports = {
  networks: {
    hardhat: { forking: { url: \`https://fork.example/\${process.env.KEY}\` } },
    localhost: { url: "http://127.0.0.1:8545", accounts: ["0x1"] },
    sepolia: { chainId: 11155111, url: process.env.SEPOLIA_URL, accounts },
    mainnet: { type: "http", url: configVariable("MAINNET_URL") },
    'base-main': { url: vars.get("BASE") },
  },
};
`;

describe('findProjectNodes', () => {
  test('finds the nodes that foundry.toml names', () => {
    expect(findProjectNodes('/a/foundry.toml', foundry)).toEqual([
      { name: 'foundry', url: 'http://127.0.0.1:8545', variable: null },
      { name: 'mainnet', url: null, variable: 'MAINNET_RPC_URL' },
      { name: 'sepolia', url: 'https://sepolia.example/v3/abc#frag', variable: null },
      { name: 'optimism', url: 'https://op.example', variable: null },
      { name: 'base', url: null, variable: 'BASE_URL' },
    ]);
  });

  test('finds the nodes that hardhat.config.ts names', () => {
    expect(findProjectNodes('/a/hardhat.config.ts', hardhat)).toEqual([
      { name: 'forking', url: null, variable: 'KEY' },
      { name: 'localhost', url: 'http://127.0.0.1:8545', variable: null },
      { name: 'sepolia', url: null, variable: 'SEPOLIA_URL' },
      { name: 'mainnet', url: null, variable: 'MAINNET_URL' },
      { name: 'base-main', url: null, variable: 'BASE' },
    ]);
  });

  test('finds only http and https URLs, and is fast for hostile files', () => {
    expect(
      findProjectNodes('foundry.toml', '[rpc_endpoints]\na = "ws://x"\nb = "file:///etc"\nc = "javascript:1"'),
    ).toEqual([]);
    for (const text of [
      'url: '.repeat(100_000),
      `[rpc_endpoints]\n${'a='.repeat(100_000)}`,
      'url:`${'.repeat(50_000),
      '/*'.repeat(100_000),
    ])
      for (const file of ['foundry.toml', 'hardhat.config.js'])
        expect(measureCpuMs(() => findProjectNodes(file, text), 1_000)).toBeLessThan(1_000);
  });
});

test.each([
  ['empty lines', '\n'],
  ['starts of comments', '/*'],
  ['blanks', ' '],
  ['quotes', '"'],
  ['URLs without an end', 'url: "'],
])('reads hostile configuration in linear time: %s', (_, part) => {
  for (const file of ['foundry.toml', 'hardhat.config.js'])
    expect(
      measureGrowth(
        size => part.repeat(size),
        text => findProjectNodes(file, text),
        500,
      ),
    ).toBeLessThan(16);
});

test.each([
  ['anvil/v1.7.1', 31337, ['local'], 'anvil'],
  ['HardhatNetwork/3.18.0', 31337, ['local', 'hardhat'], 'hardhat2'],
  ['Geth/v1.17', 1337, ['local'], 'dev'],
  [null, 1, ['local', 'fork', 'fork2'], 'fork3'],
] as const)('one more node of %s with the chain %d beside %j is called %s', (client, chainId, taken, name) => {
  expect(suggestNodeName(client, chainId, taken)).toBe(name);
});

test('getSelectorChoices: a node on this machine is local, a fork may be either, a public one has its name', () => {
  expect(getSelectorChoices(31337, true)).toEqual(['local']);
  expect(getSelectorChoices(1, true)).toEqual(['local', 'eth']);
  expect(getSelectorChoices(1, false)).toEqual(['eth']);
  expect(getSelectorChoices(8453, false)).toEqual(['0x2105']);
  expect(getSelectorChoices(31337, false)).toEqual(['0x7a69']);
});
