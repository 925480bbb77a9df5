// Reads the words of a name in source text: `tx hash` of `receipts[0].txHash`, but not of `owners[txHash]`.
import { findHashHint, isConversion } from './hintWords.ts';
import { findSecretWord } from './secretWords.ts';
import { splitWords, wordSet } from './splitWords.ts';

/** Functions that compare values: the argument before a literal is the same as it. */
export const COMPARING_CALLS = wordSet('assert expect equal equals eq same strict');
/** Functions that print values: a text before a literal describes it. */
export const PRINTING_CALLS = wordSet('log print printf println printk info debug warn trace write echo dump');
/** An index, or the arguments of a function, without brackets of its own. */
const INNERMOST = /(?:([\w$]{0,80})\(([^()[\]]*)\)|([\w$)\]?.])\[([^()[\]]*)\])/g;
/** `["txHash"]` */
const FIELD = /^\s*["'`]/;
const MAX_DEPTH = 4;
/** `transactionHash.toHexString().addHexPrefix()` */
const CONVERTED = /(?:[!?]?\.(?!hash\b|id\b)\w{1,30}\(\)){1,4}$/i;

/**
 * The words of a name. A variable that is an index or an argument tells what belongs to it, not what the value is:
 * `owners[txHash]`, `ownerOf(txHash)`, unlike `expect(txHash)` and `HexBytes(txHash)`. Words of secrets always count.
 */
export function readNameWords(name: string): readonly string[] {
  const converted = CONVERTED.exec(name);
  if (converted !== null && converted.index > 0 && isConversion(splitWords(converted[0])))
    return readNameWords(name.slice(0, converted.index));
  const all = splitWords(name);
  if (!/[([]/.test(name)) return all;
  let own = name;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const inner = own.replace(INNERMOST, (_, callee?: string, args?: string, indexed?: string, index = '') => {
      if (indexed !== undefined) return `${indexed} ${FIELD.test(index) || !namesHash(index) ? index : ''} `;
      return `${callee} ${keepsArgument(splitWords(callee ?? '')) || !namesHash(args ?? '') ? args : ''} `;
    });
    if (inner === own) break;
    own = inner;
  }
  return findSecretWord(all) === null ? splitWords(own) : all;
}

const namesHash = (name: string) => findHashHint(splitWords(name)) !== null;

function keepsArgument(callee: readonly string[]): boolean {
  return isConversion(callee) || callee.some(word => COMPARING_CALLS.has(word));
}
