// Tree items of the Addresses view: label, icon, accessibility label and context value of each node.

import { l10n, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState, workspace } from 'vscode';
import type { SavedEntry } from '../../addressBook/entry.ts';
import { joinParts } from '../../base/displayText.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { getOrInsert } from '../../base/getOrInsert.ts';
import { commandIds } from '../../manifest/commands.ts';
import { formatRelativeTime } from '../../view/formatTime.ts';
import { type EntryText, getEntryFacts, toEntryText } from '../../view/tree/entryText.ts';
import type { TreeRow } from '../../view/tree/treeRow.ts';
import type {
  AddressTreeNode,
  EntryNode,
  FaultNode,
  GroupNode,
  MoreNode,
  RowNode,
  SectionNode,
} from './addressTreeNodes.ts';
import { createFactsTooltip } from './factsTooltip.ts';

const { Collapsed, Expanded, None } = TreeItemCollapsibleState;

const icons = new Map<string, ThemeIcon>();

/** Cached, because thousands of entries share a few icons. */
export function getThemeIcon(name: string, color: string | null = null): ThemeIcon {
  const key = `${name} ${color}`;
  return getOrInsert(icons, key, () => new ThemeIcon(name, color === null ? undefined : new ThemeColor(color)));
}

const groupIcons: Readonly<Record<string, string>> = { folder: 'folder', tag: 'tag', chain: 'link' };

function createItem(
  node: AddressTreeNode,
  label: string,
  state: TreeItemCollapsibleState,
  text: Partial<EntryText>,
): TreeItem {
  const result = new TreeItem(label, state);
  result.id = node.id;
  if (text.description) result.description = text.description;
  if (text.icon !== undefined) result.iconPath = getThemeIcon(text.icon, text.color ?? null);
  if (text.accessibilityLabel !== undefined) result.accessibilityInformation = { label: text.accessibilityLabel };
  return result;
}

function groupItem(node: GroupNode, open: boolean): TreeItem {
  const { label, count, value, grouping } = node.group;
  const result = createItem(node, label, open ? Expanded : Collapsed, {
    description: formatInteger(count),
    accessibilityLabel:
      count === 1 ? l10n.t('{0}, 1 entry', label) : l10n.t('{0}, {1} entries', label, formatInteger(count)),
    icon: groupIcons[grouping] ?? 'folder',
  });
  result.contextValue = value === null ? 'group' : `group ${grouping}`;
  result.tooltip = value ?? label;
  return result;
}

function createEntryItem(node: EntryNode, isWatched: boolean): TreeItem {
  const { entry } = node;
  const text = toEntryText(entry, workspace.isTrusted);
  const watched = isWatched && l10n.t('watched');
  const result = createItem(node, text.label, Collapsed, {
    ...text,
    description: joinParts(text.description, watched),
    accessibilityLabel: [text.accessibilityLabel, watched].filter(Boolean).join(', '),
  });
  const watching = entry.kind === 'aptos' ? '' : isWatched ? ' watched' : ' watchable';
  result.contextValue = `entry ${entry.kind} ${entry.storage.kind}${watching}`;
  return result;
}

function createSectionItem(node: SectionNode): TreeItem {
  const { section, list } = node;
  const { total, isSyncing, rows, cursor, loaded } = list.state();
  const count = total ?? (loaded && cursor === null ? rows.length : null);
  const description = [
    ...(count === null || section.request.operation === 'walletBalances' ? [] : [formatInteger(count)]),
    ...(isSyncing ? [l10n.t('syncing')] : []),
  ].join(' · ');
  const result = createItem(node, section.title, Collapsed, { description, icon: section.icon });
  result.accessibilityInformation = { label: [section.title, node.chain, description].filter(Boolean).join(', ') };
  result.contextValue = 'section';
  return result;
}

const getRowContextValue = ({ target, sections, event }: TreeRow) =>
  `row${event === undefined ? '' : ' event'}${target === null && sections === undefined ? '' : ' inspectable'}${target?.kind === 'address' ? ' savable' : ''}${target?.kind === 'transaction' ? ' transaction' : ''}`;

function createRowItem(node: RowNode): TreeItem {
  const { row } = node;
  const result = createItem(node, row.label, row.sections !== undefined ? Collapsed : None, row as EntryText);
  result.contextValue = getRowContextValue(row);
  if (row.sections === undefined && row.target !== null)
    result.command = { command: commandIds.inspectItem, title: l10n.t('Inspect'), arguments: [node] };
  return result;
}

function createMoreItem(node: MoreNode): TreeItem {
  const { busy, rows, total } = node.section.list.state();
  const label = busy === 'more' ? l10n.t('Loading…') : l10n.t('Load More');
  const count = formatInteger(rows.length);
  const description = total === null ? l10n.t('{0} shown', count) : l10n.t('{0} of {1}', count, formatInteger(total));
  const result = createItem(node, label, None, {
    description,
    accessibilityLabel: `${label}, ${description}`,
    icon: busy === 'more' ? 'loading~spin' : 'fold-down',
  });
  result.contextValue = 'more';
  result.tooltip = l10n.t('Load the next page');
  result.command = { command: commandIds.loadMore, title: label, arguments: [node] };
  return result;
}

function createFaultItem(node: FaultNode): TreeItem {
  const { fix, icon, isError: red, isRetryable: retryable, action } = node.fault;
  const isStale = node.readAt !== null;
  const label = isStale
    ? l10n.t('Read {0}. {1}', formatRelativeTime(new Date(node.readAt), Date.now()), node.fault.label)
    : node.fault.label;
  const result = createItem(node, label, fix === '' ? None : isStale ? Collapsed : Expanded, {
    icon: isStale ? 'history' : icon,
    color: isStale ? 'charts.yellow' : red ? 'charts.red' : 'charts.blue',
    accessibilityLabel: `${red ? `${l10n.t('Error')}: ` : ''}${label} ${fix}`,
  });
  result.contextValue = `fault${retryable ? ' retry' : ''}${action === null ? '' : ` ${action}`}`;
  result.tooltip = [label, fix].filter(Boolean).join('\n');
  return result;
}

export function createAddressTreeItem(
  node: AddressTreeNode,
  groupsOpen: boolean,
  isWatched: (entry: SavedEntry) => boolean,
  getChainTitle: (chain: string) => string,
): TreeItem {
  switch (node.kind) {
    case 'group':
      return groupItem(node, groupsOpen);
    case 'entry':
      return createEntryItem(node, isWatched(node.entry));
    case 'chain': {
      const title = getChainTitle(node.chain);
      const result = createItem(node, title, Collapsed, {
        icon: 'link',
        description: title === node.chain ? '' : node.chain,
      });
      result.contextValue = 'chain';
      return result;
    }
    case 'section':
      return createSectionItem(node);
    case 'row':
      return createRowItem(node);
    case 'more':
      return createMoreItem(node);
    case 'note': {
      const result = createItem(node, node.text, None, { icon: node.icon });
      result.contextValue = 'note';
      result.tooltip = node.text;
      if (node.refreshes !== undefined)
        result.command = { command: commandIds.refreshItem, title: node.text, arguments: [node.refreshes] };
      return result;
    }
    case 'fault':
      return createFaultItem(node);
  }
}

/** Adds the tooltip, which VS Code requests only for the item under the pointer. */
export function resolveAddressTreeItem(result: TreeItem, node: AddressTreeNode): TreeItem {
  if (node.kind === 'entry') result.tooltip = createFactsTooltip(node.entry.name, getEntryFacts(node.entry));
  if (node.kind === 'row') result.tooltip = createFactsTooltip(node.row.label, node.row.facts);
  if (node.kind === 'section') result.tooltip = node.section.title;
  return result;
}
