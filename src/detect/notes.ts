// Reads what is written about a literal: comments above and behind it, what is before its label or behind it in a line of text,
// the heading or line above, fields such as `name` beside it.
import { hasPurpose } from './hashNames.ts';
import { isOnlyOfTransaction, OUTCOME } from './phrases.ts';
import { findLineStart } from './readBackwards.ts';
import { getLine, type Line, removePrefix, toSentence } from './remarkLine.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { splitWords } from './splitWords.ts';

const MAX_LINES = 8;
const MAX_LENGTH = 400;

const COMMENT_ABOVE = /^[\s>+]*(?:\/\/|\/?\*(?!\*\S)|#(?![#![])|--\s|;|%|<!--|"{3}|'{3})(.*)$/;
/** Unlike the fragment of a URL. */
const COMMENT_BEHIND = /(?:^(?!#\w)|[\s;,"'`)])(?:\/\/|#|--\s|\/\*|;;|<!--)([^\n]*)/;
/** Another value, which may have the marks of a comment. */
const QUOTED = /(?<=, )(["'])[^"'\n]*\1(?=[,)\]}])/g;
/** Nothing but words and marks of sentences, unlike code. */
const TEXT = /^(?=.*\p{L})(?:[^{}[\]();"`\\$|=]|\([^()]*\))*(?:(?<=\S)=)?\s?["'`*]{0,3}$/u;
/** `on the USB stick: tx hash `, `plain text!: tx hash=` */
const BEFORE_LABEL =
  /^(?!(?:export )?(?:const|let|var|val)\s)((?:[^=()]|\([^=()]{1,40}\)){2,160}?)(?:[:：]| [-–—])\s{1,4}([\p{L}\d_ .#-]{1,60})(?:[:：=]|[:：] {1,4})?\s?["'`*]{0,3}$/u;
/** `tx hash (shared by DM): ` */
const BEHIND_LABEL = /([^()（）]{0,60})[(（]([^()（）]{2,60})[)）]\*{0,2}\s?[:：]\*{0,2}\s{0,4}["'`]?$/;
/** `tx hash: 0x… (shared by DM)`, `tx hash 0x… — shared by DM` */
const BEHIND = /^["'`*_]{0,3}\s{1,4}(?:[(（]([^()（）]{2,80})[)）]|(?:[-–—=]>?|←|→|<-{1,2})\s{1,4}([^\n]{2,120}))/;
const NAMES =
  '_{0,2}(?:names?|titles?|labels?|desc(?:ription)?|comments?|notes?|remarks?|summary|purpose|about|memo|info|what|for|usage)';
/** `- name: CHANGEME` */
const FIELD = new RegExp(String.raw`^[\s-]*["']?${NAMES}["']?\s?[:=]\s?["']?([^"'\n]{1,200}?)["']?,?$`, 'i');
/** The same in the line of the literal: `{ "note": "…", "txHash": "0x…" }`. */
const FIELD_BESIDE = new RegExp(String.raw`(?<![\w$.-])["']?${NAMES}["']?\s?[:=]\s?(?:"([^"\n]*)"|'([^'\n]*)')`, 'gi');
const ITEM = /^\s*-\s/;
const VALUE = /0x[\da-f]{64}/i;
const BOLD = /^\s*(?:\*\*|__)[^*_\n]{2,120}(?:\*\*|__):?\s*$/;
/** A line with the name of a value, a command, a row, code. */
const OTHER =
  /^\W{0,12}[\p{L}\d_./()-]{1,40}(?: [\p{L}\d_./()-]{1,20}){0,2}\*{0,2}(?:[:：]|\s?=)\*{0,2}[^\n]|^\W*[$>|@]|^\s*SELECT\s|[{}[\];=<>|]|\S {2,}\S|0x[\da-f]{16}/iu;

export interface Comments {
  /** The lines of the comment right above. */
  readonly above: string;
  /** The one behind it in its line. */
  readonly behind: string;
}

/** The comments that are written about a literal; `null` within a comment. */
export function readComments(text: string, scanned: ScannedLiteral): Comments | null {
  const { start, end } = scanned;
  let at = findLineStart(text, start, 0);
  if (COMMENT_ABOVE.test(text.slice(at, start))) return null;
  const behind = COMMENT_BEHIND.exec(readRest(text, end).replace(QUOTED, ''))?.[1] ?? '';
  const lines: string[] = [];
  while (at > 0 && lines.length < MAX_LINES) {
    const above = findLineStart(text, at - 1, 0);
    const line = text.slice(Math.max(above, at - MAX_LENGTH), at - 1);
    const comment = COMMENT_ABOVE.exec(line)?.[1];
    // The docstring of a function is not about its first value.
    if (
      comment === undefined ||
      // Of other bytes.
      (lines.length > 0 && VALUE.test(line) && VALUE.exec(line)?.[0] !== scanned.text) ||
      (/^\s*"{3}.*"{3}\s*$/.test(text.slice(above, at)) && text.slice(above - 2, above - 1) === ':')
    )
      break;
    lines.push(comment);
    at = above;
  }
  return { above: lines.reverse().join(' '), behind };
}

const readRest = (text: string, end: number): string => text.slice(end, end + MAX_LENGTH).split('\n', 1)[0] ?? '';

/** What is written about a literal in other places, one text of each; `withFields`: also in the fields of its object. */
export function readNotes(text: string, { start, end }: ScannedLiteral, withFields: boolean): readonly string[] {
  const line = text.slice(findLineStart(text, start, 0), start);
  const before = removePrefix(line).replace(/^(?:[\s>*+#/-]|\d{1,3}[.)]\s)+/, '');
  const behind = readRest(text, end);
  const own = getLine(text, end + behind.length);
  const isText = TEXT.test(before);
  const fields = withFields ? [...readFieldsBeside(line, behind), ...readFields(text, own)] : [];
  const notes = [...fields, ...readHeading(text, own, isText)];
  if (!isText) return notes;
  const [, prefix = '', label = ''] = BEFORE_LABEL.exec(before) ?? [];
  // `ben: tx hash is 0x…` in a chat
  if (isOnlyOfTransaction(label) && !OUTCOME.test(label) && !/ is ?$/.test(label)) notes.push(prefix);
  const [, name = '', inBrackets = ''] = BEHIND_LABEL.exec(before) ?? [];
  if (!hasPurpose(splitWords(name), false)) notes.push(inBrackets);
  const [, beside, rest] = BEHIND.exec(behind) ?? [];
  return [...notes, beside ?? rest ?? ''];
}

/** What fields for names and remarks say in the line of a literal, within the braces around it. */
function readFieldsBeside(before: string, behind: string): readonly string[] {
  const fields = `${before.split(/[{}]/).at(-1)}${behind.split(/[{}]/, 1)[0]}`;
  return [...fields.matchAll(FIELD_BESIDE)].map(([, double, single]) => double ?? single ?? '');
}

/** The same in other lines of its object. */
function readFields(text: string, own: Line): readonly string[] {
  const indent = getIndent(text, own.start);
  // At the margin they are about all of the text.
  if (indent === 0) return [];
  const notes: string[] = [];
  let isOfSafe = false;
  /** False behind the object. */
  const add = (start: number): boolean => {
    const line = text.slice(start, start + MAX_LENGTH).split('\n', 1)[0] ?? '';
    if (line.trim() === '' || getIndent(text, start) < indent) return false;
    isOfSafe ||= /^[\s-]*["']?safe_?tx_?nonce["']?: \d/i.test(line);
    const note = getIndent(text, start) === indent ? FIELD.exec(line.trimEnd())?.[1] : undefined;
    if (note !== undefined) notes.push(note);
    return true;
  };
  const isItem = (start: number): boolean => ITEM.test(text.slice(start, start + 80));
  let { start } = own;
  for (let count = 0; count < MAX_LINES && start > 0 && !isItem(start); count++) {
    start = findLineStart(text, start - 1, 0);
    if (!add(start)) break;
  }
  start = own.start;
  for (let count = 0; count < MAX_LINES; count++) {
    start = text.indexOf('\n', start) + 1;
    if (start === 0 || isItem(start) || !add(start)) break;
  }
  // The description of a transaction of a Safe.
  return isOfSafe ? [] : notes;
}

const getIndent = (text: string, at: number): number =>
  /^[ \t]*(?:-[ \t]+)?/.exec(text.slice(at, at + 80))?.[0].length ?? 0;

/**
 * The heading above a literal, or the text right above its line or above what it belongs to; nothing where a line beside it
 * tells what became of a transaction.
 */
function readHeading(text: string, own: Line, isText: boolean): readonly string[] {
  if (readBelow(text, own).some(({ reports }) => reports)) return [];
  let line = own;
  let hasGap = false;
  for (let count = 0; count < MAX_LINES && line.start > 0; count++) {
    const below = line;
    line = line.getAbove(text);
    hasGap ||= line.isBlank;
    if (line.isBlank || line.isFence || line.isUnderline || line.text.length > MAX_LENGTH) continue;
    if (line.getLevel(below, own.isComment) !== null || BOLD.test(line.text)) return [toSentence(line.text)];
    if ((line.isComment && !own.isComment) || (!hasGap && line.reports)) return [];
    const isSentence = isText && line.text.trim().includes(' ') && !OTHER.test(line.text);
    if (isSentence && (!hasGap || /[:：]\*{0,2}\s*$/.test(line.text))) return [toSentence(line.text)];
    if (hasGap) return [];
  }
  return [];
}

/** The lines below that of a literal, up to a blank one. */
function readBelow(text: string, own: Line): readonly Line[] {
  const lines: Line[] = [];
  for (let end = text.indexOf('\n', own.start); end >= 0 && lines.length < MAX_LINES; ) {
    const next = text.indexOf('\n', end + 1);
    const line = getLine(text, next < 0 ? text.length : next);
    if (line.isBlank || line.isFence || VALUE.test(line.text)) break;
    lines.push(line);
    end = next;
  }
  return lines;
}
