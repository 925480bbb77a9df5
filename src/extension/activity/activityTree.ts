// The tree of the Activity view: what happened to watched addresses, the newest first, and what is watched.
import { EventEmitter, l10n, ThemeIcon, TreeItem, TreeItemCollapsibleState, type ViewBadge, window } from 'vscode';
import { toDisplayAddress, toShortDisplayAddress } from '../../base/displayAddress.ts';
import { joinParts, sanitizeText, shortenHex } from '../../base/displayText.ts';
import { disposable, Owner } from '../../base/disposable.ts';
import { formatInteger } from '../../base/formatUnits.ts';
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
import { type ActivityRow, toActivityRow, toFailureGroupRow } from '../../view/activity/activityText.ts';
import { getWatchKey, type Watch } from '../../view/activity/watch.ts';
import { getChainTitle } from '../../view/chainTitle.ts';
import { toFacts } from '../../view/tree/treeRow.ts';
import type { BuildNames } from '../abi/buildNames.ts';
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
  readonly buildNames: Pick<BuildNames, 'get' | 'learn'>;
}

const { Collapsed, Expanded, None } = TreeItemCollapsibleState;

/** Ages of visible rows are updated so often. */
const REFRESH_MS = 60_000;

const MAX_PROBLEM_LENGTH = 300;

const watchesNode: ActivityNode = { kind: 'watches', id: 'watches' };

const toGroupNode = (group: ActivityGroup): ActivityNode => {
  const [item] = group;
  return group.length === 1
    ? { kind: 'activity', id: getActivityId(item), item }
    : { kind: 'failures', id: `failures ${getActivityId(item)}`, items: group };
};

function createRow(
  { label, description }: { readonly label: string; readonly description: string },
  isNew: boolean,
  state: TreeItemCollapsibleState,
): TreeItem {
  const result = new TreeItem(label, state);
  result.description = joinParts(isNew && l10n.t('new'), description);
  result.accessibilityInformation = { label: joinParts(isNew && l10n.t('new'), label, description) };
  return result;
}

export class ActivityTree extends Owner {
  readonly #deps: ActivityTreeDeps;
  readonly #changed = this.store.add(new EventEmitter<ActivityNode | undefined>());
  /** Whether the view is on screen. */
  #isVisible = false;
  /** Stays marked until the view is hidden, although it is seen. */
  readonly #markedAsNew = new Set<string>();
  /** Renders the ages of visible rows again. */
  #timer: NodeJS.Timeout | undefined;
  /** Renders names that were learned. */
  #namesTimer: NodeJS.Timeout | undefined;
  readonly onDidChange = this.#changed.event;

  readonly #getName = (address: string, chain: string): string | null =>
    this.#deps.book.getName(address, chain) ?? getWellKnownName(address) ?? this.#deps.buildNames.get(address, chain);
  readonly #getTitle = (chain: string): string => getChainTitle(this.#deps.chainMonitor.getChain(chain));

  constructor(deps: ActivityTreeDeps) {
    super();
    this.#deps = deps;
    this.store.add(
      deps.watcher.onDidChange(() => {
        this.#markShown();
        this.#refresh();
      }),
    );
    this.store.add(window.onDidChangeWindowState(() => this.#markShown()));
    this.store.add(deps.book.onDidChange(() => this.#refresh()));
    this.store.add(disposable(() => clearInterval(this.#timer)));
    this.store.add(disposable(() => clearTimeout(this.#namesTimer)));
  }

  getChildren(node?: ActivityNode): ActivityNode[] {
    const watches = this.#deps.watcher.watches();
    if (node?.kind === 'watches')
      return watches.map((watch): ActivityNode => ({ kind: 'watch', id: `watch ${getWatchKey(watch)}`, watch }));
    if (node?.kind === 'failures') return node.items.map(item => toGroupNode([item]));
    if (node !== undefined) return [];
    this.#learnNames();
    return [...this.#getGroups().map(toGroupNode), ...(watches.length > 0 ? [watchesNode] : [])];
  }

  getTreeItem(node: ActivityNode): TreeItem {
    let result: TreeItem;
    if (node.kind === 'activity') result = this.#createActivityItem(node.id, node.item);
    else if (node.kind === 'failures') result = this.#createFailuresItem(node.items);
    else if (node.kind === 'watch') result = this.#createWatchItem(node.watch);
    else {
      result = new TreeItem(
        l10n.t('Watched'),
        getShownItems(this.#deps.watcher.log()).length === 0 ? Expanded : Collapsed,
      );
      result.description = formatInteger(this.#deps.watcher.watches().length);
      result.iconPath = new ThemeIcon('eye');
      result.contextValue = 'watches';
    }
    result.id = node.id;
    return result;
  }

  getParent(node: ActivityNode): ActivityNode | null {
    if (node.kind === 'watch') return watchesNode;
    if (node.kind !== 'activity') return null;
    const group = this.#getGroups().find(
      items => items.length > 1 && items.some(item => getActivityId(item) === node.id),
    );
    return group === undefined ? null : toGroupNode(group);
  }

  resolveTreeItem(item: TreeItem, node: ActivityNode): TreeItem {
    if (node.kind === 'activity' || node.kind === 'failures') {
      const { label, facts } = node.kind === 'activity' ? this.#getRow(node.item) : this.#getGroupRow(node.items);
      item.tooltip = createFactsTooltip(label, facts);
    } else if (node.kind === 'watch') {
      const { polled, skipped } = this.#getChainTexts(node.watch);
      item.tooltip = createFactsTooltip(
        this.#getWatchedName(node.watch),
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
  }

  /** A contract has another name by the build. Several that are learned together are shown together. */
  handleNameChange(): void {
    this.#namesTimer ??= setTimeout(() => {
      this.#namesTimer = undefined;
      this.#refresh();
    });
  }

  /** What is shown while the window has the focus counts as seen. */
  setVisible(visible: boolean): void {
    if (visible === this.#isVisible) return;
    this.#isVisible = visible;
    this.#deps.watcher.setVisible(visible);
    clearInterval(this.#timer);
    if (visible) this.#timer = setInterval(() => this.#refresh(), REFRESH_MS);
    else this.#markedAsNew.clear();
    this.#markShown();
    this.#refresh();
  }

  /** Removes the marks of what is new, also of what is shown. */
  markSeen(): void {
    this.#markedAsNew.clear();
    this.#deps.watcher.markSeen();
    this.#refresh();
  }

  badge(): ViewBadge | undefined {
    const value = countNew(this.#deps.watcher.log());
    if (value === 0) return undefined;
    const tooltip = value === 1 ? l10n.t('1 new activity') : l10n.t('{0} new activities', formatInteger(value));
    return { value, tooltip };
  }

  message(): string {
    const { watcher } = this.#deps;
    const chains = watcher.watches().map(watch => watcher.getChains(watch));
    const isEmpty = getShownItems(watcher.log()).length === 0;
    const problems = watcher.getProblems();
    const isRead = chains.some(({ polled }) => polled.some(one => problems.every(({ chain }) => chain !== one)));
    const unpolled = chains.filter(({ polled }) => isEmpty || polled.length === 0).flatMap(({ skipped }) => skipped);
    const titles = [...new Set(unpolled)].map(this.#getTitle).join(', ');
    return [
      isEmpty && isRead && l10n.t('Nothing has happened since you started watching.'),
      ...problems.map(({ chain, text }) => sanitizeText(`${this.#getTitle(chain)}: ${text}`, MAX_PROBLEM_LENGTH)),
      titles !== '' &&
        l10n.t(
          'Not polled: {0}. Add the hosts of their nodes to {1}.',
          sanitizeText(titles, MAX_PROBLEM_LENGTH),
          'hexlens.watch.allowedHosts',
        ),
    ]
      .filter(Boolean)
      .join('\n');
  }

  #markShown(): void {
    if (!this.#isVisible || !window.state.focused) return;
    const shown = getShownItems(this.#deps.watcher.log()).filter(({ state }) => state === 'new');
    for (const item of shown) this.#markedAsNew.add(getActivityId(item));
    if (shown.length > 0) this.#deps.watcher.markSeen();
  }

  #refresh(): void {
    this.#changed.fire(undefined);
  }

  /** `handleNameChange` shows what is learned. */
  #learnNames(): void {
    const parties = new Map<string, string[]>();
    for (const { chain, from, to } of getShownItems(this.#deps.watcher.log())) {
      const known = parties.get(chain) ?? [];
      parties.set(chain, [...known, ...[from, to].filter(address => address !== null)]);
    }
    for (const [chain, addresses] of parties) void this.#deps.buildNames.learn(chain, addresses); // never rejects
  }

  #getGroups(): readonly ActivityGroup[] {
    return groupFailures(getShownItems(this.#deps.watcher.log()));
  }

  #getWatchedName(watch: Watch): string {
    const { polled, skipped } = this.#deps.watcher.getChains(watch);
    const name = this.#deps.book.getName(watch.address, polled[0] ?? skipped[0]);
    return sanitizeText(name ?? '') || toShortDisplayAddress(watch.address);
  }

  #getChainTexts(watch: Watch): { polled: string; skipped: string } {
    const { polled, skipped } = this.#deps.watcher.getChains(watch);
    return { polled: polled.map(this.#getTitle).join(', '), skipped: skipped.map(this.#getTitle).join(', ') };
  }

  #getRow(item: ActivityItem): ActivityRow {
    return toActivityRow(item, this.#getTitle(item.chain), this.#getName, Date.now());
  }

  #getGroupRow(items: ActivityGroup): ActivityRow {
    return toFailureGroupRow(items, this.#getTitle(items[0].chain), this.#getName, Date.now());
  }

  #createActivityItem(id: string, item: ActivityItem): TreeItem {
    const row = this.#getRow(item);
    const isNew = item.state === 'new' || this.#markedAsNew.has(id);
    const result = createRow(row, isNew, None);
    result.iconPath = getThemeIcon(item.icon, isNew || item.isFailed ? item.color : null);
    result.contextValue = 'activity';
    const { chain, hash, wallet } = item;
    const target =
      wallet === undefined ? { kind: 'transaction', chain, hash } : { kind: 'address', chain, address: wallet };
    result.command = { command: commandIds.inspect, title: l10n.t('Inspect'), arguments: [target] };
    return result;
  }

  #createFailuresItem(items: ActivityGroup): TreeItem {
    const [first] = items;
    const row = this.#getGroupRow(items);
    const isNew = items.some(item => item.state === 'new' || this.#markedAsNew.has(getActivityId(item)));
    const result = createRow(row, isNew, Collapsed);
    result.iconPath = getThemeIcon(first.icon, first.color);
    result.contextValue = 'failures';
    return result;
  }

  #createWatchItem(watch: Watch): TreeItem {
    const { polled } = this.#getChainTexts(watch);
    const name = this.#getWatchedName(watch);
    const event = watch.event === null ? watch.topic0 && shortenHex(watch.topic0) : sanitizeText(watch.event, 48);
    const result = new TreeItem(joinParts(name, event), None);
    result.iconPath = new ThemeIcon('eye');
    result.description = polled === '' ? l10n.t('on no allowed chain') : polled;
    result.accessibilityInformation = { label: `${String(result.label)}, ${result.description}` };
    result.contextValue = 'watch';
    const [chain] = this.#deps.watcher.getChains(watch).polled;
    if (chain !== undefined) {
      const target = { kind: 'address', chain, address: watch.address };
      result.command = { command: commandIds.inspect, title: l10n.t('Inspect'), arguments: [target] };
    }
    return result;
  }
}
