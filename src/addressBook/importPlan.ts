// What an import would do to one place: what is new, what changes, what is there already.

import { type AddressBookState, isSameEntry } from './addressBookState.ts';
import { type Entry, haveCommonChain } from './entry.ts';

export interface PlannedEntry {
  readonly state: 'new' | 'updated' | 'same';
  /** As it would be saved. */
  readonly entry: Entry;
  /** What it was; `null` for new ones. */
  readonly before: Entry | null;
}

const union = (left: readonly string[], right: readonly string[]): readonly string[] => [
  ...new Set([...left, ...right]),
];

/** Lines that are not there yet come behind: what somebody wrote is not lost to what a tool says. */
function joinedNotes(before: string, incoming: string): string {
  const lines = before.split('\n');
  const more = incoming.split('\n').filter(line => line !== '' && !lines.includes(line));
  return [...(before === '' ? [] : [before]), ...more].join('\n');
}

/** What comes in counts where it says something; tags, chains and notes are put together. */
export function mergeEntries(before: Entry, incoming: Entry): Entry {
  return {
    address: before.address,
    kind: incoming.kind === 'wallet' ? before.kind : incoming.kind,
    name: incoming.name,
    chains: before.chains.length === 0 || incoming.chains.length === 0 ? [] : union(before.chains, incoming.chains),
    folder: incoming.folder || before.folder,
    tags: union(before.tags, incoming.tags),
    notes: joinedNotes(before.notes, incoming.notes),
    color: incoming.color ?? before.color,
    mark: incoming.mark ?? before.mark,
  };
}

/**
 * One planned entry per entry of the import; several for one address and chain become one. An address that is there under
 * the same name on other chains is the same contract there.
 */
export function planImport(shelf: AddressBookState, incoming: readonly Entry[]): readonly PlannedEntry[] {
  const known = new Map<string, { at: number; entry: Entry }[]>();
  const planned: PlannedEntry[] = [];
  const remember = (entry: Entry, at: number) => {
    const list = known.get(entry.address);
    if (list === undefined) known.set(entry.address, [{ at, entry }]);
    else list.push({ at, entry });
  };
  for (const entry of shelf.entries) remember(entry, -1);
  for (const entry of incoming) {
    const match = known
      .get(entry.address)
      ?.find(other => haveCommonChain(other.entry.chains, entry.chains) || other.entry.name === entry.name);
    if (match === undefined) {
      remember(entry, planned.length);
      planned.push({ state: 'new', entry, before: null });
      continue;
    }
    const merged = mergeEntries(match.entry, entry);
    const earlier = planned[match.at];
    const before = earlier === undefined ? match.entry : earlier.before;
    const state = before === null ? 'new' : isSameEntry(before, merged) ? 'same' : 'updated';
    if (earlier === undefined) match.at = planned.length;
    planned[match.at] = { state, entry: merged, before };
    match.entry = merged;
  }
  return planned;
}
