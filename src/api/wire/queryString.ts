// Query strings: reads all array forms that clients send, writes one.
import { getOrInsert } from '../../base/getOrInsert.ts';

export type QueryPairs = readonly (readonly [name: string, value: string])[];

function decodeComponent(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced; // an invalid escape: the value is used unchanged
  }
}

/** Decodes `a=1&b=2` (without the `?`) into pairs, in order. */
export function parseQueryString(query: string): QueryPairs {
  const pairs: [string, string][] = [];
  for (const part of query.split('&')) {
    if (part === '') continue;
    const at = part.indexOf('=');
    pairs.push(
      at < 0 ? [decodeComponent(part), ''] : [decodeComponent(part.slice(0, at)), decodeComponent(part.slice(at + 1))],
    );
  }
  return pairs;
}

export function formatQueryString(pairs: QueryPairs): string {
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
}

/** `a`, `a[]` and `a[0]` are all the parameter `a`. */
const baseName = (name: string): string => /^([^[\]]+)\[\d{0,4}\]$/.exec(name)?.[1] ?? name;

/** Values by parameter name, in order; empty values count as absent. */
export function groupQueryValues(pairs: QueryPairs): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    if (value === '') continue;
    const key = baseName(name);
    getOrInsert(groups, key, () => []).push(value);
  }
  return groups;
}
