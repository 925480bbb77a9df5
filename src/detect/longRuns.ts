// Long runs of rows, as in a list of hashes: what is written above the first row and behind the last one is about each of them.
import { findLineStart } from './readBackwards.ts';
import type { ScannedLiteral } from './scanLiterals.ts';

/** Rows next to a literal that tell the forms of the rows, and those that stay beside it and at the ends of the run. */
const NEAR = 8;
const [BESIDE, AT_ENDS] = [4, 2];
/** Characters of a run that are read above and below a literal, and of what is around the run. */
const MAX_RUN = 200_000;
const REACH = 8_000;
const MAX_LINE_LENGTH = 2_000;
const VALUE = /[\da-f]{64}/i;

/** What two rows have in common: the marks between their words, but that behind the last one. */
const getForm = (row: string): string =>
  `${VALUE.test(row) ? '0x' : ''}${row
    .trim()
    .replace(/,$/, '')
    .replace(/(?:[\p{L}\p{N}_] ?)+/gu, 'a')}`;

interface Run {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Where the first rows end, and the last ones start. */
  readonly headEnd: number;
  readonly tailStart: number;
}

/** The run that was found last: its rows are classified one after another. */
let last: Run | null = null;

/** Where the lines above or below one end or start, nearest first. */
function* readLines(text: string, start: number, step: -1 | 1): Generator<readonly [start: number, end: number]> {
  for (let at = start, length = 0; length < MAX_RUN; ) {
    const end = step < 0 ? at - 1 : text.indexOf('\n', at);
    if (end < 0) return;
    const from = step > 0 ? end + 1 : end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
    const next = text.indexOf('\n', from);
    const to = step < 0 ? end : next < 0 ? text.length : next;
    if (to - from > MAX_LINE_LENGTH) return;
    length += to - from + 1;
    yield [from, to];
    if (step < 0 && from === 0) return;
    at = from;
  }
}

/** The run that a row is in, as its first row has it: whichever row was classified before, it is the same. */
function findRun(text: string, lineStart: number, lineEnd: number): Run | null {
  if (last?.text === text && last.start <= lineStart && last.end >= lineEnd) return last;
  const rows = findRows(text, lineStart, lineEnd);
  const [first] = rows;
  if (first === undefined) return null;
  const all = first[0] === lineStart ? rows : findRows(text, ...first);
  const run = all.some(([start]) => start === lineStart) ? all : rows;
  last = {
    text,
    start: first[0],
    end: run.at(-1)?.[1] ?? lineEnd,
    headEnd: run[AT_ENDS - 1]?.[1] ?? lineStart,
    tailStart: run.at(-AT_ENDS)?.[0] ?? lineEnd,
  };
  return last;
}

/** The rows of the run around one, from the first to the last; none where the rows next to it have other forms. */
function findRows(
  text: string,
  lineStart: number,
  lineEnd: number,
): readonly (readonly [start: number, end: number])[] {
  const form = getForm(text.slice(lineStart, lineEnd));
  const forms = new Set<string>();
  let isRun = false;
  for (const step of [-1, 1] as const) {
    let count = 0;
    for (const [from, to] of readLines(text, lineStart, step)) {
      if (count++ === NEAR) break;
      const other = getForm(text.slice(from, to));
      forms.add(other);
      isRun ||= other === form;
    }
  }
  if (!isRun) return [];
  const [above = [], below = []] = ([-1, 1] as const).map(step => {
    const rows: (readonly [number, number])[] = [];
    let count = 0;
    for (const row of readLines(text, lineStart, step)) {
      if (count++ >= NEAR && !forms.has(getForm(text.slice(...row)))) break;
      rows.push(row);
    }
    // The lines near it that are no rows are what the run is in.
    return rows.slice(0, rows.findLastIndex(row => getForm(text.slice(...row)) === form) + 1);
  });
  return [...above.reverse(), [lineStart, lineEnd], ...below];
}

/** A text without most rows of the run that a literal is in, and the literal in it; `null` outside of long runs. */
export function readWithoutRows(
  text: string,
  scanned: ScannedLiteral,
): { readonly text: string; readonly scanned: ScannedLiteral } | null {
  const { start, end } = scanned;
  const lineStart = findLineStart(text, start, 0);
  const rest = text.slice(end, end + MAX_LINE_LENGTH).split('\n', 1)[0] ?? '';
  if ((lineStart > 0 && text[lineStart - 1] !== '\n') || rest.length === MAX_LINE_LENGTH) return null;
  const run = findRun(text, lineStart, end + rest.length);
  if (run === null) return null;
  const above = [...readSome(text, lineStart, -1)].at(-1)?.[0] ?? lineStart;
  const below = [...readSome(text, lineStart, 1)].at(-1)?.[1] ?? end + rest.length;
  const isCut = [above > run.headEnd + 1, below < run.tailStart - 1];
  if (!isCut[0] && !isCut[1]) return null;
  const before = isCut[0]
    ? `${text.slice(Math.max(0, run.start - REACH), run.headEnd)}\n${text.slice(above, start)}`
    : text.slice(Math.max(0, run.start - REACH), start);
  const behind = isCut[1]
    ? `${text.slice(end, below)}\n${text.slice(run.tailStart, run.end + REACH)}`
    : text.slice(end, run.end + REACH);
  const at = { start: before.length, end: before.length + end - start };
  return { text: `${before}${text.slice(start, end)}${behind}`, scanned: { ...scanned, ...at } };
}

function* readSome(text: string, start: number, step: -1 | 1): Generator<readonly [number, number]> {
  let count = 0;
  for (const line of readLines(text, start, step)) {
    if (count++ === BESIDE) return;
    yield line;
  }
}

/** Lines, nearest first, without most rows of the run that they begin with. */
export function* leaveOutRows(own: string, lines: Iterable<string>): Generator<string> {
  const forms = new Set<string>();
  const left: string[] = [];
  let count = 0;
  let isInRun = true;
  for (const line of lines) {
    if (count++ < NEAR) forms.add(getForm(line));
    else if (isInRun && forms.has(getForm(own)) && forms.has(getForm(line))) {
      left.push(line);
      if (left.length > AT_ENDS) left.shift();
      continue;
    } else isInRun = false;
    if (!isInRun) yield* left.splice(0);
    yield line;
  }
  yield* left;
}
