// Where a run of other code is at the place of a run: at the same statement, the same time that it runs in the same call.
import type { DebugStart } from '../../api/debugSession.ts';
import { bytesToHex } from '../../base/hex.ts';
import type { TraceFrame } from '../trace/trace.ts';
import type { SourceUnit } from './debugCode.ts';
import type { Failure } from './debugFailures.ts';
import { type DebugIndex, type RunningFunction, STOP, sourceFunction } from './debugIndex.ts';

/** A run with the calls that another one has too. */
export interface ComparedRun {
  readonly index: DebugIndex;
  readonly failures: readonly Failure[];
}

interface CallStop {
  readonly step: number;
  readonly depth: number;
  /** The function of the source that runs. */
  readonly running: RunningFunction;
  /** Of the statement, whatever the build, and whether it begins there. */
  readonly key: string;
  /** How many with this key are before it. */
  readonly ordinal: number;
}

/** Where one call can be stopped, without the calls that it makes. */
class CallStops {
  readonly all: CallStop[] = [];
  /** Indexes in `all`. */
  readonly #byKey = new Map<string, number[]>();

  constructor({ stops, units, running }: DebugIndex, call: number) {
    for (let i = 0; i < stops.length; i++) {
      const innermost = running[stops.running[i] as number] as RunningFunction;
      if (innermost.frame !== call) continue;
      const { source, start } = units[stops.unit[i] as number] as SourceUnit;
      const isStatement = ((stops.flags[i] as number) & STOP.statement) !== 0;
      const key = `${isStatement} ${start} ${source.built.path}`;
      const known = this.withKey(key);
      if (known.length === 0) this.#byKey.set(key, known);
      const [step, depth] = [stops.step[i] as number, stops.depth[i] as number];
      this.all.push({ step, depth, running: sourceFunction(innermost), key, ordinal: known.length });
      known.push(this.all.length - 1);
    }
  }

  withKey(key: string): number[] {
    return this.#byKey.get(key) ?? [];
  }
}

/** How many of sorted numbers are below a value. */
function countBelow(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Pairs the stops of one call in two runs. */
class StopPairs {
  readonly #real: CallStops;
  readonly #other: CallStops;
  /** By stop: that of the other run, where its statement runs equally often in the whole call; else -1. */
  readonly #counted: readonly number[];
  /** By stop: the counted one before it, or -1, and that behind it. */
  readonly #before: number[] = [];
  readonly #behind: number[] = [];

  constructor(real: CallStops, other: CallStops) {
    this.#real = real;
    this.#other = other;
    this.#counted = real.all.map(({ key, ordinal }) => {
      const others = other.withKey(key);
      return others.length === real.withKey(key).length ? (others[ordinal] as number) : -1;
    });
    const { length } = real.all;
    for (let i = 0, last = -1; i < length; i++) {
      this.#before.push(last);
      if ((this.#counted[i] as number) >= 0) last = i;
    }
    for (let i = length - 1, next = length; i >= 0; i--) {
      this.#behind[i] = next;
      if ((this.#counted[i] as number) >= 0) next = i;
    }
  }

  /**
   * The stop of the other run; -1 where it is not certain. The statements that run around it must do so in both runs; one that
   * does not run equally often in the call, such as the header of a loop, is counted between those.
   */
  find(stop: number): number {
    const { key } = this.#real.all[stop] as CallStop;
    const [before, behind] = [this.#before[stop] as number, this.#behind[stop] as number];
    const from = this.#counted[before] ?? -1;
    const to = this.#counted[behind] ?? this.#other.all.length;
    const counted = this.#counted[stop] as number;
    if (counted >= 0) return from < counted && counted < to ? counted : -1;
    if (from >= to) return -1;
    const [own, others] = [this.#real.withKey(key), this.#other.withKey(key)];
    const [first, otherFirst] = [countBelow(own, before + 1), countBelow(others, from + 1)];
    const count = countBelow(own, behind) - first;
    if (count !== countBelow(others, to) - otherFirst) return -1;
    return others[otherFirst + countBelow(own, stop) - first] ?? -1;
  }
}

/** The step of a call at which it made as many steps of its own; `null` where it does not run the same code there. */
function findSameStep(real: DebugIndex, other: DebugIndex, step: number, call: TraceFrame): number | null {
  const [own, others] = [real.trace.steps, other.trace.steps];
  const { index, firstStep } = real.trace.frames[call.index] as TraceFrame;
  let left = 0;
  for (let at = firstStep; at < step; at++) if (own.frame[at] === index) left++;
  for (let at = call.firstStep; at < call.endStep; at++)
    if (others.frame[at] === index && left-- === 0) return others.pc[at] === own.pc[step] ? at : null;
  return null;
}

/** At the same statement of the same call; the failure is at the failure, the end at the end. */
export function findSamePlace(real: ComparedRun, other: ComparedRun, step: number): DebugStart {
  const [{ trace }, { trace: otherTrace }] = [real.index, other.index];
  const failure = real.failures.find(each => each.step === step);
  const failed = other.failures.find(({ frame }) => frame.index === failure?.frame.index);
  if (failed !== undefined) return { step: failed.step, isCertain: true };
  const end = otherTrace.steps.length - 1;
  if (step === trace.steps.length - 1) return { step: end, isCertain: true };
  const number = trace.steps.frame[step] as number;
  const call = otherTrace.frames[number] as TraceFrame;
  if (bytesToHex((trace.frames[number] as TraceFrame).code) === bytesToHex(call.code)) {
    const same = findSameStep(real.index, other.index, step, call);
    if (same !== null) return { step: same, isCertain: true };
  }
  const [stops, others] = [new CallStops(real.index, number), new CallStops(other.index, number)];
  const pairs = new StopPairs(stops, others);
  const running = sourceFunction(real.index.runningAt(step));
  const until = stops.all.findLastIndex(each => each.step <= step);
  const at = stops.all.findLastIndex((each, i) => i <= until && each.running === running);
  const same = at < 0 ? -1 : pairs.find(at);
  if (same >= 0) return { step: (others.all[same] as CallStop).step, isCertain: true };
  const depth = stops.all[at]?.depth ?? running.depth;
  for (let i = at < 0 ? until : at - 1; i >= 0; i--) {
    const pair = (stops.all[i] as CallStop).depth <= depth ? pairs.find(i) : -1;
    if (pair >= 0) return { step: (others.all[pair] as CallStop).step, isCertain: false };
  }
  return { step: others.all[0]?.step ?? Math.min(call.firstStep, end), isCertain: false };
}
