// Ids of saved entries: the same for as long as an entry exists, however often its place is read again.
import type { BookStorage, Entry, SavedEntry } from './entry.ts';

/** Unique among places; readable in logs and stable over sessions. */
export function getStorageKey(place: BookStorage): string {
  return place.kind === 'personal' ? 'personal' : `workspace:${place.folder}`;
}

export function isSameStorage(left: BookStorage, right: BookStorage): boolean {
  return getStorageKey(left) === getStorageKey(right);
}

/** Takes values back out in the order in which they came, each once. */
function queueBy(saved: readonly SavedEntry[], keyOf: (entry: Entry) => string, used: Set<string>) {
  const queues = new Map<string, SavedEntry[]>();
  for (const entry of saved.toReversed()) {
    const queue = queues.get(keyOf(entry));
    if (queue === undefined) queues.set(keyOf(entry), [entry]);
    else queue.push(entry);
  }
  return (entry: Entry): SavedEntry | undefined => {
    const queue = queues.get(keyOf(entry)) ?? [];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) if (!used.has(next.id)) return next;
    return undefined;
  };
}

function countOf(entries: readonly Entry[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { address } of entries) counts.set(address, (counts.get(address) ?? 0) + 1);
  return counts;
}

/** What makes two entries of one address the same one, the surest first. */
const keys: readonly ((entry: Entry) => string)[] = [
  ({ address, chains, name }) => JSON.stringify([address, chains, name]),
  ({ address, chains }) => JSON.stringify([address, chains]),
  ({ address, name }) => JSON.stringify([address, name]),
  ({ address }) => address,
];

/**
 * Entries with ids. An entry keeps the id it had in `before`: among several of one address the one with the same chains,
 * then the one with the same name, then the next of the list.
 */
export function assignEntryIds(
  entries: readonly Entry[],
  place: BookStorage,
  before: readonly SavedEntry[],
): SavedEntry[] {
  const ids = new Map<number, string>();
  const used = new Set<string>();
  // Nearly every address has one entry, before and now: only the others are compared.
  const [then, now] = [countOf(before), countOf(entries)];
  const plain = ({ address }: Entry) => then.get(address) === 1 && now.get(address) === 1;
  const only = new Map(before.filter(plain).map(saved => [saved.address, saved.id]));
  const others = before.filter(saved => !only.has(saved.address));
  for (const [at, { address }] of entries.entries()) {
    const id = only.get(address);
    if (id === undefined) continue;
    used.add(id);
    ids.set(at, id);
  }
  for (const keyOf of others.length === 0 ? [] : keys) {
    const take = queueBy(others, keyOf, used);
    for (const [at, entry] of entries.entries()) {
      if (ids.has(at)) continue;
      const match = take(entry);
      if (match === undefined) continue;
      used.add(match.id);
      ids.set(at, match.id);
    }
  }
  const prefix = getStorageKey(place);
  const counts = new Map<string, number>();
  const fresh = (address: string): string => {
    for (;;) {
      const count = (counts.get(address) ?? 0) + 1;
      counts.set(address, count);
      const id = `${prefix} ${address}${count === 1 ? '' : ` ${count}`}`;
      if (used.has(id)) continue;
      used.add(id);
      return id;
    }
  };
  return entries.map((entry, at) => ({ ...entry, id: ids.get(at) ?? fresh(entry.address), place }));
}
