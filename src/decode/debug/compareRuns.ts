// Whether two runs of a transaction did the same, whatever the code was that did it.
import { bytesToHex } from '../../base/hex.ts';
import { type LocalizableText, localizable } from '../../base/localize.ts';
import { SlotNames } from '../source/slotNames.ts';
import { getType } from '../source/storageValues.ts';
import type { FindProgram } from '../source/traceStack.ts';
import type { StorageWrite, Trace, TraceFrame } from '../trace/trace.ts';

/** What happened in one call between two calls, in which the order of writes cannot be seen. */
interface Segment {
  readonly logs: string[];
  /** By account and slot: the value before, and the last one. */
  readonly writes: Map<string, { readonly before: bigint; after: bigint }>;
}

/** Calls, and their ends, by the step before which they are. */
function listBoundaries({ frames }: Trace): readonly number[] {
  return frames.flatMap(({ firstStep, endStep }) => [firstStep, endStep]).sort((a, b) => a - b);
}

/** Which calls failed, or are within one that did: what they wrote was undone. */
function listUndone({ frames }: Trace): readonly boolean[] {
  const undone: boolean[] = [];
  for (const { parent, status } of frames) undone.push(status !== 'success' || undone[parent] === true);
  return undone;
}

/** The optimizer joins writes of one slot, but moves none beyond a call; it leaves out what is undone. */
function listSegments(trace: Trace): readonly string[] {
  const boundaries = listBoundaries(trace);
  const segments: Segment[] = Array.from({ length: boundaries.length + 1 }, () => ({ logs: [], writes: new Map() }));
  let at = 0;
  const segmentAt = (step: number): Segment => {
    while (at < boundaries.length && (boundaries[at] as number) <= step) at++;
    return segments[at] as Segment;
  };
  const undone = listUndone(trace);
  for (const { step, frame, address, slot, isTransient, oldValue, newValue } of trace.writes) {
    if (undone[frame] === true) continue;
    const { writes } = segmentAt(step);
    const key = `${address} ${slot} ${isTransient}`;
    const known = writes.get(key);
    if (known === undefined) writes.set(key, { before: oldValue, after: newValue });
    else known.after = newValue;
  }
  at = 0;
  for (const { step, address, topics, data } of trace.logs)
    segmentAt(step).logs.push(`${address} ${topics.join()} ${bytesToHex(data)}`);
  return segments.map(({ logs, writes }) => {
    const changed = [...writes].filter(([, { before, after }]) => before !== after);
    return [...changed.map(([key, { after }]) => `${key} ${after}`).sort(), ...logs].join('\n');
  });
}

/** `output` of a creation that succeeded is its code, which may be another one. */
function describeCall(frame: TraceFrame): string {
  const { parent, kind, caller, address, codeAddress, value, input, status, haltReason, output, isCreation } = frame;
  const returned = isCreation && status === 'success' ? '' : bytesToHex(output);
  return [parent, kind, caller, address, codeAddress, value, bytesToHex(input), status, haltReason, returned].join();
}

/** What differs first, as the end of a sentence; `null`: calls, their results, logs and storage are the same. */
export function findRunDifference(real: Trace, other: Trace): LocalizableText | null {
  const [root, otherRoot] = [real.frames[0], other.frames[0]];
  if (root?.status !== otherRoot?.status || root?.haltReason !== otherRoot?.haltReason)
    return localizable('it ends in another way');
  if (real.frames.length !== other.frames.length) return localizable('it makes other calls');
  for (const [i, frame] of real.frames.entries()) {
    const call = other.frames[i] as TraceFrame;
    if (describeCall(frame) === describeCall(call)) continue;
    const isOtherResult = bytesToHex(frame.output) !== bytesToHex(call.output) || frame.status !== call.status;
    return isOtherResult ? localizable('a call has another result') : localizable('it makes other calls');
  }
  const toText = ({ address, beneficiary, value, frame }: Trace['selfDestructs'][number]) =>
    `${frame} ${address} ${beneficiary} ${value}`;
  if (real.selfDestructs.map(toText).join() !== other.selfDestructs.map(toText).join())
    return localizable('it destroys other contracts');
  const [segments, others] = [listSegments(real), listSegments(other)];
  const isSame = segments.every((segment, i) => segment === others[i]);
  return isSame ? null : localizable('its logs or what it writes to storage are not the same');
}

/** The last write of each slot that was not undone. */
function listLastWrites(trace: Trace): ReadonlyMap<string, StorageWrite> {
  const undone = listUndone(trace);
  const lasting = trace.writes.filter(({ frame }) => undone[frame] !== true);
  return new Map(lasting.map(write => [`${write.address} ${write.slot} ${write.isTransient}`, write]));
}

/** Of a difference in storage: that it is an internal function, the end of a sentence; `null` where it is another value. */
export function findPointerDifference(real: Trace, other: Trace, findProgram: FindProgram): LocalizableText | null {
  const others = listLastWrites(other);
  for (const [key, { newValue }] of listLastWrites(real)) {
    const write = others.get(key);
    if (write === undefined || write.newValue === newValue) continue;
    const { declarations } = findProgram(other.frames[write.frame] as TraceFrame) ?? {};
    if (declarations === undefined || declarations === null) continue;
    const names = new SlotNames(declarations, write.isTransient ? declarations.transient : declarations.storage);
    names.addPreimages(other.preimages);
    for (const { type, offset, variable } of names.find(write.slot)) {
      const found = getType(declarations.types, type);
      if (found.kind !== 'function' || found.isExternal) continue;
      const difference = (newValue ^ write.newValue) >> BigInt(8 * offset);
      if (BigInt.asUintN(8 * found.bytes, difference) === 0n) continue;
      return localizable(
        '{0} holds an internal function: a place in the code, which depends on the build',
        variable.name,
      );
    }
  }
  return null;
}
