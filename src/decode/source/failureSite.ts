// Finds the statement at which a call failed, or called another contract, by its steps and the data that it returned.
import type { ContractProgram, SourceSite } from './contractProgram.ts';
import { type ActiveFunction, type OwnSteps, toSourceFunction } from './internalCalls.ts';
import { type Fit, fitEvidence, type RevertEvidence } from './revertEvidence.ts';
import type { SourceFunction, Statement } from './solidityOutline.ts';

/** A place in the source. `isInferred`: no executed instruction was compiled from exactly this place. */
export interface FoundSite extends SourceSite {
  readonly isInferred: boolean;
  /** The step that was compiled from it; -1 where none was. */
  readonly index: number;
}

const JUMPI = 0x57;
/** Steps that are looked at before the last one: a loop may have run a million times. */
const MAX_STEPS = 20_000;

interface Candidate extends SourceSite {
  readonly strength: Fit['strength'];
  /** The step that was compiled from it. */
  readonly index: number;
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
    const { definition: innermost, caller } = this.#running;
    const owner = caller === null ? null : toSourceFunction(caller).definition;
    // The body of a function is executed inside its modifiers.
    const isInvoked = innermost?.kind === 'modifier' && owner?.invocations.some(({ name }) => name === innermost.name);
    const definition = isInvoked ? owner : innermost;
    this.#reachable =
      definition === null || definition === undefined
        ? new Set()
        : (program.graph?.reachable(definition) ?? new Set([definition]));
  }

  /** The site of a step in what runs now; `null` for generated code and functions that the running one cannot call. */
  siteAt(index: number): SourceSite | null {
    if (toSourceFunction(this.#active[index] as ActiveFunction) !== this.#running) return null;
    const site = this.#program.siteAt(this.#steps.pc[index] as number);
    return site !== null && this.#reachable.has(site.definition) ? site : null;
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
    const exact = this.#findExecuted(evidence, 'exact');
    if (exact !== null && !this.#hasContinued(exact)) return { ...exact, isInferred: false };
    const found = exact ?? this.#findOnly(evidence) ?? this.#findExecuted(evidence, 'possible');
    return found === null ? null : { index: -1, ...found, isInferred: true };
  }

  /**
   * The last step whose statement fits. The optimizer merges blocks that revert with equal data, and keeps the place of
   * one of them: where the branch that led there fits too, the branch decides.
   */
  #findExecuted(evidence: RevertEvidence, strength: Fit['strength']): Candidate | null {
    let found: Candidate | null = null;
    for (let i = this.#last; i >= Math.max(0, this.#last - MAX_STEPS); i--) {
      const isBranch = this.#steps.op[i] === JUMPI;
      const site = this.siteAt(i);
      if (site === null || (found !== null && !isBranch)) continue;
      const fit = this.#fit(site, evidence, i);
      const candidate = fit?.strength === strength ? fit : null;
      if (isBranch && (candidate !== null || found !== null)) {
        return found === null || (candidate !== null && !isWithin(found, candidate)) ? candidate : found;
      }
      found = candidate;
    }
    return found;
  }

  /** Whether another statement was executed after it, up to the branch that led to the end. */
  #hasContinued({ source, definition, start, end, index }: Candidate): boolean {
    const [statement = { start, end }] = source.statementsAt(definition, start, end);
    let isLastBlock = true;
    for (let i = this.#last; i > index; i--) {
      if (this.#steps.op[i] === JUMPI) isLastBlock = false;
      const site = isLastBlock ? null : this.siteAt(i);
      if (site !== null && !(site.source === source && statement.start <= site.start && site.end <= statement.end))
        return true;
    }
    return false;
  }

  /** The expression of the step, else the statement around it, or what an `if` around it guards. */
  #fit(site: SourceSite, evidence: RevertEvidence, index: number): Candidate | null {
    const at = (start: number, end: number): Candidate | null => {
      const fit = fitEvidence(site.source.text(start, end), evidence);
      return fit === null
        ? null
        : { ...site, index, start: start + fit.start, end: start + fit.end, strength: fit.strength };
    };
    const own = at(site.start, site.end);
    if (own?.strength === 'exact') return own;
    const [statement] = site.source.statementsAt(site.definition, site.start, site.end);
    const parts = statement === undefined ? [] : getParts(statement);
    const fits = parts.flatMap(({ start, end }) => at(start, end) ?? []);
    return fits.find(({ strength }) => strength === 'exact') ?? own ?? fits[0] ?? null;
  }

  /** The only statement in all that can run which fits. */
  #findOnly(evidence: RevertEvidence): SourceSite | null {
    const found: SourceSite[] = [];
    for (const definition of this.#reachable) {
      const source = this.#program.graph?.sourceOf(definition);
      if (source === undefined || source === null || definition.body === null) continue;
      for (const { start, end } of getLeaves(definition.body)) {
        const fit = fitEvidence(source.text(start, end), evidence);
        if (fit?.strength === 'exact')
          found.push({ source, definition, start: start + fit.start, end: start + fit.end });
      }
    }
    return found.length === 1 ? (found[0] as SourceSite) : null;
  }
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
