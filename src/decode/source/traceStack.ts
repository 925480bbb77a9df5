// The stack of Solidity of a traced transaction that failed.
import type { CallSource, InternalCall, StackFrame, TransactionSource } from '../../api/transactionStack.ts';
import { bytesToHex } from '../../base/hex.ts';
import type { TaskPacer } from '../../base/taskPacer.ts';
import type { Trace, TraceFrame } from '../trace/trace.ts';
import { CallStack, type SourceFrame, type TracedCall } from './callStack.ts';
import type { ContractProgram } from './contractProgram.ts';
import { type ActiveFunction, followInternalCalls, type OwnSteps } from './internalCalls.ts';
import { findSourceStack, type SourceStack } from './sourceStack.ts';

/** Steps of the frame itself, without those of the frames that it called. */
export function selectOwnSteps({ steps }: Trace, frame: TraceFrame, inner: readonly TraceFrame[]): OwnSteps {
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

/** The source of the code that a frame ran; `null` where no build is known. */
export type FindProgram = (frame: TraceFrame) => ContractProgram | null;

/** From `root`, which is the message of the transaction by default; `null` where that was successful. */
export async function findStackOfTrace(
  trace: Trace,
  findProgram: FindProgram,
  pacer: TaskPacer,
  root: TraceFrame | undefined = trace.frames[0],
): Promise<SourceStack | null> {
  if (root === undefined || root.status === 'success') return null;
  return findSourceStack(await createCallReader(trace, findProgram, pacer)(root, -1), pacer);
}

/** `callIndex` of the read call: the step of the calling instruction in the caller's steps. */
type ReadCall = (frame: TraceFrame, callIndex: number) => Promise<TracedCall>;

function createCallReader(trace: Trace, findProgram: FindProgram, pacer: TaskPacer): ReadCall {
  const inner = Map.groupBy(trace.frames, ({ parent }) => parent);
  const toCall: ReadCall = async (frame, callIndex) => {
    await pacer.pause();
    const calls = inner.get(frame.index) ?? [];
    const steps = selectOwnSteps(trace, frame, calls);
    const last = calls.at(-1);
    return {
      index: frame.index,
      address: frame.address,
      isCreation: frame.isCreation,
      value: frame.value,
      input: bytesToHex(frame.input),
      output: frame.status === 'success' && frame.isCreation ? '0x' : bytesToHex(frame.output),
      status: frame.status,
      haltReason: frame.haltReason ?? null,
      callIndex,
      steps,
      lastCall: last === undefined ? null : await toCall(last, steps.step.lastIndexOf(last.callStep)),
      program: findProgram(frame),
    };
  };
  return toCall;
}

/** The functions that made a call, outermost first; empty where no build of its caller is known. */
export async function findCallers(
  trace: Trace,
  findProgram: FindProgram,
  index: number,
  pacer: TaskPacer,
): Promise<readonly StackFrame[]> {
  const frame = trace.frames[index];
  const caller = frame && trace.frames[frame.parent];
  const program = caller === undefined ? null : findProgram(caller);
  if (frame === undefined || caller === undefined || program === null) return [];
  const readCall = createCallReader(trace, findProgram, pacer);
  const outer = await readCall(caller, -1);
  const call = await readCall(frame, outer.steps.step.lastIndexOf(frame.callStep));
  return new CallStack(outer, program).callSite(call).map(toFrame);
}

/** Lines before and behind the place of a frame. */
const EXCERPT_LINES = 3;

const toFrame = ({ source, range, call: _call, definition: _definition, ...frame }: SourceFrame): StackFrame => ({
  ...frame,
  location: source === null || range === null ? null : source.location(range),
  excerpt: source === null || range === null ? null : source.excerpt(range.start, EXCERPT_LINES),
});

function toCallSource(trace: Trace, frame: TraceFrame, findProgram: FindProgram): CallSource | null {
  const caller = trace.frames[frame.parent];
  const program = findProgram(frame);
  const site = caller === undefined ? null : findProgram(caller)?.siteAt(trace.steps.pc[frame.callStep] ?? -1);
  const entry = program?.entry(bytesToHex(frame.input)) ?? null;
  const source = entry === null ? null : (program?.graph?.getSource(entry) ?? program?.ownSource() ?? null);
  if (program === null && (site === null || site === undefined)) return null;
  return {
    call: frame.index,
    calledContract: program?.name ?? null,
    contract: entry?.contract?.name ?? program?.name ?? null,
    functionName: entry?.name ?? null,
    definition: entry === null || source === null ? null : source.location(entry),
    callSite: site === null || site === undefined ? null : site.source.location(site),
  };
}

/** The lines of a transaction: its stack where it failed, and its first calls, at most `maxCalls`. */
export async function toTransactionSource(
  trace: Trace,
  findProgram: FindProgram,
  maxCalls: number,
  pacer: TaskPacer,
): Promise<TransactionSource> {
  const stack = trace.steps.length === 0 ? null : await findStackOfTrace(trace, findProgram, pacer);
  const calls: CallSource[] = [];
  for (const frame of trace.frames.slice(0, maxCalls)) {
    await pacer.pause();
    const call = toCallSource(trace, frame, findProgram);
    if (call !== null) calls.push(call);
  }
  return {
    stack: stack === null ? null : { frames: stack.frames.map(toFrame), reason: stack.reason, call: stack.call.index },
    calls,
  };
}

/** Functions of the source around it, the one that the message entered excepted. */
function getDepth({ caller }: ActiveFunction): number {
  let depth = 0;
  for (let at = caller; at !== null; at = at.caller) if (at.definition !== null) depth++;
  return depth;
}

function isRunning(active: ActiveFunction | undefined, within: ActiveFunction): boolean {
  for (let at: ActiveFunction | null | undefined = within; at; at = at.caller) if (at === active) return true;
  return false;
}

/** The first calls of functions inside contracts, in the order of execution, at most `max`. */
export async function listInternalCalls(
  trace: Trace,
  findProgram: FindProgram,
  max: number,
  pacer: TaskPacer,
): Promise<readonly InternalCall[]> {
  const inner = Map.groupBy(trace.frames, ({ parent }) => parent);
  const found: InternalCall[] = [];
  for (const frame of trace.frames) {
    if (found.length >= max) break;
    await pacer.pause();
    const program = frame.endStep > frame.firstStep ? findProgram(frame) : null;
    if (program === null) continue;
    const steps = selectOwnSteps(trace, frame, inner.get(frame.index) ?? []);
    const active = followInternalCalls(program, steps, program.entry(bytesToHex(frame.input)));
    /** Those that are running, outermost first. */
    const running: { readonly active: ActiveFunction; readonly listed: { endStep: number } }[] = [];
    for (let i = 1; i < active.length && (found.length < max || running.length > 0); i++) {
      const entered = active[i] as ActiveFunction;
      if (entered === active[i - 1]) continue;
      while (running.length > 0 && !isRunning(running.at(-1)?.active, entered))
        (running.pop() as (typeof running)[number]).listed.endStep = steps.step[i] ?? frame.endStep;
      const { definition, callStep } = entered;
      if (callStep !== i - 1 || definition === null || found.length >= max) continue;
      await pacer.pause();
      const source = program.graph?.getSource(definition) ?? null;
      const site = program.siteAt(steps.pc[callStep] ?? -1);
      const listed = {
        call: frame.index,
        depth: getDepth(entered),
        step: steps.step[callStep] ?? 0,
        endStep: frame.endStep,
        contract: definition.contract?.name ?? null,
        functionName: definition.name,
        definition: source?.location(definition) ?? null,
        callSite: site === null ? null : site.source.location(site),
      };
      found.push(listed);
      running.push({ active: entered, listed });
    }
  }
  return found.sort((a, b) => a.step - b.step);
}
