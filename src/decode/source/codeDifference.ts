// Which functions of a build have other code in a contract on a chain: instructions are compared, not places of jumps.
import { bytesToHex } from '../../base/hex.ts';
import type { CodeMask } from '../runtimeCode.ts';
import type { ContractProgram } from './contractProgram.ts';
import type { SourceFunction } from './solidityOutline.ts';

const PUSH1 = 0x60;
const PUSH2 = 0x61;
const PUSH3 = 0x62;
const PUSH32 = 0x7f;
const CODECOPY = 0x39;
const INVALID = 0xfe;
const JUMPDEST = 0x5b;
const JUMPDEST_TOKEN = '5b';
/** Between the offset of data and the CODECOPY that reads it. */
const MAX_COPY_DISTANCE = 12;
/** A literal, as Solidity writes those of few bytes. */
const NUMBER = /^(?:0x[\da-fA-F_]{1,8}|\d[\d_]{0,8})$/;
/** Instructions that no other follows: STOP, JUMP, RETURN, REVERT, INVALID, SELFDESTRUCT. */
const ENDS: ReadonlySet<string> = new Set(['00', '56', 'f3', 'fd', 'fe', 'ff']);

export interface FunctionDifference {
  /** Such as `Vault.deposit`. */
  readonly different: readonly string[];
  /** Functions of the build that have code. */
  readonly all: number;
  /** By the optimizer of the IR, which puts functions into others, and merges their code: neighbors may be named too. */
  readonly isInferred: boolean;
}

interface Instruction {
  readonly pc: number;
  /** With what it pushes, in hex digits. `null`: it has what is set at deployment. */
  readonly token: string | null;
  /** The JUMPDEST that it pushes, unless that is another number. */
  readonly target: number | null;
  /** It pushes where the code of a contract begins that this one creates. */
  readonly isDataOffset: boolean;
}

/** Jumps and data move with all code before them. */
const isSame = (a: Instruction, b: Instruction | undefined): boolean =>
  b !== undefined &&
  (a.token === b.token || (a.target !== null && b.target !== null) || (a.isDataOffset && b.isDataOffset));

function disassemble(code: Uint8Array, mask: CodeMask): readonly Instruction[] {
  const starts: number[] = [];
  const targets = new Set<number>();
  for (let pc = 0; pc < code.length; ) {
    const op = code[pc] as number;
    starts.push(pc);
    if (op === JUMPDEST) targets.add(pc);
    pc += op >= PUSH1 && op <= PUSH32 ? op - PUSH1 + 2 : 1;
  }
  // solc writes all targets of one code with the same number of bytes.
  const targetBytes = code.length > 0xff ? 2 : 1;
  const masked = new Set(mask.map(([start]) => start - 1));
  const offsets = findDataOffsets(code, starts);
  return starts.map(pc => {
    const op = code[pc] as number;
    const size = op >= PUSH1 && op <= PUSH32 ? op - PUSH1 + 1 : 0;
    const isDataOffset = offsets.has(pc);
    if (masked.has(pc)) return { pc, token: null, target: null, isDataOffset };
    const data = code.subarray(pc + 1, pc + 1 + size);
    const value = data.reduce((sum, byte) => sum * 256 + byte, 0);
    const target = size === targetBytes && targets.has(value) ? value : null;
    return { pc, target, isDataOffset, token: bytesToHex(code.subarray(pc, pc + 1 + size)).slice(2) };
  });
}

/** Instructions that push the place of data behind the code, which begins with INVALID, for a CODECOPY. */
function findDataOffsets(code: Uint8Array, starts: readonly number[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [index, pc] of starts.entries()) {
    if (code[pc] !== CODECOPY) continue;
    for (const at of starts.slice(Math.max(0, index - MAX_COPY_DISTANCE), index)) {
      const op = code[at];
      if (op !== PUSH2 && op !== PUSH3) continue;
      const value = code.subarray(at + 1, at + 1 + op - PUSH1 + 1).reduce((sum, byte) => sum * 256 + byte, 0);
      if (value > at && value < code.length && code[value - 1] === INVALID) found.add(at);
    }
  }
  return found;
}

/** A function of the source, or a piece of code that the compiler added, such as that which encodes a text. */
interface Part {
  readonly definition: SourceFunction | null;
  isDifferent: boolean;
  /** Where its code jumps to, by program counter. */
  readonly targets: Set<number>;
  /** Pieces inside of its code, such as values of constants. */
  readonly pieces: Set<Part>;
}

class CodeComparison {
  readonly #program: ContractProgram;
  /** Of the code on the chain. */
  readonly #deployed: readonly Instruction[];
  readonly #functions = new Map<SourceFunction, Part>();
  /** Pieces that the compiler added, by the program counter of the first instruction. */
  readonly #added = new Map<number, Part>();

  constructor(program: ContractProgram, code: Uint8Array) {
    this.#program = program;
    this.#deployed = disassemble(code, []);
  }

  run(instructions: readonly Instruction[]): FunctionDifference {
    let part: Part | null = null;
    let own: Instruction[] = [];
    let isEnded = false;
    const end = () => {
      if (part !== null && own.length > 0 && !this.#isDeployed(own)) part.isDifferent = true;
      own = [];
    };
    for (const each of instructions) {
      const instruction = this.#isNumber(each) ? { ...each, target: null } : each;
      const { pc, token, target } = instruction;
      const definition = this.#program.siteAt(pc)?.definition ?? null;
      const isNew =
        part === null || definition !== part.definition || (definition === null && token === JUMPDEST_TOKEN);
      if (isNew) {
        end();
        const next = this.#getPart(definition, pc);
        if (!isEnded && part !== null) linkPieces(part, next);
        part = next;
      }
      if (target !== null) part?.targets.add(target);
      isEnded = ENDS.has(token ?? '');
      // What is set at deployment may be anything.
      if (token === null) end();
      else own.push(instruction);
    }
    end();
    const different = [...this.#functions.values()].filter(each => this.#isDifferent(each, new Set()));
    const { isViaIR, isOptimized } = this.#program.pipeline;
    return { different: different.map(toName), all: this.#functions.size, isInferred: isViaIR && isOptimized };
  }

  /** A number of the source that is the place of a JUMPDEST by chance. */
  #isNumber({ pc, target }: Instruction): boolean {
    const range = target === null ? null : this.#program.map.range(pc);
    const text = range === null ? '' : (this.#program.source(range)?.bytes.slice(range.start, range.end) ?? '');
    return NUMBER.test(text) && Number(text.replaceAll('_', '')) === target;
  }

  #isDeployed(own: readonly Instruction[]): boolean {
    const deployed = this.#deployed;
    return deployed.some((_, start) => own.every((each, index) => isSame(each, deployed[start + index])));
  }

  #getPart(definition: SourceFunction | null, pc: number): Part {
    const known = definition === null ? undefined : this.#functions.get(definition);
    const part = known ?? { definition, isDifferent: false, targets: new Set(), pieces: new Set() };
    if (definition === null) this.#added.set(pc, part);
    else this.#functions.set(definition, part);
    return part;
  }

  /** Whether its own code differs, or what the compiler added for it. */
  #isDifferent(part: Part, seen: Set<Part>): boolean {
    if (part.isDifferent) return true;
    seen.add(part);
    const added = [...part.targets].flatMap(pc => this.#added.get(pc) ?? []);
    return [...added, ...part.pieces].some(each => !seen.has(each) && this.#isDifferent(each, seen));
  }
}

/** Of code that runs on into other code: where a function begins, and where it has the value of a constant, which is of the getter. */
function linkPieces(part: Part, next: Part): void {
  const isPiece = ({ definition }: Part) => definition === null || definition.kind === 'getter';
  if (isPiece(next)) part.pieces.add(next);
  if (isPiece(part)) next.pieces.add(part);
}

function toName({ definition }: Part): string {
  const name = definition?.name || (definition?.kind ?? '');
  return definition?.contract ? `${definition.contract.name}.${name}` : name;
}

/** The functions of the build that have instructions which are nowhere in the code. `mask`: what is set in the built code at deployment. */
export const listDifferentFunctions = (
  program: ContractProgram,
  built: Uint8Array,
  mask: CodeMask,
  code: Uint8Array,
): FunctionDifference => new CodeComparison(program, code).run(disassemble(built, mask));
