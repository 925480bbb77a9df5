// Compiles contracts of a transaction once more, without the optimizer and via-IR, as substitutes for their code in a debugger.
import { keccak256 } from 'ox/Hash';
import type { RunCompiler } from '../../api/compiler.ts';
import type { SkippedContract, SubstituteCode } from '../../api/debugSession.ts';
import type { TracedCode } from '../../api/transactionStack.ts';
import { hexToBytes } from '../../base/hex.ts';
import { isObject } from '../../base/isObject.ts';
import { type LocalizableText, localizable } from '../../base/localize.ts';
import { JsonBytes } from './jsonBytes.ts';
import type { Compilation } from './sourceBuild.ts';
import type { SourceBuilds } from './sourceBuilds.ts';
import { fillCreationCode, fillRuntimeCode } from './substituteCode.ts';

export interface UnoptimizedBuilds {
  readonly substitutes: readonly SubstituteCode[];
  /** Contracts whose optimized code stays, with the reason. */
  readonly skipped: readonly SkippedContract[];
}

const OUTPUTS = ['abi', 'evm.bytecode', 'evm.deployedBytecode', 'evm.methodIdentifiers'];

/** One contract that was compiled for another code than is wanted. */
interface OptimizedContract {
  readonly artifact: string;
  readonly name: string;
  readonly codes: TracedCode[];
}

type Compiled = { readonly input: JsonBytes; readonly output: JsonBytes } | { readonly problem: LocalizableText };

/** The same sources and settings, but for how code is generated. */
export function createUnoptimizedInput({ contract, sources, settings }: Compilation): string {
  const { viaIR: _, optimizer: __, ...others } = settings;
  const outputSelection = { [contract.path]: { [contract.name]: OUTPUTS }, '*': { '': ['ast'] } };
  return JSON.stringify({
    language: 'Solidity',
    sources,
    settings: { ...others, optimizer: { enabled: false }, outputSelection },
  });
}

async function compile(run: RunCompiler, artifact: string, compilation: Compilation): Promise<Compiled> {
  const input = createUnoptimizedInput(compilation);
  const result = await run({ version: compilation.version, input, artifact });
  if ('problem' in result) return result;
  const output = new JsonBytes(result.output);
  const errors = output.get('errors')?.parse();
  const error = (Array.isArray(errors) ? errors : []).filter(isObject).find(({ severity }) => severity === 'error');
  if (error !== undefined) {
    const [message = ''] = String(error['message']).split('\n');
    return { problem: localizable('it does not compile without the optimizer: {0}', message) };
  }
  return { input: new JsonBytes(new TextEncoder().encode(input)), output };
}

/** The contracts whose code was optimized, each with its codes. */
async function listOptimized(
  builds: SourceBuilds,
  codes: readonly TracedCode[],
): Promise<readonly OptimizedContract[]> {
  const contracts = new Map<string, OptimizedContract>();
  for (const traced of codes) {
    const found = await builds.find(traced.code, traced.isCreation);
    if (found === null || found === 'ambiguous' || 'problem' in found.read) continue;
    const { name, pipeline } = found.read.build;
    if (!pipeline.isOptimized && !pipeline.isViaIR) continue;
    const contract = contracts.get(found.artifact) ?? { artifact: found.artifact, name, codes: [] };
    contract.codes.push(traced);
    contracts.set(found.artifact, contract);
  }
  return [...contracts.values()];
}

async function substitute(
  builds: SourceBuilds,
  { artifact, codes }: OptimizedContract,
  run: RunCompiler,
): Promise<readonly SubstituteCode[] | LocalizableText> {
  const compilation = await builds.compilation(artifact);
  if (compilation === null) return localizable('its build does not have the text of all of its sources');
  if (compilation.version === '') return localizable('its build does not say which compiler made it');
  const compiled = await compile(run, artifact, compilation);
  if ('problem' in compiled) return compiled.problem;
  const { contract } = compilation;
  const { read, declarations } = await builds.readRun(artifact, compiled, contract);
  const evm = compiled.output.get('contracts', contract.path, contract.name, 'evm')?.parse();
  if ('problem' in read || !isObject(evm)) return localizable('the compiler gave no code for it');
  const build = declarations === null ? read.build : { ...read.build, declarations };
  const substitutes: SubstituteCode[] = [];
  for (const { hash, code: deployed, isCreation } of codes) {
    const kind = isCreation ? 'bytecode' : 'deployedBytecode';
    const own = isObject(evm[kind]) ? evm[kind] : {};
    const pair = { deployed, original: compilation[kind], substitute: own, hasSameIds: compilation.isWholeRun };
    const filled = isCreation ? fillCreationCode(pair) : fillRuntimeCode(pair);
    if ('problem' in filled) return filled.problem;
    const { code } = filled;
    substitutes.push({ replaced: hash, code, hash: keccak256(hexToBytes(code), { as: 'Hex' }), isCreation, build });
  }
  return substitutes;
}

/** Substitutes for the codes of a transaction that were optimized. */
export async function compileUnoptimized(
  builds: SourceBuilds,
  codes: readonly TracedCode[],
  run: RunCompiler,
): Promise<UnoptimizedBuilds> {
  const substitutes: SubstituteCode[] = [];
  const skipped: SkippedContract[] = [];
  for (const contract of await listOptimized(builds, codes)) {
    const result = await substitute(builds, contract, run);
    if (Array.isArray(result)) substitutes.push(...result);
    else skipped.push({ contract: contract.name, reason: result as LocalizableText });
  }
  return { substitutes, skipped };
}
