// Projects in memory: contracts compiled by solc, as Hardhat writes them to disk.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { keccak256, toBytes } from 'viem';
import type { ProjectFiles } from '../../../src/decode/source/sourceBuild.ts';
import { SourceBuilds } from '../../../src/decode/source/sourceBuilds.ts';
import { type CompiledContract, type Compiler, compileSolidity } from './compileSolidity.ts';

const require = createRequire(import.meta.url);
const CONTRACTS = new URL('contracts/', import.meta.url);

export type { Compiler } from './compileSolidity.ts';

export interface CompilerSettings {
  readonly viaIR?: boolean;
  readonly optimizer?: { readonly enabled: boolean; readonly runs: number };
  readonly evmVersion?: string;
}

export interface SourceProject {
  /** Of the compiler. */
  readonly version: string;
  readonly builds: SourceBuilds;
  /** By path: sources, artifacts and build info. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  contract(name: string): CompiledContract;
  /** What is in place of the address of a library in code that is not linked. */
  placeholderOf(library: string): string;
  /** Of a file of the folder `contracts`. */
  text(name: string): string;
  /** `path:line` of `//~marker`, lines from 1. */
  lineOf(marker: string): string;
}

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** Only what is read: opcodes and generated sources are most of the whole. */
const CODE = ['object', 'sourceMap', 'linkReferences'];
const OUTPUTS = [
  ...['abi', 'evm.methodIdentifiers', 'evm.deployedBytecode.immutableReferences'],
  ...['bytecode', 'deployedBytecode'].flatMap(code => CODE.map(part => `evm.${code}.${part}`)),
];

/** Compiles files of the folder `contracts`. */
export async function createSourceProject(
  compiler: Compiler,
  names: readonly string[],
  settings: CompilerSettings,
): Promise<SourceProject> {
  const texts = new Map(names.map(name => [`contracts/${name}`, readFileSync(new URL(name, CONTRACTS), 'utf8')]));
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries([...texts].map(([path, content]) => [path, { content }])),
    settings: { ...settings, outputSelection: { '*': { '*': OUTPUTS, '': ['ast'] } } },
  };
  const output = compileSolidity<CompiledContract>(input, compiler);
  const { version } = require(`${compiler}/package.json`) as { readonly version: string };

  const files = new Map<string, Uint8Array>([
    ['artifacts/build-info/1.json', encode({ solcLongVersion: version, input, output })],
  ]);
  const contracts = new Map<string, CompiledContract>();
  for (const [path, text] of texts) files.set(path, new TextEncoder().encode(text));
  for (const [sourceName, ofSource] of Object.entries(output.contracts)) {
    for (const [contractName, contract] of Object.entries(ofSource)) {
      contracts.set(contractName, contract);
      const artifact = `artifacts/${sourceName}/${contractName}`;
      const { abi, evm } = contract;
      const [bytecode, deployedBytecode] = [`0x${evm.bytecode.object}`, `0x${evm.deployedBytecode.object}`];
      const format = 'hh-sol-artifact-1';
      files.set(
        `${artifact}.json`,
        encode({ _format: format, contractName, sourceName, abi, bytecode, deployedBytecode }),
      );
      files.set(`${artifact}.dbg.json`, encode({ buildInfo: '../../build-info/1.json' }));
    }
  }
  const projectFiles: ProjectFiles = { read: async path => files.get(path) ?? null };
  const builds = new SourceBuilds(projectFiles);
  const artifacts = [...files.keys()].filter(path => /^artifacts\/contracts\/.*(?<!\.dbg)\.json$/.test(path));
  await builds.update(new Map(artifacts.map(path => [path, '1'])));
  return {
    version,
    builds,
    files,
    contract(name) {
      const contract = contracts.get(name);
      if (contract === undefined) throw new Error(`no contract ${name}`);
      return contract;
    },
    placeholderOf(library) {
      const file = Object.keys(output.contracts).find(path => library in (output.contracts[path] ?? {}));
      return `__$${keccak256(toBytes(`${file}:${library}`)).slice(2, 36)}$__`;
    },
    text: name => texts.get(`contracts/${name}`) ?? '',
    lineOf(marker) {
      for (const [path, text] of texts) {
        const line = text.split('\n').findIndex(each => each.endsWith(`//~${marker}`));
        if (line >= 0) return `${path}:${line + 1}`;
      }
      throw new Error(`no line has the marker ${marker}`);
    },
  };
}

/** One contract of a source in memory, as Hardhat writes it: its files, the path of its artifact, its ABI, its runtime code in hex digits. */
export function compileArtifact(name: string, content: string, settings: CompilerSettings) {
  const [sourceName, contractName] = [`contracts/${name}.sol`, name];
  const outputs = ['abi', 'evm.bytecode', 'evm.deployedBytecode', 'evm.methodIdentifiers'];
  const input = {
    ...{ language: 'Solidity', sources: { [sourceName]: { content } } },
    settings: { ...settings, outputSelection: { '*': { '*': outputs, '': ['ast'] } } },
  };
  const output = compileSolidity<CompiledContract>(input);
  const contract = output.contracts[sourceName]?.[name];
  if (contract === undefined) throw new Error(`no contract ${name}`);
  const { abi, evm } = contract;
  const code = evm.deployedBytecode.object;
  const artifact = `artifacts/${sourceName}/${name}.json`;
  const [bytecode, deployedBytecode] = [`0x${evm.bytecode.object}`, `0x${code}`];
  const files = new Map<string, Uint8Array>([
    ['artifacts/build-info/1.json', encode({ input, output })],
    [artifact, encode({ _format: 'hh-sol-artifact-1', contractName, sourceName, abi, bytecode, deployedBytecode })],
    [artifact.replace(/json$/, 'dbg.json'), encode({ buildInfo: '../../build-info/1.json' })],
  ]);
  return { files, artifact, abi, code };
}
