// The tree of the Activity view: what happened to watched addresses, the newest first, and what is watched.
import {
  type Event,
  EventEmitter,
  l10n,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  type ViewBadge,
  window,
} from 'vscode';
import { toDisplayAddress, toShortDisplayAddress } from '../../base/displayAddress.ts';
import { joinParts, sanitizeText, shortenHex } from '../../base/displayText.ts';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { isAddress } from '../../base/hex.ts';
import { getWellKnownName } from '../../detect/wellKnownName.ts';
import { commandIds } from '../../manifest/commands.ts';
import {
  type ActivityGroup,
  type ActivityItem,
  countNew,
  getActivityId,
  getShownItems,
  groupFailures,
} from '../../view/activity/activityLog.ts';
import { toActivityRow, toFailureGroupRow } from '../../view/activity/activityText.ts';
import { getWatchKey, type Watch } from '../../view/activity/watch.ts';
import { getChainTitle } from '../../view/chainTitle.ts';
import { toFacts } from '../../view/tree/treeRow.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import { getThemeIcon } from '../sidebar/addressTreeItem.ts';
import type { ChainMonitor } from '../sidebar/chainMonitor.ts';
import { createFactsTooltip } from '../sidebar/factsTooltip.ts';
import type { Watcher } from './watcher.ts';

export type ActivityNode =
  | { readonly kind: 'activity'; readonly id: string; readonly item: ActivityItem }
  | { readonly kind: 'failures'; readonly id: string; readonly items: ActivityGroup }
  | { readonly kind: 'watches'; readonly id: string }
  | { readonly kind: 'watch'; readonly id: string; readonly watch: Watch };

export interface ActivityTreeDeps {
  readonly watcher: Watcher;
  readonly book: Pick<AddressBook, 'getName' | 'onDidChange'>;
  readonly chainMonitor: Pick<ChainMonitor, 'getChain'>;
}

export interface ActivityTree extends Disposable {
  getChildren(node?: ActivityNode): ActivityNode[];
  getTreeItem(node: ActivityNode): TreeItem;
  getParent(node: ActivityNode): ActivityNode | null;
  resolveTreeItem(item: TreeItem, node: ActivityNode): TreeItem;
  /** What is shown while the window has the focus counts as seen. */
  setVisible(visible: boolean): void;
  /** Removes the marks of what is new, also of what is shown. */
  markSeen(): void;
  badge(): ViewBadge | undefined;
  message(): string;
  readonly onDidChange: Event<ActivityNode | undefined>;
}

const { Collapsed, Expanded, None } = TreeItemCollapsibleState;

/** Ages of visible rows are updated so often. */
const REFRESH_MS = 60_000;

const MAX_PROBLEM_LENGTH = 300;

const watchesNode: ActivityNode = { kind: 'watches', id: 'watches' };

export function createActivityTree({ watcher, book, chainMonitor }: ActivityTreeDeps): ActivityTree {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<ActivityNode | undefined>());
  let isVisible = false;
  /** Stays marked until the view is hidden, although it is seen. */
  const markedAsNew = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const markShown = () => {
    if (!isVisible || !window.state.focused) return;
    const shown = getShownItems(watcher.log()).filter(({ state }) => state === 'new');
    for (const item of shown) markedAsNew.add(getActivityId(item));
    if (shown.length > 0) watcher.markSeen();
  };
  const refresh = () => changed.fire(undefined);
  store.add(
    watcher.onDidChange(() => {
      markShown();
      refresh();
    }),
  );
  store.add(window.onDidChangeWindowState(markShown));
  store.add(book.onDidChange(refresh));
  store.add(disposable(() => clearInterval(timer)));

  const getName = (address: string, chain: string) =>
    book.getName(address, chain) ?? (isAddress(address) ? getWellKnownName(address) : null);
  const getGroups = () => groupFailures(getShownItems(watcher.log()));
  const toGroupNode = (group: ActivityGroup): ActivityNode => {
    const [item] = group;
    return group.length === 1
      ? { kind: 'activity', id: getActivityId(item), item }
      : { kind: 'failures', id: `failures ${getActivityId(item)}`, items: group };
  };
  const getTitle = (chain: string) => getChainTitle(chainMonitor.getChain(chain));
  const getWatchedName = (watch: Watch) => {
    const { polled, skipped } = watcher.getChains(watch);
    const name = book.getName(watch.address, polled[0] ?? skipped[0]);
    return sanitizeText(name ?? '') || toShortDisplayAddress(watch.address);
  };
  const getChainTexts = (watch: Watch) => {
    const { polled, skipped } = watcher.getChains(watch);
    return { polled: polled.map(getTitle).join(', '), skipped: skipped.map(getTitle).join(', ') };
  };

  const createActivityItem = (id: string, item: ActivityItem): TreeItem => {
    const { label, description } = toActivityRow(item, getTitle(item.chain), getName, Date.now());
    const isNew = item.state === 'new' || markedAsNew.has(id);
    const result = new TreeItem(label, None);
    result.iconPath = getThemeIcon(item.icon, isNew || item.isFailed ? item.color : null);
    result.description = joinParts(isNew && l10n.t('new'), description);
    result.accessibilityInformation = { label: joinParts(isNew && l10n.t('new'), label, description) };
    result.contextValue = 'activity';
    const { chain, hash, wallet } = item;
    const target =
      wallet === undefined ? { kind: 'transaction', chain, hash } : { kind: 'address', chain, address: wallet };
    result.command = { command: commandIds.inspect, title: l10n.t('Inspect'), arguments: [target] };
    return result;
  };
  const createFailuresItem = (items: ActivityGroup): TreeItem => {
    const [first] = items;
    const { label, description } = toFailureGroupRow(items, getTitle(first.chain), getName, Date.now());
    const isNew = items.some(item => item.state === 'new' || markedAsNew.has(getActivityId(item)));
    const result = new TreeItem(label, Collapsed);
    result.iconPath = getThemeIcon(first.icon, first.color);
    result.description = joinParts(isNew && l10n.t('new'), description);
    result.accessibilityInformation = { label: joinParts(isNew && l10n.t('new'), label, description) };
    result.contextValue = 'failures';
    return result;
  };
  const createWatchItem = (watch: Watch): TreeItem => {
    const { polled } = getChainTexts(watch);
    const name = getWatchedName(watch);
    const event = watch.event === null ? watch.topic0 && shortenHex(watch.topic0) : sanitizeText(watch.event, 48);
    const result = new TreeItem(joinParts(name, event), None);
    result.iconPath = new ThemeIcon('eye');
    result.description = polled === '' ? l10n.t('on no allowed chain') : polled;
    result.accessibilityInformation = { label: `${String(result.label)}, ${result.description}` };
    result.contextValue = 'watch';
    const [chain] = watcher.getChains(watch).polled;
    if (chain !== undefined) {
      const target = { kind: 'address', chain, address: watch.address };
      result.command = { command: commandIds.inspect, title: l10n.t('Inspect'), arguments: [target] };
    }
    return result;
  };

  return {
    getChildren(node) {
      const watches = watcher.watches();
      if (node?.kind === 'watches')
        return watches.map((watch): ActivityNode => ({ kind: 'watch', id: `watch ${getWatchKey(watch)}`, watch }));
      if (node?.kind === 'failures') return node.items.map(item => toGroupNode([item]));
      if (node !== undefined) return [];
      return [...getGroups().map(toGroupNode), ...(watches.length > 0 ? [watchesNode] : [])];
    },
    getTreeItem(node) {
      let result: TreeItem;
      if (node.kind === 'activity') result = createActivityItem(node.id, node.item);
      else if (node.kind === 'failures') result = createFailuresItem(node.items);
      else if (node.kind === 'watch') result = createWatchItem(node.watch);
      else {
        result = new TreeItem(l10n.t('Watched'), getShownItems(watcher.log()).length === 0 ? Expanded : Collapsed);
        result.description = formatInteger(watcher.watches().length);
        result.iconPath = new ThemeIcon('eye');
        result.contextValue = 'watches';
      }
      result.id = node.id;
      return result;
    },
    getParent(node) {
      if (node.kind === 'watch') return watchesNode;
      if (node.kind !== 'activity') return null;
      const group = getGroups().find(items => items.length > 1 && items.some(item => getActivityId(item) === node.id));
      return group === undefined ? null : toGroupNode(group);
    },
    resolveTreeItem(item, node) {
      if (node.kind === 'activity' || node.kind === 'failures') {
        const shown = node.kind === 'activity' ? node.item : node.items[0];
        const { chain } = shown;
        const { label, facts } = toActivityRow(shown, getTitle(chain), getName, Date.now());
        item.tooltip = createFactsTooltip(label, facts);
      } else if (node.kind === 'watch') {
        const { polled, skipped } = getChainTexts(node.watch);
        item.tooltip = createFactsTooltip(
          getWatchedName(node.watch),
          toFacts([
            [l10n.t('Address'), toDisplayAddress(node.watch.address)],
            [l10n.t('Event'), node.watch.event ?? node.watch.topic0],
            [l10n.t('Chains'), polled],
            [
              l10n.t('Other machines'),
              l10n.t('incoming payments as a change of the balance where a node has no index by address'),
            ],
            [l10n.t('Not in hexlens.watch.allowedHosts'), skipped],
          ]),
        );
      }
      return item;
    },
    setVisible(visible) {
      if (visible === isVisible) return;
      isVisible = visible;
      watcher.setVisible(visible);
      clearInterval(timer);
      if (visible) timer = setInterval(refresh, REFRESH_MS);
      else markedAsNew.clear();
      markShown();
      refresh();
    },
    markSeen() {
      markedAsNew.clear();
      watcher.markSeen();
      refresh();
    },
    badge() {
      const value = countNew(watcher.log());
      if (value === 0) return undefined;
      const tooltip = value === 1 ? l10n.t('1 new activity') : l10n.t('{0} new activities', formatInteger(value));
      return { value, tooltip };
    },
    message() {
      const chains = watcher.watches().map(watcher.getChains);
      const isEmpty = getShownItems(watcher.log()).length === 0;
      const problems = watcher.getProblems();
      const isRead = chains.some(({ polled }) => polled.some(one => problems.every(({ chain }) => chain !== one)));
      const unpolled = chains.filter(({ polled }) => isEmpty || polled.length === 0).flatMap(({ skipped }) => skipped);
      const titles = [...new Set(unpolled)].map(getTitle).join(', ');
      return [
        isEmpty && isRead && l10n.t('Nothing has happened since you started watching.'),
        ...problems.map(({ chain, text }) => sanitizeText(`${getTitle(chain)}: ${text}`, MAX_PROBLEM_LENGTH)),
        titles !== '' &&
          l10n.t(
            'Not polled: {0}. Add the hosts of their nodes to {1}.',
            sanitizeText(titles, MAX_PROBLEM_LENGTH),
            'hexlens.watch.allowedHosts',
          ),
      ]
        .filter(Boolean)
        .join('\n');
    },
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}
