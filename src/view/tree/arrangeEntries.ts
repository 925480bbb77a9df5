// Groups, sorts and filters saved entries: by folder, tag, chain or not at all.

import type { Entry, SavedEntry } from '../../addressBook/entry.ts';
import { getOrInsert } from '../../base/getOrInsert.ts';
import { t } from '../../base/localize.ts';

export const groupings = ['folder', 'tag', 'chain', 'none'] as const;
export type Grouping = (typeof groupings)[number];

export const sortings = ['name', 'address', 'kind', 'saved'] as const;
export type Sorting = (typeof sortings)[number];

export interface Arrangement {
  readonly grouping: Grouping;
  readonly sorting: Sorting;
  /** Words that an entry must contain; empty: no filter. */
  readonly filter: string;
}

export interface EntryGroup {
  /** Unique and stable: grouping and path. Different while filtered, so that filtered groups are expanded. */
  readonly id: string;
  readonly grouping: Grouping;
  /** Full folder, tag or chain; `null` for entries that have none. */
  readonly value: string | null;
  readonly label: string;
  readonly groups: readonly EntryGroup[];
  readonly entries: readonly SavedEntry[];
  /** Entries in the group and all groups below. */
  readonly count: number;
}

export interface ArrangedEntries {
  /** The top level; not shown as a group itself. */
  readonly root: EntryGroup;
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
  saved: null, // order of the storage
};

const getSearchText = ({ name, address, tags, notes, folder, chains, kind }: Entry): string =>
  [name, address, ...tags, notes, folder, ...chains, kind].join('\n').toLowerCase();

/** Whether an entry contains every word: in name, address, tags, notes, folder, chains or kind. */
function createEntryFilter(filter: string): (entry: Entry) => boolean {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '');
  return words.length === 0
    ? () => true
    : entry => {
        const text = getSearchText(entry);
        return words.every(word => text.includes(word));
      };
}

interface GroupBuilder {
  readonly id: string;
  readonly grouping: Grouping;
  /** Before the ids of all groups. */
  readonly idPrefix: string;
  readonly value: string | null;
  readonly label: string;
  readonly groups: Map<string, GroupBuilder>;
  readonly entries: SavedEntry[];
}

const createBuilder = (
  { grouping, idPrefix }: Pick<GroupBuilder, 'grouping' | 'idPrefix'>,
  id: string,
  value: string | null,
  label: string,
): GroupBuilder => ({
  id: `${idPrefix}${id}`,
  grouping,
  idPrefix,
  value,
  label,
  groups: new Map(),
  entries: [],
});

function build({ groups, entries, idPrefix: _, ...group }: GroupBuilder): EntryGroup {
  // Groups without a value (no tag, every chain) are last.
  const below = [...groups.values()]
    .map(build)
    .sort((a, b) => Number(a.value === null) - Number(b.value === null) || collator.compare(a.label, b.label));
  const count = below.reduce((sum, one) => sum + one.count, entries.length);
  return { ...group, groups: below, entries, count };
}

/** The group of a folder; creates it with its parents. */
function getFolderGroup(root: GroupBuilder, folder: string): GroupBuilder {
  let group = root;
  let path = '';
  if (folder === '') return root;
  for (const name of folder.split('/')) {
    path = path === '' ? name : `${path}/${name}`;
    const next = getOrInsert(group.groups, name, () => createBuilder(root, `folder:${path}`, path, name));
    group = next;
  }
  return group;
}

function getValueGroup(root: GroupBuilder, value: string | null, label: string): GroupBuilder {
  const id = value === null ? `${root.grouping}-none` : `${root.grouping}:${value}`;
  return getOrInsert(root.groups, id, () => createBuilder(root, id, value, label));
}

/** `folders`: those to show while empty, unless there is a filter. */
export function arrangeEntries(
  entries: readonly SavedEntry[],
  folders: readonly string[],
  { grouping, sorting, filter }: Arrangement,
): ArrangedEntries {
  const idPrefix = filter.trim() === '' ? '' : '~';
  const root: GroupBuilder = { ...createBuilder({ grouping, idPrefix }, 'root', null, ''), id: 'root' };
  const matching = entries.filter(createEntryFilter(filter));
  const order = orders[sorting];
  const sorted = order === null ? matching : matching.toSorted(order);
  if (grouping === 'folder' && filter.trim() === '') for (const folder of folders) getFolderGroup(root, folder);
  for (const entry of sorted) {
    if (grouping === 'folder') getFolderGroup(root, entry.folder).entries.push(entry);
    else if (grouping === 'tag') {
      if (entry.tags.length === 0) getValueGroup(root, null, t('No tag')).entries.push(entry);
      for (const tag of entry.tags) getValueGroup(root, tag, tag).entries.push(entry);
    } else if (grouping === 'chain') {
      if (entry.chains.length === 0) getValueGroup(root, null, t('Every chain')).entries.push(entry);
      for (const chain of entry.chains) getValueGroup(root, chain, chain).entries.push(entry);
    } else root.entries.push(entry);
  }
  return { root: build(root), matchCount: matching.length, totalCount: entries.length };
}
