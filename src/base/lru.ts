// What was read and never changes, by key: bounded in number and weight, least recently used goes first.

/** Whoever makes one says where it does how many bytes that may be; values of any length are weighed. */
export interface Lru<Key, Value> {
  get(key: Key): Value | undefined;
  /** `weight` is counted against `maxWeight`; what is heavier than a quarter of it is not kept. */
  set(key: Key, value: Value, weight?: number): void;
  clear(): void;
  readonly size: number;
}

export function createLru<Key, Value>(bounds: { maxEntries: number; maxWeight?: number }): Lru<Key, Value> {
  const { maxEntries, maxWeight = Number.POSITIVE_INFINITY } = bounds;
  const entries = new Map<Key, { readonly value: Value; readonly weight: number }>(); // in the order of last use
  let total = 0;
  const drop = (key: Key) => {
    total -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, weight = 0) {
      drop(key);
      if (weight > maxWeight / 4) return;
      entries.set(key, { value, weight });
      total += weight;
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && total <= maxWeight) break;
        drop(oldest);
      }
    },
    clear() {
      entries.clear();
      total = 0;
    },
    get size() {
      return entries.size;
    },
  };
}
