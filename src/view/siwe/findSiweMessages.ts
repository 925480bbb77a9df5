// Finds sign-in messages and their signatures in the text of a file: as plain lines or inside JSON strings.
import { findLastAtMost } from '../../base/findLastAtMost.ts';

export interface JsonString {
  readonly value: string;
  /** Start of the content, without the quotes. */
  readonly start: number;
  readonly end: number;
  /** Offset in the text of an offset in the value. */
  toTextOffset(offset: number): number;
}

/** The string whose content starts at `start`; `null` when it does not end or is not JSON. */
function readJsonString(text: string, start: number): JsonString | null {
  let end = start;
  for (; ; end++) {
    const char = text.charAt(end);
    if (char === '"') break;
    if (char === '' || char === '\n') return null;
    if (char === '\\') end++;
  }
  let value: unknown;
  try {
    value = JSON.parse(`"${text.slice(start, end)}"`);
  } catch {
    return null;
  }
  if (typeof value !== 'string') return null;
  return {
    value,
    start,
    end,
    toTextOffset(offset) {
      let at = start;
      for (let count = 0; count < offset && at < end; count++) {
        if (text.charAt(at) !== '\\') at++;
        else at += text.charAt(at + 1) === 'u' ? 6 : 2;
      }
      return at;
    },
  };
}

/** In the first line of every sign-in message (EIP-4361). */
export const SIWE_PHRASE = 'wants you to sign in with your Ethereum account';

/** UTF-16 offsets; `end` is exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

export interface SiweText extends TextSpan {
  /** The signed text: lines end in LF, whatever the line ends of the file. */
  readonly message: string;
  /** The text in the position of the signature, valid or not; `null` when there is none. */
  readonly signature: (TextSpan & { readonly text: string }) | null;
  /** The first two lines prove that it is a message, not source code or prose about one. */
  readonly isCertain: boolean;
  /** Offset in the text of an offset in the message. */
  toTextOffset(offset: number): number;
  /** A part of the message as it must be written in this text (JSON escapes it). */
  escape(part: string): string;
}

/** A file with more messages is a log. */
const MAX_MESSAGES = 50;

const FENCE = /^\s*(?:```|~~~)/;
const SIGNATURE = /^\s*(?:>\s*)?["'`*]{0,2}sig(?:nature)?["'`*]{0,2}\s*[:=]["'`*]{0,2}\s*["'`]?([^\s"'`,;]*)/i;
/** Without a label: longer than an address or a hash, alone in its line. */
const BARE_SIGNATURE = /^\s*["'`]?(0x[0-9a-f]{100,})["'`]?[,;]?\s*$/i;
const FIELD = /^(?:URI|Version|Chain ID|Nonce|Issued At|Expiration Time|Not Before|Request ID|Resources):|^- /;
const LATE_FIELD = /^(?:Nonce|Issued At|Expiration Time|Not Before|Request ID|Resources):/;

/** `example.com wants…`, `https://example.com:8080 wants…`: not a template, quotation or list. */
const CLEAN_START = /^[^\s"'`<>{}$%*|]+ wants you to sign in with your Ethereum account:?\s*\n0x/;
const hasCleanStart = (message: string) => CLEAN_START.test(message);

interface Line extends TextSpan {
  /** Without its line end. */
  readonly text: string;
}

function readLineAt(text: string, start: number): Line {
  const feed = text.indexOf('\n', start);
  const stop = feed < 0 ? text.length : feed;
  const end = stop > start && text.charAt(stop - 1) === '\r' ? stop - 1 : stop;
  return { start, end, text: text.slice(start, end) };
}

const after = (text: string, line: Line): number => {
  const feed = text.indexOf('\n', line.end);
  return feed < 0 ? text.length : feed + 1;
};

function findSignatureOn(line: Line): SiweText['signature'] {
  const found = SIGNATURE.exec(line.text)?.[1] ?? BARE_SIGNATURE.exec(line.text)?.[1];
  if (found === undefined) return null;
  const start = line.start + line.text.lastIndexOf(found);
  return { text: found, start, end: start + found.length };
}

/** Maximum number of lines between the end of a message and its signature. */
const SIGNATURE_REACH = 10;

function findSignatureBelow(text: string, from: number): SiweText['signature'] {
  let at = from;
  for (let count = 0; count < SIGNATURE_REACH && at < text.length; count++) {
    const line = readLineAt(text, at);
    if (line.text.includes(SIWE_PHRASE)) return null;
    const signature = findSignatureOn(line);
    if (signature !== null) return signature;
    at = after(text, line);
  }
  return null;
}

function readNextFilledLine(text: string, from: number): string {
  let at = from;
  while (at < text.length) {
    const line = readLineAt(text, at);
    if (line.text.trim() !== '') return line.text;
    at = after(text, line);
  }
  return '';
}

/** The message whose first line contains `phrase`; it ends at a signature, a fence, another message, or after its last field. */
function readPlainMessage(text: string, phrase: number): SiweText {
  const first = readLineAt(text, text.lastIndexOf('\n', phrase) + 1);
  const lines: Line[] = [first];
  let signature: SiweText['signature'] = null;
  let complete = false;
  let at = after(text, first);
  while (at < text.length) {
    const line = readLineAt(text, at);
    if (FENCE.test(line.text) || line.text.includes(SIWE_PHRASE)) break;
    signature = findSignatureOn(line);
    if (signature !== null) break;
    // After the nonce there are no blank lines in a message, except by mistake.
    if (complete && line.text.trim() === '' && !FIELD.test(readNextFilledLine(text, at))) break;
    complete ||= LATE_FIELD.test(line.text);
    lines.push(line);
    at = after(text, line);
  }
  while (lines.at(-1)?.text.trim() === '') lines.pop();
  const message = lines.map(line => line.text).join('\n');
  const starts: number[] = [];
  let length = 0;
  for (const line of lines) {
    starts.push(length);
    length += line.text.length + 1;
  }
  const returns = text.startsWith('\r\n', first.end);
  return {
    message,
    start: first.start,
    end: lines.at(-1)?.end ?? first.end,
    signature: signature ?? findSignatureBelow(text, at),
    isCertain: hasCleanStart(message),
    toTextOffset(offset) {
      const index = findLastAtMost(starts, offset);
      const line = lines[index] ?? first;
      return Math.min(line.start + offset - (starts[index] ?? 0), text.length);
    },
    escape: part => (returns ? part.replaceAll('\n', '\r\n') : part),
  };
}

const MESSAGE_KEY = /"message"\s*:\s*"/g;
const SIGNATURE_KEY = /"signature"\s*:\s*"([^"\\\n]*)"/g;

/** Messages in JSON strings, each with the nearest signature that does not belong to another message. */
function findJsonMessages(text: string): readonly SiweText[] {
  const found = [...text.matchAll(MESSAGE_KEY)]
    .map(key => readJsonString(text, key.index + key[0].length))
    .filter(string => string?.value.includes(SIWE_PHRASE) === true)
    .filter(string => string !== null)
    .slice(0, MAX_MESSAGES);
  if (found.length === 0) return [];
  const signatures = [...text.matchAll(SIGNATURE_KEY)].map(key => {
    const value = key[1] ?? '';
    const end = key.index + key[0].length - 1;
    return { text: value, start: end - value.length, end };
  });
  return found.map((string, index) => {
    const next = found[index + 1]?.start ?? text.length;
    const before = found[index - 1]?.end ?? 0;
    const below = signatures.find(({ start }) => start > string.end && start < next);
    const above = signatures.findLast(({ start, end }) => start >= before && end < string.start);
    // In a list the signature of the next item may be nearer: a brace in between tells.
    const apart = below !== undefined && text.slice(string.end, below.start).includes('}');
    const signature = (apart ? (above ?? below) : (below ?? above)) ?? null;
    return {
      message: string.value,
      start: string.start,
      end: string.end,
      signature,
      isCertain: hasCleanStart(string.value),
      toTextOffset: string.toTextOffset,
      escape: part => JSON.stringify(part).slice(1, -1),
    };
  });
}

/** All sign-in messages of a text by position, fifty at most. Linear. */
export function findSiweMessages(text: string): readonly SiweText[] {
  if (!text.includes(SIWE_PHRASE)) return [];
  const found = [...findJsonMessages(text)];
  let at = text.indexOf(SIWE_PHRASE);
  while (at >= 0 && found.length < MAX_MESSAGES) {
    const inside = found.find(({ start, end }) => start <= at && at < end);
    if (inside === undefined) {
      const plain = readPlainMessage(text, at);
      found.push(plain);
      at = text.indexOf(SIWE_PHRASE, Math.max(plain.end, at + SIWE_PHRASE.length));
    } else at = text.indexOf(SIWE_PHRASE, inside.end);
  }
  return found.sort((a, b) => a.start - b.start);
}
