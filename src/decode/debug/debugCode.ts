// The places of one code where a debugger can stop: statements, by program counter.

import { getOrInsert } from '../../base/getOrInsert.ts';
import type { ContractProgram, SourceSite } from '../source/contractProgram.ts';
import type { SourceFunction, Span, Statement } from '../source/solidityOutline.ts';
import { JUMPS, type JumpType } from '../source/sourceMap.ts';
import type { SourceText } from '../source/sourceText.ts';
import { StorageStatements } from '../source/storageStatements.ts';
import { PathLabels } from './pathLabels.ts';

/** A statement, or the header of one that has others in it. */
export interface SourceUnit extends SourceSite {
  /** The whole statement, where this is only its header; else as `start` and `end`. */
  readonly whole: Span;
  /** The header of a loop, which runs again and again. */
  readonly isLoop: boolean;
  /** `break`, `continue` or `return`, which the compiler may join with the condition before it. */
  readonly isJump: boolean;
  /** Zero-based. */
  readonly line: number;
}

const UNKNOWN = -2;
const NONE = -1;
const PUSH1 = 0x60;
const PUSH32 = 0x7f;
const JUMPDEST = 0x5b;

/** PUSH, DUP, SWAP, POP and JUMPDEST: without the optimizer, via-IR prepares later statements with them, and legacy code drops locals. */
export const isMove = (op: number): boolean => (op >= 0x5f && op <= 0x9f) || op === 0x50 || op === JUMPDEST;

/** Program counters of all instructions. */
export function* listInstructions(code: Uint8Array): Generator<number> {
  for (let pc = 0; pc < code.length; ) {
    yield pc;
    const op = code[pc] as number;
    pc += op >= PUSH1 && op <= PUSH32 ? op - PUSH1 + 2 : 1;
  }
}

/** Units of all codes of a session, by number. */
export class UnitTable {
  readonly units: SourceUnit[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #sources = new Map<SourceText, number>();

  add(unit: SourceUnit): number {
    const source = getOrInsert(this.#sources, unit.source, () => this.#sources.size);
    const key = `${source} ${unit.start} ${unit.end}`;
    return getOrInsert(this.#numbers, key, () => this.units.push(unit) - 1);
  }
}

export class DebugCode {
  readonly program: ContractProgram;
  readonly code: Uint8Array;
  readonly labels: PathLabels;
  readonly #table: UnitTable;
  /** Number of the unit by program counter. */
  readonly #units: Int32Array;
  /** Index in `JUMPS` plus one; 0 where it was not asked for yet. */
  readonly #jumps: Uint8Array;
  /** Of the only statement that writes storage, by the function that a message enters. */
  readonly #writes = new Map<SourceFunction, number>();
  /** Many instructions are compiled from one range. */
  readonly #byRange = new Map<string, number>();

  constructor(program: ContractProgram, code: Uint8Array, table: UnitTable) {
    this.program = program;
    this.code = code;
    this.#table = table;
    this.#units = new Int32Array(code.length).fill(UNKNOWN);
    this.#jumps = new Uint8Array(code.length);
    this.labels = new PathLabels(code.length);
  }

  /** Number of the statement that an instruction belongs to; -1: none, as for code that the compiler generated. */
  unitAt(pc: number): number {
    const known = this.#units[pc] ?? NONE;
    if (known !== UNKNOWN) return known;
    const { isViaIR, isOptimized } = this.program.pipeline;
    const op = this.code[pc] as number;
    const isPrepared = isViaIR && !isOptimized && isMove(op);
    const site = isPrepared ? null : this.program.siteAt(pc);
    // In inline assembly a label has the place of the whole loop, before its variables.
    const isLabel = op === JUMPDEST && site !== null && isInAssembly(site);
    const found = site === null || isLabel ? NONE : this.#unitOf(site);
    // Code of a whole `do`, not of its condition, which is the header, runs before the first round too.
    const isWholeDo = this.isWhole(pc, found) && (this.#table.units[found]?.start ?? 0) > (site?.start ?? 0);
    const unit = isWholeDo ? NONE : found;
    this.#units[pc] = unit;
    return unit;
  }

  /**
   * Number of the statement that writes storage where only one can in all that a message runs; else -1. Via-IR the optimizer
   * leaves such instructions without a place.
   */
  onlyWrite(entry: SourceFunction): number {
    return getOrInsert(this.#writes, entry, () => {
      const { pipeline, graph, isCreation } = this.program;
      if (graph === null || isCreation || !pipeline.isViaIR || !pipeline.isOptimized) return NONE;
      const statements = new StorageStatements(this.program);
      const anything = statements.toVariable({ path: [], type: '' });
      const [only, other] = statements.list(entry, graph.reachable(entry), anything);
      const definition = only?.source.functionAt(only.start, only.end);
      return only === undefined || other !== undefined || definition === null || definition === undefined
        ? NONE
        : this.#unitOf({ ...only, definition });
    });
  }

  /** Whether an instruction is of a loop as a whole, not of its condition: it begins or ends it. */
  isWhole(pc: number, number: number): boolean {
    const unit = this.#table.units[number];
    const site = unit?.isLoop === true ? this.program.siteAt(pc) : null;
    return site !== null && site.start === unit?.whole.start && site.end === unit.whole.end;
  }

  jumpAt(pc: number): JumpType {
    const known = this.#jumps[pc] ?? 0;
    if (known > 0) return JUMPS[known - 1] as JumpType;
    const jump = this.program.map.jump(pc);
    this.#jumps[pc] = JUMPS.indexOf(jump) + 1;
    return jump;
  }

  /** Whether a function of inline assembly begins here. */
  beginsAssembly(pc: number): boolean {
    const site = this.program.siteAt(pc);
    return site !== null && this.unitAt(pc) < 0 && isAssemblyFunction(site.source, site.start);
  }

  /** Numbers of all statements that any instruction belongs to. */
  allUnits(): ReadonlySet<number> {
    const found = new Set<number>();
    for (const pc of listInstructions(this.code)) {
      const unit = this.unitAt(pc);
      if (unit >= 0) found.add(unit);
    }
    return found;
  }

  #unitOf(site: SourceSite): number {
    const key = `${site.source.built.id} ${site.start} ${site.end}`;
    return getOrInsert(this.#byRange, key, () => {
      const found = toUnit(site, this.program.pipeline.isViaIR);
      return found === null ? NONE : this.#table.add(found);
    });
  }
}

function toUnit({ source, definition, start, end }: SourceSite, isViaIR: boolean): SourceUnit | null {
  const make = (from: number, to: number, isLoop = false, whole: Span | null = null): SourceUnit => {
    const span = trim(source, from, to);
    const isJump = /^(?:break|continue|return)\b/.test(source.text(span.start, Math.min(span.end, span.start + 9)));
    const line = source.position(span.start).line;
    return { source, definition, isLoop, isJump, line, ...span, whole: whole ?? span };
  };
  const [statement] = source.statementsAt(definition, start, end);
  // Values of state variables, which a constructor without a body sets.
  if (statement === undefined) {
    const isOutside = start < definition.start || start >= definition.end || definition.body === null;
    // A constant is part of each statement that reads it.
    const isConstant = source.outline.variables.some(each => each.isConstant && each.start <= start && end <= each.end);
    const isInitializer = definition.kind === 'constructor' && isOutside && !isConstant;
    return isInitializer ? make(...source.lineRange(start)) : null;
  }
  switch (statement.kind) {
    case 'block':
      return null; // the end of its variables
    case 'assembly': {
      // What includes the beginning of the block is no statement in it; via-IR, all code of the block has that place.
      const isWhole = start <= source.bytes.indexOf('{', statement.start);
      if (isWhole) return isViaIR ? make(statement.start, source.lineRange(statement.start)[1]) : null;
      // Where a function is defined, the code jumps over it; what it returns is set to zero in its header.
      const isInHeader = /\bfunction\s[^{}]*$/.test(source.text(statement.start, start));
      if (isInHeader || isAssemblyFunction(source, start)) return null;
      // The place of a block is that of the end of its variables; what compares the value of a `switch` has that of a case.
      const isCase = /^(?:\{|(?:case|default|switch)\b)/.test(source.text(start, start + 8));
      if (isCase || /\bcase\s$/.test(source.text(statement.start, start))) return null;
      const [from, to] = source.lineRange(start);
      return make(Math.max(from, statement.start), Math.min(to, statement.end));
    }
    case 'simple':
      // Of a modifier: the body that runs there has statements of its own.
      return /^_\s*;/.test(source.text(statement.start, statement.end)) ? null : make(statement.start, statement.end);
    default:
      return make(...headerOf(source, statement), statement.kind === 'loop', statement);
  }
}

const isInAssembly = ({ source, definition, start, end }: SourceSite): boolean =>
  source.statementsAt(definition, start, end)[0]?.kind === 'assembly';

const isAssemblyFunction = (source: SourceText, start: number): boolean =>
  source.text(start, start + 9) === 'function ';

/** The part of a statement that is no statement of its own. */
function headerOf(source: SourceText, { start, end, children }: Statement): [number, number] {
  const first = children[0]?.start ?? end;
  const last = children.at(-1)?.end ?? start;
  // Of `do … while (…)` the condition is last.
  const isLast = /^do\b/.test(source.text(start, start + 3));
  return isLast ? [last, end] : [start, first];
}

function trim(source: SourceText, start: number, end: number): Span {
  const text = source.text(start, end);
  const from = start + (text.length - text.trimStart().length);
  return { start: from, end: Math.max(from, start + text.trimEnd().length) };
}
