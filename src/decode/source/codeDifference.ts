// Which functions of a build have other code in a contract on a chain: instructions are compared, not places of jumps.
import type { CodeMask } from '../runtimeCode.ts';
import type { ContractProgram } from './contractProgram.ts';
import type { SourceFunction } from './solidityOutline.ts';

const PUSH1 = 0x60;
const PUSH32 = 0x7f;
const JUMPDEST = 0x5b;
const JUMPDEST_TOKEN = '5b';
const JUMP_TARGET = 'j';
/** Instructions that no other follows: STOP, JUMP, RETURN, REVERT, INVALID, SELFDESTRUCT. */
const ENDS: ReadonlySet<string> = new Set(['00', '56', 'f3', 'fd', 'fe', 'ff']);

export interface FunctionDifference {
  /** Such as `Vault.deposit`. */
  readonly different: readonly string[];
  /** Functions of the build that have code. */
  readonly all: number;
}

interface Instruction {
  readonly pc: number;
  /** Equal for equal instructions; targets of jumps are all the same. `null`: it has what is set at deployment. */
  readonly token: string | null;
  /** The JUMPDEST that it pushes. */
  readonly target: number | null;
}

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
  return starts.map(pc => {
    const op = code[pc] as number;
    const size = op >= PUSH1 && op <= PUSH32 ? op - PUSH1 + 1 : 0;
    if (masked.has(pc)) return { pc, token: null, target: null };
    const data = code.subarray(pc + 1, pc + 1 + size);
    const value = data.reduce((sum, byte) => sum * 256 + byte, 0);
    if (size === targetBytes && targets.has(value)) return { pc, token: JUMP_TARGET, target: value };
    return { pc, target: null, token: [op, ...data].map(byte => byte.toString(16).padStart(2, '0')).join('') };
  });
}

const toText = (tokens: readonly string[]): string => ` ${tokens.join(' ')} `;

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
  readonly #text: string;
  readonly #functions = new Map<SourceFunction, Part>();
  /** Pieces that the compiler added, by the program counter of the first instruction. */
  readonly #added = new Map<number, Part>();

  constructor(program: ContractProgram, code: Uint8Array) {
    this.#program = program;
    this.#text = toText(disassemble(code, []).map(({ token }) => token ?? ''));
  }

  run(instructions: readonly Instruction[]): FunctionDifference {
    let part: Part | null = null;
    let tokens: string[] = [];
    let isEnded = false;
    const end = () => {
      if (part !== null && tokens.length > 0 && !this.#text.includes(toText(tokens))) part.isDifferent = true;
      tokens = [];
    };
    for (const { pc, token, target } of instructions) {
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
      else tokens.push(token);
    }
    end();
    const different = [...this.#functions.values()].filter(each => this.#isDifferent(each, new Set()));
    return { different: different.map(toName), all: this.#functions.size };
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
