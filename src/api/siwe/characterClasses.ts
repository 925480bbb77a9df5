// Character classes of RFC 3986 and RFC 5234, and descriptions of unexpected characters.

/** Bits of the table; a class is a combination of them. Only ASCII characters are in a class. */
export const ALPHA = 1;
export const DIGIT = 2;
export const HEX_DIGIT = 4;
const MARK = 8;
export const SUB_DELIM = 16;
const BRACKET_HASH = 32;
export const COLON = 64;
const AT = 128;
export const SLASH = 256;
export const QUESTION = 512;
const SPACE = 1024;
const PLUS_MINUS_DOT = 2048;

export const UNRESERVED = ALPHA | DIGIT | MARK;
export const PCHAR = UNRESERVED | SUB_DELIM | COLON | AT;
export const SCHEME = ALPHA | DIGIT | PLUS_MINUS_DOT;
/** reserved / unreserved / space: everything that a statement may hold (EIP-4361). */
export const STATEMENT = UNRESERVED | SUB_DELIM | BRACKET_HASH | COLON | AT | SLASH | QUESTION | SPACE;

const ASCII = 128;

const MEMBERS: readonly (readonly [members: string, bit: number])[] = [
  ['abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ', ALPHA],
  ['0123456789', DIGIT],
  ['0123456789abcdefABCDEF', HEX_DIGIT],
  ['-._~', MARK],
  ["!$&'()*+,;=", SUB_DELIM],
  ['#[]', BRACKET_HASH],
  [':', COLON],
  ['@', AT],
  ['/', SLASH],
  ['?', QUESTION],
  [' ', SPACE],
  ['+-.', PLUS_MINUS_DOT],
];

const classes = new Uint16Array(ASCII);
for (const [members, bit] of MEMBERS)
  for (const member of members) {
    const code = member.charCodeAt(0);
    classes[code] = (classes[code] ?? 0) | bit;
  }

export function isIn(code: number, mask: number): boolean {
  return code < ASCII && ((classes[code] ?? 0) & mask) !== 0;
}

/** The offset of the first character from `at` on that is not in the class; `end` when all are. */
export function span(text: string, at: number, end: number, mask: number): number {
  let i = at;
  while (i < end && isIn(text.charCodeAt(i), mask)) i++;
  return i;
}

const PERCENT = 37;

/** As `span`, but also accepts pct-encoded characters; stops at an invalid `%`. */
export function encodedSpan(text: string, at: number, end: number, mask: number): number {
  let i = at;
  while (i < end) {
    const code = text.charCodeAt(i);
    if (isIn(code, mask)) i++;
    else if (code === PERCENT && i + 2 < end && span(text, i + 1, i + 3, HEX_DIGIT) === i + 3) i += 3;
    else break;
  }
  return i;
}

const NAMED: Readonly<Record<number, string>> = {
  0: 'NUL',
  9: 'tab',
  10: 'line feed',
  13: 'carriage return',
  32: 'space',
  127: 'delete',
  160: 'no-break space',
  173: 'soft hyphen',
  8203: 'zero-width space',
  8204: 'zero-width non-joiner',
  8205: 'zero-width joiner',
  8232: 'line separator',
  8233: 'paragraph separator',
  8239: 'narrow no-break space',
  12288: 'ideographic space',
  65279: 'byte order mark',
  65533: 'replacement character: the text was decoded wrongly',
};

/** Characters that look like an ASCII character: code point in hex, a colon, the ASCII character. */
const HOMOGLYPHS_BY_SCRIPT = {
  cyrillic:
    '410:A 412:B 415:E 41A:K 41C:M 41D:H 41E:O 420:P 421:C 422:T 423:Y 425:X 405:S 406:I 408:J 430:a 435:e 43A:k 43E:o ' +
    '440:p 441:c 443:y 445:x 455:s 456:i 458:j 4BB:h 501:d 51B:q 51D:w',
  greek:
    '391:A 392:B 395:E 396:Z 397:H 399:I 39A:K 39C:M 39D:N 39F:O 3A1:P 3A4:T 3A5:Y 3A7:X 3B1:a 3B9:i 3BA:k 3BD:v 3BF:o 3C1:p',
  marks:
    '2010:- 2011:- 2012:- 2013:- 2014:- 2212:- 2024:. 3002:. 2236:: 589:: 2044:/ 2215:/ 2018:\' 2019:\' 201C:" 201D:" 2039:< 203A:>',
} as const;

const HOMOGLYPHS: ReadonlyMap<string, string> = new Map(
  Object.values(HOMOGLYPHS_BY_SCRIPT).flatMap(list =>
    list.split(' ').map(pair => {
      const colon = pair.indexOf(':');
      return [String.fromCodePoint(Number.parseInt(pair, 16)), pair.slice(colon + 1)] as const;
    }),
  ),
);

/** Full-width forms are in the order of ASCII. */
const FULL_WIDTH = { from: 0xff01, to: 0xff5e, shift: 0xfee0 } as const;

/** The ASCII character that this one looks like; the character itself when there is none. */
export function toAsciiLookalike(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code >= FULL_WIDTH.from && code <= FULL_WIDTH.to) return String.fromCharCode(code - FULL_WIDTH.shift);
  return HOMOGLYPHS.get(char) ?? char;
}

const SCRIPTS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
];

const isPrintable = (code: number) => code > 32 && code < 127;

/** What a code point is, in ASCII; `''` when there is nothing to add. */
function describeCodePoint(code: number): string {
  const named = NAMED[code];
  if (named !== undefined) return named;
  if (code >= 0xd800 && code <= 0xdfff) return 'half of a surrogate pair';
  const char = String.fromCodePoint(code);
  const like = toAsciiLookalike(char);
  if (code >= FULL_WIDTH.from && code <= FULL_WIDTH.to) return `full-width form of "${like}"`;
  const script = SCRIPTS.find(([, pattern]) => pattern.test(char))?.[0];
  return [script, like === char ? undefined : `looks like "${like}"`].filter(part => part !== undefined).join(', ');
}

/** A character in readable form: `"x"`, or `U+0455 (Cyrillic, looks like "s")`. `null` past the end. */
export function describeCharacter(text: string, at: number): { readonly name: string; readonly length: number } | null {
  const code = text.codePointAt(at);
  if (code === undefined) return null;
  const length = code > 0xffff ? 2 : 1;
  if (isPrintable(code)) return { name: `"${text.charAt(at)}"`, length };
  const note = describeCodePoint(code);
  const hex = code.toString(16).toUpperCase().padStart(4, '0');
  return { name: `U+${hex}${note === '' ? '' : ` (${note})`}`, length };
}

const MAX_QUOTED_LENGTH = 60;

/** A part of the message in quotes, shortened, everything but printable ASCII as `\u{…}`. */
export function quoteCharacters(text: string): string {
  const short = [...text.slice(0, MAX_QUOTED_LENGTH)].map(char =>
    /[ -~]/.test(char) ? char : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return `"${short.join('')}${text.length > MAX_QUOTED_LENGTH ? '...' : ''}"`;
}
