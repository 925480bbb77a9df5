// Which build some code is of, while files of the project change.
import { expect, test } from 'vitest';
import type { ProjectFiles } from '../../../../src/decode/source/sourceBuild.ts';
import { SourceBuilds } from '../../../../src/decode/source/sourceBuilds.ts';

const ARTIFACT = 'artifacts/contracts/Vault.sol/Vault.json';
const INFO = 'artifacts/build-info/1.json';
const CODE = '0x6001600255';
const TEXT = 'contract Vault { uint256 total; }';

const evm = {
  bytecode: { object: CODE.slice(2), sourceMap: '1:2:0' },
  deployedBytecode: { object: CODE.slice(2), sourceMap: '4:5:0' },
};

/** A build of Hardhat 2 with one contract; counts how often its build info is read. */
class Project implements ProjectFiles {
  infoReads = 0;
  reads = 0;
  readonly #files = new Map<string, unknown>([
    [
      ARTIFACT,
      {
        ...{ contractName: 'Vault', sourceName: 'contracts/Vault.sol', abi: [] },
        ...{ bytecode: CODE, deployedBytecode: CODE, linkReferences: {}, deployedLinkReferences: {} },
      },
    ],
    ['artifacts/contracts/Vault.sol/Vault.dbg.json', { buildInfo: '../../build-info/1.json' }],
    [
      INFO,
      {
        input: { sources: { 'contracts/Vault.sol': { content: TEXT } } },
        output: {
          contracts: { 'contracts/Vault.sol': { Vault: { evm } } },
          sources: { 'contracts/Vault.sol': { id: 0 } },
        },
      },
    ],
    ['contracts/Vault.sol', TEXT],
  ]);

  /** The same below another folder, with this text. */
  copyTo(folder: string, text: string): void {
    for (const [path, file] of [...this.#files]) this.#files.set(`${folder}/${path}`, file);
    const info = structuredClone(this.#files.get(INFO)) as { input: { sources: Record<string, { content: string }> } };
    info.input.sources['contracts/Vault.sol'] = { content: text };
    this.#files.set(`${folder}/${INFO}`, info);
    this.#files.set(`${folder}/contracts/Vault.sol`, text);
  }

  async read(path: string): Promise<Uint8Array | null> {
    if (path === INFO) this.infoReads++;
    this.reads++;
    const file = this.#files.get(path);
    return file === undefined ? null : new TextEncoder().encode(typeof file === 'string' ? file : JSON.stringify(file));
  }

  /** An artifact without code. */
  addInterface(path: string): void {
    this.#files.set(path, { contractName: 'IVault', abi: [], bytecode: '0x', deployedBytecode: '0x' });
  }

  /** As deployment tools keep it: without what the compiler wrote. */
  addCopy(path: string, changes: object = {}): void {
    this.#files.set(path, { ...(this.#files.get(ARTIFACT) as object), ...changes });
  }

  /** A storage layout without a syntax tree, as with `extra_output` of Foundry. */
  addLayout(text: string, storageLayout: object): void {
    const info = {
      input: { sources: { 'contracts/Vault.sol': { content: text } } },
      output: {
        contracts: { 'contracts/Vault.sol': { Vault: { evm, storageLayout } } },
        sources: { 'contracts/Vault.sol': { id: 0 } },
      },
    };
    this.#files.set(INFO, info);
  }

  recompile(deployedBytecode: string): void {
    this.#files.set(ARTIFACT, { ...(this.#files.get(ARTIFACT) as object), deployedBytecode });
  }

  edit(text: string): void {
    this.#files.set('contracts/Vault.sol', text);
  }
}

async function isChanged(builds: SourceBuilds): Promise<boolean | null> {
  const found = await builds.find(CODE, false);
  if (found === null || found === 'ambiguous' || !('build' in found.read)) return null;
  return found.read.build.sources.some(source => source.isChanged);
}

test('says that a source was edited after its build was read, and that it is again as it was built', async () => {
  const project = new Project();
  const builds = new SourceBuilds(project);
  await builds.update(new Map([[ARTIFACT, '1']]));
  expect(await isChanged(builds)).toBe(false);
  project.edit(`${TEXT} // edited`);
  builds.handleSourceChange();
  expect(await isChanged(builds)).toBe(true);
  project.edit(TEXT);
  builds.handleSourceChange();
  expect(await isChanged(builds)).toBe(false);
});

test('reads a build again only where that makes a difference', async () => {
  const project = new Project();
  const builds = new SourceBuilds(project);
  await builds.update(new Map([[ARTIFACT, '1']]));
  await isChanged(builds);
  const { infoReads } = project;
  for (let save = 0; save < 3; save++) {
    builds.handleSourceChange();
    await isChanged(builds);
  }
  expect(project.infoReads).toBe(infoReads);
});

test('takes one of two copies of a build, and none of two whose equal code is of other lines', async () => {
  const find = async (text: string) => {
    const project = new Project();
    project.copyTo('packages/b', text);
    const builds = new SourceBuilds(project);
    await builds.update(new Map([ARTIFACT, `packages/b/${ARTIFACT}`].map(path => [path, '1'])));
    return builds.find(CODE, false);
  };
  expect(await find(TEXT)).toMatchObject({ artifact: ARTIFACT });
  expect(await find(`// moved\n${TEXT}`)).toBe('ambiguous');
});

test('takes the build that has lines where a copy of its artifact has none', async () => {
  const project = new Project();
  const copy = 'deployments/local/artifacts/Vault.json';
  project.addCopy(copy);
  const builds = new SourceBuilds(project);
  await builds.update(
    new Map([
      [copy, '1'],
      [ARTIFACT, '1'],
    ]),
  );
  expect(await isChanged(builds)).toBe(false);
});

test.each(['deployments/localhost/Vault.json', 'ignition/deployments/chain-31337/artifacts/Harbor#Vault.json'])(
  'takes the build of the project, not what a deployment tool keeps of it in %s',
  async copy => {
    const project = new Project();
    project.addCopy(copy, { sourceName: undefined });
    const builds = new SourceBuilds(project);
    await builds.update(new Map([copy, ARTIFACT].map(path => [path, '1'])));
    expect(await builds.find(CODE, false)).toMatchObject({ artifact: ARTIFACT });
  },
);

test('finds the artifacts that have a code now, also when it was looked for before they came, changed and went', async () => {
  const project = new Project();
  const builds = new SourceBuilds(project);
  const find = async (versions: readonly (readonly [string, string])[]) => {
    await builds.update(new Map(versions));
    const found = await builds.find(CODE, false);
    return found === null || found === 'ambiguous' ? found : found.artifact;
  };
  expect(await find([])).toBe(null);
  expect(await find([[ARTIFACT, '1']])).toBe(ARTIFACT);
  project.recompile('0x6001600355');
  expect(await find([[ARTIFACT, '1']])).toBe(ARTIFACT);
  expect(await find([[ARTIFACT, '2']])).toBe(null);
  expect(await find([])).toBe(null);
});

test('reads nothing again while no artifact changes, of which some have no code', async () => {
  const project = new Project();
  const artifacts = new Map([ARTIFACT, 'artifacts/contracts/IVault.sol/IVault.json'].map(path => [path, '1']));
  project.addInterface('artifacts/contracts/IVault.sol/IVault.json');
  const builds = new SourceBuilds(project);
  await builds.update(artifacts);
  expect(await isChanged(builds)).toBe(false);
  const { reads } = project;
  await builds.update(artifacts);
  expect(await isChanged(builds)).toBe(false);
  expect(project.reads).toBe(reads);
});

test('reads an artifact again that could not be read', async () => {
  const project = new Project();
  const later = 'artifacts/contracts/Later.sol/Later.json';
  const builds = new SourceBuilds(project);
  await builds.update(new Map([[later, '1']]));
  expect(builds.isEmpty).toBe(true);
  project.addCopy(later);
  await builds.update(new Map([[later, '1']]));
  expect(builds.isEmpty).toBe(false);
});

test('reads members of enums from the sources of a build that has a storage layout without a syntax tree', async () => {
  const project = new Project();
  project.addLayout('contract Vault { enum Phase { Open, Shut } Phase phase; }', {
    storage: [{ contract: 'contracts/Vault.sol:Vault', label: 'phase', offset: 0, slot: '0', type: 't_enum(Phase)4' }],
    types: { 't_enum(Phase)4': { encoding: 'inplace', label: 'enum Vault.Phase', numberOfBytes: '1' } },
  });
  const builds = new SourceBuilds(project);
  await builds.update(new Map([[ARTIFACT, '1']]));
  const types = (await builds.declarations(ARTIFACT))?.types ?? [];
  expect(types).toEqual([{ kind: 'enum', text: 'Vault.Phase', members: ['Open', 'Shut'], bytes: 1, slots: 1n }]);
});
