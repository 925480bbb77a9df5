// The cache of database lookups that are repeated often, such as ids of addresses.
import { LRUCache } from 'lru-cache';

/** A few megabytes at most, however many addresses the chain has. */
const MAX_ENTRIES = 100_000;

/** `maxSize` instead of `max`, which would allocate memory for all entries at once: many stores are open at a time. */
export const createLookupCache = <Key extends NonNullable<unknown>, Value extends NonNullable<unknown>>() =>
  new LRUCache<Key, Value>({ maxSize: MAX_ENTRIES, sizeCalculation: () => 1 });
