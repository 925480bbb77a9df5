// Cache keys: one spelling for requests and look-ups that mean the same.
import { parseChainSelector } from '../api/chains.ts';
import type { LookupId } from '../api/lookups.ts';
import { formatQueryString } from '../api/wire/queryString.ts';
import type { WireRequest } from '../api/wire/request.ts';

/** The server caches request objects of targets that clients repeat, so most keys are found here. */
const requestKeyCache = new WeakMap<WireRequest, string>();

export function getCacheKey(request: WireRequest): string {
  let key = requestKeyCache.get(request);
  if (key === undefined) {
    key = `${request.operation} ${request.path}?${formatQueryString(request.query)}`;
    requestKeyCache.set(request, key);
  }
  return key;
}

/** `input` as `normalizeLookupInput` returns it. */
export function getLookupCacheKey(id: LookupId, input: object): string {
  return `${id} ${JSON.stringify(Object.entries(input).sort())}`;
}

/** Chains as canonical selectors and hex in lower case; names and URLs unchanged. */
export function normalizeLookupInput<Input extends object>(input: Input): Input {
  const normalize = ([name, value]: [string, unknown]) => {
    if (typeof value !== 'string') return [name, value];
    if (name === 'chain') return [name, parseChainSelector(value) ?? value];
    // Only pure hex: names in a Move type (`0x1::coin::Coin`) are case-sensitive.
    return [name, /^0x[0-9a-f]*$/i.test(value) ? value.toLowerCase() : value];
  };
  return Object.fromEntries(Object.entries(input).map(normalize)) as Input; // the same names with values of the same types
}

/** Compares plain values; the order of properties counts, because the first configured node is the default chain. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
