// Explains the first mismatch of the grammar as a problem with a fix.
import { checksumAddress } from '../../base/checksumAddress.ts';
import type { Hex } from '../../base/hex.ts';
import { describeCharacter, quoteCharacters } from './characterClasses.ts';
import { explainBlankLines, explainOrder } from './explainLayout.ts';
import { type GrammarFailure, matchGrammar, type SiweParseOptions } from './grammar.ts';
import { isBlank, parseLabel, splitLines } from './lines.ts';
import { fieldNames, GREETING, MAX_MESSAGE_BYTES } from './siweMessage.ts';
import { applyFix, type Finding, type SiweFix, type SiweProblem } from './siweProblem.ts';

const BYTE_ORDER_MARK = '\uFEFF';

/** Whether a fix removes the failure: the fixed text is valid, or fails for another reason. */
function isEffective(text: string, failure: GrammarFailure, fix: SiweFix, options: SiweParseOptions): boolean {
  const result = matchGrammar(applyFix(text, fix), options);
  if ('message' in result) return true;
  const next = result.failure;
  return next.rule !== failure.rule || next.field !== failure.field;
}

/** Texts beyond the size limit are not examined further. */
export function explainFailure(text: string, failure: GrammarFailure, options: SiweParseOptions): SiweProblem {
  if (failure.rule === 'size') return toProblem(text, explainSize(text, failure));
  const finding = explainLineEnding(text, failure) ?? explainByRule(text, failure, options);
  const fix = finding.fix !== undefined && isEffective(text, failure, finding.fix, options) ? finding.fix : undefined;
  return toProblem(text, { ...finding, fix });
}

function toProblem(text: string, { at, end, field, found, allowed, fix }: Finding): SiweProblem {
  let line = 1;
  let lineStart = 0;
  for (let feed = text.indexOf('\n'); feed >= 0 && feed < at; feed = text.indexOf('\n', lineStart)) {
    line++;
    lineStart = feed + 1;
  }
  const feed = text.indexOf('\n', at);
  const length = Math.max(0, Math.min(end, feed < 0 ? text.length : feed) - at);
  const where = field === 'message' ? `Line ${line}` : `Line ${line}, ${fieldNames[field]}`;
  const message = `${where}: found ${found}; allowed is ${allowed}.`;
  const problem = { line, column: at - lineStart, length, field, found, allowed, message };
  return fix === undefined ? problem : { ...problem, fix };
}

function explainSize(text: string, { at, allowed }: GrammarFailure): Finding {
  const shown = Math.min(text.length, at + MAX_MESSAGE_BYTES);
  return { at, end: shown, field: 'message', found: `${text.length} characters`, allowed };
}

/** Windows line ends affect every line: they are reported first, and fixed all at once. */
function explainLineEnding(text: string, failure: GrammarFailure): Finding | null {
  const feed = text.indexOf('\n', failure.at);
  if (feed < 1 || text.charAt(feed - 1) !== '\r') return null;
  const edits = [...text.matchAll(/\r(?=\n)/g)].map(({ index }) => ({ start: index, end: index + 1, text: '' }));
  return {
    at: feed - 1,
    end: feed,
    field: 'message',
    found: 'U+000D (carriage return) before a line feed',
    allowed: 'lines that end with a line feed only',
    fix: { title: 'End every line with a line feed only', edits },
  };
}

function explainByRule(text: string, failure: GrammarFailure, options: SiweParseOptions): Finding {
  const { at, field, allowed } = failure;
  switch (failure.rule) {
    case 'greeting':
      return explainGreeting(text, failure);
    case 'case':
      return explainCase(text, failure, options);
    case 'blank':
      return explainBlankLines(text) ?? explainOrderFailure(text, failure) ?? explainValue(text, failure);
    case 'order':
      // Additional blank lines above the labeled lines are only noticed where the first label is expected.
      return (
        (failure.expected === 0 ? explainBlankLines(text) : null) ??
        explainOrderFailure(text, failure) ??
        explainValue(text, failure)
      );
    case 'end':
      return { at, end: at, field, found: 'the end of the message', allowed };
    case 'value':
      return (field === 'statement' ? explainMissingBlankLine(text, failure) : null) ?? explainValue(text, failure);
    default:
      return explainValue(text, failure);
  }
}

function explainOrderFailure(text: string, { tail, at, expected, allowed }: GrammarFailure): Finding | null {
  return tail === null ? null : explainOrder(text, tail, at, expected, allowed);
}

/** With one blank line missing, the first labeled line is taken for a statement. */
function explainMissingBlankLine(text: string, { at }: GrammarFailure): Finding | null {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const [line] = splitLines(text, start, 1, 1);
  return line !== undefined && parseLabel(text, line) !== null ? explainBlankLines(text) : null;
}

/** An invalid value: the one character that is wrong, or the whole value. */
function explainValue(text: string, { at, end, field, allowed }: GrammarFailure): Finding {
  const feed = text.indexOf('\n', at);
  const lineEnd = feed < 0 ? text.length : feed;
  if (at >= lineEnd) {
    const found = at >= text.length ? 'the end of the message' : 'the end of the line';
    return { at, end: at, field, found, allowed };
  }
  const one = end - at <= 1 ? describeCharacter(text, at) : null;
  if (end === at && one !== null) return { at, end: at, field, found: `nothing before ${one.name}`, allowed };
  const found = one?.name ?? quoteCharacters(text.slice(at, end));
  const range = { at, end: at + (one?.length ?? end - at), field, found, allowed };
  if (at === 0 && text.startsWith(BYTE_ORDER_MARK)) {
    const fix = { title: 'Remove the byte order mark', edits: [{ start: 0, end: 1, text: '' }] };
    return { ...range, fix };
  }
  const [rest] = splitLines(text, at, 1, 1);
  if (rest === undefined || !isBlank(text, rest)) return range;
  const fix = { title: 'Remove the spaces at the end of the line', edits: [{ start: at, end: rest.end, text: '' }] };
  return { ...range, fix };
}

function explainCase(text: string, { at, end, field }: GrammarFailure, options: SiweParseOptions): Finding {
  const address = text.slice(at, end) as Hex; // the grammar saw 0x and 40 hex digits
  const checksummed = (options.checksumAddress ?? checksumAddress)(address);
  const lower = address === address.toLowerCase();
  return {
    at,
    end,
    field,
    found: lower ? 'an address all in lower case' : `the wrong EIP-55 checksum of ${address}`,
    allowed: `the checksummed form ${checksummed}`,
    fix: { title: 'Use the checksummed address', edits: [{ start: at, end, text: checksummed }] },
  };
}

/** The first line: where it first differs from the greeting. */
function explainGreeting(text: string, failure: GrammarFailure): Finding {
  const { allowed } = failure;
  const [first] = splitLines(text, 0, 1, 1);
  const end = first?.end ?? 0;
  if (end === 0 && text !== '') {
    const start = /^\n*/.exec(text)?.[0].length ?? 0;
    const fix = { title: 'Remove the blank lines above the message', edits: [{ start: 0, end: start, text: '' }] };
    return { at: 0, end: 0, field: 'message', found: 'a blank line', allowed, fix };
  }
  const wants = text.slice(0, end).indexOf(GREETING.slice(0, ' wants '.length));
  if (wants < 0)
    return {
      at: 0,
      end,
      field: 'message',
      found: end === 0 ? 'nothing' : quoteCharacters(text.slice(0, end)),
      allowed,
    };
  let same = 0;
  while (same < GREETING.length && text.charAt(wants + same) === GREETING.charAt(same)) same++;
  const at = wants + same;
  const rest = GREETING.slice(same);
  const range = {
    ...failure,
    at,
    end: at + 1,
    allowed: rest === '' ? 'the end of the first line' : quoteCharacters(rest),
  };
  return explainValue(text, range);
}
