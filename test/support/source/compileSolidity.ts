// Runs solc on standard JSON; what any test has compiled once is read from a file from then on, also in later runs.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Abi } from 'viem';
import { readRecordedOutput } from './recordedOutputs.ts';

const require = createRequire(import.meta.url);
/** Compiling takes up to seconds; a file is named after all that its content depends on. */
export const CACHE = new URL('../../../node_modules/.cache/hexlens-solc/', import.meta.url);

/** Packages of npm, each with another version of solc. */
export type Compiler = 'solc' | 'solc-0.6' | 'solc-0.6.3' | 'solc-0.8.19' | 'solc-0.8.37';

/** In the cache beside each output: what it was compiled of. */
export interface CachedInput {
  readonly compiler: Compiler;
  readonly input: string;
}

export interface CompilerInput {
  /** Text by path; imports of npm's packages are found. */
  readonly sources: Readonly<Record<string, { readonly content: string }>>;
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface CompiledContract {
  readonly abi: Abi;
  readonly evm: Readonly<Record<'bytecode' | 'deployedBytecode', { readonly object: string }>>;
}

export interface CompilerOutput<Contract> {
  /** By path and name. */
  readonly contracts: Readonly<Record<string, Readonly<Record<string, Contract>>>>;
}

interface Solc {
  version(): string;
  compile(input: string, callbacks: { import(path: string): { contents: string } | { error: string } }): string;
}

const readVersion = (name: string): string => (require(`${name}/package.json`) as { readonly version: string }).version;

/** It installs a handler for the whole process, which would hide unhandled rejections. */
function loadCompiler(compiler: Compiler): Solc {
  const before = new Set(process.listeners('unhandledRejection'));
  const solc = require(compiler) as Solc;
  for (const listener of process.listeners('unhandledRejection'))
    if (!before.has(listener)) process.removeListener('unhandledRejection', listener);
  return solc;
}

function readImport(path: string): { contents: string } | { error: string } {
  try {
    return { contents: readFileSync(require.resolve(path), 'utf8') };
  } catch {
    return { error: `${path} is not in node_modules; run npm ci` };
  }
}

/** The name of all that the output for an input depends on. */
export function getCompilationKey(compiler: Compiler, input: string): string {
  const versions = [compiler, '@openzeppelin/contracts'].map(readVersion);
  return createHash('sha256').update(`${versions} ${input}`).digest('hex');
}

/** The text that the compiler writes for this text, errors included. */
export const runCompiler = (compiler: Compiler, input: string): string =>
  loadCompiler(compiler).compile(input, { import: readImport });

/** Another process may read the file meanwhile. */
function writeCache(target: URL, text: string): void {
  mkdirSync(CACHE, { recursive: true });
  const unfinished = new URL(`${target.href}.${process.pid}`);
  writeFileSync(unfinished, text);
  renameSync(unfinished, target);
}

/** {@link runCompiler}, unless its output is in the cache or recorded. */
export function compile(compiler: Compiler, input: string): string {
  const key = getCompilationKey(compiler, input);
  const file = new URL(`${key}.json`, CACHE);
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const output = readRecordedOutput(input, key) ?? runCompiler(compiler, input);
    writeCache(new URL(`${key}.input.json`, CACHE), JSON.stringify({ compiler, input } satisfies CachedInput));
    writeCache(file, output);
    return output;
  }
}

/** The compiler's long version, such as `0.8.30+commit.73712a01.Emscripten.clang`, which only the compiler itself knows. */
export function readCompilerVersion(compiler: Compiler): string {
  const file = new URL(`${compiler}-${readVersion(compiler)}.version`, CACHE);
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const version = loadCompiler(compiler).version();
    writeCache(file, version);
    return version;
  }
}

/** Throws what solc says when a source does not compile. */
export function compileSolidity<Contract>(input: CompilerInput, compiler: Compiler = 'solc'): CompilerOutput<Contract> {
  const output = JSON.parse(
    compile(compiler, JSON.stringify({ language: 'Solidity', ...input })),
  ) as CompilerOutput<Contract> & {
    readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  };
  const errors = output.errors?.filter(({ severity }) => severity === 'error') ?? [];
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  return output;
}
