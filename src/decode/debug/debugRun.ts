// Runs to the next breakpoint whose conditions hold, forward or back.
import type { DebugBreakpoint, DebugFilter, DebugRunResult } from '../../api/debugSession.ts';
import { isFault, toFault } from '../../base/errors.ts';
import { type LocalizableText, localizable } from '../../base/localize.ts';
import { TaskPacer } from '../../base/taskPacer.ts';
import type { SourceText } from '../source/sourceText.ts';
import { findUnitsAtLine, isNamed, listWrites } from './breakpoints.ts';
import type { SourceUnit } from './debugCode.ts';
import type { Failure } from './debugFailures.ts';
import { type DebugIndex, STOP } from './debugIndex.ts';
import type { DebugSteps, StopConditions } from './debugSteps.ts';

/** What a run needs of its session. */
export interface RunSession {
  readonly index: DebugIndex;
  readonly steps: DebugSteps;
  readonly failures: readonly Failure[];
  source(id: number): SourceText | null;
  /** Whether an expression is true in the innermost frame at a step. */
  isTrue(step: number, expression: string): Promise<boolean>;
  /** A message with the values of the expressions in its braces. */
  format(step: number, message: string): Promise<string>;
}

/** A breakpoint with what it stops at. */
interface Resolved {
  readonly breakpoint: DebugBreakpoint;
  readonly units: ReadonlySet<number>;
  readonly writes: ReadonlySet<number>;
}

type Reason = NonNullable<DebugRunResult['reason']>;

const REASONS: Readonly<Record<DebugBreakpoint['at']['kind'], Reason>> = {
  statement: 'breakpoint',
  instruction: 'instruction breakpoint',
  function: 'function breakpoint',
  write: 'data breakpoint',
};
const HIT_CONDITION = /^(==?|>=?|<=?|%)?(\d+)$/;
/** Lines that breakpoints write in one run: a loop may write a million. */
const MAX_MESSAGES = 1_000;

export class DebugRun {
  readonly #session: RunSession;
  readonly #signal: AbortSignal | undefined;
  readonly #pacer: TaskPacer;
  readonly #resolved: readonly Resolved[];
  readonly #failures: readonly Failure[];
  readonly #conditions: StopConditions;
  /** By number of the breakpoint: where it was hit, as far as that was asked. */
  readonly #hits = new Map<number, { readonly steps: number[]; readonly run: DebugRun }>();
  readonly #messages: LocalizableText[] = [];
  /** Numbers of the breakpoints whose conditions were reported as wrong. */
  readonly #reported = new Set<number>();

  constructor(
    session: RunSession,
    breakpoints: readonly DebugBreakpoint[],
    filters: readonly DebugFilter[],
    signal: AbortSignal | undefined,
  ) {
    this.#session = session;
    this.#signal = signal;
    this.#pacer = new TaskPacer(signal);
    this.#resolved = breakpoints.map(breakpoint => this.#resolve(breakpoint));
    this.#failures = session.failures.filter(({ isCaught }) =>
      filters.includes(isCaught ? 'caughtReverts' : 'reverts'),
    );
    const steps = [...this.#failures.map(({ step }) => step), ...this.#resolved.flatMap(({ writes }) => [...writes])];
    const names = breakpoints.flatMap(({ at }) => (at.kind === 'function' ? [at.name] : []));
    this.#conditions = {
      units: new Set(this.#resolved.flatMap(({ units }) => [...units])),
      isFunctionStop: unit => names.some(name => this.#isInFunction(unit, name)),
      steps: steps.sort((a, b) => a - b),
      instructions: this.#instructions(breakpoints),
    };
  }

  #instructions(breakpoints: readonly DebugBreakpoint[]): ReadonlyMap<number, ReadonlySet<number>> {
    const byCode = new Map<number, Set<number>>();
    for (const { at } of breakpoints) {
      if (at.kind !== 'instruction') continue;
      byCode.set(at.code, (byCode.get(at.code) ?? new Set()).add(at.pc));
    }
    return byCode;
  }

  #resolve(breakpoint: DebugBreakpoint): Resolved {
    const { at } = breakpoint;
    const { index } = this.#session;
    const source = at.kind === 'statement' ? this.#session.source(at.source) : null;
    const units = at.kind === 'statement' && source !== null ? findUnitsAtLine(index, source, at.line) : [];
    const writes = at.kind === 'write' ? listWrites(index.trace, at) : [];
    return { breakpoint, units: new Set(units), writes: new Set(writes) };
  }

  #isInFunction(unit: number, name: string): boolean {
    return isNamed((this.#session.index.units[unit] as SourceUnit).definition, name);
  }

  async from(step: number, isBack: boolean): Promise<DebugRunResult> {
    const result = { messages: this.#messages };
    for (let at = this.#session.steps.run(step, isBack, this.#conditions); at !== null; ) {
      await this.#pacer.pause();
      const failure = this.#failures.find(each => each.step === at);
      const hit: DebugBreakpoint[] = [];
      for (const breakpoint of this.#hitAt(at)) if (await this.#holds(breakpoint, at)) hit.push(breakpoint);
      const [first] = hit;
      if (first !== undefined)
        return { ...result, step: at, reason: REASONS[first.at.kind], breakpoints: hit.map(({ id }) => id) };
      if (failure !== undefined) return { ...result, step: at, reason: 'exception', breakpoints: [] };
      at = this.#session.steps.run(at, isBack, this.#conditions);
    }
    return { ...result, step: null, reason: null, breakpoints: [] };
  }

  #hitAt(step: number): readonly DebugBreakpoint[] {
    return this.#resolved.filter(each => this.#isAt(each, step)).map(({ breakpoint }) => breakpoint);
  }

  #isAt({ breakpoint: { at }, units, writes }: Resolved, step: number): boolean {
    const { index } = this.#session;
    const { stops, trace } = index;
    if (at.kind === 'write') return writes.has(step);
    if (at.kind === 'instruction') {
      const frame = trace.frames[trace.steps.frame[step] as number];
      return frame !== undefined && index.numberOf(frame) === at.code && trace.steps.pc[step] === at.pc;
    }
    const stop = index.stopAt(step);
    if (stop < 0 || stops.step[stop] !== step) return false;
    const flag = at.kind === 'statement' ? STOP.statement : STOP.entry;
    if (((stops.flags[stop] as number) & flag) === 0) return false;
    const unit = stops.unit[stop] as number;
    return at.kind === 'statement' ? units.has(unit) : this.#isInFunction(unit, at.name);
  }

  /** How often a breakpoint was hit from the beginning of the transaction, at this step too. */
  async #countHits(breakpoint: DebugBreakpoint, step: number): Promise<number> {
    const known = this.#hits.get(breakpoint.id) ?? {
      steps: [],
      run: new DebugRun(this.#session, [withoutHits(breakpoint)], [], this.#signal),
    };
    this.#hits.set(breakpoint.id, known);
    const { steps, run } = known;
    while ((steps.at(-1) ?? -1) < step) {
      const next = await run.from(steps.at(-1) ?? -1, false);
      steps.push(next.step ?? Number.POSITIVE_INFINITY);
    }
    return 1 + steps.findLastIndex(each => each <= step);
  }

  /** Whether it stops here; one that only writes a message does so and does not stop. */
  async #holds(breakpoint: DebugBreakpoint, step: number): Promise<boolean> {
    const { condition, hitCondition, logMessage } = breakpoint;
    if (condition !== undefined && !(await this.#isTrue(breakpoint.id, step, condition))) return false;
    if (hitCondition !== undefined && !(await this.#isHit(breakpoint, hitCondition, step))) return false;
    if (logMessage === undefined) return true;
    if (this.#messages.length < MAX_MESSAGES) this.#write(await this.#session.format(step, logMessage));
    else this.#write(localizable('More messages are left out: give the breakpoint a condition.'));
    return false;
  }

  #write(message: LocalizableText): void {
    if (this.#messages.length <= MAX_MESSAGES) this.#messages.push(message);
  }

  /** Once for each breakpoint: a loop would say it again and again. */
  #report(id: number, message: LocalizableText): void {
    if (!this.#reported.has(id)) this.#write(message);
    this.#reported.add(id);
  }

  /** A condition that cannot be evaluated here, such as with a variable that is not in scope, does not hold. */
  async #isTrue(id: number, step: number, condition: string): Promise<boolean> {
    try {
      return await this.#session.isTrue(step, condition);
    } catch (error) {
      if (!isFault(error, 'bad-input')) throw error;
      const { localizable: texts, message } = toFault(error);
      const reason = texts?.message ?? message;
      this.#report(id, localizable('The condition “{0}” could not be evaluated: {1}', condition, reason));
      return false;
    }
  }

  /** `3`: from the third time on, as editors have it; `= 3`, `% 10`. */
  async #isHit(breakpoint: DebugBreakpoint, hitCondition: string, step: number): Promise<boolean> {
    const [, operator = '>=', digits] = HIT_CONDITION.exec(hitCondition.replaceAll(' ', '')) ?? [];
    if (digits !== undefined) return isHit(operator, Number(digits), await this.#countHits(breakpoint, step));
    this.#report(
      breakpoint.id,
      localizable('The hit count “{0}” is not understood: write it as 3, >= 3 or % 10.', hitCondition),
    );
    return false;
  }
}

const withoutHits = ({ id, at, condition }: DebugBreakpoint): DebugBreakpoint => ({
  id,
  at,
  ...(condition !== undefined && { condition }),
});

function isHit(operator: string, count: number, hits: number): boolean {
  switch (operator) {
    case '%':
      return count > 0 && hits % count === 0;
    case '>':
      return hits > count;
    case '<':
      return hits < count;
    case '<=':
      return hits <= count;
    case '>=':
      return hits >= count;
    default:
      return hits === count;
  }
}
