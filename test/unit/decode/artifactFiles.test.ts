// Artifacts of the user's own contracts: the same rule in the editor and the MCP server.
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { isArtifactPath, MAX_ARTIFACT_BYTES, parseArtifactBytes } from '../../../src/decode/artifactFiles.ts';
import { readAbis } from '../../../src/mcp/readAbis.ts';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';

const abi = '[{"type":"function","name":"ping","inputs":[]}]';

test.each([
  ['out/Token.sol/Token.json', true],
  ['contracts/buildinfo/Token.json', true],
  ['artifacts/contracts/Token.sol/Token.dbg.json', false],
  ['artifacts/build-info/1f0e.json', false],
  ['out\\build-info\\1f0e.json', false],
  ['node_modules/token/out/Token.json', false],
  ['cache/solidity-files-cache.json', false],
])('%s is an artifact: %s', (path, expected) => {
  expect(isArtifactPath(path)).toBe(expected);
});

test('an ABI after bytecode of any length is found', () => {
  const text = `{"bytecode":"0x${'60'.repeat(400_000)}","abi":${abi}}`;
  expect(parseArtifactBytes(Buffer.from(text), 'out/Token.json').map(({ name }) => name)).toEqual(['ping']);
});

test('a folder of the command line is read without packages, compiler input and hidden folders', async () => {
  const folder = createTemporaryFolder('hexlens-abis-');
  const names = ['out/A.json', 'build-info/B.json', 'node_modules/C.json', '.hidden/D.json', 'out/E.dbg.json', 'F.txt'];
  for (const name of names) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), abi);
  }
  expect((await readAbis([folder])).size).toBe(1);
  expect((await readAbis([join(folder, 'build-info/B.json')])).size, 'a file that is named is read').toBe(1);
});

test('an artifact is sized before it is read', async () => {
  const folder = createTemporaryFolder('hexlens-abis-');
  const path = join(folder, 'Large.json');
  // The ABI comes first, so that it would be found if the file were read.
  await writeFile(path, abi);
  await truncate(path, MAX_ARTIFACT_BYTES);
  expect((await readAbis([folder])).size).toBe(1);
  await truncate(path, MAX_ARTIFACT_BYTES + 1);
  expect((await readAbis([folder])).size).toBe(0);
  expect((await readAbis([path])).size).toBe(0);
});

test('the items of an artifact are capped', () => {
  const items = Array.from({ length: 6_000 }, (_, index) => `{"type":"function","name":"f${index}","inputs":[]}`);
  expect(parseArtifactBytes(Buffer.from(`{"abi":[${items.join()}]}`), 'out/Large.json')).toHaveLength(5_000);
});
