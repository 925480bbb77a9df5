// Files on Windows: tools write their paths with backslashes, VS Code gives them as URIs with a drive.
import { win32 } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { detectImportSource, importFile, isImportCandidate } from '../../../src/addressBook/importFile.ts';
import { getContractName } from '../../../src/decode/parseArtifact.ts';
import { findProjectNodes } from '../../../src/view/nodes/projectNodes.ts';
import { addressOf } from './bookArbitraries.ts';

const DRIVE = 'C:\\Users\\Ada Lovelace\\my dapp';
const SHARE = '\\\\server\\share\\dapp';
/** The path of the URI that VS Code makes of a file. */
const toUriPath = (...names: readonly string[]) =>
  decodeURIComponent(pathToFileURL(win32.join(...names), { windows: true }).pathname);

describe.each([
  ['a drive', DRIVE],
  ['a share', SHARE],
])('a folder of %s', (_, folder) => {
  test.each([
    ['foundry', ['broadcast', 'Deploy.s.sol', '31337', 'run-latest.json']],
    ['ignition', ['ignition', 'deployments', 'chain-31337', 'deployed_addresses.json']],
    ['hardhat-deploy', ['deployments', 'localhost', 'Counter.json']],
    ['csv', ['team', 'Addresses.CSV']],
    ['json', ['.hexlens', 'addresses.json']],
    [null, ['contracts', 'Counter.sol']],
  ])('has files of %s', (source, names) => {
    expect(detectImportSource(toUriPath(folder, ...names))).toBe(source);
  });

  test('has dependencies and dry runs, which are not searched', () => {
    expect(isImportCandidate(toUriPath(folder, 'node_modules', 'x', 'deployments', 'a', 'B.json'))).toBe(false);
    expect(isImportCandidate(toUriPath(folder, 'broadcast', 'A.s.sol', '1', 'dry-run', 'run-latest.json'))).toBe(false);
    expect(isImportCandidate(toUriPath(folder, 'deployments', 'localhost', 'Counter.json'))).toBe(true);
  });

  test('names a deployment after the file and its network', async () => {
    const { entries, rejected } = await importFile({
      path: toUriPath(folder, 'deployments', 'localhost', 'Counter.json'),
      text: JSON.stringify({ address: addressOf(1), abi: [] }),
      readSibling: async name => (name === '.chainId' ? '31337' : null),
    });
    expect(rejected).toEqual([]);
    expect(entries).toMatchObject([{ address: addressOf(1), name: 'Counter' }]);
  });

  test('has artifacts, which are named after their contracts', () => {
    for (const names of [
      ['out', 'Token.sol', 'Token.json'],
      ['artifacts', 'contracts', 'Token.sol', 'Token.json'],
      ['out', 'Token.sol', 'Token.0.8.28.json'],
    ]) {
      expect(getContractName(win32.join(folder, ...names))).toBe('Token');
      expect(getContractName(toUriPath(folder, ...names))).toBe('Token');
    }
  });

  test('has a configuration with nodes', () => {
    const text = '[rpc_endpoints]\nlocal = "http://127.0.0.1:8545"\n';
    const [node] = findProjectNodes(toUriPath(folder, 'foundry.toml'), text);
    expect(node).toMatchObject({ name: 'local', url: 'http://127.0.0.1:8545' });
  });
});
