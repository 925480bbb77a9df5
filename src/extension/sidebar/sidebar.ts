// The sidebar: the trees of its three views, their commands, and their stored state.
import { type CancellationToken, commands, type DataTransfer, l10n, type Memento, workspace } from 'vscode';
import { Owner } from '../../base/disposable.ts';
import { formatFault, isFault } from '../../base/errors.ts';
import { contextKeys, viewIds } from '../../manifest/identifiers.ts';
import { getShownItems } from '../../view/activity/activityLog.ts';
import { type Arrangement, type Grouping, groupings, type Sorting, sortings } from '../../view/tree/arrangeEntries.ts';
import { type BuildNames, createBuildNames } from '../abi/buildNames.ts';
import { ActivityTree } from '../activity/activityTree.ts';
import { Watcher } from '../activity/watcher.ts';
import { showErrorMessage, showInformationMessage } from '../prompts/showMessage.ts';
import { AddressesTree } from './addressesTree.ts';
import type { AddressTreeNode } from './addressTreeNodes.ts';
import { ChainMonitor } from './chainMonitor.ts';
import { handleDrag } from './dragAndDrop.ts';
import { ServiceTree } from './serviceTree.ts';
import { type SidebarDeps, type SidebarParts, type SidebarViews, sidebarActions } from './sidebarActions.ts';
import type { SidebarCommand } from './sidebarCommands.ts';

const GROUPING_KEY = 'hexlens.addresses.grouping';
const SORTING_KEY = 'hexlens.addresses.sorting';

/** Ignores stored values of other versions. */
const parseOneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find(candidate => candidate === value);

const readArrangement = (state: Memento): Arrangement => ({
  grouping: parseOneOf<Grouping>(groupings, state.get(GROUPING_KEY)) ?? 'folder',
  sorting: parseOneOf<Sorting>(sortings, state.get(SORTING_KEY)) ?? 'name',
  filter: '',
});

export class Sidebar extends Owner {
  readonly #parts: SidebarParts;
  readonly addresses: AddressesTree;
  readonly service: ServiceTree;
  readonly activity: ActivityTree;
  readonly drag = handleDrag;

  constructor(deps: SidebarDeps, views: SidebarViews) {
    super();
    const chainMonitor = this.store.add(new ChainMonitor(deps.worker));
    const buildNames = createBuildNames(deps, () => this.activity.handleNameChange());
    const watcher = this.store.add(new Watcher({ ...deps, chainMonitor, buildNames }));
    const arrangement = readArrangement(deps.globalState);
    this.addresses = this.store.add(new AddressesTree({ ...deps, chainMonitor, watcher }, arrangement));
    this.activity = this.store.add(new ActivityTree({ watcher, book: deps.book, chainMonitor, buildNames }));
    this.service = this.store.add(new ServiceTree({ ...deps, chainMonitor }));
    const { addresses, service, activity } = this;
    this.#parts = { deps, views, chainMonitor, watcher, addresses, service, activity };
    this.#forgetBuildNames(buildNames);
    this.#connectAddresses();
    this.#connectService();
    this.#connectActivity();
  }

  async run(command: SidebarCommand, args: readonly unknown[]): Promise<unknown> {
    const { book, log } = this.#parts.deps;
    try {
      await book.ready();
      return await sidebarActions[command](this.#parts, args);
    } catch (error) {
      if (isFault(error, 'cancelled')) return undefined;
      log.warn(`${command}: ${formatFault(error)}`);
      void showErrorMessage(`HexLens: ${formatFault(error)}`);
      return undefined;
    }
  }

  async drop(node: AddressTreeNode | undefined, data: DataTransfer, token: CancellationToken): Promise<void> {
    const { handleDrop } = await import('./handleDrop.ts');
    await handleDrop({ ...this.#parts.deps, grouping: this.addresses.arrangement().grouping }, node, data, token);
  }

  /** Other artifacts or nodes give other names. */
  #forgetBuildNames(buildNames: BuildNames): void {
    const forget = () => {
      buildNames.clear();
      this.activity.handleNameChange();
    };
    this.store.add(this.#parts.deps.worker.onDidChangeConnections(forget));
    this.store.add(this.#parts.deps.abis.onDidChange(forget));
  }

  #connectAddresses(): void {
    const view = this.#parts.views.addresses;
    const { globalState } = this.#parts.deps;
    const tree = this.addresses;
    this.store.add(
      tree.onDidChangeArrangement(() => {
        const { grouping, sorting } = tree.arrangement();
        this.#updateFilter();
        if (globalState.get(GROUPING_KEY) !== grouping) void globalState.update(GROUPING_KEY, grouping);
        if (globalState.get(SORTING_KEY) !== sorting) void globalState.update(SORTING_KEY, sorting);
      }),
    );
    this.store.add(view.onDidExpandElement(({ element }) => tree.handleExpand(element)));
    this.store.add(view.onDidCollapseElement(({ element }) => tree.handleCollapse(element)));
    this.store.add(view.onDidChangeVisibility(({ visible }) => tree.setVisible(visible)));
    tree.setVisible(view.visible);
  }

  #connectService(): void {
    const { chainMonitor, views } = this.#parts;
    const view = views.service;
    this.store.add(view.onDidChangeVisibility(({ visible }) => this.service.setVisible(visible)));
    this.service.setVisible(view.visible);
    // Expanding a chain queries it, even a remote one.
    this.store.add(
      view.onDidExpandElement(({ element }) => void (element.chain !== null && this.service.refresh(element))),
    );
    const updateBadge = () => {
      view.badge = this.service.badge();
    };
    this.store.add(chainMonitor.onDidChange(updateBadge));
    this.store.add(chainMonitor.onDidChangeConnections(updateBadge));
    const updateMessage = () => {
      view.message = workspace.isTrusted
        ? ''
        : l10n.t('Restricted Mode: nodes and compiler artifacts of this workspace are not used until you trust it.');
    };
    updateMessage();
    this.store.add(workspace.onDidGrantWorkspaceTrust(updateMessage));
  }

  #connectActivity(): void {
    const { watcher, views } = this.#parts;
    this.store.add(watcher.onDidChange(() => this.#updateActivity()));
    this.store.add(views.activity.onDidChangeVisibility(({ visible }) => this.activity.setVisible(visible)));
    this.activity.setVisible(views.activity.visible);
    this.#updateActivity();
    this.store.add(watcher.onDidFind(count => void this.#notifyOfActivity(count)));
  }

  #updateFilter(): void {
    const { filter } = this.addresses.arrangement();
    const { matched, total } = this.addresses.counts();
    const isFiltered = filter.trim() !== '';
    this.#parts.views.addresses.message = isFiltered
      ? l10n.t('{0} of {1} match "{2}"', matched, total, filter.trim())
      : '';
    void commands.executeCommand('setContext', contextKeys.addressesFiltered, isFiltered);
  }

  #updateActivity(): void {
    const { watcher, views } = this.#parts;
    views.activity.badge = this.activity.badge();
    views.activity.message = this.activity.message();
    const isWatching = watcher.watches().length > 0 || getShownItems(watcher.log()).length > 0;
    void commands.executeCommand('setContext', contextKeys.watching, isWatching);
  }

  /** Without what happened: texts from a chain could be links there. */
  async #notifyOfActivity(count: number): Promise<void> {
    const { deps, views } = this.#parts;
    if (!deps.settings.current().watch.notify || views.activity.visible) return;
    const show = l10n.t('Show');
    const text = count === 1 ? l10n.t('HexLens: 1 new activity.') : l10n.t('HexLens: {0} new activities.', count);
    if ((await showInformationMessage(text, show)) === show) await commands.executeCommand(`${viewIds.activity}.focus`);
  }
}
