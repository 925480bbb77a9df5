// What the service is told of the book: a name per address for its `*_label` fields, and the user's word on tokens.
import type { AddressBookConfiguration } from '../api/configuration.ts';
import type { Entry } from './entry.ts';

/** `entries` in the order in which they count. Addresses are checked by the judge, so none is a prototype's key. */
export function toBookConfiguration(entries: readonly Entry[]): AddressBookConfiguration {
  const labels: Record<string, string> = {};
  const marks: Record<string, 'verified' | 'spam'> = {};
  for (const { address, name, mark } of entries) {
    labels[address] ??= name;
    if (mark !== null) marks[address] ??= mark;
  }
  return { labels, trust: marks };
}
