// Runs solc on standard JSON; what any test has compiled once is read from a file from then on, also in later runs.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Abi } from 'viem';

const require = createRequire(import.meta.url);
/** Compiling takes up to seconds; a file is named after all that its content depends on. */
const CACHE = new URL('../../../node_modules/.cache/hexlens-solc/', import.meta.url);

/** Packages of npm, each with another version of solc. */
export type Compiler = 'solc' | 'solc-0.6' | 'solc-0.8.19' | 'solc-0.8.37';

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

/** The text that the compiler writes for this text, errors included. */
export function runCompiler(compiler: Compiler, input: string): string {
  const versions = [compiler, '@openzeppelin/contracts'].map(readVersion);
  const file = new URL(`${createHash('sha256').update(`${versions} ${input}`).digest('hex')}.json`, CACHE);
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const output = loadCompiler(compiler).compile(input, { import: readImport });
    mkdirSync(CACHE, { recursive: true });
    const unfinished = new URL(`${file.href}.${process.pid}`);
    writeFileSync(unfinished, output);
    renameSync(unfinished, file); // another process may read it
    return output;
  }
}

/** Throws what solc says when a source does not compile. */
export function compileSolidity<Contract>(input: CompilerInput, compiler: Compiler = 'solc'): CompilerOutput<Contract> {
  const output = JSON.parse(
    runCompiler(compiler, JSON.stringify({ language: 'Solidity', ...input })),
  ) as CompilerOutput<Contract> & {
    readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  };
  const errors = output.errors?.filter(({ severity }) => severity === 'error') ?? [];
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  return output;
}
