// What an import would change in one storage: new, updated and unchanged entries.

import { type AddressBookState, isSameEntry } from './addressBookState.ts';
import { type Entry, haveCommonChain } from './entry.ts';

export interface PlannedEntry {
  readonly state: 'new' | 'updated' | 'same';
  /** As it would be saved. */
  readonly entry: Entry;
  /** The existing entry; `null` for new ones. */
  readonly before: Entry | null;
}

const union = (left: readonly string[], right: readonly string[]): readonly string[] => [
  ...new Set([...left, ...right]),
];

/** Appends the lines that are not there yet, so that an import never deletes notes that a person wrote. */
function mergeNotes(before: string, incoming: string): string {
  const lines = before.split('\n');
  const newLines = incoming.split('\n').filter(line => line !== '' && !lines.includes(line));
  return [...(before === '' ? [] : [before]), ...newLines].join('\n');
}

/** Non-empty fields of `incoming` win; tags, chains and notes are merged. */
export function mergeEntries(before: Entry, incoming: Entry): Entry {
  const logo = incoming.logo ?? before.logo;
  return {
    address: before.address,
    kind: incoming.kind === 'wallet' ? before.kind : incoming.kind,
    name: incoming.name,
    chains: before.chains.length === 0 || incoming.chains.length === 0 ? [] : union(before.chains, incoming.chains),
    folder: incoming.folder || before.folder,
    tags: union(before.tags, incoming.tags),
    notes: mergeNotes(before.notes, incoming.notes),
    color: incoming.color ?? before.color,
    trust: incoming.trust ?? before.trust,
    ...(logo !== undefined && { logo }),
  };
}

/**
 * One planned entry per imported entry; several for one address and chain become one. An existing entry of the same address
 * and name on other chains is the same contract, so that the chains are merged.
 */
export function planImport(state: AddressBookState, incoming: readonly Entry[]): readonly PlannedEntry[] {
  const byAddress = new Map<string, { at: number; entry: Entry }[]>();
  const planned: PlannedEntry[] = [];
  const track = (entry: Entry, at: number) => {
    const list = byAddress.get(entry.address);
    if (list === undefined) byAddress.set(entry.address, [{ at, entry }]);
    else list.push({ at, entry });
  };
  for (const entry of state.entries) track(entry, -1);
  for (const entry of incoming) {
    const match = byAddress
      .get(entry.address)
      ?.find(other => haveCommonChain(other.entry.chains, entry.chains) || other.entry.name === entry.name);
    if (match === undefined) {
      track(entry, planned.length);
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
