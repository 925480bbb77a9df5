// Arrays and objects inside a JSON text changed in place: comments, order, indentation and line ends stay as they are.
import { createScanner, type Node, parseTree } from 'jsonc-parser';

/** How a text is laid out, so that what is added looks like what is there. */
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
const endOf = ({ offset, length }: Node) => offset + length;

/** Where the line of `at` starts, when nothing but blanks stands between; -1 when something does. */
function startOfOwnLine(text: string, at: number): number {
  let start = at;
  while (start > 0 && isBlank(text[start - 1])) start--;
  return start === 0 || isLineEnd(text[start - 1]) ? start : -1;
}

/** The blanks that the line of `at` starts with. */
export function getIndentAt(text: string, at: number): string {
  let start = at;
  while (start > 0 && !isLineEnd(text[start - 1])) start--;
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? '';
}

/** Offset of the comma behind a child, comments in between passed over; -1 when there is none. */
function commaAfter(text: string, end: number): number {
  const scanner = createScanner(text, true);
  scanner.setPosition(end);
  scanner.scan();
  return text[scanner.getTokenOffset()] === ',' ? scanner.getTokenOffset() : -1;
}

/** Behind a child and its comma: blanks, a comment up to the end of its line, and the line's end. */
function restOfLine(text: string, from: number): { readonly end: number; readonly whole: boolean } {
  let end = from;
  while (isBlank(text[end])) end++;
  const blanks = end;
  if (text.startsWith('//', end)) while (end < text.length && !isLineEnd(text[end])) end++;
  if (end < text.length && !isLineEnd(text[end])) return { end: blanks, whole: false };
  if (text[end] === '\r') end++;
  if (text[end] === '\n') end++;
  return { end, whole: true };
}

interface Cut {
  readonly start: number;
  readonly end: number;
  readonly content: string;
}

function applied(text: string, cuts: readonly Cut[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, content } of [...cuts].sort((one, other) => one.start - other.start)) {
    parts.push(text.slice(at, start), content);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/** What is to be taken out when a child goes: with its comma and, where it stands alone, with its line and its comment. */
function removal(text: string, child: Node): Cut {
  const comma = commaAfter(text, endOf(child));
  // A comment between the child and its comma stays, and so does the line.
  const tight = comma < 0 || text.slice(endOf(child), comma).trim() === '';
  const end = comma < 0 || !tight ? endOf(child) : comma + 1;
  const line = startOfOwnLine(text, child.offset);
  const rest = restOfLine(text, end);
  if (line >= 0 && rest.whole) return { start: line, end: rest.end, content: '' };
  return { start: child.offset, end: comma < 0 || !tight || rest.whole ? end : rest.end, content: '' };
}

/** Children of an array or object replaced and taken out, by their position. */
export function editChildren(
  text: string,
  container: Node,
  removals: ReadonlySet<number>,
  replacements: ReadonlyMap<number, string>,
): string {
  const children = container.children ?? [];
  const cuts: Cut[] = [];
  for (const [at, child] of children.entries()) {
    const content = replacements.get(at);
    if (removals.has(at)) {
      cuts.push(removal(text, child));
      const comma = commaAfter(text, endOf(child));
      const loose = comma >= 0 && text.slice(endOf(child), comma).trim() !== '';
      if (loose) cuts.push({ start: comma, end: comma + 1, content: '' });
    } else if (content !== undefined) cuts.push({ start: child.offset, end: endOf(child), content });
  }
  const last = children.at(-1);
  const lastKept = children.findLastIndex((_, at) => !removals.has(at));
  const kept = children[lastKept];
  if (last !== undefined && kept !== undefined && kept !== last && commaAfter(text, endOf(last)) < 0) {
    const comma = commaAfter(text, endOf(kept));
    let end = comma + 1;
    while (isBlank(text[end])) end++;
    const next = children[lastKept + 1];
    if (comma >= 0) cuts.push({ start: comma, end: next?.offset === end ? end : comma + 1, content: '' });
  }
  return applied(text, cuts);
}

/** Texts added behind the last child of an array or object; each may have several lines, already indented. */
export function appendChildren(text: string, container: Node, added: readonly string[], layout: JsonLayout): string {
  if (added.length === 0) return text;
  const children = container.children ?? [];
  const [first, last] = [children[0], children.at(-1)];
  const close = endOf(container) - 1;
  let tail = close;
  while (tail > container.offset + 1 && /\s/.test(text[tail - 1] ?? '')) tail--;
  const outer = getIndentAt(text, container.offset);
  const inside = text.slice(container.offset + 1, close);
  const lines = container.type === 'array' || added.some(item => item.includes('\n'));
  const open = children.length === 0 ? lines || /[\r\n]/.test(inside) : /[\r\n]/.test(inside);
  const inner = getChildIndent(text, container, layout);
  const comma = last === undefined ? -1 : commaAfter(text, endOf(last));
  const separator = open ? `,${layout.eol}${inner}` : ', ';
  const items = added.join(separator);
  if (first === undefined) {
    if (inside.trim() === '') {
      const content = open ? `${layout.eol}${inner}${items}${layout.eol}${outer}` : ` ${items} `;
      return applied(text, [{ start: container.offset + 1, end: close, content }]);
    }
    // Nothing but comments: they stay in front.
    return applied(text, [{ start: tail, end: tail, content: `${layout.eol}${inner}${items}` }]);
  }
  const trailing = comma >= 0;
  const lead = open ? `${layout.eol}${inner}` : ' ';
  const content = `${lead}${items}${trailing ? ',' : ''}`;
  const cuts: Cut[] = [{ start: tail, end: tail, content }];
  if (last !== undefined && !trailing) {
    if (tail === endOf(last)) return applied(text, [{ start: tail, end: tail, content: `,${content}` }]);
    cuts.push({ start: endOf(last), end: endOf(last), content: ',' });
  }
  return applied(text, cuts);
}

/** How far the children of a container are indented; one level more than its own line when they stand on one line. */
export function getChildIndent(text: string, container: Node, { indent }: JsonLayout): string {
  const first = container.children?.[0];
  if (first !== undefined && startOfOwnLine(text, first.offset) >= 0) return getIndentAt(text, first.offset);
  return getIndentAt(text, container.offset) + indent;
}

/** The value of a property of an object, the last one of that name as in JSON; `undefined` when there is none. */
export function findProperty(object: Node, name: string): Node | undefined {
  return object.children?.findLast(({ children }) => children?.[0]?.value === name);
}
