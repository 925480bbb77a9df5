// In which call a failed transaction failed first.
import { bytesToHex } from '../../base/hex.ts';
import { type CallOutcome, isPassedOn } from '../passedOn.ts';
import type { Trace, TraceFrame } from './trace.ts';

const RETURNDATACOPY = 0x3e;

export const toOutcome = ({ status, haltReason, output }: TraceFrame): CallOutcome => ({
  status,
  haltReason: haltReason ?? null,
  output: bytesToHex(output),
});

/** Whether the caller took what the call had returned, even nothing: compilers do so to pass a failure on. */
function copiesReturnData({ steps }: Pick<Trace, 'steps'>, caller: TraceFrame, inner: TraceFrame): boolean {
  for (let step = inner.endStep; step < caller.endStep; step++) if (steps.op[step] === RETURNDATACOPY) return true;
  return false;
}

/**
 * The innermost call that the failure of the transaction came from; `null` when it was successful. A call whose failure its
 * caller caught does not count, and neither does one that the caller answered with an error of its own. Without steps, a
 * failure without data counts as passed on.
 */
export function findFailedFrame(trace: Pick<Trace, 'frames' | 'steps'>): TraceFrame | null {
  const { frames, steps } = trace;
  const [root] = frames;
  if (root === undefined || root.status === 'success') return null;
  let failed: TraceFrame = root;
  for (;;) {
    const inner = frames.findLast(({ parent }) => parent === failed.index);
    if (inner === undefined) return failed;
    const isSure = isPassedOn(toOutcome(failed), toOutcome(inner), true);
    if (!(isSure ?? (steps.length === 0 || copiesReturnData(trace, failed, inner)))) return failed;
    failed = inner;
  }
}
