// Edits arrays and objects in a JSON text in place: comments, order, indentation and line ends are preserved.
import { createScanner, type Node, parseTree } from 'jsonc-parser';

/** The formatting of a text, so that additions match it. */
export interface JsonLayout {
  readonly eol: '\n' | '\r\n';
  /** One level of indentation. */
  readonly indent: string;
}

const options = { allowTrailingComma: true, disallowComments: false, allowEmptyContent: true } as const;

/** Root of a JSON text with comments; `undefined` when it holds no value. Throws a RangeError when it is nested too deep. */
export function parseJsonTree(text: string): Node | undefined {
  return parseTree(text, [], options);
}

export function detectJsonLayout(text: string): JsonLayout {
  const windows = text.match(/\r\n/g)?.length ?? 0;
  const all = text.match(/\n/g)?.length ?? 0;
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  return { eol: windows * 2 > all ? '\r\n' : '\n', indent: indent.startsWith('\t') ? '\t' : indent };
}

const isBlank = (char: string | undefined) => char === ' ' || char === '\t';
const isLineEnd = (char: string | undefined) => char === '\n' || char === '\r';
const getEnd = ({ offset, length }: Node) => offset + length;

/** The start of the line of `at` if only blanks precede it; otherwise -1. */
function getOwnLineStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && isBlank(text[start - 1])) start--;
  return start === 0 || isLineEnd(text[start - 1]) ? start : -1;
}

/** Leading blanks of the line of `at`. */
export function getIndentAt(text: string, at: number): string {
  let start = at;
  while (start > 0 && !isLineEnd(text[start - 1])) start--;
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? '';
}

/** Offset of the comma after a child, skipping comments; -1 when there is none. */
function findCommaAfter(text: string, end: number): number {
  const scanner = createScanner(text, true);
  scanner.setPosition(end);
  scanner.scan();
  return text[scanner.getTokenOffset()] === ',' ? scanner.getTokenOffset() : -1;
}

/** Blanks, a line comment and the line end after a child and its comma; `isWholeLine`: nothing else is in the line. */
function readRestOfLine(text: string, from: number): { readonly end: number; readonly isWholeLine: boolean } {
  let end = from;
  while (isBlank(text[end])) end++;
  const blanks = end;
  if (text.startsWith('//', end)) while (end < text.length && !isLineEnd(text[end])) end++;
  if (end < text.length && !isLineEnd(text[end])) return { end: blanks, isWholeLine: false };
  if (text[end] === '\r') end++;
  if (text[end] === '\n') end++;
  return { end, isWholeLine: true };
}

interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly content: string;
}

function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, content } of [...edits].sort((one, other) => one.start - other.start)) {
    parts.push(text.slice(at, start), content);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/** Removes a child with its comma and, if it is alone in its line, with its line and comment. */
function createRemoval(text: string, child: Node): TextEdit {
  const comma = findCommaAfter(text, getEnd(child));
  // A comment between the child and its comma is preserved, and so is the line.
  const tight = comma < 0 || text.slice(getEnd(child), comma).trim() === '';
  const end = comma < 0 || !tight ? getEnd(child) : comma + 1;
  const line = getOwnLineStart(text, child.offset);
  const rest = readRestOfLine(text, end);
  if (line >= 0 && rest.isWholeLine) return { start: line, end: rest.end, content: '' };
  return { start: child.offset, end: comma < 0 || !tight || rest.isWholeLine ? end : rest.end, content: '' };
}

/** Replaces and removes children of an array or object by their position. */
export function editChildren(
  text: string,
  container: Node,
  removals: ReadonlySet<number>,
  replacements: ReadonlyMap<number, string>,
): string {
  const children = container.children ?? [];
  const edits: TextEdit[] = [];
  for (const [at, child] of children.entries()) {
    const content = replacements.get(at);
    if (removals.has(at)) {
      edits.push(createRemoval(text, child));
      const comma = findCommaAfter(text, getEnd(child));
      const loose = comma >= 0 && text.slice(getEnd(child), comma).trim() !== '';
      if (loose) edits.push({ start: comma, end: comma + 1, content: '' });
    } else if (content !== undefined) edits.push({ start: child.offset, end: getEnd(child), content });
  }
  const last = children.at(-1);
  const lastRemaining = children.findLastIndex((_, at) => !removals.has(at));
  const remaining = children[lastRemaining];
  if (last !== undefined && remaining !== undefined && remaining !== last && findCommaAfter(text, getEnd(last)) < 0) {
    const comma = findCommaAfter(text, getEnd(remaining));
    let end = comma + 1;
    while (isBlank(text[end])) end++;
    const next = children[lastRemaining + 1];
    if (comma >= 0) edits.push({ start: comma, end: next?.offset === end ? end : comma + 1, content: '' });
  }
  return applyEdits(text, edits);
}

/** Appends texts to an array or object; each may have several lines, already indented. */
export function appendChildren(text: string, container: Node, added: readonly string[], layout: JsonLayout): string {
  if (added.length === 0) return text;
  const children = container.children ?? [];
  const [first, last] = [children[0], children.at(-1)];
  const close = getEnd(container) - 1;
  let tail = close;
  while (tail > container.offset + 1 && /\s/.test(text[tail - 1] ?? '')) tail--;
  const outer = getIndentAt(text, container.offset);
  const inside = text.slice(container.offset + 1, close);
  const lines = container.type === 'array' || added.some(item => item.includes('\n'));
  const open = children.length === 0 ? lines || /[\r\n]/.test(inside) : /[\r\n]/.test(inside);
  const inner = getChildIndent(text, container, layout);
  const comma = last === undefined ? -1 : findCommaAfter(text, getEnd(last));
  const separator = open ? `,${layout.eol}${inner}` : ', ';
  const items = added.join(separator);
  if (first === undefined) {
    if (inside.trim() === '') {
      const content = open ? `${layout.eol}${inner}${items}${layout.eol}${outer}` : ` ${items} `;
      return applyEdits(text, [{ start: container.offset + 1, end: close, content }]);
    }
    // Only comments inside: append after them.
    return applyEdits(text, [{ start: tail, end: tail, content: `${layout.eol}${inner}${items}` }]);
  }
  const trailing = comma >= 0;
  const lead = open ? `${layout.eol}${inner}` : ' ';
  const content = `${lead}${items}${trailing ? ',' : ''}`;
  const edits: TextEdit[] = [{ start: tail, end: tail, content }];
  if (last !== undefined && !trailing) {
    if (tail === getEnd(last)) return applyEdits(text, [{ start: tail, end: tail, content: `,${content}` }]);
    edits.push({ start: getEnd(last), end: getEnd(last), content: ',' });
  }
  return applyEdits(text, edits);
}

/** Indentation of a container's children; one level more than its own line if they are on one line. */
export function getChildIndent(text: string, container: Node, { indent }: JsonLayout): string {
  const first = container.children?.[0];
  if (first !== undefined && getOwnLineStart(text, first.offset) >= 0) return getIndentAt(text, first.offset);
  return getIndentAt(text, container.offset) + indent;
}

/** The value of a property of an object, the last one of that name as in JSON; `undefined` when there is none. */
export function findProperty(object: Node, name: string): Node | undefined {
  return object.children?.findLast(({ children }) => children?.[0]?.value === name);
}
