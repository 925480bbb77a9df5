// The installed compiler of a project, run as a process.
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { localize } from '../../../src/base/localize.ts';
import { createSolcRunner } from '../../../src/worker/runSolc.ts';
import { readCompilerVersion } from '../../support/source/compileSolidity.ts';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';

const require = createRequire(import.meta.url);
const soljson = join(dirname(require.resolve('solc/package.json')), 'soljson.js');
const ROOT = dirname(dirname(dirname(soljson)));
const version = readCompilerVersion('solc').replace('.Emscripten.clang', '');
const input = JSON.stringify({
  language: 'Solidity',
  sources: { 'Bank.sol': { content: 'contract Bank { uint256 public total; }' } },
  settings: { outputSelection: { '*': { '*': ['evm.bytecode.object'] } } },
});

describe('the compiler of a project', () => {
  const runIn = (...folders: readonly string[]) =>
    createSolcRunner(() => ({ home: join(tmpdir(), 'no-home'), env: {}, folders }), new AbortController().signal);

  test('is run where a package has it in the version of the build', async () => {
    const result = await runIn(join(ROOT, 'contracts'), ROOT)({ version, input, artifact: 'out/Bank.json' });
    const output = 'output' in result ? JSON.parse(new TextDecoder().decode(result.output)) : result;
    expect(output.contracts['Bank.sol'].Bank.evm.bytecode.object).toMatch(/^60/);
  });

  test('is run where the settings of Foundry name its file', async () => {
    const folder = createTemporaryFolder('hexlens-solc-');
    await writeFile(join(folder, 'foundry.toml'), `[profile.default]\nsolc = "${soljson}"\n`);
    expect(await runIn(folder)({ version, input, artifact: 'out/Bank.json' })).toHaveProperty('output');
  });

  test.each(['', '../../0.8.30', '0.8.30/../../x', '0.8.30+commit.73712a01\n'])(
    'is not looked for where the build names a version that is none: %j',
    async named => {
      const folder = createTemporaryFolder('hexlens-solc-');
      await writeFile(join(folder, 'foundry.toml'), `[profile.default]\nsolc = "${soljson}"\n`);
      expect(await runIn(folder)({ version: named, input, artifact: 'out/Bank.json' })).toHaveProperty('problem');
    },
  );

  test('is missing where only another version is installed', async () => {
    const result = await runIn(ROOT)({ version: '0.7.1+commit.f4a555be', input, artifact: 'out/Bank.json' });
    expect('problem' in result && localize(result.problem)).toBe(
      'solc 0.7.1+commit.f4a555be is not installed: neither Foundry, Hardhat nor the project has it',
    );
  });
});
