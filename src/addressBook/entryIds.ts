// Ids of saved entries, stable across reads of their storage.
import type { AddressBookStorage, Entry, SavedEntry } from './entry.ts';

/** Unique among storages, readable in logs, and the same in every session. */
export function getStorageKey(storage: AddressBookStorage): string {
  return storage.kind === 'personal' ? 'personal' : `workspace:${storage.folder}`;
}

export function isSameStorage(left: AddressBookStorage, right: AddressBookStorage): boolean {
  return getStorageKey(left) === getStorageKey(right);
}

/** Hands out saved entries by key, in their order and each once. */
function createQueues(saved: readonly SavedEntry[], getKey: (entry: Entry) => string, used: Set<string>) {
  const queues = Map.groupBy(saved.toReversed(), getKey);
  return (entry: Entry): SavedEntry | undefined => {
    const queue = queues.get(getKey(entry)) ?? [];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) if (!used.has(next.id)) return next;
    return undefined;
  };
}

function countByAddress(entries: readonly Entry[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { address } of entries) counts.set(address, (counts.get(address) ?? 0) + 1);
  return counts;
}

/** What identifies an entry among several of one address, from the most to the least specific. */
const identityKeys: readonly ((entry: Entry) => string)[] = [
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
  storage: AddressBookStorage,
  before: readonly SavedEntry[],
): SavedEntry[] {
  const ids = new Map<number, string>();
  const used = new Set<string>();
  // Nearly every address has one entry before and now: only the others need a comparison.
  const [countsBefore, countsNow] = [countByAddress(before), countByAddress(entries)];
  const isSingle = ({ address }: Entry) => countsBefore.get(address) === 1 && countsNow.get(address) === 1;
  const singles = new Map(before.filter(isSingle).map(saved => [saved.address, saved.id]));
  const others = before.filter(saved => !singles.has(saved.address));
  for (const [at, { address }] of entries.entries()) {
    const id = singles.get(address);
    if (id === undefined) continue;
    used.add(id);
    ids.set(at, id);
  }
  for (const getKey of others.length === 0 ? [] : identityKeys) {
    const take = createQueues(others, getKey, used);
    for (const [at, entry] of entries.entries()) {
      if (ids.has(at)) continue;
      const match = take(entry);
      if (match === undefined) continue;
      used.add(match.id);
      ids.set(at, match.id);
    }
  }
  const prefix = getStorageKey(storage);
  const counts = new Map<string, number>();
  const createId = (address: string): string => {
    for (;;) {
      const count = (counts.get(address) ?? 0) + 1;
      counts.set(address, count);
      const id = `${prefix} ${address}${count === 1 ? '' : ` ${count}`}`;
      if (used.has(id)) continue;
      used.add(id);
      return id;
    }
  };
  return entries.map((entry, at) => ({ ...entry, id: ids.get(at) ?? createId(entry.address), storage }));
}
