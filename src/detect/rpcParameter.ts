// Reads which JSON-RPC method a literal is a parameter of.

import type { HashHint } from './hintWords.ts';
import { isHashName, isPlainHash } from './hintWords.ts';
import type { Label } from './labels.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { splitWords } from './splitWords.ts';

/** `topics` and `blockHash` of a filter, whatever the method is. */
export function isNamedParameter(hint: HashHint | null, label: Label | null): boolean {
  return (
    hint?.kind === 'topic' || (hint !== null && !isPlainHash(hint) && label?.role === 'name' && isHashName(label.words))
  );
}

const RPC_METHOD = /\b(?:eth|debug|trace|ots|erigon|parity|personal|zks|arbtrace|bor|clique)_(\w{3,50})/g;
const METHOD_FIELD = /\bmethod\\{0,3}["']?\s?[:=]\s?\\{0,3}["']([\w.]{1,80})/;

export const AFTER_PARAMETER = /[0-9a-fA-F]{40}["'`\\]{0,3},\s{0,8}["'`\\]{0,3}$/;

/** The words of the method that the literal is a parameter of: `{"method":"eth_getTransactionByHash","params":["0x…"]}`. */
export function findRpcMethod(
  text: string,
  scanned: ScannedLiteral,
  labels: readonly Label[],
): readonly string[] | null {
  if (!labels.some(label => label.words.includes('params'))) return null;
  // Of this request, not of the one beside it.
  const before =
    text
      .slice(Math.max(0, scanned.start - 240), scanned.start)
      .split('}')
      .at(-1) ?? '';
  const after = text.slice(scanned.end, scanned.end + 120).split('}', 1)[0] ?? '';
  const field = METHOD_FIELD.exec(before) ?? METHOD_FIELD.exec(after);
  if (field !== null) return splitWords(field[1] ?? '');
  const method = [...before.matchAll(RPC_METHOD)].at(-1) ?? [...after.matchAll(RPC_METHOD)][0];
  return method === undefined ? null : splitWords(method[1] ?? '');
}
