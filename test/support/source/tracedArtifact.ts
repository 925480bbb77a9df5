// A call of a contract that is compiled from a text and runs in memory, with the build that names its lines.
import { type Abi, encodeFunctionData, keccak256 } from 'viem';
import type { Hex } from '../../../src/base/hex.ts';
import { SourceBuilds } from '../../../src/decode/source/sourceBuilds.ts';
import type { FindProgram } from '../../../src/decode/source/traceStack.ts';
import type { Trace } from '../../../src/decode/trace/trace.ts';
import { createProgramFinder } from '../../../src/service/trace/createProgramFinder.ts';
import { toCreationCode } from '../assemble.ts';
import { MemoryChain } from './memoryChain.ts';
import { type CompilerSettings, compileArtifact } from './sourceProject.ts';

const ALICE: Hex = `0x${'a1'.repeat(20)}`;

export interface TracedCall {
  readonly functionName: string;
  readonly args: readonly unknown[];
  /** Its limit of gas. */
  readonly gas?: number;
  /** Calls that are sent before it. */
  readonly earlier?: readonly (readonly [functionName: string, args: readonly unknown[]])[];
}

/** Deploys `contract` of `source` and calls it once; the call must succeed. */
export async function traceArtifactCall(
  contract: string,
  source: string,
  settings: CompilerSettings,
  { functionName, args, gas, earlier = [] }: TracedCall,
): Promise<{ readonly trace: Trace; readonly findProgram: FindProgram }> {
  const { files, artifact, code, abi } = compileArtifact(contract, source, settings);
  const builds = new SourceBuilds({ read: async path => files.get(path) ?? null });
  await builds.update(new Map([[artifact, '1']]));
  const found = await builds.find(`0x${code}`, false);
  if (found === null || found === 'ambiguous' || 'problem' in found.read) throw new Error('no build');
  const declarations = await builds.declarations(found.artifact);
  const chain = await MemoryChain.create([ALICE]);
  const to = await chain.send({ from: ALICE, to: null, input: toCreationCode(code) });
  const encode = (name: string, values: readonly unknown[]) =>
    encodeFunctionData({ abi: abi as Abi, functionName: name, args: values });
  for (const [name, values] of earlier) await chain.send({ from: ALICE, to, input: encode(name, values) });
  const input = encode(functionName, args);
  const trace = await chain.trace({ from: ALICE, to, input, ...(gas !== undefined && { gas }) });
  if (trace.frames[0]?.status !== 'success') throw new Error(`${functionName} failed`);
  const build = { ...found.read.build, ...(declarations !== null && { declarations }) };
  const findProgram = createProgramFinder([{ hash: keccak256(`0x${code}`), isCreation: false, build }]);
  return { trace, findProgram };
}

/** The word after `//~` at the end of a line of the text; `undefined` where there is none. `line`: zero-based. */
export const markerOf = (source: string, line: number): string | undefined =>
  /\/\/~(\w+)$/.exec(source.split('\n')[line] ?? '')?.[1];
