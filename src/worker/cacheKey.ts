// When two questions or two configurations are the same: one spelling for both, compared as plain values.
import { parseChainSelector } from '../api/chains.ts';
import { formatQueryString } from '../api/wire/queryString.ts';
import type { WireRequest } from '../api/wire/request.ts';

/** Requests that programs ask again and again come as the same object. */
const keys = new WeakMap<WireRequest, string>();

/** What two requests of one operation have in common when they are the same question. */
export function getCacheKey(request: WireRequest): string {
  let key = keys.get(request);
  if (key === undefined) {
    key = `${request.operation} ${request.path}?${formatQueryString(request.query)}`;
    keys.set(request, key);
  }
  return key;
}

/** The same question in one spelling: canonical chain selectors, lower-case hex; names and URLs as they are. */
export function normalizeLookupInput<Input extends object>(input: Input): Input {
  const spell = ([name, value]: [string, unknown]) => {
    if (typeof value !== 'string') return [name, value];
    if (name === 'chain') return [name, parseChainSelector(value) ?? value];
    // Digits only: the names in a Move type (`0x1::coin::Coin`) count with their case.
    return [name, /^0x[0-9a-f]*$/i.test(value) ? value.toLowerCase() : value];
  };
  return Object.fromEntries(Object.entries(input).map(spell)) as Input; // the same names with values of the same types
}

/** Whether two plain values are the same; the order of nodes counts, the first is the fallback chain. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
