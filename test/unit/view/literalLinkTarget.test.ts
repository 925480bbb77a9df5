// Links lead to the chain that the text names.
import { expect, test } from 'vitest';
import { findLinkableLiterals } from '../../../src/view/findLinkableLiterals.ts';
import { findExplorerPage, selectConfiguredChains } from '../../../src/view/literalLinkTarget.ts';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const nodes = ['eth', 'local'];

test.each([
  ['', 'https://etherscan.io'],
  ['eth:', 'https://etherscan.io'],
  ['base:', 'https://basescan.org'],
  ['linea:', 'https://lineascan.build'],
  ['gno:', 'https://gnosisscan.io'],
  ['eip155:59144:', 'https://lineascan.build'],
  ['https://worldscan.org/address/', 'https://worldscan.org'],
])('the address after %j has a page at %s', (before, explorer) => {
  const [literal] = findLinkableLiterals(`a ${before}${ADDRESS} b`, 'notes.txt', 'plaintext');
  expect(literal).toMatchObject({ kind: 'address' });
  const { value = '', chainId = null } = literal ?? {};
  expect(findExplorerPage({ kind: 'address', value, chainId }, nodes, {})).toBe(`${explorer}/address/${value}`);
});

const address = { kind: 'address', value: ADDRESS } as const;

test('an unknown chain has no page, rather than one of another chain', () => {
  expect(findExplorerPage({ ...address, chainId: 999_999_999_999 }, nodes, {})).toBeNull();
  expect(selectConfiguredChains(999_999_999_999, nodes)).toEqual([]);
});

test('a configured chain beyond those of the description has its explorer, or that of the settings', () => {
  expect(findExplorerPage({ ...address, chainId: null }, ['0x64'], {})).toBe(
    `https://gnosisscan.io/address/${ADDRESS}`,
  );
  expect(findExplorerPage({ ...address, chainId: 100 }, nodes, { '0x64': 'http://127.0.0.1:5100' })).toBe(
    `http://127.0.0.1:5100/address/${ADDRESS}`,
  );
});

test('the inspector shows the chain that the text names, else any of the configured ones', () => {
  expect(selectConfiguredChains(null, nodes)).toEqual(nodes);
  expect(selectConfiguredChains(1, ['local', 'eth'])).toEqual(['eth']);
  expect(selectConfiguredChains(137, nodes)).toEqual([]);
});

const HASH = '0x7d2b9a14c6e05f83b1d4720e9c6af538e17042bd96c3f85a0b6de1947c82f3a5';

test.each([
  [HASH, 'hash'],
  [`tx ${HASH}`, 'hash'],
  [`  hash: '${HASH}',`, 'hash'],
  [`[Success] Hash: ${HASH}`, 'hash'],
  [`##### anvil-hardhat\n✅  [Success] Hash: ${HASH}\nBlock: 3`, 'tx'],
  [`transactionHash         ${HASH}`, 'tx'],
  [`Sent ${HASH} from ${ADDRESS}`, 'hash'],
  [`blockHash: '${HASH}'`, 'hash'],
])('the hash in the terminal line %j has a link to a %s', (line, kind) => {
  const [literal] = findLinkableLiterals(line, 'terminal.log', 'log');
  expect(literal).toMatchObject({ kind, value: HASH });
});

test.each([`PRIVATE_KEY=${HASH}`, `(0) ${HASH} (private key)`])('the key in %j has none', line => {
  expect(findLinkableLiterals(line, 'terminal.log', 'log')).toEqual([]);
});
