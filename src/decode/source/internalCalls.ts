// Which functions of a contract are running at each step, followed by the jumps that the compiler marks.
import type { ContractProgram } from './contractProgram.ts';
import type { SourceFunction } from './solidityOutline.ts';

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
 * The innermost function by step. A return leads to the function that waits at its target: functions that the
 * optimizer lets return for their callers too are left together. Where none waits there, one function is left.
 */
export function followInternalCalls(
  program: ContractProgram,
  steps: OwnSteps,
  entry: SourceFunction | null,
): readonly ActiveFunction[] {
  const root: ActiveFunction = { definition: entry, caller: null, callStep: -1, returnPc: -1 };
  const active: ActiveFunction[] = new Array(steps.length);
  let top = root;
  let hasEntered = false;
  for (let i = 0; i < steps.length; i++) {
    active[i] = top;
    if (steps.op[i] !== JUMP || i + 1 >= steps.length) continue;
    const pc = steps.pc[i] as number;
    const target = steps.pc[i + 1] as number;
    const jump = program.map.jump(pc);
    if (jump === 'in') {
      const definition = program.functionAtEntry(target);
      if (definition !== null && definition === entry && !hasEntered) hasEntered = true;
      else top = { definition, caller: top, callStep: i, returnPc: pc + 1 };
    } else {
      let waiting: ActiveFunction | null = top;
      while (waiting !== null && waiting.returnPc !== target) waiting = waiting.caller;
      // The optimizer loses the mark of some returns.
      top = waiting?.caller ?? (jump === 'out' ? (top.caller ?? root) : top);
    }
  }
  return active;
}

/** The innermost function of the source. */
export function toSourceFunction(active: ActiveFunction): ActiveFunction {
  let at = active;
  while (at.definition === null && at.caller !== null) at = at.caller;
  return at;
}
