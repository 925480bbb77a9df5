// Compiles the test chain's contracts with npm's solc, and caches the result until one of its inputs changes.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { HexLensError } from '../../../src/base/errors.ts';
import { type Hex, isHex } from '../../../src/base/hex.ts';
import type { CodeVersion } from './testNode.ts';

export interface CompiledContract {
  /** Creation code without constructor arguments. */
  readonly bytecode: Hex;
  /** The JSON ABI as solc writes it. */
  readonly abi: readonly unknown[];
}

/** By contract name; every contract of `test/support/chain/contracts`, none of the libraries it imports. */
export type CompiledContracts = Readonly<Record<string, CompiledContract>>;

export interface CompileOptions {
  /** Folder of the cached result; created when it does not exist. */
  readonly cacheFolder?: string;
  /** Default cancun, the oldest that OpenZeppelin 5.7 supports; for an older one its `mcopy` is replaced. */
  readonly evmVersion?: CodeVersion | undefined;
  /** Which of the sources; default all. */
  readonly only?: readonly string[];
  /** Loads the compiler, only when the cache can not be used. Default: npm's solc. */
  readonly loadSolc?: () => Promise<Solc>;
}

/** The cache file: used only if the digest matches and all inputs have the stored hashes. */
interface CacheFile {
  readonly compiler: string;
  readonly settings: string;
  /** SHA-256 by import path, of our sources and of every library file that solc imported. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly contracts: CompiledContracts;
  /** SHA-256 of `contracts` as JSON, to detect truncated or edited files. */
  readonly digest: string;
}

interface SolcOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, SolcContract>>>>;
}

interface SolcContract {
  readonly abi: readonly unknown[];
  readonly evm: { readonly bytecode: { readonly object: string } };
}

/** The part of solc's interface that is used: standard JSON in, standard JSON out. */
export interface Solc {
  compile(input: string, callbacks: { import: (path: string) => { contents: string } | { error: string } }): string;
}

const SOURCES = fileURLToPath(new URL('contracts/', import.meta.url));
/** What each clone would compile for ten seconds, by `npm run record:solc`. */
const RECORDED = fileURLToPath(new URL('recorded/', import.meta.url));
const DEFAULT_CACHE = fileURLToPath(new URL('../../../out/chain-cache/', import.meta.url));

const settingsFor = (evmVersion: CodeVersion) => ({
  optimizer: { enabled: evmVersion === 'cancun', runs: 200 }, // takes most of the time, and other versions have no known hashes
  evmVersion,
  metadata: { bytecodeHash: 'none' }, // else a changed comment would change all hashes of the chain
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
});
type Settings = ReturnType<typeof settingsFor>;

/** `mcopy` for EVM versions without it: word by word, and the bytes after the last one stay. */
const COPY = `function copyBytes(to, from, size) {
  for {} gt(size, 31) { size := sub(size, 32) } { mstore(to, mload(from)) to := add(to, 32) from := add(from, 32) }
  if size { let rest := sub(shl(shl(3, sub(32, size)), 1), 1)
    mstore(to, or(and(mload(from), not(rest)), and(mload(to), rest))) } }`;

/** The same source for an EVM version before Cancun, without `mcopy`. */
function withoutMcopy(source: string): string {
  if (!/\bmcopy\(/.test(source)) return source;
  return source
    .replaceAll('assembly ("memory-safe") {', `assembly ("memory-safe") { ${COPY}`)
    .replaceAll(/\bmcopy\(/g, 'copyBytes(');
}

const require = createRequire(import.meta.url);

/** Rejects with `internal` and solc's message when a source does not compile. */
export async function compileContracts(options: CompileOptions = {}): Promise<CompiledContracts> {
  const folder = options.cacheFolder ?? DEFAULT_CACHE;
  const sources = await readSources(options.only);
  const { evmVersion = 'cancun' } = options;
  const settings = settingsFor(evmVersion);
  const file = join(folder, getCacheName(evmVersion));
  const cached =
    (await readCache(file, settings, sources)) ??
    (options.cacheFolder === undefined ? await readRecordedContracts(evmVersion, sources) : undefined);
  if (cached !== undefined) return cached;
  const solc = await (options.loadSolc ?? loadSolc)();
  const { contracts, inputs } = runSolc(solc, settings, sources);
  await writeCache(folder, file, {
    compiler: readCompilerVersion(),
    settings: JSON.stringify(settings),
    inputs,
    contracts,
    digest: sha256(JSON.stringify(contracts)),
  });
  return contracts;
}

const getCacheName = (evmVersion: CodeVersion): string =>
  evmVersion === 'cancun' ? 'contracts.json' : `contracts-${evmVersion}.json`;

const readCompilerVersion = (): string => (require('solc/package.json') as { version: string }).version;

/** `undefined` when a source, the compiler or a library has changed since. */
export async function readRecordedContracts(
  evmVersion: CodeVersion,
  sources?: ReadonlyMap<string, string>,
): Promise<CompiledContracts | undefined> {
  const file = join(RECORDED, `${getCacheName(evmVersion)}.br`);
  return readCache(file, settingsFor(evmVersion), sources ?? (await readSources()));
}

/** Records them again where they are not of the sources as they are. */
export async function recordContracts(evmVersion: CodeVersion): Promise<void> {
  if ((await readRecordedContracts(evmVersion)) !== undefined) return;
  await compileContracts({ evmVersion });
  const name = getCacheName(evmVersion);
  await mkdir(RECORDED, { recursive: true });
  await writeFile(join(RECORDED, `${name}.br`), brotliCompressSync(await readFile(join(DEFAULT_CACHE, name))));
}

async function readSources(only?: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const names = only ?? (await readdir(SOURCES)).filter(name => name.endsWith('.sol')).sort();
  const texts = await Promise.all(names.map(name => readFile(join(SOURCES, name), 'utf8')));
  return new Map(names.map((name, i) => [name, texts[i] ?? '']));
}

async function readCache(
  file: string,
  settings: Settings,
  sources: ReadonlyMap<string, string>,
): Promise<CompiledContracts | undefined> {
  try {
    const bytes = await readFile(file);
    const cache = JSON.parse((file.endsWith('.br') ? brotliDecompressSync(bytes) : bytes).toString()) as CacheFile;
    if (cache.compiler !== readCompilerVersion() || cache.settings !== JSON.stringify(settings)) return undefined;
    if (sha256(JSON.stringify(cache.contracts)) !== cache.digest) return undefined;
    for (const name of sources.keys()) if (cache.inputs[name] === undefined) return undefined;
    for (const [path, hash] of Object.entries(cache.inputs)) {
      if (sha256(sources.get(path) ?? (await readFile(require.resolve(path), 'utf8'))) !== hash) return undefined;
    }
    return cache.contracts;
  } catch {
    return undefined; // missing, corrupt or of another version: compiling again is always correct
  }
}

async function writeCache(folder: string, file: string, cache: CacheFile): Promise<void> {
  const temporary = `${file}.${process.pid}`;
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(temporary, JSON.stringify(cache));
    await rename(temporary, file); // atomic: another process may be reading or writing it
  } catch {
    await rm(temporary, { force: true }).catch(() => {}); // a read-only checkout only makes the next run slower
  }
}

function runSolc(
  solc: Solc,
  settings: Settings,
  sources: ReadonlyMap<string, string>,
): { contracts: CompiledContracts; inputs: Record<string, string> } {
  const inputs: Record<string, string> = {};
  for (const [name, text] of sources) inputs[name] = sha256(text);
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries([...sources].map(([name, content]) => [name, { content }])),
    settings,
  };
  const readImport = (path: string) => {
    try {
      const contents = readFileSync(require.resolve(path), 'utf8');
      inputs[path] = sha256(contents);
      return { contents: settings.evmVersion === 'cancun' ? contents : withoutMcopy(contents) };
    } catch {
      return { error: `${path} is not in node_modules; run npm ci` };
    }
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport })) as SolcOutput;
  const errors = (output.errors ?? []).filter(error => error.severity === 'error');
  if (errors.length > 0 || output.contracts === undefined) {
    throw new HexLensError('internal', 'The contracts of the test chain do not compile.', {
      details: errors.map(error => error.formattedMessage).join('\n'),
      fix: `Correct the sources in test/support/chain/contracts: ${errors[0]?.formattedMessage ?? 'solc answered nothing'}`,
    });
  }
  const contracts: Record<string, CompiledContract> = {};
  for (const name of sources.keys()) {
    for (const [contract, { abi, evm }] of Object.entries(output.contracts[name] ?? {})) {
      const bytecode = `0x${evm.bytecode.object}`;
      if (isHex(bytecode) && bytecode.length > 2) contracts[contract] = { bytecode, abi };
    }
  }
  return { contracts, inputs };
}

/** Loading solc takes 300 ms and installs a process-wide handler that would hide unhandled rejections. */
export async function loadSolc(): Promise<Solc> {
  const before = new Set(process.listeners('unhandledRejection'));
  const { default: solc } = await import('solc');
  for (const listener of process.listeners('unhandledRejection')) {
    if (!before.has(listener)) process.removeListener('unhandledRejection', listener);
  }
  return solc as Solc;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
