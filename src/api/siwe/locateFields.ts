// Which stretch of a text is which part of a sign-in message, whether or not the message is right.
import { isBlank, parseLabel, splitLines } from './lines.ts';
import { GREETING, MAX_MESSAGE_BYTES, RESOURCE_PREFIX, type SiweField } from './siweMessage.ts';

/** One part of the message in its text. Offsets are UTF-16 units of the whole text. */
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

/** The first words of the greeting: enough to know the first line by, also when it was cut or changed further on. */
const WANTS = GREETING.slice(0, ' wants you to sign in'.length);

/**
 * The parts in the order of their lines, leniently: labels in any case or spacing, lines in any order, CRLF, wrong
 * values. A part that stands twice is there twice; each resource is one entry. Nothing past the size limit is looked at.
 */
export function locateSiweFields(text: string): readonly SiweFieldRange[] {
  const places: SiweFieldRange[] = [];
  const lines = splitLines(text.slice(0, MAX_MESSAGE_BYTES));
  let inLabels = false;
  let inResources = false;
  for (const line of lines) {
    const add = (field: SiweFieldRange['field'], start: number, end = line.end) => {
      const value = text.slice(start, end);
      places.push({ field, line: line.number, lineStart: line.start, lineEnd: line.end, start, end, value });
    };
    if (line.number === 1) {
      const wants = text.indexOf(WANTS);
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
    // A statement may start like a label; a blank line under it tells.
    const statementLike =
      !inLabels && next !== undefined && isBlank(text, next) && hasLabelAfter(text, lines, line.number);
    if (label !== null && !statementLike) {
      inLabels = true;
      inResources = label.field === 'resources';
      if (inResources && label.valueStart >= line.end) add('resources', line.start);
      else add(label.field, label.valueStart);
    } else if (!inLabels) add('statement', line.start);
    else if (inResources && text.startsWith(RESOURCE_PREFIX, line.start))
      add('resources', line.start + RESOURCE_PREFIX.length);
  }
  return places;
}

/** Whether the first line with something on it under the line of that index starts with a label. */
function hasLabelAfter(text: string, lines: ReturnType<typeof splitLines>, index: number): boolean {
  const line = lines.slice(index).find(candidate => !isBlank(text, candidate));
  return line !== undefined && parseLabel(text, line)?.field === 'uri';
}
