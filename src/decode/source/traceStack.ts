// The stack of Solidity of a traced transaction that failed.
import { bytesToHex } from '../../base/hex.ts';
import type { Trace, TraceFrame } from '../trace/trace.ts';
import type { ContractProgram } from './contractProgram.ts';
import type { OwnSteps } from './internalCalls.ts';
import { findSourceStack, type SourceStack, type TracedCall } from './sourceStack.ts';

/** Steps of the frame itself, without those of the frames that it called. */
function selectOwnSteps({ steps }: Trace, frame: TraceFrame, inner: readonly TraceFrame[]): OwnSteps {
  const innerLength = inner.reduce((sum, { firstStep, endStep }) => sum + endStep - firstStep, 0);
  const length = frame.endStep - frame.firstStep - innerLength;
  const own = { length, step: new Uint32Array(length), pc: new Uint32Array(length), op: new Uint8Array(length) };
  let at = 0;
  let from = frame.firstStep;
  for (const { firstStep, endStep } of [...inner, { firstStep: frame.endStep, endStep: frame.endStep }]) {
    own.pc.set(steps.pc.subarray(from, firstStep), at);
    own.op.set(steps.op.subarray(from, firstStep), at);
    for (let step = from; step < firstStep; step++) own.step[at++] = step;
    from = endStep;
  }
  return own;
}

/** `findProgram`: the source of the code that a frame ran; `null` where no build is known. */
export function findStackOfTrace(
  trace: Trace,
  findProgram: (frame: TraceFrame) => ContractProgram | null,
): SourceStack | null {
  const [root] = trace.frames;
  if (root === undefined || root.status === 'success') return null;
  const inner = Map.groupBy(trace.frames, ({ parent }) => parent);
  const toCall = (frame: TraceFrame, callIndex: number): TracedCall => {
    const calls = inner.get(frame.index) ?? [];
    const steps = selectOwnSteps(trace, frame, calls);
    const last = calls.at(-1);
    return {
      address: frame.address,
      isCreation: frame.isCreation,
      value: frame.value,
      input: bytesToHex(frame.input),
      output: frame.status === 'success' && frame.isCreation ? '0x' : bytesToHex(frame.output),
      status: frame.status,
      haltReason: frame.haltReason ?? null,
      callIndex,
      steps,
      lastCall: last === undefined ? null : toCall(last, steps.step.lastIndexOf(last.callStep)),
      program: findProgram(frame),
    };
  };
  return findSourceStack(toCall(root, -1));
}
