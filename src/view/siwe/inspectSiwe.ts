// Checks the sign-in messages of a text: problems with their position in the text, and fixes.

import { safeParseSiweMessage } from '../../api/siwe/parseSiweMessage.ts';
import { applyFix, type SiweEdit, type SiweFix, type SiweProblem } from '../../api/siwe/siweProblem.ts';
import { t } from '../../base/localize.ts';
import { diffText, type TextDiff } from '../../base/textDiff.ts';
import { findSiweMessages, type SiweText, type TextSpan } from './findSiweMessages.ts';

/** A change to the text that contains the message. */
export interface SiweRepair {
  readonly title: string;
  readonly edits: readonly SiweEdit[];
}

export interface SiweRemark extends TextSpan {
  readonly problem: SiweProblem;
  /** Fixes this problem; `null` when only the author can know what was meant. */
  readonly fix: SiweRepair | null;
  /** Fixes all certain problems of the message; `null` when there is only one. */
  readonly fixAll: SiweRepair | null;
}

/** Problems after one without a fix are unknown, because parsing stops there. */
export type SiweRemarks = readonly SiweRemark[];

/** Maximum number of fixes in sequence. */
const MAX_FIXES = 40;

/** Offset in the message of the start of a line, counted from 1. */
function getLineStart(message: string, line: number): number {
  let at = 0;
  for (let number = 1; number < line; number++) {
    const feed = message.indexOf('\n', at);
    if (feed < 0) return message.length;
    at = feed + 1;
  }
  return at;
}

/** The range to underline: the whole line when something is missing in it. */
function getRange(found: SiweText, { line, column, length }: SiweProblem): TextSpan {
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

const findProblem = (message: string): SiweProblem | undefined => {
  const read = safeParseSiweMessage(message);
  return 'problem' in read ? read.problem : undefined;
};

/** The fix does not move other characters, so positions of later problems stay valid. */
const preservesPositions = (message: string, { edits }: SiweFix) =>
  edits.every(
    ({ start, end, text }) =>
      text.length === end - start && !text.includes('\n') && !message.slice(start, end).includes('\n'),
  );

interface FixChain {
  /** Only those with a position in the original message. */
  readonly problems: readonly SiweProblem[];
  /** The message after all certain fixes, and their number. */
  readonly text: string;
  readonly count: number;
}

/** Applies one fix after the other until there is no problem, or one without a fix. */
function followFixes(message: string): FixChain {
  const problems: SiweProblem[] = [];
  const seen = new Set<string>();
  let text = message;
  let hasOriginalPositions = true;
  let count = 0;
  for (let problem = findProblem(text); problem !== undefined; problem = findProblem(text)) {
    if (hasOriginalPositions) problems.push(problem);
    seen.add(text);
    const { fix } = problem;
    const fixed = fix === undefined ? text : applyFix(text, fix);
    if (fix === undefined || seen.has(fixed) || count === MAX_FIXES) break;
    hasOriginalPositions &&= preservesPositions(text, fix);
    text = fixed;
    count++;
  }
  return { problems, text, count };
}

const toEdit = ({ start, end, content }: TextDiff): SiweEdit => ({ start, end, text: content });

export function inspectSiweMessage(found: SiweText): SiweRemarks {
  const { problems, text, count } = followFixes(found.message);
  const fixAll =
    count > 1 ? repair(found, t('Fix all certain problems'), [toEdit(diffText(found.message, text))]) : null;
  return problems.map(problem => ({
    ...getRange(found, problem),
    problem,
    fix: problem.fix === undefined ? null : repair(found, problem.fix.title, problem.fix.edits),
    fixAll,
  }));
}

/** Problems of the texts that certainly are sign-in messages. */
export function inspectSiweMessages(text: string): SiweRemarks {
  return findSiweMessages(text)
    .filter(({ isCertain }) => isCertain)
    .flatMap(inspectSiweMessage);
}

/** The message at or below an offset, or the last one above it. */
export function findSiweMessageAt(text: string, offset: number): SiweText | null {
  const all = findSiweMessages(text);
  const endOf = ({ end, signature }: SiweText) => Math.max(end, signature?.end ?? 0);
  return all.find(found => offset <= endOf(found)) ?? all.at(-1) ?? null;
}
