// Finds instructions that the optimizer moved away from their statement: the debugger does not stop at them.
import type { CallGraph } from '../source/callGraph.ts';
import type { SourceFunction } from '../source/solidityOutline.ts';
import type { StatementOrder } from './statementOrder.ts';

/** Instructions of one statement that run one after the other in a function. */
interface Visit {
  readonly step: number;
  readonly unit: number;
  readonly hasJumpedBack: boolean;
  weight: number;
}

/** The sequence that is chosen is looked for among so many visits at a time. */
const MAX_VISITS = 64;
const SSTORE = 0x55;
const TSTORE = 0x5d;
const LOG0 = 0xa0;
const JUMPDEST = 0x5b;
const PUSH0 = 0x5f;
const PUSH32 = 0x7f;
/** More than half an instruction: one alone is no return from an inlined function and a call of it. */
const SWITCH = 0.6;
/** It may be of another statement, but is all that is left of some. */
const CONSTANT = 0.65;

const isConstant = (op: number): boolean => op >= PUSH0 && op <= PUSH32;

/** Whether it may be of another statement: of equal ends of statements, and of equal constants, one is left. */
export const isShared = (op: number): boolean => op === JUMPDEST || isConstant(op);

/** What others see is done where the source says it. */
function weigh(op: number): number {
  if (isShared(op)) return op === JUMPDEST ? 0 : CONSTANT;
  return op === SSTORE || op === TSTORE || op >= LOG0 ? 8 : 1;
}

/** The visits of one running function. */
export class FunctionVisits {
  readonly #owner: SourceFunction;
  readonly #graph: CallGraph | null;
  readonly #order: StatementOrder;
  /** 1 at the first step of each visit that is left out. */
  readonly #moved: Uint8Array;
  #visits: Visit[] = [];
  #hasJumpedBack = false;

  constructor(owner: SourceFunction, graph: CallGraph | null, order: StatementOrder, moved: Uint8Array) {
    this.#owner = owner;
    this.#graph = graph;
    this.#order = order;
    this.#moved = moved;
  }

  jumpBack(): void {
    this.#hasJumpedBack = true;
  }

  add(step: number, unit: number, op: number): void {
    const weight = weigh(op);
    const last = this.#visits.at(-1);
    if (last?.unit === unit && !this.#hasJumpedBack) {
      last.weight = weight === CONSTANT ? Math.max(last.weight, weight) : last.weight + weight;
      return;
    }
    if (this.#visits.length >= MAX_VISITS) this.finish();
    this.#visits.push({ step, unit, weight, hasJumpedBack: this.#hasJumpedBack });
    this.#hasJumpedBack = false;
  }

  /** Chooses the heaviest sequence in which each visit can follow the one before; the last one of it begins what comes next. */
  finish(): void {
    const visits = this.#visits;
    const best: number[] = [];
    const before: number[] = [];
    for (const [i, { weight, unit }] of visits.entries()) {
      best[i] = weight;
      before[i] = -1;
      let hasJumpedBack = visits[i]?.hasJumpedBack ?? false;
      for (let j = i - 1; j >= 0; j--) {
        const cost = this.#order.isInOneFunction(visits[j]?.unit ?? -1, unit) ? 0 : SWITCH;
        const sum = (best[j] as number) + weight - cost;
        if (sum > (best[i] as number) && this.#canFollow(visits[j] as Visit, visits[i] as Visit, hasJumpedBack)) {
          best[i] = sum;
          before[i] = j;
        }
        hasJumpedBack ||= visits[j]?.hasJumpedBack ?? false;
      }
    }
    let at = best.indexOf(Math.max(...best));
    const chosen = new Set<number>();
    for (; at >= 0; at = before[at] as number) chosen.add(at);
    for (const [i, { step, weight }] of visits.entries()) if (!chosen.has(i) || weight === 0) this.#moved[step] = 1;
    const last = visits[Math.max(...chosen)];
    this.#visits = last === undefined ? [] : [{ ...last, weight: Number.MAX_SAFE_INTEGER / 2 }];
  }

  #canFollow(a: Visit, b: Visit, hasJumpedBack: boolean): boolean {
    // Via-IR the condition of a `do` is at the beginning of its next round.
    const isRound = hasJumpedBack || (a.hasJumpedBack && this.#order.isLast(a.unit));
    return this.#order.canFollow(this.#owner, this.#graph, a.unit, b.unit, isRound);
  }
}
