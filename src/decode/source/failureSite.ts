// Finds the statement at which a call failed, or called another contract, by its steps and the data that it returned.
import type { ContractProgram, SourceSite } from './contractProgram.ts';
import { type ActiveFunction, type OwnSteps, toSourceFunction } from './internalCalls.ts';
import { type Fit, fitEvidence, type RevertEvidence } from './revertEvidence.ts';
import type { SourceFunction, Span, Statement } from './solidityOutline.ts';
import { tokenize } from './solidityTokens.ts';

/** A place in the source. `isInferred`: no executed instruction was compiled from exactly this place. */
export interface FoundSite extends SourceSite {
  readonly isInferred: boolean;
  /** The step that was compiled from it; -1 where none was. */
  readonly index: number;
}

const OP = { JUMP: 0x56, JUMPI: 0x57, JUMPDEST: 0x5b };
/** SSTORE, JUMPI, TSTORE, LOG0 to LOG4, and calls: the optimizer does not move them to other statements. */
const STAYS: ReadonlySet<number> = new Set([
  0x55, 0x57, 0x5d, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xf0, 0xf1, 0xf4, 0xf5, 0xfa,
]);
/** Steps that are looked at before the last one: a loop may have run a million times. */
const MAX_STEPS = 20_000;

/** JUMP, JUMPDEST, and instructions of the stack, which the optimizer moves between statements. */
export const movesOnly = (op: number): boolean => op === 0x50 || op === OP.JUMP || (op >= OP.JUMPDEST && op <= 0x9f);

interface Candidate extends SourceSite {
  readonly strength: Fit['strength'];
  /** The step that was compiled from it. */
  readonly index: number;
  /** Several statements fit, and nothing says which of them was executed. */
  readonly isAmbiguous?: boolean;
}

const isWithin = (inner: SourceSite, outer: SourceSite): boolean =>
  inner.source === outer.source && outer.start <= inner.start && inner.end <= outer.end;

export class FailureSearch {
  readonly #program: ContractProgram;
  readonly #steps: OwnSteps;
  readonly #active: readonly ActiveFunction[];
  /** The innermost function that was running, and all that it can call. */
  readonly #running: ActiveFunction;
  readonly #reachable: ReadonlySet<SourceFunction>;
  /** Index of the last step. */
  readonly #last: number;

  constructor(program: ContractProgram, steps: OwnSteps, active: readonly ActiveFunction[], last: number) {
    this.#program = program;
    this.#steps = steps;
    this.#active = active;
    this.#last = last;
    this.#running = toSourceFunction(active[last] as ActiveFunction);
    this.#reachable = new Set(this.#listRunning().flatMap(each => [...(program.graph?.reachable(each) ?? [each])]));
  }

  /** The innermost function; of a modifier the functions whose body is executed inside it. */
  #listRunning(): readonly SourceFunction[] {
    const { definition } = this.#running;
    let caller = this.#running.caller;
    while (caller !== null && (caller.definition === null || caller.definition.kind === 'modifier'))
      caller = caller.caller;
    const owner = caller?.definition ?? null;
    if (definition === null) return [];
    if (definition.kind !== 'modifier' || owner === null) return [definition];
    const invokes = ({ invocations }: SourceFunction) => invocations.some(({ name }) => name === definition.name);
    if (invokes(owner)) return [owner];
    const owners = [...(this.#program.graph?.reachable(owner) ?? [])].filter(invokes);
    return owners.length === 0 ? [definition] : owners;
  }

  /** The site of a step in what runs now; `null` for generated code and functions that the running one cannot call. */
  siteAt(index: number): SourceSite | null {
    if (toSourceFunction(this.#active[index] as ActiveFunction) !== this.#running) return null;
    const site = this.#program.siteAt(this.#steps.pc[index] as number);
    if (site === null || this.#reachable.has(site.definition)) return site;
    return this.#program.pipeline.isOptimized ? this.#siteOfTwin(site) : null;
  }

  /** The same place in the only function that can run with the same text: the optimizer merges equal functions. */
  #siteOfTwin({ definition, start, end }: SourceSite): SourceSite | null {
    const { graph } = this.#program;
    const twin = graph?.findTwin(definition, this.#reachable) ?? null;
    const source = twin === null ? null : graph?.getSource(twin);
    if (graph === null || twin === null || source === null || source === undefined) return null;
    const tokens = graph.getTokens(definition);
    const others = graph.getTokens(twin);
    const [from, to] = [tokens.findIndex(each => each.start === start), tokens.findLastIndex(each => each.end === end)];
    return from < 0 || to < from
      ? null
      : { source, definition: twin, start: others[from]?.start ?? 0, end: others[to]?.end ?? 0 };
  }

  /** The last site before the end, whatever it says. */
  lastSite(): SourceSite | null {
    for (let i = this.#last; i >= Math.max(0, this.#last - MAX_STEPS); i--) {
      const site = this.siteAt(i);
      if (site !== null) return site;
    }
    return null;
  }

  find(evidence: RevertEvidence): FoundSite | null {
    const found = this.#find(evidence);
    if (found !== null || evidence.kind !== 'panic') return found;
    const any = { ...evidence, operator: null };
    // The smallest signed integer overflows where it is divided by -1.
    const isQuotient = evidence.code === 0x11 && this.#listFitting(any, 'exact').length === 0;
    return this.#find(isQuotient ? { ...evidence, operator: '/' } : any);
  }

  #find(evidence: RevertEvidence): FoundSite | null {
    if (evidence.kind === 'call' || evidence.kind === 'halt') {
      const own = this.#fitAt(this.#last, evidence, 'exact');
      if (own !== null) return { ...own, isInferred: false };
      const around = this.#fitAt(this.#last, evidence, 'possible');
      if (around !== null) return { ...around, isInferred: true };
    }
    const exact = this.#findExecuted(evidence, 'exact');
    if (exact !== null && !this.#isUncertain(exact, evidence)) {
      const placed = this.#inContext(exact, exact.index, this.#listFitting(evidence, 'exact'));
      const isInferred = placed !== exact || this.isContradicted(exact, exact.index);
      return { ...exact, ...placed, isInferred };
    }
    const found =
      exact ??
      this.#inAssembly(evidence) ??
      this.#findOnly(evidence, 'exact') ??
      this.#findExecuted(evidence, 'possible') ??
      this.#findOnly(evidence, 'possible');
    return found === null ? null : { index: -1, ...found, isInferred: true };
  }

  /**
   * The last step whose statement fits. The optimizer merges blocks that revert with equal data, and keeps the place of
   * one of them: where the branch that led there fits too, the branch decides, else the block that jumped there.
   */
  #findExecuted(evidence: RevertEvidence, strength: Fit['strength']): Candidate | null {
    let found: Candidate | null = null;
    /** Places of other statements that were executed behind the branch. */
    const others: SourceSite[] = [];
    for (let i = this.#last; i >= Math.max(0, this.#last - MAX_STEPS); i--) {
      const op = this.#steps.op[i] as number;
      const site = this.siteAt(i);
      if (site === null) continue;
      if (found !== null && op !== OP.JUMPI) {
        const [statement] = found.source.statementsAt(found.definition, found.start, found.end);
        if (!movesOnly(op) && !isWithin(site, { ...found, ...statement })) others.push(site);
        continue;
      }
      const candidate = this.#fitAt(i, evidence, strength, found);
      if (found !== null) {
        const isOfBranch = candidate !== null && others.some(each => isWithin(each, candidate));
        if (isOfBranch && !this.#steps.op.subarray(i + 1, this.#last).includes(OP.JUMPI)) return candidate;
        const isMerged = this.#mayBeMerged(i, site, found.index);
        const isBehind = isMerged && others.every(each => isWithin(each, site));
        if (isBehind && candidate !== null) return candidate;
        // It may be that of the branch, whose data is not written in the source: `revert` of inline assembly.
        const possible = isMerged ? this.#fitAt(i, evidence, 'possible') : null;
        return possible === null ? found : { ...(isBehind ? possible : found), isAmbiguous: true };
      }
      if (candidate === null) continue;
      if (op === OP.JUMPI || !this.#program.pipeline.isOptimized) return candidate;
      found = this.#beforeMergedBlock(candidate, evidence, strength) ?? candidate;
    }
    return found;
  }

  /** A `revert` of inline assembly at the last step: via-IR gives the whole block one place. */
  #inAssembly(evidence: RevertEvidence): Candidate | null {
    const site = this.siteAt(this.#last);
    const [statement] = site === null ? [] : site.source.statementsAt(site.definition, site.start, site.end);
    return statement?.kind === 'assembly' ? this.#fitAt(this.#last, evidence, 'possible') : null;
  }

  /** Whether the block of a step is jumped to from the branch, and not of the statement of the branch: as merged ones are. */
  #mayBeMerged(from: number, branch: SourceSite, to: number): boolean {
    const { op, pc } = this.#steps;
    const active = this.#active[to];
    const target = this.siteAt(from + 1);
    if (op[from + 1] === OP.JUMPDEST && target !== null && isWithin(target, branch)) return false;
    let before = from;
    for (let i = from; i <= to; i++) {
      if (this.#active[i] !== active) continue;
      // The code behind a call is that of another statement: it was merged too.
      if (i > before + 1 && !this.#isSameStatement(before, i)) return true;
      before = i;
      const isTaken = op[i] === OP.JUMPI && pc[i + 1] !== (pc[i] as number) + 1;
      const isRegular = op[i] === OP.JUMP && this.#program.map.jump(pc[i] as number) === 'regular';
      if (i < to && (isTaken || isRegular)) return true;
    }
    return false;
  }

  /** Whether the second step is of the statement of the first one, as far as that is known. */
  #isSameStatement(first: number, second: number): boolean {
    const [site, other] = [this.siteAt(first), this.siteAt(second)];
    if (site === null || other === null) return true;
    const [statement] = site.source.statementsAt(site.definition, site.start, site.end);
    return isWithin(other, { ...site, ...statement });
  }

  /** What fits another statement in the block that jumped to the one of `found`, without a condition. */
  #beforeMergedBlock(found: Candidate, evidence: RevertEvidence, strength: Fit['strength']): Candidate | null {
    const { op, pc } = this.#steps;
    if (!this.#program.pipeline.isOptimized) return null;
    let first = found.index;
    while (first > 0 && op[first] !== OP.JUMPDEST && op[first - 1] !== OP.JUMPI) first--;
    const jump = first - 1;
    if (op[jump] !== OP.JUMP || this.#program.map.jump(pc[jump] as number) !== 'regular') return null;
    for (let i = jump; i >= 0 && op[i] !== OP.JUMPDEST && op[i] !== OP.JUMPI; i--) {
      const candidate = this.#isInLeaf(i) ? this.#fitAt(i, evidence, strength) : null;
      if (candidate !== null) return isWithin(candidate, found) ? null : { ...candidate, isAmbiguous: true };
    }
    return null;
  }

  /** Whether the step is of a statement without others in it: the end of an `if` says nothing of what is in it. */
  #isInLeaf(index: number): boolean {
    const site = this.siteAt(index);
    const statements = site === null ? [] : site.source.statementsAt(site.definition, site.start, site.end);
    return statements[0]?.children.length === 0;
  }

  /** What fits at a step: `found` where that is a part of it, else what was executed after the step. */
  #fitAt(
    index: number,
    evidence: RevertEvidence,
    strength: Fit['strength'],
    found: Candidate | null = null,
  ): Candidate | null {
    const site = this.siteAt(index);
    if (site === null) return null;
    const fits = this.#fits(site, evidence, index).filter(fit => fit.strength === strength);
    const [first] = fits;
    if (first === undefined) return null;
    if (found !== null && [site, ...fits].some(outer => isWithin(found, outer)))
      return { ...found, isAmbiguous: false };
    if (fits.length === 1) return first;
    const executed = fits.filter(fit => this.#wasExecuted(fit, index));
    return executed.length === 1 ? (executed[0] as Candidate) : { ...first, isAmbiguous: true };
  }

  /** Whether a step behind `index` was compiled from the innermost block around the place, such as an arm of an `if`. */
  #wasExecuted({ source, definition, start, end }: Candidate, index: number): boolean {
    const statements = source.statementsAt(definition, start, end);
    const block = statements.find(({ kind }) => kind === 'block') ?? { start, end };
    for (let i = index + 1; i <= this.#last; i++) {
      const site = this.siteAt(i);
      if (site !== null && isWithin(site, { source, definition, ...block })) return true;
    }
    return false;
  }

  #isUncertain(found: Candidate, evidence: RevertEvidence): boolean {
    return (
      found.isAmbiguous === true ||
      this.#hasContinued(found) ||
      this.#mayBeAnother(found, evidence) ||
      (this.#isJumpedToFromUnknown(found.index) && this.#listOthers(found, evidence).length > 0)
    );
  }

  /** Whether the block of a step was jumped to from code of no known place: it may be the one that is left of merged blocks. */
  #isJumpedToFromUnknown(index: number): boolean {
    const { op, pc } = this.#steps;
    const entered = this.#active.findIndex((each, i) => each === this.#active[index] && this.siteAt(i) !== null);
    for (let i = index; i > entered; i--) {
      const isOwn = this.#active[i] === this.#active[index] && this.#active[i - 1] === this.#active[index];
      if (!isOwn) continue;
      const isTaken = op[i - 1] === OP.JUMPI && op[i] === OP.JUMPDEST;
      const isRegular = op[i - 1] === OP.JUMP && this.#program.map.jump(pc[i - 1] as number) === 'regular';
      if (isTaken || isRegular) return this.#program.siteAt(pc[i - 1] as number) === null;
      if (op[i - 1] === OP.JUMPI) return false;
    }
    return false;
  }

  /** Whether a step may be of another statement that is similar to that of the place. */
  isOutOfContext(site: SourceSite, index: number): boolean {
    const { graph } = this.#program;
    const { body } = site.definition;
    return (
      graph !== null &&
      body !== null &&
      this.#inContext(
        site,
        index,
        getLeaves(body).map(each => ({ ...site, start: each.start, end: each.end })),
      ) !== site
    );
  }

  /**
   * The optimizer merges code of similar statements. What was executed before tells which of `places` it was: the one behind
   * it; the same place where it is certain, and a copy of it where nothing tells.
   */
  #inContext<T extends SourceSite>(site: T, index: number, places: readonly SourceSite[]): SourceSite {
    const { graph, pipeline } = this.#program;
    const { definition, source } = site;
    if (graph === null || !pipeline.isOptimized) return site;
    const [own] = source.statementsAt(definition, site.start, site.end);
    const tokens = own === undefined ? [] : tokenize(source.text(own.start, own.end));
    const similar = places.filter(place => {
      const [statement] = source.statementsAt(place.definition, place.start, place.end);
      if (place.definition !== definition || statement === undefined || statement === own) return false;
      return graph.areSimilar(tokens, tokenize(source.text(statement.start, statement.end)));
    });
    if (own === undefined || similar.length === 0) return site;
    let before: SourceSite | null = null;
    for (let i = index; i >= 0 && before === null; i--) {
      const at = this.siteAt(i);
      if (
        at?.definition === definition &&
        !movesOnly(this.#steps.op[i] as number) &&
        !isWithin(at, { ...site, ...own })
      )
        before = at;
    }
    const behind = [site, ...similar].filter(place => isBehind(place, before));
    if (behind.length !== 1) return { ...site };
    return behind[0] as SourceSite;
  }

  /**
   * Whether the place, of a step, cannot be reached from the statement that was executed before: it is in another arm of an
   * `if`, or before it and in no loop. The optimizer then merged the code of the step with that of another place.
   */
  isContradicted(site: SourceSite, index: number): boolean {
    const { op, pc } = this.#steps;
    if (!this.#program.pipeline.isOptimized) return false;
    const [own] = site.source.statementsAt(site.definition, site.start, site.end);
    for (let i = index - 1; i >= Math.max(0, index - MAX_STEPS); i--) {
      const stays = STAYS.has(op[i] as number) || this.#program.map.jump(pc[i] as number) === 'in';
      const at = stays ? this.siteAt(i) : null;
      if (at?.definition === site.definition && !isWithin(at, { ...site, ...own })) return !canFollow(site, at);
    }
    return false;
  }

  #listOthers(found: Candidate, evidence: RevertEvidence): readonly SourceSite[] {
    return this.#listFitting(evidence, 'exact').filter(each => !isWithin(found, each));
  }

  /** Whether branches of unknown places followed it, of which one may be of another statement that fits. */
  #mayBeAnother(found: Candidate, evidence: RevertEvidence): boolean {
    let branches = 0;
    for (let i = found.index + 1; i <= this.#last; i++) {
      const isOwn =
        this.#active[i] === this.#active[found.index] && this.#program.siteAt(this.#steps.pc[i] as number) === null;
      if (isOwn && this.#steps.op[i] === OP.JUMPI) branches++;
    }
    if (branches === 0) return false;
    const others = this.#listOthers(found, evidence);
    // The first branch is the check of the statement itself, or of a later one whose instructions have no places.
    const isLater = ({ definition, start }: SourceSite) => definition !== found.definition || start >= found.end;
    return branches > 1 ? others.length > 0 : others.some(isLater);
  }

  /** Whether something else was executed after it: another statement up to the branch that led to the end, or its branch. */
  #hasContinued(found: Candidate): boolean {
    const [statement] = found.source.statementsAt(found.definition, found.start, found.end);
    let isLastBlock = true;
    for (let i = this.#last; i > found.index; i--) {
      const isBranch = this.#steps.op[i] === OP.JUMPI;
      if (isBranch) isLastBlock = false;
      const site = isLastBlock ? null : this.siteAt(i);
      if (site === null) continue;
      if (site.source.statementsAt(site.definition, site.start, site.end)[0] !== statement) return true;
      if (isBranch && !isWithin(site, found) && !isWithin(found, site)) return true;
    }
    return false;
  }

  /** The expression of the step, else the statement around it, or what an `if` around it guards. */
  #fits(site: SourceSite, evidence: RevertEvidence, index: number): readonly Candidate[] {
    const statements = site.source.statementsAt(site.definition, site.start, site.end);
    const [statement] = statements;
    const at = ({ start, end }: Span): readonly Candidate[] => {
      const fit = fitEvidence(site.source.text(start, end), evidence);
      return fit === null || isUnchecked(statements, evidence)
        ? []
        : [{ ...site, index, start: start + fit.start, end: start + fit.end, strength: fit.strength }];
    };
    const own = withoutStatements(site, statement?.children ?? []).flatMap(at);
    if (own.some(({ strength }) => strength === 'exact')) return own;
    const fits = (statement === undefined ? [] : getParts(statement)).flatMap(at);
    return fits.some(({ strength }) => strength === 'exact') ? fits : [...own, ...fits];
  }

  /** The only statement in all that can run which fits. */
  #findOnly(evidence: RevertEvidence, strength: Fit['strength']): SourceSite | null {
    const found = this.#listFitting(evidence, strength);
    return found.length === 1 ? (found[0] as SourceSite) : null;
  }

  #listFitting(evidence: RevertEvidence, strength: Fit['strength']): readonly SourceSite[] {
    return [...this.#reachable].flatMap(definition => {
      const source = this.#program.graph?.getSource(definition);
      if (source === undefined || source === null || definition.body === null) return [];
      return [...definition.invocations, ...getLeaves(definition.body)].flatMap(({ start, end }) => {
        const fit = fitEvidence(source.text(start, end), evidence);
        const isPossible =
          fit?.strength === strength && !isUnchecked(source.statementsAt(definition, start, end), evidence);
        return isPossible ? { source, definition, start: start + fit.start, end: start + fit.end } : [];
      });
    });
  }
}

/** Whether a place can be executed after another one of the same function. */
function canFollow(site: SourceSite, before: SourceSite): boolean {
  const { source, definition } = site;
  const chain = source.statementsAt(definition, site.start, site.end).toReversed();
  const other = source.statementsAt(definition, before.start, before.end).toReversed();
  const depth = chain.findIndex((statement, i) => statement !== other[i]);
  const common = chain.slice(0, depth);
  const [next, nextOther, parent] = [chain[depth], other[depth], common.at(-1)];
  if (depth < 1 || common.some(({ kind }) => kind === 'loop') || next === undefined || nextOther === undefined)
    return true;
  return parent?.kind === 'block' && next.start > nextOther.start;
}

/** Whether a place is directly behind what was executed before: the statement before it, or the header around it. */
function isBehind({ source, definition, start, end }: SourceSite, before: SourceSite | null): boolean {
  const chain = source.statementsAt(definition, start, end);
  for (const [i, statement] of chain.entries()) {
    const parent = chain[i + 1];
    if (parent === undefined) return before === null;
    const previous = parent.kind === 'block' ? parent.children[parent.children.indexOf(statement) - 1] : undefined;
    if (previous !== undefined) return before !== null && isWithin(before, { ...before, ...previous });
    if (parent.kind !== 'block')
      return (
        before !== null &&
        isWithin(before, { ...before, ...parent }) &&
        !parent.children.some(child => isWithin(before, { ...before, ...child }))
      );
  }
  return false;
}

/** Whether arithmetic in the innermost of these statements does not overflow. */
const isUnchecked = (statements: readonly Statement[], evidence: RevertEvidence): boolean =>
  evidence.kind === 'panic' && evidence.code === 0x11 && statements.some(each => each.isUnchecked === true);

/** The parts of a range outside of statements in it: of a loop its header. */
function withoutStatements({ start, end }: Span, statements: readonly Statement[]): readonly Span[] {
  const parts: Span[] = [];
  let from = start;
  for (const inner of statements) {
    // Ranges of solc end before a semicolon.
    if (inner.start < start || inner.start >= end) continue;
    parts.push({ start: from, end: inner.start });
    from = inner.end;
  }
  return [...parts, { start: from, end }].filter(part => part.start < part.end);
}

/** The statement itself where it has no others in it, else the simple ones directly in an `if`. */
function getParts(statement: Statement): readonly Statement[] {
  if (statement.children.length === 0) return [statement];
  if (statement.kind !== 'if') return [];
  return statement.children
    .flatMap(child => (child.kind === 'block' ? child.children : [child]))
    .filter(({ children }) => children.length === 0);
}

const getLeaves = (statement: Statement): readonly Statement[] =>
  statement.children.length === 0 ? [statement] : statement.children.flatMap(getLeaves);
