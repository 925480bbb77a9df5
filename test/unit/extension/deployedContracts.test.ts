// Which known deployments are those of a contract in a file of the workspace.
import { expect, test } from 'vitest';
import type { Hex } from '../../../src/base/hex.ts';
import { DeployedContracts, type DeployedContractsDeps } from '../../../src/extension/source/deployedContracts.ts';

const BUILT: Hex = '0x3f61b0c9d27e84a5106cbd9e7f2a4c81d05e9b36';
const REBUILT: Hex = '0x7c04e9a1b35d82f6c0e719d4a8b65f3021ce8d97';
const OTHER: Hex = '0xa85d20f7e6193b4cc7d01e92f5b84a6d73902ce1';
const EMPTY: Hex = '0xd19ab47e0c5f83261b7ae4d095c26f8e31a70b54';
const FILE = { toString: () => 'file:///w/src/Kiln.sol' };
/** By address; the build of each code is known but for that of `REBUILT`. */
const CODES: Readonly<Record<string, string>> = { [BUILT]: '0x01', [REBUILT]: '0x02', [OTHER]: '0x03' };

function find(names: Readonly<Record<string, string>>) {
  const toBuild = (name: string) => {
    const source = {
      id: 0,
      path: `src/${name}.sol`,
      text: `contract ${name} {}`,
      file: `src/${name}.sol`,
      isChanged: false,
    };
    return { build: { name, path: source.path, sources: [source] }, declarations: async () => null };
  };
  const deps = {
    settings: { current: () => ({ hover: { chains: null } }) },
    worker: {
      chains: () => [{ selector: 'local', isOnLoopback: true }],
      identifyChain: async () => ({ isLocal: true }),
      lookup: async (_: string, { address }: { address: string }) => ({ code: CODES[address] ?? '0x', proxy: null }),
    },
    abis: {
      sources: async () => ({
        findBuild: async (code: string) => (code === '0x02' ? null : toBuild(code === '0x01' ? 'Kiln' : 'Oven')),
        toUri: ({ file }: { file: string }) => ({ toString: () => `file:///w/${file}` }),
      }),
    },
    deployments: {
      list: async () => Object.entries(names).map(([address, name]) => ({ address, name, chains: [] })),
    },
    isAllowed: () => false,
  } as unknown as DeployedContractsDeps;
  return new DeployedContracts(deps).find(FILE as never, 'Kiln', new AbortController().signal);
}

test('tells the deployments of a build from those whose code is of no build, by the name that tools gave them', async () => {
  const found = await find({
    [BUILT]: 'Kiln',
    [REBUILT]: 'Kiln (2)',
    [OTHER]: 'Kiln (3)',
    [EMPTY]: 'Kiln (4)',
  });
  expect(found.contracts.map(({ address }) => address)).toEqual([BUILT]);
  expect(found.different.map(({ address }) => address)).toEqual([REBUILT]);
  expect((await find({ [REBUILT]: 'pool' })).different).toEqual([]);
});
