// In which call a failed transaction failed first.
import { bytesToHex } from '../../base/hex.ts';
import type { TraceFrame } from './trace.ts';

/** Whether the caller failed only because the call inside it did: it passed on what that returned. */
function isPassedOn(caller: TraceFrame, inner: TraceFrame): boolean {
  if (caller.status !== 'reverted' || inner.status === 'success') return false;
  return bytesToHex(caller.output) === bytesToHex(inner.output);
}

/**
 * The innermost call that the failure of the transaction came from; `null` when it was successful. A call whose failure its
 * caller caught does not count, and neither does one that the caller answered with an error of its own.
 */
export function findFailedFrame(frames: readonly TraceFrame[]): TraceFrame | null {
  const [root] = frames;
  if (root === undefined || root.status === 'success') return null;
  let failed: TraceFrame = root;
  let inner = findLastInner(frames, failed);
  while (inner !== undefined && isPassedOn(failed, inner)) {
    failed = inner;
    inner = findLastInner(frames, failed);
  }
  return failed;
}

const findLastInner = (frames: readonly TraceFrame[], { index }: TraceFrame): TraceFrame | undefined =>
  frames.findLast(({ parent }) => parent === index);
