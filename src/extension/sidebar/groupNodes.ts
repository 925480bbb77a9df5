// Groups and entries as nodes: made when they are looked at, kept while they are the same, so that changes stay small.
import type { SavedEntry } from '../../addressBook/entry.ts';
import type { EntryGroup } from '../../view/tree/arrangeEntries.ts';
import type { AddressTreeNode, EntryNode, GroupNode } from './addressTreeNodes.ts';

const sameList = (a: readonly string[], b: readonly string[]) =>
  a === b || (a.length === b.length && a.every((item, at) => item === b[at]));

/** Whether the tree has nothing new to say of an entry. */
function sameEntry(a: SavedEntry, b: SavedEntry): boolean {
  if (a === b) return true;
  return (
    a.id === b.id &&
    a.name === b.name &&
    a.kind === b.kind &&
    a.folder === b.folder &&
    a.color === b.color &&
    a.mark === b.mark &&
    a.notes === b.notes &&
    sameList(a.tags, b.tags) &&
    sameList(a.chains, b.chains)
  );
}

/** What is below an entry depends on these. */
const sameQuestions = (a: SavedEntry, b: SavedEntry) => a.kind === b.kind && sameList(a.chains, b.chains);

/** The children of a group; nodes of `before` are taken over by id. */
export function getGroupChildren(
  node: GroupNode,
  before: readonly AddressTreeNode[] | null,
): readonly AddressTreeNode[] {
  const known = new Map((before ?? []).map(child => [child.id, child]));
  const { groups, entries, id } = node.group;
  const parent = id === 'root' ? null : node;
  return [
    ...groups.map((group): GroupNode => {
      const old = known.get(group.id);
      if (old?.kind !== 'group') return { kind: 'group', id: group.id, parent, group, children: null };
      old.group = group;
      return old;
    }),
    ...entries.map((entry): EntryNode => {
      const childId = `${id}/${entry.id}`;
      const old = known.get(childId);
      if (old?.kind !== 'entry') return { kind: 'entry', id: childId, parent, entry, children: null };
      if (!sameQuestions(old.entry, entry)) old.children = null;
      old.entry = entry;
      return old;
    }),
  ];
}

/**
 * Brings the nodes that were looked at to a new arrangement. Adds the nodes that must be told of to `changed`: a group
 * whose children or count differ, an entry that reads differently.
 */
export function updateGroup(node: GroupNode, next: EntryGroup, changed: AddressTreeNode[]): void {
  const before = node.group;
  const children = node.children;
  const entriesBefore = new Map<string, SavedEntry>();
  for (const child of children ?? []) if (child.kind === 'entry') entriesBefore.set(child.id, child.entry);
  const groupsBefore = new Map(
    (children ?? []).flatMap(child => (child.kind === 'group' ? [[child.id, child.group] as const] : [])),
  );
  node.group = next;
  if (children === null) {
    if (before.count !== next.count || before.label !== next.label) changed.push(node);
    return;
  }
  const after = getGroupChildren(node, children);
  const sameOrder = after.length === children.length && after.every((child, at) => child === children[at]);
  node.children = sameOrder ? children : after;
  // A group that is told of is drawn with all that is below it: no need to name its children too.
  const reads = node.id === 'root' || (before.count === next.count && before.label === next.label);
  const whole = !sameOrder || !reads;
  if (whole) changed.push(node);
  for (const child of after) {
    if (child.kind === 'group') {
      const old = groupsBefore.get(child.id);
      const now = child.group;
      if (old === undefined) continue;
      child.group = old;
      updateGroup(child, now, whole ? [] : changed);
    } else if (child.kind === 'entry' && !whole) {
      const old = entriesBefore.get(child.id);
      if (old !== undefined && !sameEntry(old, child.entry)) changed.push(child);
    }
  }
}
