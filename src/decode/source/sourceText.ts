// One source of a build: its text as the compiler read it, with what is defined and stated where.
import { type Outline, parseOutline, type SourceFunction, type Statement } from './solidityOutline.ts';
import { fromByteText, toByteText } from './solidityTokens.ts';

/** Zero-based, as in VS Code; characters count UTF-16 code units. */
export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

const contains = (outer: { start: number; end: number }, start: number, end: number): boolean =>
  outer.start <= start && end <= outer.end;

export class SourceText {
  /** As the compiler named it, such as `src/Vault.sol`. */
  readonly path: string;
  /** One character for each byte of UTF-8. */
  readonly bytes: string;
  #outline: Outline | null = null;
  /** Offset of the first byte of each line. */
  #lines: readonly number[] | null = null;

  constructor(path: string, text: string) {
    this.path = path;
    this.bytes = toByteText(text);
  }

  get outline(): Outline {
    this.#outline ??= parseOutline(this.bytes);
    return this.#outline;
  }

  /** The innermost function that contains the range; `null` outside of functions. */
  functionAt(start: number, end: number): SourceFunction | null {
    return this.outline.functions.find(definition => contains(definition, start, end)) ?? null;
  }

  /** The function that has exactly this range. */
  functionOf(start: number, end: number): SourceFunction | null {
    return this.outline.functions.find(definition => definition.start === start && definition.end === end) ?? null;
  }

  /** The statements of a function that contain the range, the innermost first. */
  statementsAt(definition: SourceFunction, start: number, end: number): readonly Statement[] {
    const found: Statement[] = [];
    for (let at = definition.body; at !== null && contains(at, start, end); ) {
      found.unshift(at);
      at = at.children.find(child => contains(child, start, end)) ?? null;
    }
    return found;
  }

  text(start: number, end: number): string {
    return this.bytes.slice(start, end);
  }

  position(offset: number): TextPosition {
    this.#lines ??= [0, ...[...this.bytes.matchAll(/\r\n|\n|\r/g)].map(({ 0: text, index }) => index + text.length)];
    const lines = this.#lines;
    let [low, high] = [0, lines.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((lines[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: fromByteText(this.bytes.slice(lines[low], offset)).length };
  }
}
