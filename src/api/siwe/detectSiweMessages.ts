// Detects sign-in messages in a larger text.
import { isBlank, type Line, parseLabel, splitLines } from './lines.ts';
import { GREETING, RESOURCE_PREFIX } from './siweMessage.ts';

/** `text.slice(start, end)` is the message, without the line feed after it. Offsets are UTF-16 units. */
export interface SiweMessageRange {
  readonly start: number;
  readonly end: number;
  /** The line of its first character; 1 is the first line of the text. */
  readonly line: number;
}

/** Maximum number of lines without a label before the first labelled line, and between labelled lines. */
const MAX_UNLABELLED = { before: 8, between: 2 } as const;
/** Length of scheme and domain before the greeting, at most. */
const MAX_ORIGIN_LENGTH = 1_000;
const QUOTES = '"`';

/** Start of the first line: after the quote of a multi-line string in code, otherwise the start of the line. */
function findOriginStart(text: string, greeting: number): number {
  let at = greeting;
  while (at > 0 && greeting - at < MAX_ORIGIN_LENGTH) {
    const before = text.charAt(at - 1);
    if (before === '\n') return at;
    if (QUOTES.includes(before)) return at;
    if (before === ' ' || before === '\t') break;
    at--;
  }
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** End of the message whose first line is `first`: after its last labelled line or resource. */
function findMessageEnd(text: string, first: Line, quote: string): number {
  let { end } = first;
  let unlabelled = 0;
  let inLabels = false;
  let inResources = false;
  let from = first.next;
  let hasNextLine = first.next > first.end;
  while (hasNextLine) {
    const [line] = splitLines(text, from, 1, 1);
    if (line === undefined) break;
    hasNextLine = line.next > line.end;
    from = line.next;
    const closing = quote === '' ? -1 : text.slice(line.start, line.end).indexOf(quote);
    if (closing >= 0) return parseLabel(text, line) !== null || inResources ? line.start + closing : end;
    const label = parseLabel(text, line);
    if (label !== null || (inResources && text.startsWith(RESOURCE_PREFIX, line.start))) {
      inLabels = true;
      inResources = label === null ? inResources : label.field === 'resources';
      unlabelled = 0;
      end = line.end;
      continue;
    }
    if (text.slice(line.start, line.end).endsWith(GREETING)) break;
    // Before the labels: the address and the statement.
    if (!inLabels && !isBlank(text, line) && unlabelled < 3) end = line.end;
    unlabelled++;
    if (unlabelled > (inLabels ? MAX_UNLABELLED.between : MAX_UNLABELLED.before)) break;
  }
  return end;
}

/**
 * Detects sign-in messages, valid or not: each starts with a line that ends with the greeting of EIP-4361, and ends
 * with its last labelled line. Validate them with `safeParseSiweMessage(text.slice(start, end))`, which rejects CRLF.
 *
 * Only plain lines are detected, and multi-line strings in code (back-ticks, triple quotes). A message in one string
 * with `\n` escapes (JSON, most code) is not, since its characters are not those that are signed.
 */
export function detectSiweMessages(text: string): readonly SiweMessageRange[] {
  const ranges: SiweMessageRange[] = [];
  let counted = 0;
  let number = 1;
  let from = 0;
  for (;;) {
    const greeting = text.indexOf(GREETING, from);
    if (greeting < 0) return ranges;
    from = greeting + GREETING.length;
    const after = text.charAt(from);
    if (after !== '' && after !== '\n' && !(after === '\r' && text.charAt(from + 1) === '\n')) continue;
    const start = findOriginStart(text, greeting);
    for (let feed = text.indexOf('\n', counted); feed >= 0 && feed < start; feed = text.indexOf('\n', counted)) {
      number++;
      counted = feed + 1;
    }
    const [first] = splitLines(text, start, number, 1);
    if (first === undefined) return ranges;
    const before = start === 0 ? '\n' : text.charAt(start - 1);
    const end = findMessageEnd(text, first, before === '\n' ? '' : before);
    ranges.push({ start, end, line: number });
    from = Math.max(from, end);
  }
}
