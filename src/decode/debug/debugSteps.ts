// Steps of a debugger over a traced transaction, forward and back. A position is a step of the trace.
import type { DebugGranularity, DebugOperation } from '../../api/debugSession.ts';
import type { SourceUnit } from './debugCode.ts';
import { type DebugIndex, STOP } from './debugIndex.ts';

/** What a run stops at, other than the end of the transaction. */
export interface StopConditions {
  /** By number of the unit: whether a breakpoint is at it. */
  readonly units: ReadonlySet<number>;
  /** Whether a function has a breakpoint. */
  readonly isFunctionStop: (unit: number) => boolean;
  /** Steps at which it stops whatever they are: failures, writes; sorted. */
  readonly steps: readonly number[];
  /** By number of the code: program counters of breakpoints. */
  readonly instructions: ReadonlyMap<number, ReadonlySet<number>>;
}

export class DebugSteps {
  readonly #index: DebugIndex;

  constructor(index: DebugIndex) {
    this.#index = index;
  }

  /** The first statement; the first step where no source is known. */
  get first(): number {
    const { length, step } = this.#index.stops;
    return length === 0 ? 0 : (step[0] as number);
  }

  get last(): number {
    return Math.max(0, this.#index.trace.steps.length - 1);
  }

  /** How deep the function at a step is, with those that were inlined. */
  #depthAt(step: number): number {
    const { stops } = this.#index;
    const at = this.#index.stopAt(step);
    const running = this.#index.runningAt(step);
    const isOwn = at >= 0 && stops.running[at] === running.number;
    return isOwn ? (stops.depth[at] as number) : running.depth;
  }

  /** The step after the operation; `null`: the transaction ends, or began, before that. */
  move(from: number, operation: DebugOperation, granularity: DebugGranularity): number | null {
    if (granularity === 'instruction') return this.#moveInstruction(from, operation);
    if (operation === 'stepBack') return this.#back(from, granularity === 'line');
    return this.#forward(from, operation, granularity === 'line');
  }

  #forward(from: number, operation: Exclude<DebugOperation, 'stepBack'>, isByLine: boolean): number | null {
    const { length, step, depth, flags, unit } = this.#index.stops;
    const current = this.#depthAt(from);
    const at = this.#index.stopAt(from);
    const line = isByLine && at >= 0 ? this.#lineOf(unit[at] as number) : null;
    for (let i = at + 1; i < length; i++) {
      const isShallower = (depth[i] as number) < current;
      if (isShallower) return step[i] as number;
      if (operation === 'stepOut' || ((flags[i] as number) & STOP.statement) === 0) continue;
      const isDeeper = (depth[i] as number) > current && !this.#isBase(i, from);
      if (isDeeper ? operation === 'stepIn' : line === null || this.#lineOf(unit[i] as number) !== line)
        return step[i] as number;
    }
    return null;
  }

  /** Whether a stop is in a constructor of a base of that which runs. */
  #isBase(stop: number, from: number): boolean {
    const { flags, running } = this.#index.stops;
    return ((flags[stop] as number) & STOP.base) !== 0 && running[stop] === this.#index.runningAt(from).number;
  }

  #lineOf(unit: number): string {
    const { source, line } = this.#index.units[unit] as SourceUnit;
    return `${source.built.path} ${line}`;
  }

  /** To the beginning of the statement before, without those inside of functions that it called. */
  #back(from: number, isByLine: boolean): number | null {
    const { step, depth, flags, unit } = this.#index.stops;
    const current = this.#depthAt(from);
    const at = this.#index.stopAt(from);
    const line = isByLine && at >= 0 ? this.#lineOf(unit[at] as number) : null;
    const isAtStop = at >= 0 && step[at] === from;
    for (let i = isAtStop ? at - 1 : at; i >= 0; i--) {
      if (((flags[i] as number) & STOP.statement) === 0) continue;
      if ((depth[i] as number) > current && !this.#isBase(i, from)) continue;
      if (line === null || (depth[i] as number) < current || this.#lineOf(unit[i] as number) !== line)
        return step[i] as number;
    }
    return null;
  }

  #moveInstruction(from: number, operation: DebugOperation): number | null {
    const { frames, steps } = this.#index.trace;
    const frameIndex = steps.frame[from] as number;
    const frame = frames[frameIndex];
    if (operation === 'stepIn') return from + 1 < steps.length ? from + 1 : null;
    if (operation === 'stepOut') {
      const end = frame?.endStep ?? steps.length;
      return end < steps.length ? end : null;
    }
    const direction = operation === 'next' ? 1 : -1;
    for (let step = from + direction; step >= 0 && step < steps.length; step += direction) {
      const other = frames[steps.frame[step] as number];
      if (other === undefined || other.depth <= (frame?.depth ?? 0)) return step;
    }
    return null;
  }

  /** The next step, or the one before, at which a run stops; `null` where there is none. */
  run(from: number, isBack: boolean, conditions: StopConditions): number | null {
    const found = [
      this.#nextStatement(from, isBack, conditions),
      nextOf(conditions.steps, from, isBack),
      this.#nextInstruction(from, isBack, conditions.instructions),
    ].filter(step => step !== null);
    if (found.length === 0) return null;
    return isBack ? Math.max(...found) : Math.min(...found);
  }

  #nextStatement(from: number, isBack: boolean, { units, isFunctionStop }: StopConditions): number | null {
    const { length, step, flags, unit } = this.#index.stops;
    const at = this.#index.stopAt(isBack ? from - 1 : from);
    for (let i = isBack ? at : at + 1; i >= 0 && i < length; i += isBack ? -1 : 1) {
      const flag = flags[i] as number;
      if ((flag & STOP.statement) === 0) continue;
      if (units.has(unit[i] as number)) return step[i] as number;
      if ((flag & STOP.entry) !== 0 && isFunctionStop(unit[i] as number)) return step[i] as number;
    }
    return null;
  }

  #nextInstruction(
    from: number,
    isBack: boolean,
    instructions: ReadonlyMap<number, ReadonlySet<number>>,
  ): number | null {
    if (instructions.size === 0) return null;
    const { frames, steps } = this.#index.trace;
    const { length, pc, frame } = steps;
    const byCode = new Map([...instructions].map(([code, counters]) => [code, toMarks(counters)] as const));
    const byFrame = frames.map(each => byCode.get(this.#index.numberOf(each)) ?? NO_MARKS);
    for (let step = isBack ? from - 1 : from + 1; step >= 0 && step < length; step += isBack ? -1 : 1)
      if (byFrame[frame[step] as number]?.[pc[step] as number] === 1) return step;
    return null;
  }
}

const NO_MARKS = new Uint8Array(0);
/** No code is longer than a block's gas can pay for. */
const MAX_PC = 1 << 24;

/** 1 at each of the program counters: a look-up for each of a million steps. */
function toMarks(counters: ReadonlySet<number>): Uint8Array {
  const known = [...counters].filter(each => each >= 0 && each < MAX_PC);
  const marks = new Uint8Array(1 + Math.max(-1, ...known));
  for (const each of known) marks[each] = 1;
  return marks;
}

/** The first of sorted steps behind, or the last one before; `null` where there is none. */
function nextOf(sorted: readonly number[], from: number, isBack: boolean): number | null {
  return (isBack ? sorted.findLast(step => step < from) : sorted.find(step => step > from)) ?? null;
}
