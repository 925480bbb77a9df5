// The name that code gives a literal: `treasury` of `address treasury = 0x…`, `TREASURY="0x…"`, `"treasury": "0x…"`.
import { findNameStart, findWordStart } from './readBackwards.ts';

/** Characters before the literal that are read. */
const MAX_LENGTH = 200;
const NAME = /^[\p{L}_$][\p{L}\p{N}_$-]{1,59}$/u;
/** Words before `=` or `:` that name a type or a role, not a value. */
const GENERAL = /^(?:address|addr|account|value|to|from|id|string|const|let|var|key|hex|payable|default)$/i;

const skipBack = (text: string, at: number, chars: string): number => {
  let position = at;
  while (position > 0 && chars.includes(text.charAt(position - 1))) position--;
  return position;
};

/** `null` when nothing in its line names the literal at `start`. */
export function findAssignedName(line: string, start: number): string | null {
  const text = line.slice(Math.max(0, start - MAX_LENGTH), start);
  const QUOTES = '"\'`';
  let at = skipBack(text, skipBack(text, text.length, QUOTES), ' \t');
  // `Vault(0x…)` wraps the value in a type.
  while (text.charAt(at - 1) === '(') at = skipBack(text, findNameStart(text, at - 1, 0), ' \t');
  const separator = text.charAt(at - 1);
  if (separator !== '=' && separator !== ':') return null;
  at = skipBack(text, skipBack(text, at - 1, ':?'), ` \t${QUOTES}`);
  let wordStart = findWordStart(text, at, 0);
  // `treasury: Address = "0x…"` has a type in between.
  const before = skipBack(text, wordStart, ' \t');
  if (separator === '=' && text.charAt(before - 1) === ':') {
    at = skipBack(text, before - 1, ' \t?');
    wordStart = findWordStart(text, at, 0);
  }
  const name = text.slice(wordStart, at);
  return NAME.test(name) && !GENERAL.test(name) ? name : null;
}
