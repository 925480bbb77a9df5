// What the commands of the sidebar do.

import { commands, env, l10n, type TreeView, window } from 'vscode';
import type { Entry, EntryKind } from '../../addressBook/entry.ts';
import { toDisplayAddress } from '../../base/displayAddress.ts';
import { sanitizeText } from '../../base/displayText.ts';
import { t } from '../../base/localize.ts';
import { getDevelopmentAccounts } from '../../detect/developmentAccounts.ts';
import { commandIds } from '../../manifest/commands.ts';
import { viewIds } from '../../manifest/identifiers.ts';
import type { Watch } from '../../view/activity/watch.ts';
import { getChainTitle } from '../../view/chainTitle.ts';
import type { ActivityNode, ActivityTree } from '../activity/activityTree.ts';
import { getWatches, pickWatches } from '../activity/watchCommands.ts';
import type { Watcher } from '../activity/watcher.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { showWarningMessage, withProgress } from '../prompts/showMessage.ts';
import { type AddressesTree, getSection } from './addressesTree.ts';
import { type AddressTreeNode, isAddressTreeNode, isEntryNode } from './addressTreeNodes.ts';
import { pickGrouping, pickSorting, promptFilter } from './arrangeCommands.ts';
import type { ChainMonitor } from './chainMonitor.ts';
import { createFolder, moveIntoFolder, removeFolder, renameEntry, renameFolder } from './folderCommands.ts';
import { getInspectorTarget } from './getInspectorTarget.ts';
import type { ServiceTree, ServiceTreeNode } from './serviceTree.ts';
import type { SidebarCommand } from './sidebarCommands.ts';

const createSample = (kind: EntryKind, name: string, address: string, chain: string, notes: string): Entry => ({
  address: address.toLowerCase(),
  kind,
  name,
  chains: [chain],
  folder: t('Samples'),
  tags: ['sample'],
  notes,
  color: null,
  trust: null,
});

const DEVELOPMENT_ACCOUNTS = 3;

/** Samples on the configured chains; those of the dev chain if there are none. */
function createSampleEntries(chains: readonly string[]): readonly Entry[] {
  const all = [
    ...getDevelopmentAccounts()
      .slice(0, DEVELOPMENT_ACCOUNTS)
      .map(({ address, name }) =>
        createSample(
          'wallet',
          name,
          address,
          'local',
          t('Unlocked on every Anvil and Hardhat chain; its key is public.'),
        ),
      ),
    createSample(
      'contract',
      'USD Coin',
      '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      'eth',
      t('ERC-20 with 6 decimals.'),
    ),
    createSample('collection', 'Bored Ape Yacht Club', '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D', 'eth', 'ERC-721.'),
  ];
  const onConfiguredChains = all.filter(entry => entry.chains.some(chain => chains.includes(chain)));
  return onConfiguredChains.length > 0 ? onConfiguredChains : all.filter(entry => entry.chains.includes('local'));
}

export type SidebarDeps = Pick<
  FeatureDeps,
  'book' | 'worker' | 'settings' | 'keys' | 'abis' | 'log' | 'globalState' | 'workspaceState'
>;

export interface SidebarViews {
  readonly addresses: TreeView<AddressTreeNode>;
  readonly service: TreeView<ServiceTreeNode>;
  readonly activity: TreeView<ActivityNode>;
}

/** What there is one of in a window. */
export interface SidebarParts {
  readonly deps: SidebarDeps;
  readonly views: SidebarViews;
  readonly chainMonitor: ChainMonitor;
  readonly watcher: Watcher;
  readonly addresses: AddressesTree;
  readonly service: ServiceTree;
  readonly activity: ActivityTree;
}

/** How long the status bar shows that watching has begun. */
const STATUS_MS = 5_000;

/** The nodes of a command: the arguments of a menu command, else the selection of the view. */
function getNodes([node, selected]: readonly unknown[], { addresses }: SidebarViews): readonly AddressTreeNode[] {
  if (Array.isArray(selected) && selected.length > 0) return selected.filter(isAddressTreeNode);
  return isAddressTreeNode(node) ? [node] : addresses.selection;
}

const getEntries = (nodes: readonly AddressTreeNode[]) => nodes.filter(isEntryNode).map(({ entry }) => entry);

const getFolder = (nodes: readonly AddressTreeNode[]): string | null => {
  const [node] = nodes;
  return node?.kind === 'group' && node.group.grouping === 'folder' ? node.group.value : null;
};

const showProgress = <T>(task: () => Promise<T>, viewId: string = viewIds.addresses) =>
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

/** Watches, and says on which chains. */
async function watch(watches: readonly Watch[], { deps, watcher, chainMonitor }: SidebarParts): Promise<void> {
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
}

export const sidebarActions: {
  readonly [Name in SidebarCommand]: (parts: SidebarParts, args: readonly unknown[]) => Promise<unknown> | unknown;
} = {
  async inspectItem({ deps, views }, args) {
    const [node] = getNodes(args, views);
    const chains = deps.worker.chains().map(({ selector }) => selector);
    const target = node === undefined ? null : getInspectorTarget(node, chains);
    if (target !== null) await commands.executeCommand(commandIds.inspect, target);
  },
  refreshItem: ({ views, addresses }, args) =>
    showProgress(() => Promise.all(getNodes(args, views).map(node => addresses.refresh(node)))),
  refreshAddresses: ({ addresses }) => showProgress(() => addresses.refresh()),
  copyItem: ({ views }, args) => copy(getNodes(args, views)),
  async renameItem({ deps, views }, args) {
    const nodes = getNodes(args, views);
    const folder = getFolder(nodes);
    const [entry] = getEntries(nodes);
    if (folder !== null) await renameFolder(deps.book, folder);
    else if (entry !== undefined) await renameEntry(deps.book, entry);
  },
  async removeItem({ deps, views }, args) {
    const nodes = getNodes(args, views);
    const folder = getFolder(nodes);
    if (folder !== null) return removeFolder(deps.book, folder);
    const entries = nodes.filter(isEntryNode);
    if (entries.length > 0) await commands.executeCommand(commandIds.removeAddresses, entries[0], entries);
  },
  async saveItem({ views }, args) {
    const [node] = getNodes(args, views);
    if (node?.kind !== 'row' || node.row.target?.kind !== 'address') return;
    const { address } = node.row.target;
    const kind = node.row.sections !== undefined ? 'collection' : undefined;
    await commands.executeCommand(commandIds.saveAddress, { address, chain: node.section.chain, kind });
  },
  async loadMore({ views, addresses }, args) {
    const view = views.addresses;
    const [node] = getNodes(args, views);
    const section = node === undefined ? undefined : getSection(node);
    if (node === undefined || section === undefined) return;
    const [before] = view.selection;
    const first = await showProgress(() => addresses.loadMore(section));
    // Selects the first new row, unless the user has moved the selection meanwhile.
    const [selected] = view.selection;
    if (first && view.visible && [undefined, before, node].includes(selected))
      await view.reveal(first, { select: true, focus: true });
  },
  moveIntoFolder: ({ deps, views }, args) => moveIntoFolder(deps.book, getEntries(getNodes(args, views))),
  newFolder: ({ deps, views }, args) => createFolder(deps.book, getFolder(getNodes(args, views))),
  filterAddresses: ({ addresses }) => promptFilter(addresses),
  clearAddressFilter: ({ addresses }) => addresses.setArrangement({ filter: '' }),
  groupAddresses: ({ addresses }) => pickGrouping(addresses),
  sortAddresses: ({ addresses }) => pickSorting(addresses),
  async addSampleAddresses({ deps }) {
    const samples = createSampleEntries(deps.worker.chains().map(({ selector }) => selector));
    const saved = await deps.book.add(samples, { kind: 'personal' });
    await commands.executeCommand(`${viewIds.addresses}.focus`);
    return saved.length;
  },
  async watch(parts, args) {
    if (args[0] !== undefined) return watch(getWatches(args), parts);
    const picked = await pickWatches(parts.deps.book, parts.watcher);
    if (picked === null) return;
    if (picked.stopped.length > 0) await parts.watcher.setWatched(picked.stopped, false);
    await watch(picked.started, parts);
  },
  watchEvent: (parts, args) => watch(getWatches(args), parts),
  stopWatching: ({ watcher }, args) => watcher.setWatched(getWatches(args), false),
  markActivitySeen: ({ activity }) => activity.markSeen(),
  clearActivity: ({ watcher }) => watcher.clear(),
  refreshService: ({ service }) => showProgress(() => service.refresh(), viewIds.service),
  refreshChain: ({ service }, [node]) =>
    showProgress(() => service.refresh(node as ServiceTreeNode | undefined), viewIds.service),
  async copyServiceValue({ views }, [node]) {
    const value = (node as Partial<ServiceTreeNode> | undefined)?.value ?? views.service.selection[0]?.value;
    if (typeof value === 'string') await env.clipboard.writeText(value);
  },
};
