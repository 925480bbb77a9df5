// Which statement can run behind another one, by the source: the optimizer moves parts of statements to other places.
import type { CallGraph } from '../source/callGraph.ts';
import type { SourceFunction, Span, Statement } from '../source/solidityOutline.ts';
import type { SourceUnit } from './debugCode.ts';

/** A place in a function: the statements around it, the outermost first. */
interface Place {
  readonly around: readonly Statement[];
  /** What leaves the place: `return`, `break` and so on. */
  readonly jump: 'return' | 'break' | 'continue' | null;
  /** Whether it is the condition of a `do`, which is behind what is in the loop. */
  readonly isLast: boolean;
}

/** Calls of a function at different places, at most. */
const MAX_CALLS = 8;
const JUMP = /^(return|break|continue|revert|throw)\b/;

export class StatementOrder {
  readonly #units: readonly SourceUnit[];
  readonly #known = new Map<SourceFunction, Map<number, boolean>>();
  readonly #places = new Map<number, Place>();

  constructor(units: readonly SourceUnit[]) {
    this.#units = units;
  }

  /** `owner`: whose code has both, with its modifiers and what was inlined. `hasJumpedBack`: as loops do. */
  canFollow(owner: SourceFunction, graph: CallGraph | null, a: number, b: number, hasJumpedBack: boolean): boolean {
    if (a === b) return true;
    let known = this.#known.get(owner);
    if (known === undefined) {
      known = new Map();
      this.#known.set(owner, known);
    }
    const key = (a * 2 ** 21 + b) * 2 + (hasJumpedBack ? 1 : 0);
    let result = known.get(key);
    if (result === undefined) {
      result = this.#compute(owner, graph, a, b, hasJumpedBack);
      known.set(key, result);
    }
    return result;
  }

  isInOneFunction(a: number, b: number): boolean {
    return this.#units[a]?.definition === this.#units[b]?.definition;
  }

  /** Whether it is the condition of a `do`. */
  isLast(unit: number): boolean {
    return this.#place(unit).isLast;
  }

  #compute(owner: SourceFunction, graph: CallGraph | null, a: number, b: number, hasJumpedBack: boolean): boolean {
    const [first, second] = [this.#units[a], this.#units[b]] as [SourceUnit, SourceUnit];
    if (first.definition.kind === 'constructor' && second.definition.kind === 'constructor')
      return isSetBehind(first, second, graph, () => isBehind(this.#place(a), this.#place(b), hasJumpedBack));
    if (first.definition === second.definition) {
      const isAgain = first.definition !== owner && callsOf(owner, first.definition, graph).length !== 1;
      return isAgain || isBehind(this.#place(a), this.#place(b), hasJumpedBack);
    }
    const [before, behind] = [first, second].map(unit => placesIn(owner, unit.definition, graph));
    // What is not known to be called from a place may be anywhere.
    if (before === undefined || behind === undefined) return true;
    const places = (known: readonly Place[], unit: number) => (known.length === 0 ? [this.#place(unit)] : known);
    return places(before, a).some(from => places(behind, b).some(to => isBehind(from, to, hasJumpedBack)));
  }

  #place(unit: number): Place {
    let place = this.#places.get(unit);
    if (place === undefined) {
      const { source, definition, start, end, isLoop: isHeader, whole } = this.#units[unit] as SourceUnit;
      const [, word] = JUMP.exec(source.text(start, start + 9)) ?? [];
      place = {
        around: around(definition, { start, end }),
        jump: word === undefined ? null : word === 'break' || word === 'continue' ? word : 'return',
        isLast: isHeader && start > whole.start,
      };
      this.#places.set(unit, place);
    }
    return place;
  }
}

function around({ body }: SourceFunction, { start, end }: Span): readonly Statement[] {
  const found: Statement[] = [];
  for (let at: Statement | null = body; at !== null; ) {
    found.push(at);
    at = at.children.find(child => child.start <= start && end <= child.end) ?? null;
  }
  return found;
}

const callsOf = (owner: SourceFunction, target: SourceFunction, graph: CallGraph | null) =>
  graph?.paths(owner, target, MAX_CALLS) ?? [];

/** Where a function runs in its owner; empty for the owner itself, `undefined` where that is not known. */
function placesIn(
  owner: SourceFunction,
  definition: SourceFunction,
  graph: CallGraph | null,
): readonly Place[] | undefined {
  if (definition === owner) return [];
  if (definition.kind === 'modifier' || owner.kind === 'modifier') return undefined;
  const calls = callsOf(owner, definition, graph).flatMap(([edge]) => edge?.call ?? []);
  const { body } = owner;
  const isInBody = (call: Span) => body !== null && body.start <= call.start && call.end <= body.end;
  if (calls.length === 0 || calls.length === MAX_CALLS || !calls.every(isInBody)) return undefined;
  return calls.map(call => ({ around: around(owner, call), jump: null, isLast: false }));
}

/** Constructors of bases run first, and in each one the values of state variables, in their order; legacy code sets all values first. */
function isSetBehind(
  first: SourceUnit,
  second: SourceUnit,
  graph: CallGraph | null,
  isBehindInBody: () => boolean,
): boolean {
  const [a, b] = [isInitializer(first), isInitializer(second)];
  if (first.definition === second.definition) {
    if (a && b) return first.start < second.start;
    return a || (!b && isBehindInBody());
  }
  // The contract itself comes first in the list.
  const [from, to] = [first, second].map(({ definition: { contract } }) =>
    contract === null ? -1 : (graph?.linearized.indexOf(contract) ?? -1),
  ) as [number, number];
  return from > to || (a && !b);
}

/** Whether it is the value of a state variable, which the constructor sets. */
export const isInitializer = ({ definition, start, end }: SourceUnit): boolean =>
  definition.kind === 'constructor' &&
  (definition.body === null || start < definition.body.start || end > definition.body.end);

const isLoop = ({ kind }: Statement): boolean => kind === 'loop';

/** Whether what is at the second place can run after what is at the first, without what is between. */
function isBehind(from: Place, to: Place, hasJumpedBack: boolean): boolean {
  const shared = from.around.findIndex((statement, i) => to.around[i] !== statement);
  // The second place is in the first statement, or the same.
  if (shared < 0) {
    const isSame = from.around.length === to.around.length;
    return isSame ? from.jump !== 'return' : hasJumpedBack || !from.isLast;
  }
  const common = from.around.slice(0, shared);
  const inLoop = common.some(isLoop);
  if (hasJumpedBack && inLoop && from.jump !== 'return') return true;
  if (from.jump === 'return') return false;
  const loopOfFrom = from.around.findLast(isLoop);
  if (from.jump !== null && loopOfFrom !== undefined && common.includes(loopOfFrom))
    return from.jump === 'continue' && to.around.at(-1) === loopOfFrom;
  const parent = common.at(-1);
  const next = to.around[shared];
  // The second place is the header around the first.
  if (next === undefined) return parent !== undefined && (isLoop(parent) || parent.kind === 'assembly');
  if (parent?.kind === 'if' || parent?.kind === 'try') return false;
  return parent?.kind !== 'block' || next.start > (from.around[shared] as Statement).start;
}
