// Hex digits, word characters, and where a literal can start or end.

const HEX_DIGIT = 1;
const WORD = 2;

/** One entry per ASCII code: hex digits are word characters too. */
const ASCII = new Uint8Array(128);
for (const char of 'ghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ_$') ASCII[char.charCodeAt(0)] = WORD;
for (const char of '0123456789abcdefABCDEF') ASCII[char.charCodeAt(0)] = HEX_DIGIT | WORD;

/** `code` is a UTF-16 code unit or NaN (past the end). */
export function isHexDigit(code: number): boolean {
  return code < 128 && (ASCII[code] ?? 0) === (HEX_DIGIT | WORD);
}

/** 1 for hex digits, else 0, for every byte: for inner loops. */
export const HEX_BYTES: Uint8Array = Uint8Array.from({ length: 256 }, (_, code) => (isHexDigit(code) ? 1 : 0));

/** Letters, decimal digits and letter-like numbers of any script, connectors: what an identifier may contain. */
const UNICODE_WORD = /[\p{L}\p{Nd}\p{Nl}\p{Pc}]/u;
const MARK = /\p{M}/u;
/** Scripts that are written without spaces, or with endings right behind names. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Yiii}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Java}\p{scx=Bali}\p{scx=Talu}\p{scx=Lana}]/u;
/** These follow emoji; they are marks but not part of a word. */
const VARIATION_SELECTOR = /[\uFE00-\uFE0F\u20E3]/;

function isWordBefore(text: string, index: number): boolean {
  const code = text.charCodeAt(index - 1);
  if (code < 128) return ((ASCII[code] ?? 0) & WORD) !== 0;
  // A combining mark belongs to whatever it is written on.
  let at = index;
  for (let marks = 0; marks < 8 && at > 0; marks++) {
    const point = codePointBefore(text, at);
    if (VARIATION_SELECTOR.test(point) || UNSPACED.test(point)) return false;
    if (!MARK.test(point)) return UNICODE_WORD.test(point);
    at -= point.length;
  }
  return at > 0;
}

function codePointBefore(text: string, index: number): string {
  const pair = index > 1 ? (text.codePointAt(index - 2) ?? 0) : 0;
  return pair > 0xffff ? text.slice(index - 2, index) : text.slice(index - 1, index);
}

function isWordAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code < 128) return ((ASCII[code] ?? 0) & WORD) !== 0;
  const point = String.fromCodePoint(text.codePointAt(index) ?? 0x20);
  if (UNSPACED.test(point)) return false;
  return UNICODE_WORD.test(point) || (MARK.test(point) && !VARIATION_SELECTOR.test(point));
}

/**
 * Whether a literal can start at `start`: no part of a word precedes it. The letters and digits at the end of an escape
 * (`\n`, `\u0022`, `%3D`, a terminal color) are not a word.
 */
export function canLiteralStart(text: string, start: number): boolean {
  return start === 0 || !isWordBefore(text, start) || endsEscape(text, start);
}

/** `_0x…_` and `__0x…__` of Markdown, unlike a part of a name. */
export function isEmphasized(text: string, start: number, end: number): boolean {
  const mark = /(?<![\p{L}\p{N}_$])_{1,3}$/u.exec(text.slice(Math.max(0, start - 8), start))?.[0];
  return mark !== undefined && text.startsWith(mark, end) && !isWordAt(text, end + mark.length);
}

/** Whether a literal can end before `end`. `0x….eth` is a name that only looks like an address. */
export function canLiteralEnd(text: string, end: number): boolean {
  if (end >= text.length) return true;
  if (isWordAt(text, end)) return false;
  return !(text.charCodeAt(end) === 0x2e && /^\.eth(?![\p{L}\p{N}_])/iu.test(text.slice(end, end + 6)));
}

const SIMPLE_ESCAPE = /\\[nrtbfv]$/;
/** `'\x` of PostgreSQL and MySQL. */
const BYTES_START = /["'(]\\{1,2}x$/;
const CODED_ESCAPE = /(?:\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})|%([0-9a-fA-F]{2}))$/;
const TERMINAL_COLOR = /(?:\p{Cc}|\\x1b|\\u001b|\\033|\\e)\[[0-9;]{0,16}m$/iu;

function endsEscape(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 28), index);
  if (SIMPLE_ESCAPE.test(before) || TERMINAL_COLOR.test(before) || BYTES_START.test(before)) return true;
  const coded = CODED_ESCAPE.exec(before);
  if (coded === null) return false;
  const char = String.fromCharCode(Number.parseInt(coded[1] ?? coded[2] ?? coded[3] ?? '41', 16));
  return !isWordAt(char, 0);
}
