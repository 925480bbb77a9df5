// The line that wrote a variable of storage.

import type { VariableChange } from '../../api/stateChanges.ts';
import type { SourceLocation } from '../../api/transactionStack.ts';
import { getOrInsert } from '../../base/getOrInsert.ts';
import { bytesToHex } from '../../base/hex.ts';
import type { StorageWrite, Trace, TraceFrame } from '../trace/trace.ts';
import type { ContractProgram, SourceSite } from './contractProgram.ts';
import type { SourceFunction } from './solidityOutline.ts';
import { StorageStatements, type WriteStatement, type WrittenVariable } from './storageStatements.ts';
import type { FindProgram } from './traceStack.ts';

export interface WriteLocation {
  readonly location: SourceLocation | null;
  /** The optimizer moved code by way of Yul: the statement is the nearest, or the only one, that can have written it. */
  readonly isInferred: boolean;
}

/** What is known of the code of one call. */
interface CalledCode {
  readonly program: ContractProgram;
  readonly statements: StorageStatements;
  readonly entry: SourceFunction | null;
  /** Functions that the call can run. */
  readonly reachable: ReadonlySet<SourceFunction>;
}

/** Instructions back from a write to the last one of its statement. */
const MAX_STEPS_BACK = 200_000;
/** Instructions behind a write that may jump out of the statement around it. */
const MAX_STEPS_OUT = 4;
const UNKNOWN: WriteLocation = { location: null, isInferred: false };

/**
 * Helper code of the compiler comes between a statement and the instruction that writes, and the optimizer shares code between
 * functions and writes packed variables at once: the statement is one that the call can reach, and one that writes the variable.
 */
export class WriteLocations {
  readonly #trace: Trace;
  readonly #findProgram: FindProgram;
  readonly #statements = new Map<ContractProgram, StorageStatements>();
  /** By frame. */
  readonly #codes = new Map<number, CalledCode | null>();
  /** By frame and variable: the last write that was looked for, so that a loop is searched once. */
  readonly #last = new Map<string, { readonly step: number; readonly site: SourceSite | null }>();
  readonly #locations = new Map<SourceSite, SourceLocation>();

  constructor(trace: Trace, findProgram: FindProgram) {
    this.#trace = trace;
    this.#findProgram = findProgram;
  }

  find(write: StorageWrite, change: Pick<VariableChange, 'path' | 'type' | 'newValue'>): WriteLocation {
    const frame = this.#trace.frames[write.frame];
    const code = frame === undefined ? null : this.#getCode(frame);
    if (frame === undefined || code === null) return UNKNOWN;
    const { program, statements, entry, reachable } = code;
    const variable = statements.toVariable(change);
    const site = this.#findSite(frame, code, write.step, variable);
    const location = site === null ? null : this.#locationOf(site, statements.statementAt(site));
    const isMoved = program.pipeline.isOptimized && program.pipeline.isViaIR;
    const isExact = site !== null && program.siteAt(this.#trace.steps.pc[write.step] ?? -1) === site;
    if ((location !== null && !isMoved) || isExact || entry === null) return { location, isInferred: false };
    const all = statements.list(entry, reachable, variable);
    const [only] = all;
    if (all.length !== 1 || only === undefined) {
      const inside = site === null ? this.#findInside(frame, code, write.step, all) : null;
      if (inside !== null) return { location: inside.source.location(inside), isInferred: true };
      return { location, isInferred: location !== null };
    }
    if (site !== null && statements.statementAt(site) === only) return { location, isInferred: false };
    return { location: only.source.location(only), isInferred: true };
  }

  #getCode(frame: TraceFrame): CalledCode | null {
    return getOrInsert(this.#codes, frame.index, () => {
      const program = this.#findProgram(frame);
      const entry = program?.entry(bytesToHex(frame.input)) ?? null;
      const reachable = (entry === null ? null : program?.graph?.reachable(entry)) ?? new Set<SourceFunction>();
      return program === null ? null : { program, statements: this.#getStatements(program), entry, reachable };
    });
  }

  #getStatements(program: ContractProgram): StorageStatements {
    return getOrInsert(this.#statements, program, () => new StorageStatements(program));
  }

  /** The last place before the write whose statement can have made it. */
  #findSite(
    { index, firstStep }: TraceFrame,
    { program, statements, reachable }: CalledCode,
    step: number,
    variable: WrittenVariable,
  ): SourceSite | null {
    const { steps } = this.#trace;
    const key = `${index} ${variable.key}`;
    const last = this.#last.get(key);
    const stop = last !== undefined && last.step < step ? last.step : -1;
    const from = Math.max(firstStep, step - MAX_STEPS_BACK);
    let found: SourceSite | null = null;
    for (let at = step; at >= from && found === null; at--) {
      if (at === stop) {
        const site = last?.site ?? null;
        // Another element of the array may be of another statement.
        if (site === null || statements.canWrite(site, variable)) {
          found = site;
          break;
        }
      }
      if (steps.frame[at] !== index) continue;
      const site = program.siteAt(steps.pc[at] as number);
      if (site !== null && reachable.has(site.definition) && statements.canWrite(site, variable)) found = site;
    }
    this.#last.set(key, { step, site: found });
    return found;
  }

  /**
   * The statement in the `if` or loop that ran last before the write, among those that have one of `statements`. `null` where it has
   * several, or where one behind it may have written instead.
   */
  #findInside(
    { index, firstStep, endStep }: TraceFrame,
    { program, reachable }: CalledCode,
    step: number,
    statements: readonly WriteStatement[],
  ): WriteStatement | null {
    const { steps } = this.#trace;
    const siteAt = (at: number) => (steps.frame[at] === index ? program.siteAt(steps.pc[at] as number) : null);
    for (let at = step; at >= Math.max(firstStep, step - MAX_STEPS_BACK); at--) {
      const site = siteAt(at);
      if (site === null || !reachable.has(site.definition)) continue;
      const { source, start, end, definition } = site;
      const own = statements.filter(each => each.source === source);
      const [inside, ...others] = own.filter(each => start <= each.start && each.end <= end);
      if (inside === undefined) continue;
      if (others.length > 0) return null;
      const isFollowed = own.some(each => end <= each.start && each.end <= definition.end);
      // The jump behind what is inside is of the whole statement.
      const isLeft = Array.from({ length: MAX_STEPS_OUT }, (_, i) => step + 1 + i).some(after => {
        const next = after < endStep ? siteAt(after) : null;
        return next?.source === source && next.start === start && next.end === end;
      });
      return isFollowed && !isLeft ? null : inside;
    }
    return null;
  }

  /** Of assembly via-IR has only one place for the whole block. */
  #locationOf(site: SourceSite, statement: WriteStatement): SourceLocation {
    return getOrInsert(this.#locations, site, () => {
      const isInside = site.start <= statement.start && statement.end <= site.end;
      return site.source.location(isInside ? statement : site);
    });
  }
}
