// Locates the fields of a sign-in message in its text, also in an invalid message.
import { isBlank, parseLabel, splitLines } from './lines.ts';
import { GREETING, MAX_MESSAGE_BYTES, RESOURCE_PREFIX, type SiweField } from './siweMessage.ts';

/** The range of one field. Offsets are UTF-16 units of the whole text. */
export interface SiweFieldRange {
  readonly field: Exclude<SiweField, 'message'>;
  /** 1 is the first line. */
  readonly line: number;
  /** Start of its line, before the label. */
  readonly lineStart: number;
  /** End of its line, before LF or CRLF. */
  readonly lineEnd: number;
  /** Of the value, after the label. */
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/** First words of the greeting, which identify the first line even if the rest of it was changed. */
const GREETING_START = GREETING.slice(0, ' wants you to sign in'.length);

/**
 * The fields in the order of their lines, leniently: labels in any case or spacing, lines in any order, CRLF, invalid
 * values. Duplicate fields are listed twice; each resource is one entry. Text beyond the size limit is ignored.
 */
export function locateSiweFields(text: string): readonly SiweFieldRange[] {
  const ranges: SiweFieldRange[] = [];
  const lines = splitLines(text.slice(0, MAX_MESSAGE_BYTES));
  let inLabels = false;
  let inResources = false;
  for (const line of lines) {
    const add = (field: SiweFieldRange['field'], start: number, end = line.end) => {
      const value = text.slice(start, end);
      ranges.push({ field, line: line.number, lineStart: line.start, lineEnd: line.end, start, end, value });
    };
    if (line.number === 1) {
      const wants = text.indexOf(GREETING_START);
      if (wants < 0 || wants >= line.end) continue;
      const slashes = text.indexOf('://');
      const hasScheme = slashes >= 0 && slashes < wants;
      if (hasScheme) add('scheme', line.start, slashes);
      add('domain', hasScheme ? slashes + 3 : line.start, wants);
      continue;
    }
    if (isBlank(text, line)) continue;
    if (line.number === 2) {
      if (parseLabel(text, line) === null) add('address', line.start);
      continue;
    }
    const label = parseLabel(text, line);
    const next = lines[line.number];
    // A statement may start like a label; then a blank line follows it.
    const statementLike = !inLabels && next !== undefined && isBlank(text, next) && isUriNext(text, lines, line.number);
    if (label !== null && !statementLike) {
      inLabels = true;
      inResources = label.field === 'resources';
      if (inResources && label.valueStart >= line.end) add('resources', line.start);
      else add(label.field, label.valueStart);
    } else if (!inLabels) add('statement', line.start);
    else if (inResources && text.startsWith(RESOURCE_PREFIX, line.start))
      add('resources', line.start + RESOURCE_PREFIX.length);
  }
  return ranges;
}

/** Whether the first line after this index that is not blank has the label of the URI. */
function isUriNext(text: string, lines: ReturnType<typeof splitLines>, index: number): boolean {
  const line = lines.slice(index).find(candidate => !isBlank(text, candidate));
  return line !== undefined && parseLabel(text, line)?.field === 'uri';
}
