// Reads every sign-in message of a text and says what is wrong, where it stands in the text, and what repairs it.

import { safeParseSiweMessage } from '../../api/siwe/parseSiweMessage.ts';
import { applyFix, type SiweEdit, type SiweFix, type SiweProblem } from '../../api/siwe/siweProblem.ts';
import { t } from '../../base/localize.ts';
import { findSiweMessages, type SiweText, type TextSpan } from './findSiweMessages.ts';

/** A change to the text that the message stands in. */
export interface SiweRepair {
  readonly title: string;
  readonly edits: readonly SiweEdit[];
}

export interface SiweRemark extends TextSpan {
  readonly problem: SiweProblem;
  /** Puts this one right; `null` where it takes a person to know what was meant. */
  readonly fix: SiweRepair | null;
  /** Puts everything in the message right that is certain, the same for all of it; `null` when it is one fix only. */
  readonly fixAll: SiweRepair | null;
}

/** Nothing wrong: an empty list. What stands behind the first wrong place is only known where that has a sure fix. */
export type SiweRemarks = readonly SiweRemark[];

/** Fixes one after the other at most: each must leave the message nearer to the grammar. */
const MAX_FIXES = 40;

/** Offset in the message of the start of a line, counted from 1. */
export function getLineStart(message: string, line: number): number {
  let at = 0;
  for (let number = 1; number < line; number++) {
    const feed = message.indexOf('\n', at);
    if (feed < 0) return message.length;
    at = feed + 1;
  }
  return at;
}

/** Where to draw the line: what was found; the whole line where something is missing, or an empty line's end. */
function underlined(found: SiweText, { line, column, length }: SiweProblem): TextSpan {
  const { message } = found;
  const start = getLineStart(message, line);
  const feed = message.indexOf('\n', start);
  const end = feed < 0 ? message.length : feed;
  let from = Math.min(start + column, end);
  let to = Math.min(from + length, end);
  if (from === to) [from, to] = [start, end];
  return { start: found.toTextOffset(from), end: found.toTextOffset(to) };
}

const repair = (found: SiweText, title: string, edits: readonly SiweEdit[]): SiweRepair => ({
  title,
  edits: edits.map(({ start, end, text }) => ({
    start: found.toTextOffset(start),
    end: found.toTextOffset(end),
    text: found.escape(text),
  })),
});

const problemOf = (message: string): SiweProblem | undefined => {
  const read = safeParseSiweMessage(message);
  return 'problem' in read ? read.problem : undefined;
};

/** Leaves every other character where it is, so that further problems can be found behind it. */
const keepsPlaces = (message: string, { edits }: SiweFix) =>
  edits.every(
    ({ start, end, text }) =>
      text.length === end - start && !text.includes('\n') && !message.slice(start, end).includes('\n'),
  );

interface FixChain {
  /** Those whose line and column are of the message as it is. */
  readonly problems: readonly SiweProblem[];
  /** The message after every certain fix, and how many there were. */
  readonly text: string;
  readonly count: number;
}

/** Fixes one problem after the other until there is none, or one that takes a person. */
function followFixes(message: string): FixChain {
  const problems: SiweProblem[] = [];
  const seen = new Set<string>();
  let text = message;
  let inPlace = true;
  let count = 0;
  for (let problem = problemOf(text); problem !== undefined; problem = problemOf(text)) {
    if (inPlace) problems.push(problem);
    seen.add(text);
    const { fix } = problem;
    const fixed = fix === undefined ? text : applyFix(text, fix);
    if (fix === undefined || seen.has(fixed) || count === MAX_FIXES) break;
    inPlace &&= keepsPlaces(text, fix);
    text = fixed;
    count++;
  }
  return { problems, text, count };
}

/** The smallest change that makes one text the other. */
function difference(before: string, after: string): SiweEdit {
  let start = 0;
  while (start < before.length && before.charAt(start) === after.charAt(start)) start++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - start;
  while (tail < most && before.charAt(before.length - 1 - tail) === after.charAt(after.length - 1 - tail)) tail++;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

export function inspectSiweMessage(found: SiweText): SiweRemarks {
  const { problems, text, count } = followFixes(found.message);
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
export function inspectSiweMessages(text: string): SiweRemarks {
  return findSiweMessages(text)
    .filter(({ isCertain: certain }) => certain)
    .flatMap(inspectSiweMessage);
}

/** The message that a command means: the one around an offset, else the first below it, else the last. */
export function findSiweMessageAt(text: string, offset: number): SiweText | null {
  const all = findSiweMessages(text);
  const endOf = ({ end, signature }: SiweText) => Math.max(end, signature?.end ?? 0);
  return all.find(found => offset <= endOf(found)) ?? all.at(-1) ?? null;
}
