// Where a failure came from: the call that threw, and the calls around it that passed it on.
import { type CallOutcome, isPassedOn } from './passedOn.ts';
import { type PlaceableCall, type PlacingCall, placeCalls } from './placeCalls.ts';

export interface FailableCall extends PlaceableCall {
  /** What it returned, the encoded error of a call that reverted; `0x` or `null` where there is nothing. */
  readonly output: string | null;
}

/** The call that a failed transaction is. */
export interface FailedCall extends PlacingCall {
  readonly output: string | null;
  readonly error: string | null;
}

type Outcome = Pick<FailableCall, 'error' | 'output'>;

/** It ended by itself, such as without gas: nothing that it wanted to return came back. */
export const isHalt = (error: string | null): boolean => error !== null && !/revert/i.test(error);

const toOutcome = ({ error, output }: Outcome): CallOutcome => ({
  status: error === null ? 'success' : isHalt(error) ? 'exceptional' : 'reverted',
  haltReason: null,
  output: (output ?? '0x').toLowerCase(),
});

/** `isSure`: without the calls that only may have been the reason, since nothing was returned. */
interface FollowOptions {
  readonly isSure: boolean;
}

/** From the call that failed inwards to the one that threw; `children` are those of each call, `null` for the transaction's own. */
function followFailure(
  start: number | null,
  outcome: Outcome,
  calls: readonly FailableCall[],
  children: ReadonlyMap<number | null, readonly number[]>,
  { isSure }: FollowOptions,
): readonly number[] {
  const path: number[] = [];
  let at = start;
  let current = outcome;
  for (;;) {
    const made = children.get(at) ?? [];
    const next = made.findLast((index, position) => {
      const call = calls[index];
      if (call === undefined) return false;
      return isPassedOn(toOutcome(current), toOutcome(call), position === made.length - 1) ?? !isSure;
    });
    const call = next === undefined ? undefined : calls[next];
    if (next === undefined || call === undefined) return path;
    path.push(next);
    at = next;
    current = call;
  }
}

function groupByParent(placed: readonly { readonly parent: number | null }[]): Map<number | null, number[]> {
  const children = new Map<number | null, number[]>();
  for (const [index, { parent }] of placed.entries()) children.set(parent, [...(children.get(parent) ?? []), index]);
  return children;
}

/**
 * Why a transaction failed, as indexes of `calls`, which are in the order of execution: each of them passed the failure on,
 * the last one threw. Empty when the transaction's own call threw.
 */
export function findFailurePath(
  own: FailedCall,
  calls: readonly FailableCall[],
  options: FollowOptions = { isSure: false },
): readonly number[] {
  return followFailure(null, own, calls, groupByParent(placeCalls(own, calls)), options);
}

/** Calls that failed inside calls that did not: each from the one that failed to the one that threw. */
export function findSwallowedFailures(
  own: PlacingCall,
  calls: readonly FailableCall[],
): readonly (readonly number[])[] {
  const placed = placeCalls(own, calls);
  const children = groupByParent(placed);
  return calls.flatMap((call, index) => {
    const parent = placed[index]?.parent ?? null;
    const isInsideOther = parent !== null && placed[parent]?.isUndone === true;
    return call.error === null || isInsideOther
      ? []
      : [[index, ...followFailure(index, call, calls, children, { isSure: false })]];
  });
}
