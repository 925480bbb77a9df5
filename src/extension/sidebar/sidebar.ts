// The sidebar behind its two views: trees, commands, what is remembered. Loaded when a view is first looked at.
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
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { formatFault, isFault } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { commandIds } from '../../manifest/commands.ts';
import { contextKeys } from '../../manifest/contextKeys.ts';
import { viewIds } from '../../manifest/viewIds.ts';
import { type Arrangement, type Grouping, groupings, type Sorting, sortings } from '../../view/tree/arrangeEntries.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import type { ApiKeys } from '../apiKeys/apiKeys.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { type AddressesTree, createAddressesTree, getSection } from './addressesTree.ts';
import { type AddressTreeNode, isAddressTreeNode, isEntryNode } from './addressTreeNodes.ts';
import { pickGrouping, pickSorting, promptFilter } from './arrangeCommands.ts';
import { createChainMonitor } from './chainMonitor.ts';
import { formatNodeAddress, handleDrag, handleDrop } from './dragAndDrop.ts';
import { createFolder, moveIntoFolder, removeFolder, renameEntry, renameFolder } from './folderCommands.ts';
import { getInspectorTarget } from './getInspectorTarget.ts';
import { createSampleEntries } from './sampleEntries.ts';
import { createServiceTree, type ServiceTree, type ServiceTreeNode } from './serviceTree.ts';
import type { SidebarCommand } from './sidebarCommands.ts';

export interface SidebarDeps {
  readonly book: AddressBook;
  readonly backend: WorkerClient;
  readonly settings: SettingsSource;
  readonly keys: ApiKeys;
  readonly log: Log;
  readonly globalState: Memento;
}

export interface SidebarViews {
  readonly addresses: TreeView<AddressTreeNode>;
  readonly service: TreeView<ServiceTreeNode>;
}

export interface Sidebar extends Disposable {
  readonly addresses: AddressesTree;
  readonly service: ServiceTree;
  run(command: SidebarCommand, args: readonly unknown[]): Promise<unknown>;
  drag(nodes: readonly AddressTreeNode[], data: DataTransfer): void;
  drop(node: AddressTreeNode | undefined, data: DataTransfer, token: CancellationToken): Promise<void>;
}

const GROUPING_KEY = 'hexlens.addresses.grouping';
const SORTING_KEY = 'hexlens.addresses.sorting';

/** What a state of an older or newer version, or another program's, may hold: only known words count. */
const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find(known => known === value);

const remembered = (state: Memento): Arrangement => ({
  grouping: oneOf<Grouping>(groupings, state.get(GROUPING_KEY)) ?? 'folder',
  sorting: oneOf<Sorting>(sortings, state.get(SORTING_KEY)) ?? 'name',
  filter: '',
});

export function createSidebar(deps: SidebarDeps, { addresses: view, service: serviceView }: SidebarViews): Sidebar {
  const { book, backend, log, globalState } = deps;
  const store = new DisposableStore();
  const watch = store.add(createChainMonitor(backend));
  const tree = store.add(createAddressesTree({ ...deps, watch }, remembered(globalState)));
  const service = store.add(createServiceTree({ ...deps, watch }));

  const tellFilter = () => {
    const { filter } = tree.arrangement();
    const { matched, total } = tree.counts();
    const filtered = filter.trim() !== '';
    view.message = filtered ? l10n.t('{0} of {1} match "{2}"', matched, total, filter.trim()) : '';
    void commands.executeCommand('setContext', contextKeys.addressesFiltered, filtered);
  };
  store.add(
    tree.onDidChangeArrangement(() => {
      const { grouping, sorting } = tree.arrangement();
      tellFilter();
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
  // Somebody who opens a chain wants to know; a node of this machine is asked anyway.
  store.add(serviceView.onDidExpandElement(({ element }) => void (element.chain !== null && service.refresh(element))));
  const tellBadge = () => {
    serviceView.badge = service.badge();
  };
  store.add(watch.onDidChange(tellBadge));
  store.add(watch.onDidChangeConnections(tellBadge));
  const tellTrust = () => {
    serviceView.message = workspace.isTrusted
      ? ''
      : l10n.t('Restricted Mode: nodes and compiler artifacts of this workspace are not used until you trust it.');
  };
  tellTrust();
  store.add(workspace.onDidGrantWorkspaceTrust(tellTrust));

  /** What a command is about: the argument of a menu with the whole selection, or the selection alone. */
  const chosen = ([node, selected]: readonly unknown[]): readonly AddressTreeNode[] => {
    if (Array.isArray(selected) && selected.length > 0) return selected.filter(isAddressTreeNode);
    return isAddressTreeNode(node) ? [node] : view.selection;
  };
  const entriesOf = (nodes: readonly AddressTreeNode[]) => nodes.filter(isEntryNode).map(({ entry }) => entry);
  const folderOf = (nodes: readonly AddressTreeNode[]): string | null => {
    const [node] = nodes;
    return node?.kind === 'group' && node.group.grouping === 'folder' ? node.group.value : null;
  };
  const waiting = (work: () => Promise<unknown>, viewId: string = viewIds.addresses) =>
    window.withProgress({ location: { viewId } }, work);

  const copy = async (nodes: readonly AddressTreeNode[]) => {
    const texts = nodes.flatMap(node => {
      if (node.kind === 'entry') return [formatNodeAddress(node.entry)];
      if (node.kind === 'row') return [node.row.copyText];
      if (node.kind === 'fault') return [[node.fault.label, node.fault.fix].filter(Boolean).join('\n')];
      return node.kind === 'group' ? [node.group.label] : [];
    });
    if (texts.length > 0) await commands.executeCommand(commandIds.copyText, texts.join('\n').slice(0, 10_000));
  };

  const run: { readonly [Name in SidebarCommand]: (args: readonly unknown[]) => Promise<unknown> | unknown } = {
    async inspectItem(args) {
      const [node] = chosen(args);
      const target =
        node === undefined
          ? null
          : getInspectorTarget(
              node,
              backend.chains().map(({ selector }) => selector),
            );
      if (target !== null) await commands.executeCommand(commandIds.inspect, target);
    },
    refreshItem: args => waiting(() => Promise.all(chosen(args).map(node => tree.refresh(node)))),
    refreshAddresses: () => waiting(() => tree.refresh()),
    copyItem: args => copy(chosen(args)),
    async renameItem(args) {
      const nodes = chosen(args);
      const folder = folderOf(nodes);
      const [entry] = entriesOf(nodes);
      if (folder !== null) await renameFolder(book, folder);
      else if (entry !== undefined) await renameEntry(book, entry);
    },
    async removeItem(args) {
      const nodes = chosen(args);
      const folder = folderOf(nodes);
      if (folder !== null) await removeFolder(book, folder);
      else {
        const entries = nodes.filter(isEntryNode);
        if (entries.length > 0) await commands.executeCommand(commandIds.removeAddresses, entries[0], entries);
      }
    },
    async saveItem(args) {
      const [node] = chosen(args);
      if (node?.kind !== 'row' || node.row.target?.kind !== 'address') return;
      const { address } = node.row.target;
      const kind = node.row.sections.length > 0 ? 'collection' : undefined;
      await commands.executeCommand(commandIds.saveAddress, { address, chain: node.section.chain, kind });
    },
    async loadMore(args) {
      const [node] = chosen(args);
      const section = node === undefined ? undefined : getSection(node);
      if (node === undefined || section === undefined) return;
      const [before] = view.selection;
      const first = await waiting(() => tree.loadMore(section));
      // Who still stands where the button was goes on reading from the first new line.
      const [selected] = view.selection;
      if (first && view.visible && [undefined, before, node].includes(selected))
        await view.reveal(first as AddressTreeNode, { select: true, focus: true });
    },
    moveIntoFolder: args => moveIntoFolder(book, entriesOf(chosen(args))),
    newFolder: args => createFolder(book, folderOf(chosen(args))),
    filterAddresses: () => promptFilter(tree),
    clearAddressFilter: () => tree.setArrangement({ filter: '' }),
    groupAddresses: () => pickGrouping(tree),
    sortAddresses: () => pickSorting(tree),
    async addSampleAddresses() {
      const saved = await book.add(createSampleEntries(backend.chains().map(({ selector }) => selector)), {
        kind: 'personal',
      });
      await commands.executeCommand(`${viewIds.addresses}.focus`);
      return saved.length;
    },
    refreshService: () => waiting(() => service.refresh(), viewIds.service),
    refreshChain: ([node]) => waiting(() => service.refresh(node as ServiceTreeNode | undefined), viewIds.service),
    async copyServiceValue([node]) {
      const value = (node as Partial<ServiceTreeNode> | undefined)?.value ?? serviceView.selection[0]?.value;
      if (typeof value === 'string') await env.clipboard.writeText(value);
    },
  };

  return {
    addresses: tree,
    service,
    async run(command, args) {
      try {
        await book.ready();
        return await run[command](args);
      } catch (error) {
        if (isFault(error, 'cancelled')) return undefined;
        log.warn(`${command}: ${formatFault(error)}`);
        void window.showErrorMessage(`HexLens: ${formatFault(error)}`);
        return undefined;
      }
    },
    drag: handleDrag,
    drop: (node, data, token) => handleDrop({ ...deps, grouping: tree.arrangement().grouping }, node, data, token),
    dispose: () => store.dispose(),
  };
}
