// Which calls of a transaction failed by themselves, and where in the source.
import { TaskPacer } from '../../base/taskPacer.ts';
import { isPassedOn } from '../passedOn.ts';
import type { SourceStack } from '../source/sourceStack.ts';
import { type FindProgram, findStackOfTrace } from '../source/traceStack.ts';
import { toOutcome } from '../trace/failure.ts';
import type { Trace, TraceFrame } from '../trace/trace.ts';

/** A call that failed by itself: no call inside it failed that it passed on. */
export interface Failure {
  /** Its last step. */
  readonly step: number;
  readonly frame: TraceFrame;
  /** The outermost call that failed because of it. */
  readonly root: TraceFrame;
  /** A call around it did not fail because of it. */
  readonly isCaught: boolean;
}

export class DebugFailures {
  readonly #trace: Trace;
  readonly #findProgram: FindProgram;
  /** The last call that each call made, by the index of the caller. */
  readonly #lastInner = new Map<number, TraceFrame>();
  #failures: Promise<readonly Failure[]> | null = null;
  /** By the index of the outermost call that failed. */
  readonly #stacks = new Map<number, Promise<SourceStack | null>>();

  constructor(trace: Trace, findProgram: FindProgram) {
    this.#trace = trace;
    this.#findProgram = findProgram;
    for (const frame of trace.frames) this.#lastInner.set(frame.parent, frame);
  }

  /** In the order of the steps. */
  list(): Promise<readonly Failure[]> {
    this.#failures ??= this.#list();
    return this.#failures;
  }

  /** Of the call and those inside of it that failed. */
  stackOf(root: TraceFrame): Promise<SourceStack | null> {
    const stack =
      this.#stacks.get(root.index) ?? findStackOfTrace(this.#trace, this.#findProgram, new TaskPacer(undefined), root);
    this.#stacks.set(root.index, stack);
    return stack;
  }

  async #list(): Promise<readonly Failure[]> {
    const { frames } = this.#trace;
    const failures: Failure[] = [];
    const explained = new Set<number>();
    for (const root of frames) {
      if (root.status === 'success' || explained.has(root.index)) continue;
      const failed = await this.#reasonOf(root);
      for (let at: TraceFrame | undefined = failed; at !== undefined && at !== root; at = frames[at.parent])
        explained.add(at.index);
      const step = this.#lastStepOf(failed);
      if (step >= 0) failures.push({ step, frame: failed, root, isCaught: root.parent >= 0 });
    }
    return failures.sort((a, b) => a.step - b.step);
  }

  /** The call inside of it whose failure it passed on, else itself. Equal data may be of both: the steps decide. */
  async #reasonOf(root: TraceFrame): Promise<TraceFrame> {
    const inner = this.#lastInner.get(root.index);
    if (inner === undefined || isPassedOn(toOutcome(root), toOutcome(inner), true) === false) return root;
    const stack = await this.stackOf(root);
    return this.#trace.frames[stack?.call.index ?? root.index] ?? root;
  }

  #lastStepOf({ index, firstStep, endStep, callStep }: TraceFrame): number {
    const { frame } = this.#trace.steps;
    let step = endStep - 1;
    while (step > firstStep && frame[step] !== index) step--;
    // A call that has no steps, as of a precompile, fails where it is called.
    return step < firstStep ? callStep : step;
  }
}
