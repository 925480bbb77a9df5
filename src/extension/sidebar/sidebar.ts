// The sidebar: the trees of its three views, their commands, and their stored state.

import {
  type CancellationToken,
  commands,
  type DataTransfer,
  env,
  l10n,
  type Memento,
  type TreeView,
  window,
  workspace,
} from 'vscode';
import { toDisplayAddress } from '../../base/displayAddress.ts';
import { sanitizeText } from '../../base/displayText.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { formatFault, isFault } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { commandIds } from '../../manifest/commands.ts';
import { contextKeys, viewIds } from '../../manifest/identifiers.ts';
import { getShownItems } from '../../view/activity/activityLog.ts';
import type { Watch } from '../../view/activity/watch.ts';
import { getChainTitle } from '../../view/chainTitle.ts';
import { type Arrangement, type Grouping, groupings, type Sorting, sortings } from '../../view/tree/arrangeEntries.ts';
import type { AbiProvider } from '../abi/abiProvider.ts';
import { type ActivityNode, ActivityTree } from '../activity/activityTree.ts';
import { getWatches, pickWatches } from '../activity/watchCommands.ts';
import { Watcher } from '../activity/watcher.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import type { ApiKeys } from '../apiKeys/apiKeys.ts';
import { showErrorMessage, showInformationMessage, showWarningMessage, withProgress } from '../prompts/messages.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { AddressesTree, getSection } from './addressesTree.ts';
import { type AddressTreeNode, isAddressTreeNode, isEntryNode } from './addressTreeNodes.ts';
import { pickGrouping, pickSorting, promptFilter } from './arrangeCommands.ts';
import { createChainMonitor } from './chainMonitor.ts';
import { handleDrag } from './dragAndDrop.ts';
import { createFolder, moveIntoFolder, removeFolder, renameEntry, renameFolder } from './folderCommands.ts';
import { getInspectorTarget } from './getInspectorTarget.ts';
import { createSampleEntries } from './sampleEntries.ts';
import { createServiceTree, type ServiceTree, type ServiceTreeNode } from './serviceTree.ts';
import type { SidebarCommand } from './sidebarCommands.ts';

export interface SidebarDeps {
  readonly book: AddressBook;
  readonly worker: WorkerClient;
  readonly settings: SettingsSource;
  readonly keys: ApiKeys;
  readonly abis: AbiProvider;
  readonly log: Log;
  readonly globalState: Memento;
  readonly workspaceState: Memento;
}

export interface SidebarViews {
  readonly addresses: TreeView<AddressTreeNode>;
  readonly service: TreeView<ServiceTreeNode>;
  readonly activity: TreeView<ActivityNode>;
}

export interface Sidebar extends Disposable {
  readonly addresses: AddressesTree;
  readonly service: ServiceTree;
  readonly activity: ActivityTree;
  run(command: SidebarCommand, args: readonly unknown[]): Promise<unknown>;
  drag(nodes: readonly AddressTreeNode[], data: DataTransfer): void;
  drop(node: AddressTreeNode | undefined, data: DataTransfer, token: CancellationToken): Promise<void>;
}

/** How long the status bar shows that watching has begun. */
const STATUS_MS = 5_000;

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

export function createSidebar(
  deps: SidebarDeps,
  { addresses: view, service: serviceView, activity: activityView }: SidebarViews,
): Sidebar {
  const { book, worker, settings, log, globalState } = deps;
  const store = new DisposableStore();
  const chainMonitor = store.add(createChainMonitor(worker));
  const watcher = store.add(new Watcher({ ...deps, chainMonitor }));
  const tree = store.add(new AddressesTree({ ...deps, chainMonitor, watcher }, readArrangement(globalState)));
  const activity = store.add(new ActivityTree({ watcher, book, chainMonitor }));
  const service = store.add(createServiceTree({ ...deps, chainMonitor }));

  const updateFilter = () => {
    const { filter } = tree.arrangement();
    const { matched, total } = tree.counts();
    const isFiltered = filter.trim() !== '';
    view.message = isFiltered ? l10n.t('{0} of {1} match "{2}"', matched, total, filter.trim()) : '';
    void commands.executeCommand('setContext', contextKeys.addressesFiltered, isFiltered);
  };
  store.add(
    tree.onDidChangeArrangement(() => {
      const { grouping, sorting } = tree.arrangement();
      updateFilter();
      if (globalState.get(GROUPING_KEY) !== grouping) void globalState.update(GROUPING_KEY, grouping);
      if (globalState.get(SORTING_KEY) !== sorting) void globalState.update(SORTING_KEY, sorting);
    }),
  );
  store.add(view.onDidExpandElement(({ element }) => tree.handleExpand(element)));
  store.add(view.onDidCollapseElement(({ element }) => tree.handleCollapse(element)));
  store.add(view.onDidChangeVisibility(({ visible }) => tree.setVisible(visible)));
  tree.setVisible(view.visible);
  store.add(serviceView.onDidChangeVisibility(({ visible }) => service.setVisible(visible)));
  service.setVisible(serviceView.visible);
  // Expanding a chain queries it, even a remote one.
  store.add(serviceView.onDidExpandElement(({ element }) => void (element.chain !== null && service.refresh(element))));
  const updateBadge = () => {
    serviceView.badge = service.badge();
  };
  store.add(chainMonitor.onDidChange(updateBadge));
  store.add(chainMonitor.onDidChangeConnections(updateBadge));
  const updateActivityView = () => {
    activityView.badge = activity.badge();
    activityView.message = activity.message();
    const isWatching = watcher.watches().length > 0 || getShownItems(watcher.log()).length > 0;
    void commands.executeCommand('setContext', contextKeys.watching, isWatching);
  };
  store.add(watcher.onDidChange(updateActivityView));
  store.add(activityView.onDidChangeVisibility(({ visible }) => activity.setVisible(visible)));
  activity.setVisible(activityView.visible);
  updateActivityView();
  store.add(watcher.onDidFind(count => void notifyOfActivity(count)));
  /** Without what happened: texts from a chain could be links there. */
  const notifyOfActivity = async (count: number) => {
    if (!settings.current().watch.notify || activityView.visible) return;
    const show = l10n.t('Show');
    const text = count === 1 ? l10n.t('HexLens: 1 new activity.') : l10n.t('HexLens: {0} new activities.', count);
    if ((await showInformationMessage(text, show)) === show) await commands.executeCommand(`${viewIds.activity}.focus`);
  };
  const updateTrustMessage = () => {
    serviceView.message = workspace.isTrusted
      ? ''
      : l10n.t('Restricted Mode: nodes and compiler artifacts of this workspace are not used until you trust it.');
  };
  updateTrustMessage();
  store.add(workspace.onDidGrantWorkspaceTrust(updateTrustMessage));

  /** The nodes of a command: the arguments of a menu command, else the selection of the view. */
  const getNodes = ([node, selected]: readonly unknown[]): readonly AddressTreeNode[] => {
    if (Array.isArray(selected) && selected.length > 0) return selected.filter(isAddressTreeNode);
    return isAddressTreeNode(node) ? [node] : view.selection;
  };
  const getEntries = (nodes: readonly AddressTreeNode[]) => nodes.filter(isEntryNode).map(({ entry }) => entry);
  const getFolder = (nodes: readonly AddressTreeNode[]): string | null => {
    const [node] = nodes;
    return node?.kind === 'group' && node.group.grouping === 'folder' ? node.group.value : null;
  };
  const showProgress = (task: () => Promise<unknown>, viewId: string = viewIds.addresses) =>
    withProgress({ location: { viewId } }, task);

  const copy = async (nodes: readonly AddressTreeNode[]) => {
    const texts = nodes.flatMap(node => {
      if (node.kind === 'entry') return [toDisplayAddress(node.entry.address)];
      if (node.kind === 'row') return [node.row.copyText];
      if (node.kind === 'fault') return [[node.fault.label, node.fault.fix].filter(Boolean).join('\n')];
      return node.kind === 'group' ? [node.group.label] : [];
    });
    if (texts.length > 0) await commands.executeCommand(commandIds.copyText, texts.join('\n').slice(0, 10_000));
  };

  const explainSkipped = async (titles: string) => {
    const open = l10n.t('Open Setting');
    const text = l10n.t(
      'HexLens does not poll {0} yet: add the host of its node to {1}.',
      sanitizeText(titles, 200),
      'hexlens.watch.allowedHosts',
    );
    if ((await showWarningMessage(text, open)) === open)
      await commands.executeCommand('workbench.action.openSettings', 'hexlens.watch.allowedHosts');
  };
  const watch = async (watches: readonly Watch[]) => {
    const registry = await deps.abis.load().catch(() => null);
    const named = watches.map(one => {
      const events = one.topic0 === null || one.event !== null ? undefined : registry?.events(one.topic0);
      return { ...one, event: one.event ?? events?.workspace[0]?.name ?? events?.bundled[0]?.name ?? null };
    });
    if (named.length === 0) return;
    await watcher.setWatched(named, true);
    const chains = named.filter(one => watcher.isWatched(one)).map(one => watcher.getChains(one));
    const getTitles = (selectors: readonly string[]) =>
      [...new Set(selectors)].map(one => getChainTitle(chainMonitor.getChain(one))).join(', ');
    const polled = getTitles(chains.flatMap(one => one.polled));
    const skipped = getTitles(chains.filter(one => one.polled.length === 0).flatMap(one => one.skipped));
    if (polled !== '')
      window.setStatusBarMessage(
        l10n.t('Watching on {0}: new activity is counted on the icon of HexLens.', polled),
        STATUS_MS,
      );
    if (skipped !== '') void explainSkipped(skipped);
  };

  const run: { readonly [Name in SidebarCommand]: (args: readonly unknown[]) => Promise<unknown> | unknown } = {
    async inspectItem(args) {
      const [node] = getNodes(args);
      const target =
        node === undefined
          ? null
          : getInspectorTarget(
              node,
              worker.chains().map(({ selector }) => selector),
            );
      if (target !== null) await commands.executeCommand(commandIds.inspect, target);
    },
    refreshItem: args => showProgress(() => Promise.all(getNodes(args).map(node => tree.refresh(node)))),
    refreshAddresses: () => showProgress(() => tree.refresh()),
    copyItem: args => copy(getNodes(args)),
    async renameItem(args) {
      const nodes = getNodes(args);
      const folder = getFolder(nodes);
      const [entry] = getEntries(nodes);
      if (folder !== null) await renameFolder(book, folder);
      else if (entry !== undefined) await renameEntry(book, entry);
    },
    async removeItem(args) {
      const nodes = getNodes(args);
      const folder = getFolder(nodes);
      if (folder !== null) await removeFolder(book, folder);
      else {
        const entries = nodes.filter(isEntryNode);
        if (entries.length > 0) await commands.executeCommand(commandIds.removeAddresses, entries[0], entries);
      }
    },
    async saveItem(args) {
      const [node] = getNodes(args);
      if (node?.kind !== 'row' || node.row.target?.kind !== 'address') return;
      const { address } = node.row.target;
      const kind = node.row.sections.length > 0 ? 'collection' : undefined;
      await commands.executeCommand(commandIds.saveAddress, { address, chain: node.section.chain, kind });
    },
    async loadMore(args) {
      const [node] = getNodes(args);
      const section = node === undefined ? undefined : getSection(node);
      if (node === undefined || section === undefined) return;
      const [before] = view.selection;
      const first = await showProgress(() => tree.loadMore(section));
      // Selects the first new row, unless the user has moved the selection meanwhile.
      const [selected] = view.selection;
      if (first && view.visible && [undefined, before, node].includes(selected))
        await view.reveal(first as AddressTreeNode, { select: true, focus: true });
    },
    moveIntoFolder: args => moveIntoFolder(book, getEntries(getNodes(args))),
    newFolder: args => createFolder(book, getFolder(getNodes(args))),
    filterAddresses: () => promptFilter(tree),
    clearAddressFilter: () => tree.setArrangement({ filter: '' }),
    groupAddresses: () => pickGrouping(tree),
    sortAddresses: () => pickSorting(tree),
    async addSampleAddresses() {
      const saved = await book.add(createSampleEntries(worker.chains().map(({ selector }) => selector)), {
        kind: 'personal',
      });
      await commands.executeCommand(`${viewIds.addresses}.focus`);
      return saved.length;
    },
    async watch(args) {
      if (args[0] !== undefined) return watch(getWatches(args));
      const picked = await pickWatches(book, watcher);
      if (picked === null) return;
      if (picked.stopped.length > 0) await watcher.setWatched(picked.stopped, false);
      await watch(picked.started);
    },
    watchEvent: args => watch(getWatches(args)),
    stopWatching: args => watcher.setWatched(getWatches(args), false),
    markActivitySeen: () => activity.markSeen(),
    clearActivity: () => watcher.clear(),
    refreshService: () => showProgress(() => service.refresh(), viewIds.service),
    refreshChain: ([node]) => showProgress(() => service.refresh(node as ServiceTreeNode | undefined), viewIds.service),
    async copyServiceValue([node]) {
      const value = (node as Partial<ServiceTreeNode> | undefined)?.value ?? serviceView.selection[0]?.value;
      if (typeof value === 'string') await env.clipboard.writeText(value);
    },
  };

  return {
    addresses: tree,
    service,
    activity,
    async run(command, args) {
      try {
        await book.ready();
        return await run[command](args);
      } catch (error) {
        if (isFault(error, 'cancelled')) return undefined;
        log.warn(`${command}: ${formatFault(error)}`);
        void showErrorMessage(`HexLens: ${formatFault(error)}`);
        return undefined;
      }
    },
    drag: handleDrag,
    async drop(node, data, token) {
      const { handleDrop } = await import('./handleDrop.ts');
      await handleDrop({ ...deps, grouping: tree.arrangement().grouping }, node, data, token);
    },
    dispose: () => store.dispose(),
  };
}
