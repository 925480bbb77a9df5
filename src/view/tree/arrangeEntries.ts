// Saved entries as groups of groups: by folder, tag, chain or not at all, sorted and filtered. Linear in the entries.

import type { Entry, SavedEntry } from '../../addressBook/entry.ts';
import { t } from '../../base/localize.ts';

export const groupings = ['folder', 'tag', 'chain', 'none'] as const;
export type Grouping = (typeof groupings)[number];

export const sortings = ['name', 'address', 'kind', 'saved'] as const;
export type Sorting = (typeof sortings)[number];

export interface Arrangement {
  readonly grouping: Grouping;
  readonly sorting: Sorting;
  /** Words that must all be found; empty: everything is shown. */
  readonly filter: string;
}

export interface EntryGroup {
  /** Unique in the tree and stable: the grouping and the path. Others while filtered, so that they open by themselves. */
  readonly id: string;
  readonly grouping: Grouping;
  /** The whole folder, the tag, the chain; `null` for entries that have none. */
  readonly value: string | null;
  readonly label: string;
  readonly groups: readonly EntryGroup[];
  readonly entries: readonly SavedEntry[];
  /** Entries in it and in all groups below. */
  readonly count: number;
}

export interface ArrangedEntries {
  /** What stands at the top: no group itself. */
  readonly root: EntryGroup;
  /** Entries that match the filter. */
  readonly matchCount: number;
  readonly totalCount: number;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

const kindOrder: Readonly<Record<Entry['kind'], number>> = { wallet: 0, contract: 1, collection: 2, aptos: 3 };

const byName = (a: SavedEntry, b: SavedEntry) => collator.compare(a.name, b.name);
const byAddress = (a: SavedEntry, b: SavedEntry) => (a.address < b.address ? -1 : a.address > b.address ? 1 : 0);

const orders: Readonly<Record<Sorting, ((a: SavedEntry, b: SavedEntry) => number) | null>> = {
  name: byName,
  address: byAddress,
  kind: (a, b) => kindOrder[a.kind] - kindOrder[b.kind] || byName(a, b),
  saved: null, // the book's own order
};

const haystack = ({ name, address, tags, notes, folder, chains, kind }: Entry): string =>
  [name, address, ...tags, notes, folder, ...chains, kind].join('\n').toLowerCase();

/** Whether every word of the filter is somewhere in the entry: name, address, tags, notes, folder, chains, kind. */
export function createEntryFilter(filter: string): (entry: Entry) => boolean {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '');
  return words.length === 0
    ? () => true
    : entry => {
        const text = haystack(entry);
        return words.every(word => text.includes(word));
      };
}

interface Making {
  readonly id: string;
  readonly grouping: Grouping;
  /** Goes before the ids of all groups below. */
  readonly mark: string;
  readonly value: string | null;
  readonly label: string;
  readonly groups: Map<string, Making>;
  readonly entries: SavedEntry[];
}

const making = (
  { grouping, mark }: Pick<Making, 'grouping' | 'mark'>,
  id: string,
  value: string | null,
  label: string,
): Making => ({
  id: `${mark}${id}`,
  grouping,
  mark,
  value,
  label,
  groups: new Map(),
  entries: [],
});

function made({ groups, entries, mark: _, ...group }: Making): EntryGroup {
  // Groups without a value (no tag, every chain) come last.
  const below = [...groups.values()]
    .map(made)
    .sort((a, b) => Number(a.value === null) - Number(b.value === null) || collator.compare(a.label, b.label));
  const count = below.reduce((sum, one) => sum + one.count, entries.length);
  return { ...group, groups: below, entries, count };
}

/** The group of a folder, made with all that are around it. */
function folderIn(root: Making, folder: string): Making {
  let group = root;
  let path = '';
  if (folder === '') return root;
  for (const name of folder.split('/')) {
    path = path === '' ? name : `${path}/${name}`;
    let next = group.groups.get(name);
    if (next === undefined) {
      next = making(root, `folder:${path}`, path, name);
      group.groups.set(name, next);
    }
    group = next;
  }
  return group;
}

function valueIn(root: Making, value: string | null, label: string): Making {
  const id = value === null ? `${root.grouping}-none` : `${root.grouping}:${value}`;
  let group = root.groups.get(id);
  if (group === undefined) {
    group = making(root, id, value, label);
    root.groups.set(id, group);
  }
  return group;
}

/** `folders`: those that are kept though nothing is in them; shown only where nothing is filtered. */
export function arrangeEntries(
  entries: readonly SavedEntry[],
  folders: readonly string[],
  { grouping, sorting, filter }: Arrangement,
): ArrangedEntries {
  const mark = filter.trim() === '' ? '' : '~';
  const root: Making = { ...making({ grouping, mark }, 'root', null, ''), id: 'root' };
  const matching = entries.filter(createEntryFilter(filter));
  const order = orders[sorting];
  const sorted = order === null ? matching : matching.toSorted(order);
  if (grouping === 'folder' && filter.trim() === '') for (const folder of folders) folderIn(root, folder);
  for (const entry of sorted) {
    if (grouping === 'folder') folderIn(root, entry.folder).entries.push(entry);
    else if (grouping === 'tag') {
      if (entry.tags.length === 0) valueIn(root, null, t('No tag')).entries.push(entry);
      for (const tag of entry.tags) valueIn(root, tag, tag).entries.push(entry);
    } else if (grouping === 'chain') {
      if (entry.chains.length === 0) valueIn(root, null, t('Every chain')).entries.push(entry);
      for (const chain of entry.chains) valueIn(root, chain, chain).entries.push(entry);
    } else root.entries.push(entry);
  }
  return { root: made(root), matchCount: matching.length, totalCount: entries.length };
}
