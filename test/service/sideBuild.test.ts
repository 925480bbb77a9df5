// Names of variables of a Foundry project, whose builds have none by default: by a second build in a folder of HexLens.
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { deployWithForge, writeFoundryProject } from '../support/chain/foundry.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import { runCliHere } from './cliProcess.ts';

/** The selector of `increment()`. */
const INCREMENT = '0xd09de08a';

let anvil: Anvil;
const project = createTemporaryFolder('hexlens-project-');
const cache = createTemporaryFolder('hexlens-cache-');
let env: Record<string, string>;
let hash: string;

beforeAll(async () => {
  anvil = await startAnvil();
  await anvil.rpc('evm_setAutomine', [true]);
  const { latest } = await deployWithForge(project, anvil.url);
  const { executable } = await writeFoundryProject(project, anvil.url);
  const settings = await readFile(join(project, 'foundry.toml'), 'utf8');
  await writeFile(join(project, 'foundry.toml'), `${settings}solc = "${join(project, 'compiler', 'solc')}"\n`);
  const { transactions } = JSON.parse(await readFile(join(project, latest), 'utf8'));
  const hashes: readonly string[] = transactions.map((each: { hash: string }) => each.hash);
  const inputs = await Promise.all(
    hashes.map(each => anvil.rpc<{ input: string }>('eth_getTransactionByHash', [each]).then(({ input }) => input)),
  );
  hash = hashes[inputs.indexOf(INCREMENT)] ?? '';
  const path = `${dirname(executable)}${delimiter}${process.env['PATH']}`;
  env = { PATH: path, HOME: cache, XDG_CACHE_HOME: cache };
}, 120_000);
afterAll(() => anvil?.stop());

const trace = (args: readonly string[]) =>
  runCliHere(['trace', hash, '--node', `local=${anvil.url}`, '--state', ...args], env, project);

/** Every file of a folder with its time. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const paths = await readdir(folder, { recursive: true });
  return Promise.all(paths.sort().map(async path => `${path} ${(await stat(join(folder, path))).mtimeMs}`));
}

test('a build without syntax trees has words of storage, and says so', async () => {
  const { code, stdout, stderr } = await trace([]);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /0x[0-9a-f]{40} Counter \(The build has no storage layout\)\n {4}slot 0x0: 0x0 → 0x1 \(src\/Counter\.sol:15:9\)/,
  );
  expect(stderr).toBe(
    'hexlens: Variables have no names, since the build has no storage layout: Counter\n' +
      'hexlens: Add --build: Foundry then builds the project once more, in a folder of HexLens, for these names.\n',
  );
});

test('--build gives it names, and touches nothing in the project', async () => {
  const before = await listFiles(project);
  const { stdout, stderr } = await trace(['--build']);
  expect(stderr).toBe('');
  expect(stdout).toContain('    number: 0 → 1 (src/Counter.sol:15:9)');
  expect(await listFiles(project)).toEqual(before);
  // It stays until the artifacts change.
  expect((await trace([])).stdout).toContain('    number: 0 → 1 (src/Counter.sol:15:9)');
}, 120_000);

test('--build says so where there is no project to build', async () => {
  const folder = join(project, 'src');
  const { stderr } = await trace(['--build', '--project', folder]);
  expect(stderr).toContain(
    `${folder} has no foundry.toml, so --build has built nothing: name the project by --project.`,
  );
}, 120_000);

test('--build shows what the compiler says of a source that does not compile', async () => {
  const path = join(project, 'src', 'Broken.sol');
  await writeFile(path, 'pragma solidity ^0.8.20;\ncontract Broken { uint256 x = true; }\n');
  const { stdout, stderr } = await trace(['--build']);
  await rm(path);
  expect(stderr).toContain('forge build failed');
  expect(stderr).toContain('Type bool is not implicitly convertible to expected type uint256');
  expect(stdout).toContain('    number: 0 → 1');
}, 120_000);

test('a build of sources that were edited since is not used', async () => {
  const path = join(project, 'src', 'Counter.sol');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('uint256 public number;', 'uint256 public other; uint256 public number;'));
  const { stdout } = await trace(['--build']);
  expect(stdout).not.toContain('number');
  expect(stdout).not.toContain('other');
  expect(stdout).toContain('slot 0x0');
}, 120_000);
