// Reads every sign-in message of a text and says what is wrong, where it stands in the text, and what repairs it.

import { readSignInMessage } from '../../api/siwe/parseSiweMessage.ts';
import { applyFix, type SignInEdit, type SignInFix, type SignInProblem } from '../../api/siwe/siweProblem.ts';
import { t } from '../../base/localize.ts';
import { findSignIns, type SignInText, type Span } from './findSiweMessages.ts';

/** A change to the text that the message stands in. */
export interface Repair {
  readonly title: string;
  readonly edits: readonly SignInEdit[];
}

export interface SignInRemark extends Span {
  readonly problem: SignInProblem;
  /** Puts this one right; `null` where it takes a person to know what was meant. */
  readonly fix: Repair | null;
  /** Puts everything in the message right that is certain, the same for all of it; `null` when it is one fix only. */
  readonly fixAll: Repair | null;
}

/** Nothing wrong: an empty list. What stands behind the first wrong place is only known where that has a sure fix. */
export type SignInRemarks = readonly SignInRemark[];

/** Fixes one after the other at most: each must leave the message nearer to the grammar. */
const MOST_FIXES = 40;

/** Offset in the message of the start of a line, counted from 1. */
export function lineStart(message: string, line: number): number {
  let at = 0;
  for (let number = 1; number < line; number++) {
    const feed = message.indexOf('\n', at);
    if (feed < 0) return message.length;
    at = feed + 1;
  }
  return at;
}

/** Where to draw the line: what was found; the whole line where something is missing, or an empty line's end. */
function underlined(found: SignInText, { line, column, length }: SignInProblem): Span {
  const { message } = found;
  const start = lineStart(message, line);
  const feed = message.indexOf('\n', start);
  const end = feed < 0 ? message.length : feed;
  let from = Math.min(start + column, end);
  let to = Math.min(from + length, end);
  if (from === to) [from, to] = [start, end];
  return { start: found.place(from), end: found.place(to) };
}

const repair = (found: SignInText, title: string, edits: readonly SignInEdit[]): Repair => ({
  title,
  edits: edits.map(({ start, end, text }) => ({
    start: found.place(start),
    end: found.place(end),
    text: found.write(text),
  })),
});

const problemOf = (message: string): SignInProblem | undefined => {
  const read = readSignInMessage(message);
  return 'problem' in read ? read.problem : undefined;
};

/** Leaves every other character where it is, so that further problems can be found behind it. */
const keepsPlaces = (message: string, { edits }: SignInFix) =>
  edits.every(
    ({ start, end, text }) =>
      text.length === end - start && !text.includes('\n') && !message.slice(start, end).includes('\n'),
  );

interface Chain {
  /** Those whose line and column are of the message as it is. */
  readonly problems: readonly SignInProblem[];
  /** The message after every certain fix, and how many there were. */
  readonly text: string;
  readonly count: number;
}

/** Fixes one problem after the other until there is none, or one that takes a person. */
function chainOf(message: string): Chain {
  const problems: SignInProblem[] = [];
  const seen = new Set<string>();
  let text = message;
  let inPlace = true;
  let count = 0;
  for (let problem = problemOf(text); problem !== undefined; problem = problemOf(text)) {
    if (inPlace) problems.push(problem);
    seen.add(text);
    const { fix } = problem;
    const fixed = fix === undefined ? text : applyFix(text, fix);
    if (fix === undefined || seen.has(fixed) || count === MOST_FIXES) break;
    inPlace &&= keepsPlaces(text, fix);
    text = fixed;
    count++;
  }
  return { problems, text, count };
}

/** The smallest change that makes one text the other. */
function difference(before: string, after: string): SignInEdit {
  let start = 0;
  while (start < before.length && before.charAt(start) === after.charAt(start)) start++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - start;
  while (tail < most && before.charAt(before.length - 1 - tail) === after.charAt(after.length - 1 - tail)) tail++;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

export function inspectSignIn(found: SignInText): SignInRemarks {
  const { problems, text, count } = chainOf(found.message);
  const fixAll =
    count > 1 ? repair(found, t('Fix everything that is certain'), [difference(found.message, text)]) : null;
  return problems.map(problem => ({
    ...underlined(found, problem),
    problem,
    fix: problem.fix === undefined ? null : repair(found, problem.fix.title, problem.fix.edits),
    fixAll,
  }));
}

/** What is wrong with the messages that are beyond doubt sign-in messages, as they are being written. */
export function inspectSignIns(text: string): SignInRemarks {
  return findSignIns(text)
    .filter(({ certain }) => certain)
    .flatMap(inspectSignIn);
}

/** The message that a command means: the one around an offset, else the first below it, else the last. */
export function signInAt(text: string, offset: number): SignInText | null {
  const all = findSignIns(text);
  const endOf = ({ end, signature }: SignInText) => Math.max(end, signature?.end ?? 0);
  return all.find(found => offset <= endOf(found)) ?? all.at(-1) ?? null;
}
