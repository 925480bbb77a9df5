// Runs a transaction with the code of an unoptimized build, and uses that run only where it did the same.
import type { DebugSubstitution, SubstituteCode } from '../../api/debugSession.ts';
import type { MatchedCode } from '../../api/transactionStack.ts';
import { isFault } from '../../base/errors.ts';
import { type Hex, hexToBytes } from '../../base/hex.ts';
import { type LocalizableText, localizable } from '../../base/localize.ts';
import { findRunDifference } from '../../decode/debug/compareRuns.ts';
import { findDependence } from '../../decode/debug/ownCode.ts';
import type { FindProgram } from '../../decode/source/traceStack.ts';
import type { Trace } from '../../decode/trace/trace.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { createProgramFinder } from '../trace/createProgramFinder.ts';
import type { ReplayInput } from '../trace/replay/replayTransaction.ts';
import type { ReplayBlock } from '../trace/replay/replayTypes.ts';
import type { SourceAccount, StateSource } from '../trace/replay/stateSource.ts';
import { ParentStateSource } from '../trace/stateSources.ts';
import { StepStates } from '../trace/stepStates.ts';
import { loadEvm } from '../trace/traceByReplay.ts';

export interface SubstitutedTrace {
  readonly trace: Trace;
  readonly states: StepStates;
  readonly findProgram: FindProgram;
}

/** Unoptimized code takes some times as many steps. */
const MAX_GROWTH = 20;
const MIN_STEPS = 1_000_000;

/** What the transaction used, and what only the unoptimized code reads: as the node has it after the block before. */
class CompletedSource implements StateSource {
  readonly isPartial = true;
  readonly fetchBlockHash: StateSource['fetchBlockHash'];
  readonly #own: StateSource;
  readonly #parent: StateSource;
  /** Nothing before the transaction in its block can have changed what the parent has. */
  readonly #isFirst: boolean;
  /** Something was read that is not known. */
  isIncomplete = false;

  constructor(own: StateSource, parent: StateSource, isFirst: boolean) {
    this.fetchBlockHash = own.fetchBlockHash;
    this.#own = own;
    this.#parent = parent;
    this.#isFirst = isFirst;
  }

  #isListed(address: Hex, slot: Hex | null): boolean {
    const isListed = this.#own.isListed?.(address, slot) === true;
    if (!isListed && !this.#isFirst) this.isIncomplete = true;
    return isListed || !this.#isFirst;
  }

  fetchAccount(address: Hex): Promise<SourceAccount | null> {
    return (this.#isListed(address, null) ? this.#own : this.#parent).fetchAccount(address);
  }

  fetchStorage(address: Hex, slot: Hex): Promise<Uint8Array> {
    return (this.#isListed(address, slot) ? this.#own : this.#parent).fetchStorage(address, slot);
  }
}

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

/** The state for code that may read more than the transaction did. */
function completeSource(node: EvmNode | null, { source }: ReplayInput, block: ReplayBlock, isFirst: boolean) {
  if (source.isPartial !== true || node === null) return source;
  return new CompletedSource(source, new ParentStateSource(node, block, undefined), isFirst);
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
  const source = completeSource(node, input, input.block, isFirst);
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
      ...{
        by: 'replay',
        isVerified: real.isVerified,
        isSubstituted: true,
        steps,
        writes,
        logs,
        selfDestructs,
        preimages,
      },
      // What was paid is only known of the real run.
      frames: frames.map((frame, i) => {
        const { gasLimit = 0, gasUsed = 0 } = real.frames[i] ?? {};
        return { ...frame, gasLimit, gasUsed };
      }),
    };
    const findProgram = createProgramFinder([...substitutes, ...builds]);
    const problem = findRunDifference(real, trace) ?? findDependence(trace, findProgram);
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
