// Which chain the text around an address names.
import { expect, test } from 'vitest';
import { findNamedChain } from '../../../src/detect/namedChain.ts';
import { measureCpuMs } from '../../support/cpuTime.ts';

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
  ['the key of the array that has it', '{ localhost: ["x", "@"], base: ["y"] }', 'local'],
  ['the key of the array of objects that has it', 'const sepolia = [{ name: "a" }, { name: "b", at: "@" }];', 11155111],
  ['a chain ID in brackets as key', '{ [31337]: "@", [1]: "x" }', 31337],
  ['none of an index', 'keepers[10] = "@"', null],
  ['the first of a pair', 'new Map([[1, "x"], [31337, "@"]])', 31337],
  ['none of an array before it', '{ base: ["x"], keeper: "@" }', null],
  ['none where brackets are not in pairs', '{ base: { mark: "]", keeper: "@" } }', null],
  ['none of what it pays for', '{ marketing: "x", development: "@" }', null],
  ['the condition of its block', 'if (chainId === 31337) {\n  vault = "@";\n}', 31337],
  ['the condition of its block in Solidity', 'if (block.chainid == 10) { if (isNew) { vault = IVault(@); } }', 10],
  ['the condition by the name of a network', 'if (hre.network.name === "localhost") { vault = "@" }', 'local'],
  ['the condition by a variable', 'if (chain.id === sepolia.id) { vault = "@" }', 11155111],
  ['the condition of an `else if`', 'if (chainId === 1) { a("x"); } else if (chainId === 10) a("@");', 10],
  ['none of an `else`', 'if (chainId === 31337) { a("x"); } else { a("@"); }', null],
  ['none of a condition that excludes it', 'if (chainId !== 31337) { a("@"); }', null],
  ['none of a condition of two parts', 'if (chainId === 31337 || isTest) { a("@"); }', null],
  ['none of another condition', 'if (count === 10) { a("@"); }', null],
  ['none of a condition before it', 'if (chainId === 31337) return;\nconst vault = "@";', null],
  ['a choice', 'const vault = chainId === 31337 ? "@" : "x";', 31337],
  ['none of the other side of a choice', 'const vault = chainId === 31337 ? "x" : "@";', null],
  ['the case of a switch', 'switch (chainId) { case 1: return "x"; case 31337: return "@"; }', 31337],
  ['none of the default of a switch', 'switch (chainId) { case 31337: return "x"; default: return "@"; }', null],
  ['none of cases together', 'switch (chainId) { case 1: case 31337: return "@"; }', null],
  ['none of the case of another switch', 'switch (kind) { case 31337: return "@"; }', null],
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

const TABLE = '| Name | Network | Address |\n|---|:---:|---|\n';

test.each([
  ['its row', `${TABLE}| Vault | Base | x |\n| Vault | \`localhost\` | [\`@\`](y) |`, 'local'],
  ['its row, by the ID', '| Chain ID | Vault |\n|---|---|\n| 31337 | @ |', 31337],
  ['its row, by two words', `${TABLE}| Vault | Base Sepolia | @ |`, 84532],
  ['none of a row with two', `${TABLE}| Vault | Sepolia, Base | @ |`, null],
  ['none of a cell that is no chain of it', '| Symbol | Address |\n|---|---|\n| BASE | @ |', null],
  ['its column', '| Vault | Sepolia | Base |\n|---|---|---|\n| A | x | @ |', 8453],
  ['none of another column', '| Vault | Sepolia | Owner |\n|---|---|---|\n| A | x | @ |', null],
  ['the heading above', '## Base\n\n- A: x\n\n## Localhost\n\n- A: @', 'local'],
  ['the heading above its table', '## Sepolia (11155111)\n\n| Name | Address |\n|---|---|\n| A | @ |', 11155111],
  ['the heading of the chapter', '# Localhost\n\n## Tokens\n\n@', 'local'],
  ['none of a chapter that ended', '# Localhost\n\n# Tokens\n\n@', null],
  ['none of a heading that is about something else', '## Base contracts\n\n@', null],
])('an address of Markdown is of %s', (_title, text, expected) => {
  expect(findNamedChain(text, text.indexOf('@'), '/w/README.md')).toBe(expected);
});

test.each([
  ['its section', '[deployments.localhost]\nvault = "@"\n\n[deployments.base]\nvault = "x"', 'local'],
  ['none of another section', '[localhost]\nvault = "x"\n\n[owners]\nkeeper = "@"', null],
  ['`chain_id` in its section', '[a]\nchain_id = 10\n\n[b]\nvault = "@"\n\nchain_id = 31337', 31337],
])('an address of TOML is of %s', (_title, text, expected) => {
  expect(findNamedChain(text, text.indexOf('@'), '/w/deployments.toml')).toBe(expected);
});

test('the values of an environment file are of the chain that it names anywhere above', () => {
  const text = 'CHAIN_ID=31337\n\n# owner\nOWNER=@';
  expect(findNamedChain(text, text.indexOf('@'), '/w/.env.local')).toBe(31337);
});

test('takes linear time for text of many braces', () => {
  const text = '{a:'.repeat(200_000);
  expect(measureCpuMs(() => findNamedChain(text, text.length), 1_000)).toBeLessThan(1_000);
});
