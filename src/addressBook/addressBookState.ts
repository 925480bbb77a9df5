// What one place of the book holds, and the one way to change it.

import { type Entry, haveCommonChain } from './entry.ts';
import { getFolderWithParents } from './folders.ts';

/** Entries in the order in which they were saved; folders that somebody made, with or without entries. */
export interface AddressBookState {
  readonly entries: readonly Entry[];
  readonly folders: readonly string[];
}

export const emptyAddressBook: AddressBookState = { entries: [], folders: [] };

/** Positions are those of the shelf before the change. */
export interface AddressBookChange {
  readonly updates: ReadonlyMap<number, Entry>;
  readonly removals: ReadonlySet<number>;
  /** Go to the end. */
  readonly additions: readonly Entry[];
  /** `null`: as they were. */
  readonly folders: readonly string[] | null;
}

export const emptyChange: AddressBookChange = { updates: new Map(), removals: new Set(), additions: [], folders: null };

export function isEmptyChange({ updates, removals, additions, folders }: AddressBookChange): boolean {
  return updates.size === 0 && removals.size === 0 && additions.length === 0 && folders === null;
}

export function applyChange(
  shelf: AddressBookState,
  { updates, removals, additions, folders }: AddressBookChange,
): AddressBookState {
  const kept = shelf.entries.map((entry, at) => updates.get(at) ?? entry).filter((_, at) => !removals.has(at));
  return { entries: [...kept, ...additions], folders: folders ?? shelf.folders };
}

const sameList = (left: readonly string[], right: readonly string[]) =>
  left.length === right.length && left.every((item, at) => item === right[at]);

export function isSameEntry(left: Entry, right: Entry): boolean {
  return (
    left.address === right.address &&
    left.kind === right.kind &&
    left.name === right.name &&
    left.folder === right.folder &&
    left.notes === right.notes &&
    left.color === right.color &&
    left.mark === right.mark &&
    sameList(left.chains, right.chains) &&
    sameList(left.tags, right.tags)
  );
}

/** Positions by address: putting thousands of entries must not search the shelf for each. */
function positions(entries: readonly Entry[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [at, { address }] of entries.entries()) {
    const list = found.get(address);
    if (list === undefined) found.set(address, [at]);
    else list.push(at);
  }
  return found;
}

/**
 * Puts entries on the shelf: one that names the same address on a chain they share is updated, any other is added. Of
 * several for one address the last counts.
 */
export function upsertEntries(shelf: AddressBookState, entries: readonly Entry[]): AddressBookChange {
  const all: Entry[] = [...shelf.entries];
  const known = positions(all);
  for (const entry of entries) {
    const places = known.get(entry.address) ?? [];
    const at = places.find(place => {
      const there = all[place];
      return there !== undefined && haveCommonChain(there.chains, entry.chains);
    });
    if (at !== undefined) all[at] = entry;
    else known.set(entry.address, [...places, all.push(entry) - 1]);
  }
  const updates = new Map<number, Entry>();
  for (const [at, before] of shelf.entries.entries()) {
    const after = all[at];
    if (after !== undefined && !isSameEntry(before, after)) updates.set(at, after);
  }
  return { ...emptyChange, updates, additions: all.slice(shelf.entries.length) };
}

/** The change that makes `wanted` of `now`: what is not wanted goes, what is not there comes. */
export function diffStates(now: AddressBookState, wanted: AddressBookState): AddressBookChange {
  const keyOf = (entry: Entry) => JSON.stringify(entry);
  const [there, kept] = [new Set(now.entries.map(keyOf)), new Set(wanted.entries.map(keyOf))];
  return {
    ...emptyChange,
    removals: new Set(now.entries.flatMap((entry, at) => (kept.has(keyOf(entry)) ? [] : [at]))),
    additions: wanted.entries.filter(entry => !there.has(keyOf(entry))),
    folders: sameList(now.folders, wanted.folders) ? null : wanted.folders,
  };
}

/** Every folder there is, those that only entries or deeper folders name included, in alphabetical order. */
export function getAllFolders(shelves: Iterable<AddressBookState>): readonly string[] {
  const found = new Set<string>();
  const add = (folder: string) => {
    if (folder !== '' && !found.has(folder)) for (const one of getFolderWithParents(folder)) found.add(one);
  };
  for (const { entries, folders } of shelves) {
    for (const folder of folders) add(folder);
    for (const { folder } of entries) add(folder);
  }
  return [...found].sort();
}

// Undo when something else has changed since: only what the change took or altered is put back.
const whole = (entry: Entry) => JSON.stringify(entry);

/** `now` with the change from `before` to `after` taken back, as far as `now` still shows it. */
export function revertChange(
  before: AddressBookState,
  after: AddressBookState,
  now: AddressBookState,
): AddressBookState {
  const [old, kept] = [new Set(before.entries.map(whole)), new Set(after.entries.map(whole))];
  const rest = now.entries.filter(entry => old.has(whole(entry)) || !kept.has(whole(entry)));
  // What somebody has saved for the same address in the meantime counts.
  const fresh = rest.filter(entry => !old.has(whole(entry)));
  const since = Map.groupBy(fresh, ({ address }) => address);
  const taken = ({ address, chains }: Entry) =>
    since.get(address)?.some(other => haveCommonChain(other.chains, chains));
  const back = before.entries.filter(entry => !kept.has(whole(entry)) && !taken(entry));
  const folders = now.folders.filter(folder => before.folders.includes(folder) || !after.folders.includes(folder));
  const returned = before.folders.filter(folder => !after.folders.includes(folder) && !now.folders.includes(folder));
  return { entries: [...rest, ...back], folders: [...folders, ...returned] };
}
