// Whether a replay did what the chain says that the transaction did.
import { bytesToHex, isHex, parseQuantity, toLowerHex } from '../../base/hex.ts';
import { isObject } from '../../base/isObject.ts';
import { isUndone, type TraceFrame, type TraceLog } from '../../decode/trace/trace.ts';
import type { WireObject } from '../evm/responseFields.ts';
import type { Replay } from './replay/replayTransaction.ts';

/** What differs first between a replay and what the chain has. */
export type ReplayDifference = 'gas' | 'status' | 'logs' | 'contract' | 'returnData';

/** `returnData` as a tracer of the node gives it; `null` where none does. `null` when nothing differs. */
export function findDifference(
  replay: Replay,
  receipt: WireObject,
  returnData: string | null,
): ReplayDifference | null {
  if (parseQuantity(receipt['gasUsed']) !== replay.gasUsed) return 'gas';
  const status = parseQuantity(receipt['status']);
  if (status !== null && (status !== 0n) !== replay.isSuccessful) return 'status';
  if (!haveSameLogs(getEffectiveLogs(replay.frames, replay.logs), receipt['logs'])) return 'logs';
  const created = receipt['contractAddress'];
  if (replay.createdAddress !== null && isHex(created) && toLowerHex(created) !== replay.createdAddress)
    return 'contract';
  const root = replay.frames[0];
  if (returnData === null || root === undefined) return null;
  return toLowerHex(returnData as `0x${string}`) === bytesToHex(root.output) ? null : 'returnData';
}

/** Those that were not undone, which are the receipt's. */
export const getEffectiveLogs = (frames: readonly TraceFrame[], logs: readonly TraceLog[]): readonly TraceLog[] =>
  logs.filter(log => {
    const frame = frames[log.frame];
    return frame !== undefined && !isUndone(frames, frame);
  });

function haveSameLogs(logs: readonly TraceLog[], wire: unknown): boolean {
  const expected: readonly unknown[] = Array.isArray(wire) ? wire : [];
  return (
    expected.length === logs.length &&
    logs.every((log, index) => {
      const other = expected[index];
      if (!isObject(other)) return false;
      const { address, topics, data } = other;
      return (
        isHex(address) &&
        toLowerHex(address) === log.address &&
        Array.isArray(topics) &&
        topics.join() === log.topics.join() &&
        isHex(data) &&
        toLowerHex(data) === bytesToHex(log.data)
      );
    })
  );
}
