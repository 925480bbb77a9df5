// Which call made which, of a list in the order of execution.
import { type CallGas, canContain, type FrameGas, subtractCall } from './callGas.ts';

/** A call below the transaction's own. */
export interface PlaceableCall extends CallGas {
  readonly type: string | null;
  readonly from: string | null;
  readonly to: string | null;
  /** Why it failed; `null` when it did not. */
  readonly error: string | null;
  /** 1 for a call of the transaction's own call; absent where a host does not tell. */
  readonly depth?: number | null;
}

/** The call that a transaction is; `to` is the new contract where it creates one. */
export interface PlacingCall {
  readonly to: string | null;
  readonly gas: bigint | null;
  readonly error?: string | null;
}

export interface PlacedCall {
  /** Index of the call that made it; `null` for the transaction itself. */
  readonly parent: number | null;
  /** It failed, or is inside a call that did. */
  readonly isUndone: boolean;
}

interface Frame extends FrameGas {
  readonly index: number | null;
  /** The address that the frame's code calls from: that of the caller in a delegated call. */
  readonly self: string;
  readonly isUndone: boolean;
}

/** They run another contract's code as their own. */
const DELEGATED = /delegate|callcode/i;

/** `open` are the call before and those around it, outermost first: at each depth one. */
const findParentByDepth = (open: readonly Frame[], depth: number | null | undefined): Frame | undefined =>
  typeof depth === 'number' && depth > 0 ? open[depth - 1] : undefined;

function findParentByGas(open: readonly Frame[], caller: string, gas: CallGas): Frame | undefined {
  const callers = open.filter(frame => frame.self === caller);
  const containing = callers.filter(frame => canContain(frame, gas));
  return containing.findLast(({ isUndone }) => !isUndone) ?? containing.at(-1) ?? callers.at(-1);
}

/**
 * The parent of a call is the one above it in depth. Where the depth is unknown, it is the innermost one whose code may have
 * made it by its gas; one that was not undone where the gas does not decide.
 */
export function placeCalls(
  { to: receiver, gas, error = null }: PlacingCall,
  calls: readonly PlaceableCall[],
): readonly PlacedCall[] {
  const self = (receiver ?? '').toLowerCase();
  const root: Frame = { index: null, self, isUndone: error !== null, gasLeft: gas, gasUsedAlone: null };
  let open = [root];
  return calls.map((call, index) => {
    const { type, from, to, error } = call;
    const caller = (from ?? '').toLowerCase();
    const parent = findParentByDepth(open, call.depth) ?? findParentByGas(open, caller, call) ?? root;
    open = open.slice(0, open.indexOf(parent) + 1);
    subtractCall(parent, call);
    const isUndone = error !== null || parent.isUndone;
    const self = DELEGATED.test(type ?? '') ? caller : (to ?? '').toLowerCase();
    open.push({ index, self, isUndone, gasLeft: call.gas, gasUsedAlone: call.gasUsed });
    return { parent: parent.index, isUndone };
  });
}
