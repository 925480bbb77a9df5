// Reads what is directly before and behind a literal, as a whole: comments in code, conditions, commands, conversions.
import { isConversion } from './hintWords.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { findSecretWord } from './secretWords.ts';
import { splitWords } from './splitWords.ts';

/** `['0x…'].map(send)`, `'0x…' |> send`: names before the literal are of what is made of it. */
export function isConverted(text: string, end: number): boolean {
  LIST.lastIndex = end;
  LIST.test(text);
  const at = LIST.lastIndex;
  if (')]}'.includes(text[at] ?? '-') && CALLBACK.test(text.slice(at, at + 60))) return true;
  if (text[at] === ']') return /^\]{1,3}\s{0,40}(?:\|>|\??\.\s?\w{1,60}\()/.test(text.slice(at, at + 110));
  const found = /^(?:["'`]\s{0,40}(?:\|>|\??\.(\w{1,60})\()|\.(\w{1,60})\()/.exec(text.slice(end, end + 110));
  return found !== null && !isConversion(splitWords(found[1] ?? found[2] ?? '|>'));
}
/** `listOf("0x…").map { send(it) }`, `new[] { "0x…" }.Select(Send)`, `@("0x…") | ForEach-Object` */
const CALLBACK =
  /^[)\]}]{1,3}\s{0,20}(?:\??\.\s?(?:map|flatMap|forEach|each|select)\w{0,12}\s?[({]|\|\s?(?:ForEach|map|each))/i;
const LIST = /[\s,"'`\w]{0,2000}/y;

/** The word for a secret behind the literal: `['0x…', secret]`, `'0x…' if secret else None`, `0x… --private-key $PK`. */
export function findSecretBeside(text: string, { start, end }: ScannedLiteral): string | null {
  const isElement = /[[{]\s*["'`]?$/.test(text.slice(Math.max(0, start - 40), start));
  const rest = text.slice(end, end + 200);
  const beside = (isElement ? /^["'`]?\s*,([^\][{}:;]*)[\]}]/ : /^["'`]?\s*(?:if|unless)\s([^\n;#,]*)/).exec(rest)?.[1];
  const line = rest.includes(' --') ? (rest.split('\n', 1)[0] ?? '') : '';
  const options = Array.from(line.matchAll(/\s--([\w-]{2,40})/g), ([, name = '']) => name);
  for (const name of beside === undefined ? options : [beside, ...options]) {
    const word = findSecretWord(splitWords(name));
    if (word !== null) return word;
  }
  return null;
}

/** Whether the comment behind a literal is about it: it is alone on its line, unlike `return 0x…; // tx hash` and `0x… // tx hash: 0x…`. */
export function isNoteOf(text: string, { start, end }: ScannedLiteral): boolean {
  const before =
    text
      .slice(Math.max(0, start - 200), start)
      .split('\n')
      .at(-1) ?? '';
  return (
    /^[^\p{L}\p{N}+]*(?:hex["'])?$/u.test(before) && !/^[^\n]*?0[xX][0-9a-fA-F]{40}/.test(text.slice(end, end + 300))
  );
}

/** What a comment begins with, below a line that is none. */
const BELOW_CODE =
  /(?:^|\n)[ \t]{0,40}(?!\/\/|#|\*|--|;)[^\s][^\n]{0,120}\n[ \t]{0,40}(?:\/\/|#) (?:see |in )?\(?(?:tx|txn|transaction)(?: hash)?:? ?[`"']?$/i;
const ABOVE_CODE = /^[`"')]{0,2}[.,]?[ \t]{0,4}\r?\n[ \t]{0,40}(?!\/\/|#|\*|--|;)[^\s]/;

/** Whether it is all that a comment between lines of code says: `// tx: 0x…`. */
export function isBetweenCode(text: string, { start, end }: ScannedLiteral): boolean {
  if (!/[nxhk:-] ["'`]?$/i.test(text.slice(Math.max(0, start - 3), start))) return false;
  const before = text.slice(Math.max(0, start - 160), start);
  if (ON_CHAIN.test(before)) return ENDS_LINE.test(text.slice(end, end + 10));
  return BELOW_CODE.test(before) && ABOVE_CODE.test(text.slice(end, end + 80));
}
/** `// Reference mainnet tx 0x…`, `// etherscan tx - 0x…`: of a chain or an explorer. */
const ON_CHAIN =
  /(?:^|\n)[ \t]{0,40}(?:\/\/|#|\*) ?(?:(?:see|in|from|the|an?|of|ref|reference|example|original|actual|real|on-?chain|historical) ){0,3}(?:\w{2,12}scan|explorer|tenderly|blockscout|(?:ethereum )?mainnet|sepolia|holesky|goerli|optimism|arbitrum|base|polygon|bsc|gnosis|linea|scroll) (?:tx|txn|transaction)(?: hash)?(?::| [-–—])? ?[`"']?$/i;
const ENDS_LINE = /^[`"')]{0,2}[.,]?[ \t]{0,4}(?:\*\/)?(?:\r?\n|$)/;
