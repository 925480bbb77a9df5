// What one storage of the address book holds, and changes to it: apply, revert, compare.
import { getOrInsert } from '../base/getOrInsert.ts';
import { type Entry, haveCommonChain } from './entry.ts';
import { getFolderWithParents } from './folders.ts';

export interface AddressBookState {
  /** In the order in which they were saved. */
  readonly entries: readonly Entry[];
  /** Folders that the user created, with or without entries. */
  readonly folders: readonly string[];
}

export const emptyAddressBook: AddressBookState = { entries: [], folders: [] };

/** Positions are those in the state before the change. */
export interface AddressBookChange {
  readonly updates: ReadonlyMap<number, Entry>;
  readonly removals: ReadonlySet<number>;
  /** Appended at the end. */
  readonly additions: readonly Entry[];
  /** `null`: unchanged. */
  readonly folders: readonly string[] | null;
}

export const emptyChange: AddressBookChange = { updates: new Map(), removals: new Set(), additions: [], folders: null };

export function isEmptyChange({ updates, removals, additions, folders }: AddressBookChange): boolean {
  return updates.size === 0 && removals.size === 0 && additions.length === 0 && folders === null;
}

export function applyChange(
  state: AddressBookState,
  { updates, removals, additions, folders }: AddressBookChange,
): AddressBookState {
  const remaining = state.entries.map((entry, at) => updates.get(at) ?? entry).filter((_, at) => !removals.has(at));
  return { entries: [...remaining, ...additions], folders: folders ?? state.folders };
}

const isSameList = (left: readonly string[], right: readonly string[]) =>
  left.length === right.length && left.every((item, at) => item === right[at]);

export function isSameEntry(left: Entry, right: Entry): boolean {
  return (
    left.address === right.address &&
    left.kind === right.kind &&
    left.name === right.name &&
    left.folder === right.folder &&
    left.notes === right.notes &&
    left.color === right.color &&
    left.trust === right.trust &&
    left.logo === right.logo &&
    left.abi === right.abi &&
    isSameList(left.chains, right.chains) &&
    isSameList(left.tags, right.tags)
  );
}

/** An index, so that adding thousands of entries does not search the whole state for each. */
function getPositionsByAddress(entries: readonly Entry[]): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  for (const [at, { address }] of entries.entries()) getOrInsert(positions, address, () => []).push(at);
  return positions;
}

/**
 * The change that saves `entries`, each in place of the one of `replaced` at the same position, if the state has it. Else
 * an existing entry of the same address with a common chain is updated, any other is added. If `entries` has several for
 * one address, the last one wins.
 */
export function upsertEntries(
  state: AddressBookState,
  entries: readonly Entry[],
  replaced: readonly (Entry | null)[] = [],
): AddressBookChange {
  const all: Entry[] = [...state.entries];
  const positions = getPositionsByAddress(all);
  for (const [index, entry] of entries.entries()) {
    const candidates = positions.get(entry.address) ?? [];
    const before = replaced[index] ?? null;
    const find = (matches: (existing: Entry) => boolean) =>
      candidates.find(position => {
        const existing = all[position];
        return existing !== undefined && matches(existing);
      });
    const findReplaced = (old: Entry) =>
      find(existing => isSameEntry(existing, old)) ??
      // Another window has changed it meanwhile.
      find(({ name, chains }) => name === old.name && haveCommonChain(chains, old.chains));
    const at =
      (before === null ? undefined : findReplaced(before)) ??
      find(existing => haveCommonChain(existing.chains, entry.chains));
    if (at !== undefined) all[at] = entry;
    else {
      candidates.push(all.push(entry) - 1);
      positions.set(entry.address, candidates);
    }
  }
  const updates = new Map<number, Entry>();
  for (const [at, before] of state.entries.entries()) {
    const after = all[at];
    if (after !== undefined && !isSameEntry(before, after)) updates.set(at, after);
  }
  return { ...emptyChange, updates, additions: all.slice(state.entries.length) };
}

const toKey = (entry: Entry) => JSON.stringify(entry);

export function diffStates(current: AddressBookState, target: AddressBookState): AddressBookChange {
  const [currentKeys, targetKeys] = [new Set(current.entries.map(toKey)), new Set(target.entries.map(toKey))];
  return {
    ...emptyChange,
    removals: new Set(current.entries.flatMap((entry, at) => (targetKeys.has(toKey(entry)) ? [] : [at]))),
    additions: target.entries.filter(entry => !currentKeys.has(toKey(entry))),
    folders: isSameList(current.folders, target.folders) ? null : target.folders,
  };
}

/**
 * Undo: `current` without the change from `before` to `after`, as far as `current` still contains it. An entry that was
 * saved for the same address since then is preserved.
 */
export function revertChange(
  before: AddressBookState,
  after: AddressBookState,
  current: AddressBookState,
): AddressBookState {
  const [beforeKeys, afterKeys] = [new Set(before.entries.map(toKey)), new Set(after.entries.map(toKey))];
  const rest = current.entries.filter(entry => beforeKeys.has(toKey(entry)) || !afterKeys.has(toKey(entry)));
  const savedSince = Map.groupBy(
    rest.filter(entry => !beforeKeys.has(toKey(entry))),
    ({ address }) => address,
  );
  const isReplaced = ({ address, chains }: Entry) =>
    savedSince.get(address)?.some(other => haveCommonChain(other.chains, chains));
  const restored = before.entries.filter(entry => !afterKeys.has(toKey(entry)) && !isReplaced(entry));
  const folders = current.folders.filter(folder => before.folders.includes(folder) || !after.folders.includes(folder));
  const restoredFolders = before.folders.filter(
    folder => !after.folders.includes(folder) && !current.folders.includes(folder),
  );
  return { entries: [...rest, ...restored], folders: [...folders, ...restoredFolders] };
}

/** All folders in alphabetical order, including those that only entries or deeper folders name. */
export function getAllFolders(states: Iterable<AddressBookState>): readonly string[] {
  const all = new Set<string>();
  const add = (folder: string) => {
    if (folder !== '' && !all.has(folder)) for (const one of getFolderWithParents(folder)) all.add(one);
  };
  for (const { entries, folders } of states) {
    for (const folder of folders) add(folder);
    for (const { folder } of entries) add(folder);
  }
  return [...all].sort();
}
