// Runs a transaction with the code of an unoptimized build, and uses that run only where it did the same.
import type { DebugSubstitution, SubstituteCode } from '../../api/debugSession.ts';
import type { MatchedCode } from '../../api/transactionStack.ts';
import { isFault } from '../../base/errors.ts';
import { type Hex, hexToBytes } from '../../base/hex.ts';
import { type LocalizableText, localizable } from '../../base/localize.ts';
import { findPointerDifference, findRunDifference } from '../../decode/debug/compareRuns.ts';
import { findDependence } from '../../decode/debug/ownCode.ts';
import type { FindProgram } from '../../decode/source/traceStack.ts';
import type { Trace } from '../../decode/trace/trace.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { createProgramFinder } from '../trace/createProgramFinder.ts';
import type { ReplayInput } from '../trace/replay/replayTransaction.ts';
import { StepStates } from '../trace/stepStates.ts';
import { loadEvm } from '../trace/traceByReplay.ts';
import { CompletedSource, completeSource } from './completedSource.ts';

export interface SubstitutedTrace {
  readonly trace: Trace;
  readonly states: StepStates;
  readonly findProgram: FindProgram;
}

/** Unoptimized code takes some times as many steps. */
const MAX_GROWTH = 20;
const MIN_STEPS = 1_000_000;

const toCodes = (substitutes: readonly SubstituteCode[], isCreation: boolean): ReadonlyMap<Hex, Uint8Array> =>
  new Map(
    substitutes.flatMap(each =>
      each.isCreation === isCreation ? [[each.replaced, hexToBytes(each.code)] as const] : [],
    ),
  );

export interface RealRun {
  readonly trace: Trace;
  readonly input: ReplayInput;
  readonly builds: readonly MatchedCode[];
  /** Whether it is the first transaction of its block. */
  readonly isFirst: boolean;
}

/** The run with the substitutes, or why it is not used, as the end of a sentence. `node`: `null` where the state is complete. */
export async function substituteTrace(
  node: EvmNode | null,
  { trace: real, input, builds, isFirst }: RealRun,
  substitutes: readonly SubstituteCode[],
  signal: AbortSignal | undefined,
): Promise<SubstitutedTrace | { readonly problem: LocalizableText }> {
  if (real.frames.some(({ haltReason }) => haltReason === 'outOfGas'))
    return { problem: localizable('it runs out of gas, which depends on the build') };
  const { replayTransaction } = await loadEvm();
  const source = completeSource(node, input, isFirst);
  const substituted = {
    runtime: toCodes(substitutes, false),
    creation: toCodes(substitutes, true),
    frames: real.frames,
    maxSteps: Math.max(MIN_STEPS, MAX_GROWTH * real.steps.length),
  };
  const other: ReplayInput = { ...input, source, hasCodeSizeLimit: false, substituted };
  try {
    const { frames, steps, writes, logs, selfDestructs, preimages } = await replayTransaction(other, signal);
    const trace: Trace = {
      by: 'replay',
      isVerified: real.isVerified,
      isSubstituted: true,
      steps,
      writes,
      logs,
      selfDestructs,
      preimages,
      // What was paid is only known of the real run.
      frames: frames.map((frame, i) => {
        const { gasLimit = 0, gasUsed = 0 } = real.frames[i] ?? {};
        return { ...frame, gasLimit, gasUsed };
      }),
    };
    const findProgram = createProgramFinder([...substitutes, ...builds]);
    const difference = findRunDifference(real, trace);
    const problem =
      difference === null
        ? findDependence(trace, findProgram)
        : (findPointerDifference(real, trace, findProgram) ?? difference);
    if (problem !== null) return { problem };
    if (source instanceof CompletedSource && source.isIncomplete)
      return {
        problem: localizable('it reads state that the transaction did not, and that is not known within its block'),
      };
    return { trace, states: new StepStates(other), findProgram };
  } catch (error) {
    if (isFault(error, 'cancelled', 'node-unreachable')) throw error;
    const isTooLong = isFault(error, 'too-large');
    return {
      problem: isTooLong ? localizable('it takes too many steps') : localizable('it cannot be run'),
    };
  }
}

export const toSubstitution = (
  substitutes: readonly SubstituteCode[],
  result: SubstitutedTrace | { readonly problem: LocalizableText },
): DebugSubstitution =>
  'problem' in result
    ? { isUsed: false, reason: result.problem }
    : { isUsed: true, contracts: [...new Set(substitutes.map(({ build }) => build.name))] };
