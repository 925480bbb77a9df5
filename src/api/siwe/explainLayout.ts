// Explains problems of a message's lines: blank lines, order, and missing, duplicate or unknown fields.
import { quoteCharacters } from './characterClasses.ts';
import { isBlank, type Label, type Line, parseLabel, splitLines } from './lines.ts';
import {
  fieldLabels,
  fieldNames,
  type LabeledField,
  labeledFields,
  REQUIRED_FIELDS,
  RESOURCE_PREFIX,
} from './siweMessage.ts';
import type { Finding, SiweEdit, SiweFix } from './siweProblem.ts';

const blankLines = (count: number) =>
  count === 1 ? 'one blank line' : count === 0 ? 'no blank line' : `${count} blank lines`;

/** Index of the first labeled line; a statement that looks like one is followed by a blank line. */
function findFirstLabeled(text: string, lines: readonly Line[]): number {
  return lines.findIndex((line, index) => {
    const next = lines[index + 1];
    return index >= 2 && parseLabel(text, line) !== null && (next === undefined || !isBlank(text, next));
  });
}

/** The blank lines between address and labeled lines; `null` when they are valid or cannot be determined. */
export function explainBlankLines(text: string): Finding | null {
  const lines = splitLines(text);
  const first = findFirstLabeled(text, lines);
  const uri = lines[first];
  if (uri === undefined || !lines.slice(first).some(line => parseLabel(text, line)?.field === 'uri')) return null;
  const between = lines.slice(2, first);
  const spaced = between.find(line => line.end > line.start && isBlank(text, line));
  const written = between.filter(line => !isBlank(text, line));
  const [statement, second] = written;
  const start = lines[2]?.start ?? 0;
  if (second !== undefined)
    return {
      at: second.start,
      end: second.end,
      field: 'statement',
      found: `a line more, ${quoteCharacters(text.slice(second.start, second.end))}`,
      allowed: 'a statement on one line with one blank line above and below it',
    };
  if (statement === undefined) {
    const count = between.length;
    if (spaced === undefined && (count === 2 || count === 3)) return null;
    return {
      ...(spaced === undefined ? { at: uri.start, end: uri.end } : { at: spaced.start, end: spaced.end }),
      field: 'statement',
      found: spaced === undefined ? `${blankLines(count)} under the address` : 'spaces on a blank line',
      allowed: 'two blank lines under the address where there is no statement',
      fix: { title: 'Leave exactly two blank lines', edits: [{ start, end: uri.start, text: '\n\n' }] },
    };
  }
  const above = between.indexOf(statement);
  const below = between.length - above - 1;
  if (above === 1 && below === 1 && spaced === undefined) return null;
  const edits: readonly SiweEdit[] = [
    { start, end: statement.start, text: '\n' },
    { start: statement.end, end: uri.start, text: '\n\n' },
  ];
  const target = spaced ?? (above === 1 ? uri : statement);
  return {
    at: target.start,
    end: target.end,
    field: 'statement',
    found:
      spaced !== undefined
        ? 'spaces on a blank line'
        : above === 1
          ? `${blankLines(below)} under the statement`
          : `${blankLines(above)} above the statement`,
    allowed: 'one blank line above the statement and one below it',
    fix: {
      title: 'Leave one blank line above and below the statement',
      edits: edits.filter(({ start, end, text: blank }) => text.slice(start, end) !== blank),
    },
  };
}

interface TailLine {
  readonly line: Line;
  readonly label: Label | null;
}

/** The labeled lines in the required order, if each occurs once and there are no other lines but resources. */
function reorderLines(text: string, tail: readonly TailLine[]): SiweFix | undefined {
  const blocks: { readonly field: LabeledField; end: number; readonly start: number }[] = [];
  for (const { line, label } of tail) {
    const last = blocks.at(-1);
    if (label?.exact === true) blocks.push({ field: label.field, start: line.start, end: line.end });
    else if (last?.field === 'resources' && text.startsWith(RESOURCE_PREFIX, line.start)) last.end = line.end;
    else return undefined;
  }
  const [head] = blocks;
  const foot = blocks.at(-1);
  const fields = blocks.map(block => block.field);
  const complete = labeledFields.slice(0, REQUIRED_FIELDS).every(field => fields.includes(field));
  if (head === undefined || foot === undefined || !complete || new Set(fields).size < fields.length) return undefined;
  const sorted = blocks.toSorted((a, b) => labeledFields.indexOf(a.field) - labeledFields.indexOf(b.field));
  const replacement = sorted.map(({ start, end }) => text.slice(start, end)).join('\n');
  return {
    title: 'Put the lines into the order of EIP-4361',
    edits: [{ start: head.start, end: foot.end, text: replacement }],
  };
}

const describeLine = (field: LabeledField) => `the line "${fieldLabels[field]}"`;

/**
 * Explains why the line at `at` is not allowed in the labeled lines, which start at `tailStart`. `expected` is the index
 * of the first field that is allowed there, `allowed` names all of them.
 */
export function explainOrder(text: string, tailStart: number, at: number, expected: number, allowed: string): Finding {
  const above = splitLines(text.slice(0, tailStart)).length;
  const tail = splitLines(text, tailStart, above).map(line => ({ line, label: parseLabel(text, line) }));
  const index = tail.findIndex(({ line }) => line.start >= at);
  const { line, label } = tail[index] ?? { line: { number: 0, start: at, end: at, next: at }, label: null };
  const range = { at: line.start, end: line.end };
  const rest = tail.slice(Math.max(index, 0));
  const wanted = expected < REQUIRED_FIELDS ? labeledFields[expected] : undefined;
  const later = rest.find(other => other.label?.field === wanted);

  if (rest.every(other => isBlank(text, other.line)) && wanted === undefined)
    return {
      at: line.start,
      end: line.end,
      field: 'message',
      found: 'a line feed after the last line',
      allowed: 'the end of the message right after its last character',
      fix: { title: 'Remove the line feed at the end', edits: [{ start: at - 1, end: text.length, text: '' }] },
    };
  if (wanted !== undefined && later === undefined)
    return {
      ...range,
      field: wanted,
      found: isBlank(text, line) ? 'a blank line' : quoteCharacters(text.slice(line.start, line.end)),
      allowed: `${describeLine(wanted)}, which is missing`,
    };
  if (isBlank(text, line)) {
    const blanks = tail.filter(other => isBlank(text, other.line));
    return {
      ...range,
      field: 'message',
      found: 'a blank line',
      allowed,
      fix: {
        title: 'Remove the blank lines',
        // A blank line at the end goes with the line feed above it.
        edits: blanks.map(({ line: blank }) =>
          blank.next === blank.end
            ? { start: blank.start - 1, end: blank.next, text: '' }
            : { start: blank.start, end: blank.next, text: '' },
        ),
      },
    };
  }
  if (label !== null && !label.exact)
    return {
      at: line.start,
      end: label.valueStart,
      field: label.field,
      found: `the label ${quoteCharacters(text.slice(line.start, label.valueStart))}`,
      allowed: `the label "${fieldLabels[label.field]}"`,
      fix: {
        title: `Write "${fieldLabels[label.field]}"`,
        edits: [{ start: line.start, end: label.valueStart, text: fieldLabels[label.field] }],
      },
    };
  if (label !== null) {
    const name = fieldNames[label.field];
    if (tail.slice(0, index).some(other => other.label?.field === label.field))
      return { ...range, field: label.field, found: `a second "${name}" line`, allowed };
    return {
      ...range,
      field: label.field,
      found: `"${name}" out of its place`,
      allowed,
      fix: reorderLines(text, tail),
    };
  }
  const resource = text.startsWith(RESOURCE_PREFIX, line.start);
  return {
    ...range,
    field: resource ? 'resources' : 'message',
    found: resource
      ? 'a resource without the line "Resources:" above it'
      : quoteCharacters(text.slice(line.start, line.end)),
    allowed,
  };
}
