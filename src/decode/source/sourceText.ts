// One source of a build: its text as the compiler read it, with what is defined and stated where.

import type { BuiltSource, SourceExcerpt, SourceLocation, SourcePosition } from '../../api/transactionStack.ts';
import { findLastAtMost } from '../../base/findLastAtMost.ts';
import { getTextHash, isOnlyBuilt } from './builtText.ts';
import { type Outline, parseOutline, type SourceFunction, type Statement } from './solidityOutline.ts';
import { fromByteText, toByteText } from './solidityTokens.ts';

/** Of an excerpt. */
const MAX_LINE_LENGTH = 300;

const contains = (outer: { start: number; end: number }, start: number, end: number): boolean =>
  outer.start <= start && end <= outer.end;

export class SourceText {
  readonly built: BuiltSource;
  /** One character for each byte of UTF-8. */
  readonly bytes: string;
  #outline: Outline | null = null;
  #textHash: string | null = null;
  /** Offset of the first byte of each line. */
  #lines: readonly number[] | null = null;

  constructor(built: BuiltSource, text: string) {
    this.built = built;
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

  location({ start, end }: { readonly start: number; readonly end: number }): SourceLocation {
    const { path, file, isChanged, text } = this.built;
    if (isOnlyBuilt(this.built) && text !== null) this.#textHash ??= getTextHash(text);
    const hash = this.#textHash === null ? {} : { textHash: this.#textHash };
    return { source: path, file, isChanged, ...hash, start: this.position(start), end: this.position(end) };
  }

  text(start: number, end: number): string {
    return this.bytes.slice(start, end);
  }

  #lineStarts(): readonly number[] {
    this.#lines ??= [0, ...[...this.bytes.matchAll(/\r\n|\n|\r/g)].map(({ 0: text, index }) => index + text.length)];
    return this.#lines;
  }

  /** The line of the offset with `count` lines before and behind it, long lines cut. */
  excerpt(offset: number, count: number): SourceExcerpt {
    const lines = this.#lineStarts();
    const { line } = this.position(offset);
    const firstLine = Math.max(0, line - count);
    const last = Math.min(lines.length - 1, line + count);
    const toLine = (index: number) => this.bytes.slice(lines[index], lines[index + 1]).replace(/(?:\r\n|\n|\r)$/, '');
    return {
      firstLine,
      lines: Array.from({ length: last - firstLine + 1 }, (_, i) =>
        fromByteText(toLine(firstLine + i)).slice(0, MAX_LINE_LENGTH),
      ),
    };
  }

  lineAt(offset: number): number {
    return Math.max(0, findLastAtMost(this.#lineStarts(), offset));
  }

  position(offset: number): SourcePosition {
    const line = this.lineAt(offset);
    return { line, character: fromByteText(this.bytes.slice(this.#lineStarts()[line], offset)).length };
  }

  lineRange(offset: number): [number, number] {
    const line = this.lineAt(offset);
    return [this.#lineStarts()[line] ?? 0, this.#lineStarts()[line + 1] ?? this.bytes.length];
  }
}
