// The bundled well-known signatures as ABI items, so that they are decoded like the workspace's own.

import type { AbiItem } from './abiItem.ts';
import type { AbiParameter } from './abiType.ts';
import { findErrorSignatures, findEventSignatures, findFunctionSignatures } from './signatures/findSignatures.ts';
import type { Signature } from './signatures/signature.ts';

/** Splits at the commas of the outermost level. */
function splitList(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const char = text[at];
    if (char === '(') depth++;
    else if (char === ')') depth--;
    else if ((char === ',' || char === undefined) && depth === 0) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  return parts.filter(part => part !== '');
}

/** `address indexed from` and `(address to, uint256 amount)[] orders` as parameters. */
function parseParameter(text: string): AbiParameter {
  const close = text.startsWith('(') ? text.lastIndexOf(')') : -1;
  const inner = text.slice(1, close);
  const [suffix = '', ...words] = text.slice(close + 1).split(/ +/);
  const indexed = words[0] === 'indexed';
  const name = (indexed ? words[1] : words[0]) ?? '';
  const type = close < 0 ? suffix : `tuple${suffix}`;
  return {
    name,
    type,
    ...(indexed && { indexed }),
    ...(close >= 0 && { components: splitList(inner).map(parseParameter) }),
  };
}

function itemOf(kind: AbiItem['kind'], { name, text, canonical, hash, standard }: Signature): AbiItem {
  const list = text.slice(text.indexOf('(') + 1, -1);
  return {
    kind,
    name,
    inputs: splitList(list).map(parseParameter),
    isAnonymous: false,
    canonical,
    hash,
    source: standard,
  };
}

const items = new WeakMap<Signature, AbiItem>();

const cached = (kind: AbiItem['kind']) => (signature: Signature) => {
  const known = items.get(signature);
  if (known !== undefined) return known;
  const item = itemOf(kind, signature);
  items.set(signature, item);
  return item;
};

export const getBundledEvents = (topic0: string): readonly AbiItem[] =>
  findEventSignatures(topic0).map(cached('event'));
export const getBundledFunctions = (selector: string): readonly AbiItem[] =>
  findFunctionSignatures(selector).map(cached('function'));
export const getBundledErrors = (selector: string): readonly AbiItem[] =>
  findErrorSignatures(selector).map(cached('error'));
