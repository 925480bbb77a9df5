// Source maps of solc: which range of which source an instruction was compiled from.

/** A jump that the compiler marks as a call of a function or the return from one. */
export type JumpType = 'in' | 'out' | 'regular';

/** A range of a source. Offsets count bytes of the UTF-8 text, as solc does. */
export interface SourceRange {
  /** Source id of the build; -1: no source. */
  readonly file: number;
  readonly start: number;
  readonly end: number;
}

export const JUMPS: readonly JumpType[] = ['regular', 'in', 'out'];

const PUSH1 = 0x60;
const PUSH32 = 0x7f;

/** Instruction number of each byte of code; -1 for data of PUSH instructions. */
function numberInstructions(code: Uint8Array): Int32Array {
  const numbers = new Int32Array(code.length).fill(-1);
  let count = 0;
  for (let pc = 0; pc < code.length; count++) {
    numbers[pc] = count;
    const op = code[pc] as number;
    pc += op >= PUSH1 && op <= PUSH32 ? op - PUSH1 + 2 : 1;
  }
  return numbers;
}

/**
 * The source map of one code, decoded once into columns.
 *
 * @see https://docs.soliditylang.org/en/latest/internals/source_mappings.html
 */
export class SourceMap {
  /** Instruction number by program counter. */
  readonly #numbers: Int32Array;
  /** Number of entries. There are fewer than instructions: the rest is data. */
  readonly #count: number;
  readonly #starts: Int32Array;
  readonly #lengths: Int32Array;
  readonly #files: Int32Array;
  /** Indexes of `JUMPS`. */
  readonly #jumps: Uint8Array;

  /** `text`: entries `s:l:f:j:m` separated by semicolons; an empty field has the value of the entry before. */
  constructor(code: Uint8Array, text: string) {
    this.#numbers = numberInstructions(code);
    const entries = text === '' ? [] : text.split(';');
    this.#count = entries.length;
    this.#starts = new Int32Array(entries.length);
    this.#lengths = new Int32Array(entries.length);
    this.#files = new Int32Array(entries.length);
    this.#jumps = new Uint8Array(entries.length);
    let [start, length, file, jump] = [0, 0, -1, 0];
    entries.forEach((entry, i) => {
      const [s, l, f, j] = entry.split(':');
      if (s !== undefined && s !== '') start = Number(s);
      if (l !== undefined && l !== '') length = Number(l);
      if (f !== undefined && f !== '') file = Number(f);
      if (j !== undefined && j !== '') jump = j === 'i' ? 1 : j === 'o' ? 2 : 0;
      this.#starts[i] = start;
      this.#lengths[i] = length;
      this.#files[i] = file;
      this.#jumps[i] = jump;
    });
  }

  /** Entry of the instruction at `pc`; -1 where nothing is mapped. */
  #entry(pc: number): number {
    const number = this.#numbers[pc] ?? -1;
    return number < this.#count ? number : -1;
  }

  /** `null` for compiler-generated code and data. */
  range(pc: number): SourceRange | null {
    const entry = this.#entry(pc);
    const file = entry < 0 ? -1 : (this.#files[entry] as number);
    if (file < 0) return null;
    const start = this.#starts[entry] as number;
    return { file, start, end: start + (this.#lengths[entry] as number) };
  }

  jump(pc: number): JumpType {
    const entry = this.#entry(pc);
    return entry < 0 ? 'regular' : (JUMPS[this.#jumps[entry] as number] as JumpType);
  }

  /** Program counters of the instructions that are mapped. */
  counters(): readonly number[] {
    return [...this.#numbers.keys()].filter(pc => this.#entry(pc) >= 0);
  }

  /** Ids of the sources that any instruction was compiled from. */
  files(): ReadonlySet<number> {
    return new Set([...this.#files].filter(file => file >= 0));
  }
}
