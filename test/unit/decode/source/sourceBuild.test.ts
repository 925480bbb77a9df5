import { keccak256 } from 'ox/Hash';
import { describe, expect, test } from 'vitest';
import { joinPath, readSourceBuild } from '../../../../src/decode/source/sourceBuild.ts';

const TEXT = 'contract Vault { /* größer */ }';
const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const hashOf = (text: string) => keccak256(bytes(text), { as: 'Hex' });
const inMemory = (files: Readonly<Record<string, unknown>>) => ({
  read: async (path: string) => (files[path] === undefined ? null : bytes(files[path])),
});

describe('an artifact of Foundry', () => {
  const artifact = {
    abi: [],
    bytecode: { object: '0x00', sourceMap: '1:2:3' },
    deployedBytecode: { object: '0x00', sourceMap: '4:5:6' },
    methodIdentifiers: { 'take(uint256)': '00112233' },
    metadata: {
      settings: { compilationTarget: { 'src/Vault.sol': 'Vault' } },
      sources: {
        'src/Vault.sol': { keccak256: hashOf(TEXT) },
        'lib/Math.sol': { keccak256: hashOf('library Math {}') },
      },
    },
    id: 7,
  };
  const cacheOf = (buildId: string) => ({
    paths: { build_infos: 'out/build-info' },
    files: {
      'src/Vault.sol': {
        artifacts: { Vault: { '0.8.30': { default: { path: 'Vault.sol/Vault.json', build_id: buildId } } } },
      },
    },
  });
  const files = {
    'out/Vault.sol/Vault.json': artifact,
    'cache/solidity-files-cache.json': cacheOf('b2'),
    // Ids of an older run of the compiler mean other sources.
    'out/build-info/b1.json': { id: 'b1', source_id_to_path: { 0: 'src/Vault.sol', 7: 'src/Other.sol' } },
    'out/build-info/b2.json': {
      id: 'b2',
      source_id_to_path: { 3: 'lib/Math.sol', 7: 'src/Vault.sol', 9: 'src/New.sol' },
    },
    'src/Vault.sol': TEXT,
    'lib/Math.sol': 'library Math { /* edited */ }',
  };

  test('has the sources of the run that wrote it, with the text of files that are as they were built', async () => {
    expect(await readSourceBuild(inMemory(files), 'out/Vault.sol/Vault.json')).toEqual({
      build: {
        pipeline: { isViaIR: false, isOptimized: false },
        name: 'Vault',
        path: 'src/Vault.sol',
        abi: [],
        methodIdentifiers: { 'take(uint256)': '00112233' },
        creationMap: '1:2:3',
        runtimeMap: '4:5:6',
        sources: [
          { id: 3, path: 'lib/Math.sol', text: null, file: 'lib/Math.sol', isChanged: true },
          { id: 7, path: 'src/Vault.sol', text: TEXT, file: 'src/Vault.sol', isChanged: false },
        ],
      },
    });
  });

  test('has the text as it was built where the build info has it, though the file was edited', async () => {
    const full = {
      id: 'b2',
      source_id_to_path: { 3: 'lib/Math.sol', 7: 'src/Vault.sol' },
      input: { sources: { 'src/Vault.sol': { content: TEXT }, 'lib/Math.sol': { content: 'library Math {}' } } },
    };
    const read = await readSourceBuild(
      inMemory({ ...files, 'out/build-info/b2.json': full, 'src/Vault.sol': 'contract Vault {}' }),
      'out/Vault.sol/Vault.json',
    );
    expect('build' in read ? read.build.sources : read).toEqual([
      { id: 3, path: 'lib/Math.sol', text: 'library Math {}', file: 'lib/Math.sol', isChanged: true },
      { id: 7, path: 'src/Vault.sol', text: TEXT, file: 'src/Vault.sol', isChanged: true },
    ]);
  });

  test('has no lines where the run that wrote it is not known', async () => {
    const unknown = { problem: { kind: 'ambiguousSourceIds' } };
    const { 'cache/solidity-files-cache.json': _, ...withoutCache } = files;
    expect(await readSourceBuild(inMemory(withoutCache), 'out/Vault.sol/Vault.json')).toEqual(unknown);
    const other = { ...files, 'cache/solidity-files-cache.json': cacheOf('b1') };
    expect(await readSourceBuild(inMemory(other), 'out/Vault.sol/Vault.json')).toEqual(unknown);
  });

  test('is found with its project in a folder of a larger workspace', async () => {
    const nested = Object.fromEntries(Object.entries(files).map(([path, file]) => [`0/packages/core/${path}`, file]));
    const read = await readSourceBuild(inMemory(nested), '0/packages/core/out/Vault.sol/Vault.json');
    expect('build' in read && read.build.sources.map(({ file }) => file)).toEqual([
      '0/packages/core/lib/Math.sol',
      '0/packages/core/src/Vault.sol',
    ]);
  });
});

const evm = {
  bytecode: { sourceMap: '1:2:3' },
  deployedBytecode: { sourceMap: '4:5:6' },
  methodIdentifiers: { 'take(uint256)': '00112233' },
};

test('an artifact of Hardhat 2 names its build info, which has the text of every source', async () => {
  const files = {
    'artifacts/contracts/Vault.sol/Vault.json': {
      _format: 'hh-sol-artifact-1',
      contractName: 'Vault',
      sourceName: 'contracts/Vault.sol',
      abi: [],
      deployedBytecode: '0x00',
    },
    'artifacts/contracts/Vault.sol/Vault.dbg.json': { buildInfo: '../../build-info/1.json' },
    'artifacts/build-info/1.json': {
      input: { sources: { 'contracts/Vault.sol': { content: TEXT }, '@lib/Math.sol': { content: 'library Math {}' } } },
      output: {
        contracts: { 'contracts/Vault.sol': { Vault: { evm } } },
        sources: { '@lib/Math.sol': { id: 0, ast: {} }, 'contracts/Vault.sol': { id: 1 } },
      },
    },
    'contracts/Vault.sol': TEXT,
    'node_modules/@lib/Math.sol': 'library Math {}',
  };
  const read = await readSourceBuild(inMemory(files), 'artifacts/contracts/Vault.sol/Vault.json');
  expect('build' in read && read.build).toMatchObject({
    creationMap: '1:2:3',
    runtimeMap: '4:5:6',
    sources: [
      { id: 0, path: '@lib/Math.sol', file: 'node_modules/@lib/Math.sol', isChanged: false },
      { id: 1, path: 'contracts/Vault.sol', text: TEXT, file: 'contracts/Vault.sol', isChanged: false },
    ],
  });
  const { 'artifacts/build-info/1.json': _, ...withoutInfo } = files;
  expect(await readSourceBuild(inMemory(withoutInfo), 'artifacts/contracts/Vault.sol/Vault.json')).toEqual({
    problem: { kind: 'missingFile', path: 'artifacts/build-info/1.json' },
  });
});

describe('an artifact of Hardhat 3', () => {
  const path = 'artifacts/contracts/Vault.sol/Vault.json';
  const info = 'artifacts/build-info/solc-1';
  const files = {
    [path]: {
      _format: 'hh3-artifact-1',
      contractName: 'Vault',
      sourceName: 'contracts/Vault.sol',
      inputSourceName: 'project/contracts/Vault.sol',
      buildInfoId: 'solc-1',
      abi: [],
      deployedBytecode: '0x00',
    },
    [`${info}.json`]: {
      compilerType: 'solc',
      input: {
        sources: {
          'project/contracts/Vault.sol': { content: TEXT },
          'npm/@lib/m@5.1.0/Math.sol': { content: 'library Math {}' },
        },
      },
    },
    [`${info}.output.json`]: {
      output: {
        contracts: { 'project/contracts/Vault.sol': { Vault: { evm } } },
        sources: { 'npm/@lib/m@5.1.0/Math.sol': { id: 0 }, 'project/contracts/Vault.sol': { id: 1 } },
      },
    },
    'contracts/Vault.sol': `${TEXT} `,
    'node_modules/@lib/m/Math.sol': 'library Math {}',
  };

  test('has its sources under the names that only the compiler sees', async () => {
    const read = await readSourceBuild(inMemory(files), path);
    expect('build' in read && read.build.sources).toEqual([
      {
        id: 0,
        path: 'npm/@lib/m@5.1.0/Math.sol',
        text: 'library Math {}',
        file: 'node_modules/@lib/m/Math.sol',
        isChanged: false,
      },
      { id: 1, path: 'project/contracts/Vault.sol', text: TEXT, file: 'contracts/Vault.sol', isChanged: true },
    ]);
  });

  test('names the file that is missing, and a compiler whose code has no lines', async () => {
    const { [`${info}.output.json`]: _, ...withoutOutput } = files;
    expect(await readSourceBuild(inMemory(withoutOutput), path)).toEqual({
      problem: { kind: 'missingFile', path: `${info}.output.json` },
    });
    const solx = { ...files, [`${info}.json`]: { compilerType: 'solx' } };
    expect(await readSourceBuild(inMemory(solx), path)).toEqual({
      problem: { kind: 'otherCompiler', compiler: 'solx' },
    });
  });
});

test('an artifact of Truffle has the source of its own contract', async () => {
  const artifact = {
    contractName: 'Vault',
    abi: [],
    sourceMap: '1:2:3',
    deployedSourceMap: '4:5:6',
    source: TEXT,
    sourcePath: '/home/me/contracts/Vault.sol',
    ast: { absolutePath: 'project:/contracts/Vault.sol', src: '0:30:2' },
  };
  const read = await readSourceBuild(
    inMemory({ 'build/contracts/Vault.json': artifact }),
    'build/contracts/Vault.json',
  );
  expect('build' in read && read.build.sources).toMatchObject([{ id: 2, text: TEXT, file: null }]);
});

test('a damaged artifact, or one that is gone, has no build', async () => {
  expect(await readSourceBuild(inMemory({ 'a.json': '{"abi": [' }), 'a.json')).toEqual({
    problem: { kind: 'missingFile', path: 'a.json' },
  });
  expect(await readSourceBuild(inMemory({}), 'a.json')).toEqual({ problem: { kind: 'missingFile', path: 'a.json' } });
});

test('no path leads out of the project', () => {
  expect(joinPath('a/b', '../c.sol')).toBe('a/c.sol');
  expect(joinPath('a', '../../etc/passwd')).toBeNull();
  expect(joinPath('', './x//y')).toBe('x/y');
});
