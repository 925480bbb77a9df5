// The stack of Solidity at the failure of a transaction: over all calls between contracts and inside them.
import type { FailureReason } from '../../api/transactionStack.ts';
import type { HaltReason } from '../../api/transactionTrace.ts';
import type { TaskPacer } from '../../base/taskPacer.ts';
import { isPassedOn } from '../passedOn.ts';
import { CallStack, type SourceFrame, type TracedCall, unknownFrame } from './callStack.ts';

export interface SourceStack {
  /** Outermost first. */
  readonly frames: readonly SourceFrame[];
  readonly reason: FailureReason;
  /** The innermost call that failed with this error. */
  readonly call: TracedCall;
}

/** The EVM did not make these calls: nothing ran at their address. */
const NOT_MADE: ReadonlySet<HaltReason | null> = new Set([
  'depth',
  'insufficientBalance',
  'nonceOverflow',
  'addressCollision',
]);

/** The stack at the failure of a call, whose status is not success. */
export async function findSourceStack(root: TracedCall, pacer: TaskPacer): Promise<SourceStack> {
  const frames: SourceFrame[] = [];
  // Without its source, a call that returned nothing may have caught a failure and failed by itself.
  let isInferred = false;
  const add = (added: readonly SourceFrame[]) =>
    frames.push(...added.map(frame => (isInferred ? { ...frame, isInferred } : frame)));
  for (let call = root; ; ) {
    await pacer.pause();
    const stack = call.program === null ? null : new CallStack(call, call.program);
    const inner = call.lastCall;
    const isSame =
      inner === null || isPassedOn(call, inner, true) === false ? false : stack === null ? null : stack.passesOn(inner);
    if (inner !== null && isSame !== false) {
      add(stack?.callSite(inner) ?? [unknownFrame(call)]);
      isInferred ||= isSame === null && call.output === '0x';
      call = inner;
      continue;
    }
    if (call !== root && NOT_MADE.has(call.haltReason)) return { frames, reason: 'halted', call };
    const failure = stack?.failure() ?? { frames: [unknownFrame(call)], reason: haltReason(call) };
    add(failure.frames);
    return { frames, reason: failure.reason, call };
  }
}

const haltReason = ({ status, haltReason: reason }: TracedCall): FailureReason =>
  status === 'reverted' ? 'reverted' : reason === 'outOfGas' ? 'outOfGas' : 'halted';
