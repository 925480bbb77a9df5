// Joins the steps that a node traced with the calls that it traced: which step is of which call.
import { StepColumns } from './stepColumns.ts';
import type { StructLogScanner } from './structLogScanner.ts';
import { CALL_KINDS, type Trace, type TraceFrame } from './trace.ts';

/** Names that nodes have for several bytes. */
const UNKNOWN_OPCODE = /invalid|undefined|unknown|opcode/i;

type MutableFrame = { -readonly [K in keyof TraceFrame]: TraceFrame[K] };

interface OpenFrame {
  readonly frame: MutableFrame;
  /** Those inside it that come next. */
  readonly inner: MutableFrame[];
}

/** Follows the steps through the calls; every contradiction ends it, so that no step is given to a wrong call. */
class StepJoiner {
  readonly steps = new StepColumns();
  readonly #scanner: StructLogScanner;
  readonly #children: ReadonlyMap<number, readonly MutableFrame[]>;
  readonly #open: OpenFrame[];
  /** By name of the node. */
  readonly #opcodes: (number | undefined)[] = [];

  constructor(scanner: StructLogScanner, frames: readonly MutableFrame[], root: MutableFrame) {
    this.#scanner = scanner;
    this.#children = Map.groupBy(frames, ({ parent }) => parent);
    this.#open = [this.#enter(root)];
  }

  /** False when steps and calls do not belong together. */
  join(): boolean {
    const { length, depth } = this.#scanner;
    for (let step = 0; step < length; step++) if (!this.#add(step, depth[step] ?? 0)) return false;
    while (this.#open.length > 0) if (!this.#leave(length)) return false;
    return true;
  }

  #enter(frame: MutableFrame): OpenFrame {
    frame.firstStep = this.steps.length;
    return { frame, inner: [...(this.#children.get(frame.index) ?? [])] };
  }

  #leave(step: number): boolean {
    const left = this.#open.pop();
    if (left === undefined) return false;
    left.frame.endStep = step;
    return left.inner.every(({ code }) => code.length === 0);
  }

  #add(step: number, depth: number): boolean {
    while (this.#open.length > depth) if (!this.#leave(step)) return false;
    const current = this.#open.at(-1);
    if (current === undefined || this.#open.length !== depth) return false;
    const { frame, inner } = current;
    const pc = this.#scanner.pc[step] ?? 0;
    const op = this.#readOpcode(frame.code[pc] ?? 0, this.#scanner.name[step] ?? 0);
    if (op === null) return false;
    this.steps.add(pc, this.#scanner.gas[step] ?? 0, op, frame.index);
    const kind = CALL_KINDS[op];
    if (kind === undefined) return (this.#scanner.depth[step + 1] ?? 0) <= depth;
    const next = inner[0];
    const isEntered = this.#scanner.depth[step + 1] === depth + 1;
    // A call that the tracer leaves out: of a precompiled contract, or one that was not made.
    if (!isEntered && (next?.kind !== kind || next.code.length > 0)) return true;
    if (next?.kind !== kind || (isEntered && next.code.length === 0)) return false;
    inner.shift();
    next.callStep = step;
    const opened = this.#enter(next);
    if (isEntered) this.#open.push(opened);
    else next.endStep = next.firstStep;
    return true;
  }

  /** The byte of the code, if the node has the same name for it everywhere: otherwise other code ran. */
  #readOpcode(byte: number, name: number): number | null {
    if (UNKNOWN_OPCODE.test(this.#scanner.names[name] ?? '')) return byte;
    const known = this.#opcodes[name];
    if (known === undefined && this.#opcodes.includes(byte)) return null;
    this.#opcodes[name] = known ?? byte;
    return known === undefined || known === byte ? byte : null;
  }
}

/** The trace with steps; `null` where they contradict its calls. `frames` have the code that each of them ran. */
export function joinSteps(trace: Trace, frames: readonly TraceFrame[], scanner: StructLogScanner): Trace | null {
  const copies = frames.map((frame): MutableFrame => ({ ...frame }));
  const [root] = copies;
  if (root === undefined || scanner.length === 0) return null;
  const joiner = new StepJoiner(scanner, copies, root);
  return joiner.join() ? { ...trace, by: 'structLogs', frames: copies, steps: joiner.steps } : null;
}
