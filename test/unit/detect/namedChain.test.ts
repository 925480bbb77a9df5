// Which chain the text around an address names.
import { expect, test } from 'vitest';
import { findNamedChain } from '../../../src/detect/namedChain.ts';

test.each([
  ['a chain ID as key', '{ "31337": { "vault": "@" } }', 31337],
  ['a chain ID as key, further out', '{ 8453: { tokens: { usd: "@" } } }', 8453],
  ['the name of a network of this machine', 'const config = { localhost: { url: "x", vault: "@" } };', 'local'],
  ['the name of a public chain', '{ base: { vault: "@" } }', 8453],
  ['`chainId` beside it', '{ "chainId": 31337, "vault": "@" }', 31337],
  ['`chainId` beside the object that has it', '{ "chainId": 10, "users": { "alice": "@" } }', 10],
  ['`chain_id` in hex', '{ chain_id: "0x2105", vault: "@" }', 8453],
  ['`chainId` at the top of a file', 'chainId = 31337\nvault = "@"', 31337],
  ['the inner one of two', '{ mainnet: { 10: { vault: "@" } } }', 10],
  ['none in a sibling', '{ base: { vault: "x" }, other: { vault: "@" } }', null],
  ['none where keys are names', '{ contracts: { vault: "@" } }', null],
  ['none of a number that is no chain', '{ 0: "@" }', null],
  ['a chain ID as its own key', 'const vault = { 1: "x", 31337: "@" }', 31337],
  ['its own key, not that of its neighbor', '{ localhost: "x", sepolia: "@" }', 11155111],
  ['the chain of a variable as key', '{ [sepolia.id]: "x", [foundry.id]: "@" }', 'local'],
  ['the chain of a variable beside it', '[{ chainId: mainnet.id, a: "x" }, { chainId: foundry.id, a: "@" }]', 'local'],
  ['`chainId` behind it', '[{ address: "@", chainId: 10 }, { address: "x", chainId: 8453 }]', 10],
  [
    'none of an object inside of a neighbor',
    '{ networks: { dev: { chainId: 31337 } }, owner: { default: "@" } }',
    null,
  ],
  ['none of an object that ended before', 'const a = { chainId: 31337, b: "x" };\nconst c = "@";', null],
  ['none of another paragraph', 'chainId = 31337\nvault = "x"\n\nowner = "@"', null],
  ['a word of its key', 'CHAIN_ID=31337\nSEPOLIA_VAULT=@', 11155111],
  ['a word of the name of the object', 'const sepoliaVaults = { usd: "@" }', 11155111],
  ['none of a type', 'const config: HardhatUserConfig = { owners: { keeper: "@" } }', null],
  ['the name that has a type', 'const sepoliaVault: Address = "@"', 11155111],
  ['none of a key whose words name two', '{ hardhatMainnet: { token: "@" } }', null],
  ['none of a word that is common', 'const localStorageKeys = { usd: "@" }', null],
  ['`network` beside the object that has it', '{ network: "localhost", source: { address: "@" } }', 'local'],
])('finds the chain of %s', (_title, text, expected) => {
  expect(findNamedChain(text.replace('@', `0x${'a1'.repeat(20)}`), text.indexOf('@'))).toBe(expected);
});

test.each([
  [
    'its network',
    '- name: A\n  network: sepolia\n  source:\n    address: "x"\n- name: B\n  network: localhost\n  source:\n    address: "@"',
    'local',
  ],
  ['its network, behind it', '- source:\n    address: "@"\n  network: optimism\n- network: localhost', 10],
  ['a key around it', 'localhost:\n  vault:\n    address: "@"\nsepolia:\n  vault:\n    address: "x"', 'local'],
  ['none of a neighbor', 'localhost:\n  vault: "x"\nother:\n  vault: "@"', null],
  ['`chainId` beside it', 'chainId: 31337 # dev\n# all\nvault: "@"', 31337],
])('an address of YAML is of %s', (_title, text, expected) => {
  expect(findNamedChain(text, text.indexOf('@'), '/w/subgraph.yaml')).toBe(expected);
});

test('the values of an environment file are of the chain that it names anywhere above', () => {
  const text = 'CHAIN_ID=31337\n\n# owner\nOWNER=@';
  expect(findNamedChain(text, text.indexOf('@'), '/w/.env.local')).toBe(31337);
});

test('takes linear time for text of many braces', () => {
  const text = '{a:'.repeat(200_000);
  const start = performance.now();
  findNamedChain(text, text.length);
  expect(performance.now() - start).toBeLessThan(1_000);
});
