// Lines of a text, and the labels of a sign-in message that they start with, also when misspelled.
import { toAsciiLookalike } from './characterClasses.ts';
import { fieldLabels, type LabeledField, labeledFields } from './siweMessage.ts';

export interface Line {
  /** 1 is the first line of the text. */
  readonly number: number;
  readonly start: number;
  /** Before the line feed, and before the carriage return of a CRLF. */
  readonly end: number;
  /** After the line feed; the length of the text for the last line. */
  readonly next: number;
}

/** The lines from the offset `from` on, where the line with that number starts; at most `limit` of them. */
export function splitLines(text: string, from = 0, number = 1, limit = Number.POSITIVE_INFINITY): Line[] {
  const lines: Line[] = [];
  let start = from;
  while (lines.length < limit) {
    const feed = text.indexOf('\n', start);
    const stop = feed < 0 ? text.length : feed;
    const end = feed > start && text.charAt(feed - 1) === '\r' ? feed - 1 : stop;
    lines.push({ number: number + lines.length, start, end, next: feed < 0 ? text.length : feed + 1 });
    if (feed < 0) break;
    start = feed + 1;
  }
  return lines;
}

/** Whether the line holds nothing but spaces and tabs. */
export function isBlank(text: string, line: Line): boolean {
  for (let at = line.start; at < line.end; at++) if (!' \t'.includes(text.charAt(at))) return false;
  return true;
}

export interface Label {
  readonly field: LabeledField;
  readonly valueStart: number;
  /** Spelled exactly as in EIP-4361. */
  readonly exact: boolean;
}

/** Longer than any label, with additional spaces. */
const MAX_LABEL_LENGTH = 24;

const toBareLabel = (label: string) => label.toLowerCase().replaceAll(/[\s_:-]/g, '');
const byBareLabel = new Map(labeledFields.map(field => [toBareLabel(fieldLabels[field]), field]));

/** The label that a line starts with: exact, in another case, with other spaces, or with look-alike letters. */
export function parseLabel(text: string, line: Line): Label | null {
  for (const field of labeledFields)
    if (text.startsWith(fieldLabels[field], line.start) && line.start + fieldLabels[field].length <= line.end)
      return { field, valueStart: line.start + fieldLabels[field].length, exact: true };
  let plain = '';
  for (let at = line.start; at < Math.min(line.end, line.start + MAX_LABEL_LENGTH); at++) {
    const char = toAsciiLookalike(text.charAt(at));
    plain += char;
    if (char !== ':') continue;
    const field = byBareLabel.get(toBareLabel(plain));
    if (field === undefined) return null;
    let valueStart = at + 1;
    while (valueStart < line.end && ' \t'.includes(text.charAt(valueStart))) valueStart++;
    return { field, valueStart, exact: false };
  }
  return null;
}
