// Whether a call failed only because a call inside it did: the one rule, for calls with and without steps and source.
import type { CallStatus, HaltReason } from '../api/transactionTrace.ts';

export interface CallOutcome {
  readonly status: CallStatus;
  /** `null` where it did not halt, or where that is not known. */
  readonly haltReason: HaltReason | null;
  /** What it returned, in lower case. */
  readonly output: string;
}

/**
 * `isLast`: the caller made no other call after it. Bytes tell by themselves that they were passed on. `null`: nothing was
 * returned, so that only the steps behind the call can tell.
 */
export function isPassedOn(caller: CallOutcome, inner: CallOutcome, isLast: boolean): boolean | null {
  if (inner.status === 'success') return false;
  if (caller.status === 'exceptional') {
    const isSame = inner.status === 'exceptional' && caller.haltReason === inner.haltReason;
    return isLast && isSame ? null : false;
  }
  if (caller.output !== inner.output) return false;
  if (caller.output !== '0x') return true;
  return isLast ? null : false;
}
