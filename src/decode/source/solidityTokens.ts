// Splits Solidity into tokens. Texts are "byte texts": one character for each byte of UTF-8, so that offsets are solc's.

export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const CHUNK = 8192;

/** One character for each byte of the text in UTF-8. */
export function toByteText(text: string): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length === text.length) return text; // all ASCII, as most sources are
  let result = '';
  for (let i = 0; i < bytes.length; i += CHUNK) result += String.fromCharCode(...bytes.subarray(i, i + CHUNK));
  return result;
}

export function fromByteText(text: string): string {
  if (!/[\x80-\xff]/.test(text)) return text;
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return new TextDecoder().decode(bytes);
}

const TOKEN =
  /\s+|\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|[A-Za-z_$][\w$]*|\d[\w.]*|=>|>>>=|>>=|<<=|>>>|\+\+|--|\*\*|&&|\|\||[-+*/%&|^<>=!]=|<<|>>|:=|[\s\S]/y;

/** Without white space and comments; the prefix of `unicode"…"` and `hex"…"` is a token of its own. */
export function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(source); match !== null && match[0] !== ''; match = TOKEN.exec(source)) {
    const [text] = match;
    if (/^\s|^\/[/*]/.test(text)) continue;
    tokens.push({ text, start: match.index, end: match.index + text.length });
  }
  return tokens;
}

const OPENING = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

/** For each bracket the index of its partner; -1 for other tokens and brackets without a partner. */
export function matchBrackets(tokens: readonly Token[]): Int32Array {
  const partners = new Int32Array(tokens.length).fill(-1);
  const open: number[] = [];
  tokens.forEach(({ text }, i) => {
    if (OPENING.has(text)) open.push(i);
    else if (text === ')' || text === ']' || text === '}') {
      const at = open.findLastIndex(index => OPENING.get(tokens[index]?.text ?? '') === text);
      if (at < 0) return;
      const partner = open[at] as number;
      open.length = at;
      partners[partner] = i;
      partners[i] = partner;
    }
  });
  return partners;
}
