// Reads the build of one contract: source maps and sources, from what Foundry, Hardhat 2 and 3, Ignition and Truffle write.

import { keccak256 } from 'ox/Hash';
import type { ContractDeclarations } from '../../api/contractDeclarations.ts';
import type { BuiltSource, ContractBuild } from '../../api/transactionStack.ts';
import { bytesToText } from '../../base/base64.ts';
import { isObject, toRecord } from '../../base/isObject.ts';
import { readAstDeclarations } from './astDeclarations.ts';
import { type CompilerRun, readCompilerDeclarations } from './compilerDeclarations.ts';
import { JsonBytes } from './jsonBytes.ts';
import { readLayoutDeclarations } from './layoutDeclarations.ts';
import { SyntaxTrees, toNode } from './syntaxTree.ts';

/** Reads files by their path below the project's folder, with `/`. `null`: there is no such file, or it may not be read. */
export interface ProjectFiles {
  read(path: string): Promise<Uint8Array | null>;
}

/** Why a build has no lines: each is one sentence in the user's language elsewhere. */
export type BuildProblem =
  | { readonly kind: 'missingFile'; readonly path: string }
  | { readonly kind: 'noSourceMap' }
  | { readonly kind: 'ambiguousSourceIds' }
  | { readonly kind: 'otherCompiler'; readonly compiler: string };

/** What a compiler's run took, and the code that it made of one contract: enough to compile it once more in another way. */
export interface Compilation {
  /** Such as `0.8.30+commit.73712a01`. */
  readonly version: string;
  readonly contract: Pick<ContractBuild, 'name' | 'path' | 'abi'>;
  readonly sources: Readonly<Record<string, { readonly content: string }>>;
  /** Of standard JSON. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Whether `sources` are all of the run, so that its ids of variables come again. */
  readonly isWholeRun: boolean;
  readonly bytecode: Readonly<Record<string, unknown>>;
  readonly deployedBytecode: Readonly<Record<string, unknown>>;
}

export type ReadSourceBuild = { readonly build: ContractBuild } | { readonly problem: BuildProblem };

function parseJson(bytes: Uint8Array | null): Readonly<Record<string, unknown>> | null {
  if (bytes === null) return null;
  try {
    const value: unknown = JSON.parse(bytesToText(bytes));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const parseJsonText = (text: string) => parseJson(new TextEncoder().encode(text)) ?? {};
const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** From the settings of solc. */
const toPipeline = ({ viaIR, optimizer }: Readonly<Record<string, unknown>>): ContractBuild['pipeline'] => ({
  isViaIR: viaIR === true,
  isOptimized: toRecord(optimizer)['enabled'] === true,
});

/** Joins and resolves `.` and `..`; `null` for a path that leaves the project's folder. */
export function joinPath(...parts: readonly string[]): string | null {
  const result: string[] = [];
  for (const part of parts.join('/').split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') result.push(part);
    else if (result.pop() === undefined) return null;
  }
  return result.join('/');
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Folders of an artifact, the innermost first. */
function ancestors(path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = parentOf(path); ; folder = parentOf(folder)) {
    folders.push(folder);
    if (folder === '') return folders;
  }
}

class BuildReader {
  readonly #files: ProjectFiles;
  readonly #artifactPath: string;
  readonly #artifact: Readonly<Record<string, unknown>>;

  constructor(files: ProjectFiles, artifactPath: string, artifact: Readonly<Record<string, unknown>>) {
    this.#files = files;
    this.#artifactPath = artifactPath;
    this.#artifact = artifact;
  }

  async read(): Promise<ReadSourceBuild> {
    const { deployedSourceMap, deployedBytecode } = this.#artifact;
    if (typeof deployedSourceMap === 'string') return this.#readTruffle(deployedSourceMap);
    if (isObject(deployedBytecode)) return this.#readFoundry(deployedBytecode);
    const run = await this.#findHardhat();
    return 'problem' in run ? run : this.#readCompilerOutput(run);
  }

  #findHardhat(): Promise<CompilerRun | { readonly problem: BuildProblem }> {
    return this.#artifact['_format'] === 'hh3-artifact-1' ? this.#findHardhat3() : this.#findHardhat2();
  }

  /** What the contract's source declares; `null` where the build has neither syntax trees nor a storage layout. */
  async readDeclarations(): Promise<ContractDeclarations | null> {
    const { deployedSourceMap, deployedBytecode } = this.#artifact;
    if (typeof deployedSourceMap === 'string') return this.#readOwnDeclarations(this.#contract().name);
    if (!isObject(deployedBytecode)) {
      const run = await this.#findHardhat();
      return 'problem' in run ? null : readCompilerDeclarations(run, this.#contract());
    }
    const { path, name } = this.#foundryContract();
    const info = await this.#findFoundryBuild(path, name, Number(this.#artifact['id']), []);
    const found = info === null ? null : await readCompilerDeclarations(info, { path, name });
    return found ?? this.#readOwnDeclarations(name);
  }

  /** `null` where the build lacks a source, or says nothing of its compiler. */
  async readCompilation(): Promise<Compilation | null> {
    const { deployedSourceMap, deployedBytecode } = this.#artifact;
    if (typeof deployedSourceMap === 'string') return this.#readTruffleCompilation();
    if (isObject(deployedBytecode)) return this.#readFoundryCompilation(deployedBytecode);
    const run = await this.#findHardhat();
    if ('problem' in run) return null;
    const contract = this.#contract();
    const evm = toRecord(run.output?.get('contracts', contract.path, contract.name, 'evm')?.parse());
    const [sources, settings] = [run.input?.get('sources')?.parse(), run.input?.get('settings')?.parse()];
    return {
      version: run.version ?? '',
      contract,
      isWholeRun: true,
      settings: toRecord(settings),
      sources: toRecord(sources) as Compilation['sources'],
      bytecode: toRecord(evm['bytecode']),
      deployedBytecode: toRecord(evm['deployedBytecode']),
    };
  }

  async #readFoundryCompilation(deployedBytecode: Readonly<Record<string, unknown>>): Promise<Compilation | null> {
    const read = await this.#readFoundry(deployedBytecode);
    const metadata = toRecord(this.#artifact['metadata']);
    const { compilationTarget: _, libraries, ...settings } = toRecord(metadata['settings']);
    if ('problem' in read || read.build.sources.some(({ text }) => text === null)) return null;
    const { name, path, abi, sources } = read.build;
    return {
      version: toText(toRecord(metadata['compiler'])['version']),
      contract: { name, path, abi },
      sources: Object.fromEntries(sources.map(({ path: source, text }) => [source, { content: text ?? '' }])),
      settings: { ...settings, libraries: toLibraries(toRecord(libraries)) },
      isWholeRun: false,
      bytecode: toRecord(this.#artifact['bytecode']),
      deployedBytecode,
    };
  }

  /** Truffle's artifact has the text of its own source; others are files whose hash is that of the metadata. */
  async #readTruffleCompilation(): Promise<Compilation | null> {
    const { source, bytecode, deployedBytecode, immutableReferences } = this.#artifact;
    const metadata = parseJsonText(toText(this.#artifact['metadata']));
    const { compilationTarget, libraries, ...settings } = toRecord(toRecord(metadata)['settings']);
    const [[path = '', name] = []] = Object.entries(toRecord(compilationTarget));
    const sources: Record<string, { readonly content: string }> = {};
    for (const [each, wire] of Object.entries(toRecord(toRecord(metadata)['sources']))) {
      const file = each === path ? null : await this.#findFile(each.replace(/^project:\//, ''));
      const bytes = each === path ? new TextEncoder().encode(toText(source)) : file?.bytes;
      if (bytes === undefined || keccak256(bytes, { as: 'Hex' }) !== toRecord(wire)['keccak256']) return null;
      sources[each] = { content: bytesToText(bytes) };
    }
    return {
      version: toText(toRecord(toRecord(metadata)['compiler'])['version']),
      contract: { ...this.#contract(), name: toText(name), path },
      sources,
      settings: { ...settings, libraries: toLibraries(toRecord(libraries)) },
      isWholeRun: false,
      bytecode: { object: bytecode },
      deployedBytecode: { object: deployedBytecode, immutableReferences },
    };
  }

  /** What another run of the compiler made of the same contract. */
  async readRun(
    run: CompilerRun,
    contract: Compilation['contract'],
  ): Promise<{ readonly read: ReadSourceBuild; readonly declarations: ContractDeclarations | null }> {
    const read = await this.#readCompilerOutput(run, contract);
    return { read, declarations: await readCompilerDeclarations(run, contract) };
  }

  /** Of an artifact that has the syntax tree of its own source, or a storage layout. */
  async #readOwnDeclarations(name: string): Promise<ContractDeclarations | null> {
    const { ast, source, deployedBytecode, storageLayout, transientStorageLayout } = this.#artifact;
    const tree = toNode(ast);
    const path = toText(tree?.['absolutePath']);
    const trees = await SyntaxTrees.read(path, async each => (each === path ? tree : null));
    const immutableReferences =
      toRecord(deployedBytecode)['immutableReferences'] ?? this.#artifact['immutableReferences'];
    const built = { path, name, trees, immutableReferences, getText: () => toText(source) };
    return readAstDeclarations(built) ?? readLayoutDeclarations(storageLayout, transientStorageLayout);
  }

  #contract(): Pick<ContractBuild, 'name' | 'path' | 'abi'> {
    const { contractName, sourceName, inputSourceName, abi } = this.#artifact;
    const path = toText(inputSourceName) || toText(sourceName);
    return { name: toText(contractName), path, abi: Array.isArray(abi) ? abi : [] };
  }

  /** The file of a source: below one of the artifact's folders, among its packages, or where the compiler's prefix leads. */
  async #findFile(path: string): Promise<{ readonly file: string; readonly bytes: Uint8Array } | null> {
    const name = path.replace(/^project\//, '').replace(/^npm\/((?:@[^/]+\/)?[^/@]+)(?:@[^/]+)?\//, 'node_modules/$1/');
    for (const folder of ancestors(this.#artifactPath)) {
      for (const candidate of [name, `node_modules/${name}`]) {
        const file = joinPath(folder, candidate);
        const bytes = file === null ? null : await this.#files.read(file);
        if (file !== null && bytes !== null) return { file, bytes };
      }
    }
    return null;
  }

  /** A source whose text the build has. */
  async #toSource(id: number, path: string, text: string): Promise<BuiltSource> {
    const found = await this.#findFile(path);
    const isChanged = found !== null && bytesToText(found.bytes) !== text;
    return { id, path, text, file: found?.file ?? null, isChanged };
  }

  async #findHardhat2(): Promise<CompilerRun | { readonly problem: BuildProblem }> {
    const debugPath = this.#artifactPath.replace(/\.json$/, '.dbg.json');
    const relative = toText(parseJson(await this.#files.read(debugPath))?.['buildInfo']);
    const infoPath = relative === '' ? null : joinPath(parentOf(this.#artifactPath), relative);
    const info = infoPath === null ? null : await this.#files.read(infoPath);
    if (info === null) return { problem: { kind: 'missingFile', path: infoPath ?? debugPath } };
    const json = new JsonBytes(info);
    return { input: json.get('input'), output: json.get('output'), version: toVersion(json) };
  }

  async #findHardhat3(): Promise<CompilerRun | { readonly problem: BuildProblem }> {
    const id = toText(this.#artifact['buildInfoId']);
    let missing = `build-info/${id}.json`;
    for (const folder of ancestors(this.#artifactPath)) {
      const path = joinPath(folder, 'build-info', `${id}.json`) ?? '';
      const info = await this.#files.read(path);
      if (info === null) continue;
      const json = new JsonBytes(info);
      const compiler = json.get('compilerType')?.parse();
      if (typeof compiler === 'string' && compiler !== 'solc') return { problem: { kind: 'otherCompiler', compiler } };
      missing = path.replace(/\.json$/, '.output.json');
      const output = await this.#files.read(missing);
      if (output === null) break;
      return { input: json.get('input'), output: new JsonBytes(output).get('output'), version: toVersion(json) };
    }
    return { problem: { kind: 'missingFile', path: missing } };
  }

  /** The standard JSON input and output of solc. */
  async #readCompilerOutput({ input, output }: CompilerRun, contract = this.#contract()): Promise<ReadSourceBuild> {
    const evm = output?.get('contracts', contract.path, contract.name, 'evm') ?? null;
    const runtimeMap = toText(evm?.get('deployedBytecode', 'sourceMap')?.parse());
    if (input === null || output === null || evm === null || runtimeMap === '')
      return { problem: { kind: 'noSourceMap' } };
    const sources: BuiltSource[] = [];
    for (const [path, source] of output.get('sources')?.members() ?? []) {
      const text = input.get('sources', path, 'content')?.parse();
      if (typeof text === 'string') sources.push(await this.#toSource(Number(source.get('id')?.parse()), path, text));
    }
    return {
      build: {
        ...contract,
        methodIdentifiers: toRecord(evm.get('methodIdentifiers')?.parse()) as Readonly<Record<string, string>>,
        creationMap: toText(evm.get('bytecode', 'sourceMap')?.parse()),
        runtimeMap,
        sources,
        pipeline: toPipeline(toRecord(input.get('settings')?.parse())),
      },
    };
  }

  async #readTruffle(runtimeMap: string): Promise<ReadSourceBuild> {
    const { ast, source, sourcePath, sourceMap } = this.#artifact;
    const id = Number(toText(toRecord(ast)['src']).split(':')[2]);
    const path = toText(toRecord(ast)['absolutePath']) || toText(sourcePath);
    const sources = Number.isInteger(id) && typeof source === 'string' ? [await this.#toSource(id, path, source)] : [];
    const pipeline = toPipeline(toRecord(parseJsonText(toText(this.#artifact['metadata']))['settings']));
    const creationMap = toText(sourceMap);
    return { build: { ...this.#contract(), path, methodIdentifiers: {}, creationMap, runtimeMap, sources, pipeline } };
  }

  #foundryContract(): Pick<ContractBuild, 'name' | 'path'> {
    const settings = toRecord(toRecord(this.#artifact['metadata'])['settings']);
    const [path = '', name] = Object.entries(toRecord(settings['compilationTarget']))[0] ?? [];
    return { path, name: toText(name) };
  }

  async #readFoundry(runtime: Readonly<Record<string, unknown>>): Promise<ReadSourceBuild> {
    const { bytecode, methodIdentifiers, metadata, id, abi } = this.#artifact;
    const runtimeMap = toText(runtime['sourceMap']);
    if (runtimeMap === '') return { problem: { kind: 'noSourceMap' } };
    const { path, name } = this.#foundryContract();
    const hashes = toRecord(toRecord(metadata)['sources']);
    const info = await this.#findFoundryBuild(path, name, Number(id), Object.keys(hashes));
    if (info === null) return { problem: { kind: 'ambiguousSourceIds' } };
    const texts = info.input?.get('sources') ?? null;
    const sources: BuiltSource[] = [];
    for (const [sourceId, sourcePath] of Object.entries(info.paths)) {
      if (!(sourcePath in hashes)) continue;
      sources.push(await this.#toFoundrySource(Number(sourceId), sourcePath, texts, toRecord(hashes[sourcePath])));
    }
    return {
      build: {
        name,
        path,
        abi: Array.isArray(abi) ? abi : [],
        methodIdentifiers: toRecord(methodIdentifiers) as Readonly<Record<string, string>>,
        creationMap: toText(toRecord(bytecode)['sourceMap']),
        runtimeMap,
        sources,
        pipeline: toPipeline(toRecord(toRecord(metadata)['settings'])),
      },
    };
  }

  /** Foundry keeps no text by default: the file is the source where its hash is that of the metadata. */
  async #toFoundrySource(
    id: number,
    path: string,
    texts: JsonBytes | null,
    { keccak256: hash }: Readonly<Record<string, unknown>>,
  ): Promise<BuiltSource> {
    const built = texts?.get(path, 'content')?.parse();
    if (typeof built === 'string') return this.#toSource(id, path, built);
    const found = await this.#findFile(path);
    if (found === null) return { id, path, text: null, file: null, isChanged: false };
    const isChanged = keccak256(found.bytes, { as: 'Hex' }) !== hash;
    return { id, path, text: isChanged ? null : bytesToText(found.bytes), file: found.file, isChanged };
  }

  /**
   * Source ids are only meaningful with the build info of the compiler's run that wrote the artifact. Foundry's cache says
   * which one that was; without it, all build infos that can be it must agree.
   */
  async #findFoundryBuild(
    path: string,
    name: string,
    id: number,
    needed: readonly string[],
  ): Promise<(CompilerRun & { readonly paths: Readonly<Record<string, string>> }) | null> {
    for (const folder of ancestors(this.#artifactPath)) {
      const cache = parseJson(await this.#files.read(joinPath(folder, 'cache/solidity-files-cache.json') ?? ''));
      if (cache === null) continue;
      const buildId = findBuildId(toRecord(toRecord(cache['files'])[path])['artifacts'], name, this.#artifactPath);
      const infos = toText(toRecord(cache['paths'])['build_infos']) || 'out/build-info';
      const bytes = buildId === null ? null : await this.#readBuildInfo(folder, infos, `${buildId}.json`);
      if (bytes === null) continue;
      const info = new JsonBytes(bytes);
      const paths = toRecord(info.get('source_id_to_path')?.parse()) as Readonly<Record<string, string>>;
      if (paths[id] !== path || !needed.every(each => Object.values(paths).includes(each))) return null;
      return { paths, input: info.get('input'), output: info.get('output') };
    }
    return null;
  }

  async #readBuildInfo(project: string, folder: string, name: string): Promise<Uint8Array | null> {
    const [configured, usual] = [joinPath(project, folder, name), joinPath(project, 'out/build-info', name)];
    // An absolute path is that of a side build, whose files are read by paths in its folder.
    return (await this.#files.read(configured ?? '')) ?? this.#files.read(usual ?? '');
  }
}

const toVersion = (info: JsonBytes): string => toText(info.get('solcLongVersion')?.parse());

/** Metadata have `{"src/Sums.sol:Sums": "0x…"}`, standard JSON `{"src/Sums.sol": {"Sums": "0x…"}}`. */
function toLibraries(libraries: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const bySource: Record<string, Record<string, unknown>> = {};
  for (const [name, address] of Object.entries(libraries)) {
    const at = name.lastIndexOf(':');
    const source = name.slice(0, Math.max(0, at));
    bySource[source] = { ...bySource[source], [name.slice(at + 1)]: address };
  }
  return bySource;
}

/** `artifacts[name][version][profile]` of the cache: the entry whose file this artifact is. */
function findBuildId(artifacts: unknown, name: string, artifactPath: string): string | null {
  for (const byProfile of Object.values(toRecord(toRecord(artifacts)[name]))) {
    for (const entry of Object.values(toRecord(byProfile))) {
      const { path, build_id: buildId } = toRecord(entry);
      if (typeof buildId === 'string' && typeof path === 'string' && artifactPath.endsWith(`/${path}`)) return buildId;
    }
  }
  return null;
}

/** `artifactPath`: below the project's folder. Never throws for a file that is damaged. */
export async function readSourceBuild(files: ProjectFiles, artifactPath: string): Promise<ReadSourceBuild> {
  const artifact = parseJson(await files.read(artifactPath));
  if (artifact === null) return { problem: { kind: 'missingFile', path: artifactPath } };
  try {
    return await new BuildReader(files, artifactPath, artifact).read();
  } catch {
    return { problem: { kind: 'noSourceMap' } };
  }
}

/** What the contract of an artifact declares; `null` where its build does not say. Never throws for a file that is damaged. */
export async function readBuiltDeclarations(
  files: ProjectFiles,
  artifactPath: string,
): Promise<ContractDeclarations | null> {
  const artifact = parseJson(await files.read(artifactPath));
  if (artifact === null) return null;
  try {
    return await new BuildReader(files, artifactPath, artifact).readDeclarations();
  } catch {
    return null;
  }
}

/** `null` where the build of an artifact does not have all that its compiler took. Never throws for a file that is damaged. */
export async function readCompilation(files: ProjectFiles, artifactPath: string): Promise<Compilation | null> {
  const artifact = parseJson(await files.read(artifactPath));
  try {
    return artifact === null ? null : await new BuildReader(files, artifactPath, artifact).readCompilation();
  } catch {
    return null;
  }
}

/** What another run of the compiler made of the contract of an artifact: its sources are the files of the artifact's project. */
export const readCompilerRun = (
  files: ProjectFiles,
  artifactPath: string,
  run: CompilerRun,
  contract: Compilation['contract'],
) => new BuildReader(files, artifactPath, {}).readRun(run, contract);

/** Whether the files of a build that was read differ from its text, or not, as they did then. */
export async function isAsRead(files: ProjectFiles, { sources }: ContractBuild): Promise<boolean> {
  const same = await Promise.all(
    sources.map(async ({ file, text, isChanged }) => {
      if (file === null) return true;
      const bytes = await files.read(file);
      return bytes !== null && text !== null && (bytesToText(bytes) !== text) === isChanged;
    }),
  );
  return same.every(Boolean);
}
