// Which functions of a contract are running at each step, followed by the jumps that the compiler marks.
import type { ContractProgram, SourceSite } from './contractProgram.ts';
import type { Call, SourceFunction } from './solidityOutline.ts';

/** A running function. Immutable: each step refers to the innermost one. */
export interface ActiveFunction {
  /** `null` for code that the compiler generated, such as a checked addition. */
  readonly definition: SourceFunction | null;
  readonly caller: ActiveFunction | null;
  /** The step of the jump into it; -1 for the function that the message entered. */
  readonly callStep: number;
  readonly returnPc: number;
}

/** The program counters and operations of the steps of one call, without those of calls inside it. */
export interface OwnSteps {
  readonly length: number;
  /** Position of the step in the whole trace. */
  readonly step: Uint32Array;
  readonly pc: Uint32Array;
  readonly op: Uint8Array;
}

const JUMP = 0x56;

/**
 * The running functions of one call, step after step. A return leads to the function that waits at its target: functions that
 * the optimizer lets return for their callers too are left together. Where none waits there, one function is left.
 */
export class InternalCalls {
  readonly #program: ContractProgram;
  readonly #entry: SourceFunction | null;
  readonly #root: ActiveFunction;
  #top: ActiveFunction;
  #hasEntered = false;
  #hasLeft = false;
  #count = 0;

  constructor(program: ContractProgram, entry: SourceFunction | null) {
    this.#program = program;
    this.#entry = entry;
    this.#root = { definition: entry, caller: null, callStep: -1, returnPc: -1 };
    this.#top = this.#root;
  }

  /** Whether the function that the message entered has returned to the code around it. */
  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** The innermost function at the next step. `target`: where the step after it is; -1 for the last one. */
  next(op: number, pc: number, target: number): ActiveFunction {
    const active = this.#top;
    const index = this.#count++;
    if (op !== JUMP || target < 0) return active;
    const jump = this.#program.map.jump(pc);
    if (jump === 'in') {
      const entered = this.#program.functionAtEntry(target);
      const site = this.#program.siteAt(pc);
      const definition = toCalled(this.#program, toSourceFunction(active).definition, entered, site);
      // Before Solidity 0.5 the first jump may be a recursive call: that of the dispatcher has no mark.
      const isRecursive = site !== null && site.definition === this.#entry;
      if (definition !== null && definition === this.#entry && !this.#hasEntered && !isRecursive)
        this.#hasEntered = true;
      else this.#top = { definition, caller: active, callStep: index, returnPc: pc + 1 };
    } else {
      let waiting: ActiveFunction | null = active;
      while (waiting !== null && waiting.returnPc !== target) waiting = waiting.caller;
      if (active === this.#root && waiting === null && jump === 'out') this.#hasLeft = true;
      // The optimizer loses the mark of some returns.
      this.#top = waiting?.caller ?? (jump === 'out' ? (active.caller ?? this.#root) : active);
    }
    return active;
  }
}

/** The innermost function by step. */
export function followInternalCalls(
  program: ContractProgram,
  steps: OwnSteps,
  entry: SourceFunction | null,
): readonly ActiveFunction[] {
  const calls = new InternalCalls(program, entry);
  return Array.from({ length: steps.length }, (_, i) =>
    calls.next(steps.op[i] as number, steps.pc[i] as number, steps.pc[i + 1] ?? -1),
  );
}

/** The function of the source that `caller` calls: another one where the optimizer merged it with an equal one. */
function toCalled(
  { graph, pipeline }: ContractProgram,
  caller: SourceFunction | null,
  entered: SourceFunction | null,
  site: SourceSite | null,
): SourceFunction | null {
  if (graph === null || !pipeline.isOptimized || caller === null || entered === null) return entered;
  const isAt = ({ start, end }: Call) =>
    site !== null && ((start <= site.start && site.end <= end) || (site.start <= start && end <= site.end));
  const around = site?.definition === caller ? graph.edges(caller).filter(({ call }) => isAt(call)) : [];
  const exact = around.filter(({ call }) => call.start === site?.start && call.end === site.end);
  const called = exact.length > 0 ? exact : around;
  if (called.length > 0 && !called.some(({ target }) => target === entered)) {
    const twin = graph.findTwin(entered, new Set(called.map(({ target }) => target)));
    if (twin !== null) return twin;
  }
  const reachable = graph.reachable(caller);
  return reachable.has(entered) ? entered : (graph.findTwin(entered, reachable) ?? entered);
}

/** The innermost function of the source. */
export function toSourceFunction(active: ActiveFunction): ActiveFunction {
  let at = active;
  while (at.definition === null && at.caller !== null) at = at.caller;
  return at;
}
