// The tree of the Service view: chains, Aptos networks and remote hosts with their status and problems.
import { type Event, EventEmitter, l10n, TreeItem, TreeItemCollapsibleState, type ViewBadge } from 'vscode';
import type { Configuration } from '../../api/configuration.ts';
import { toUrlList } from '../../api/nodeUrls.ts';
import type { ApiGroup } from '../../api/operations/operation.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { formatTaskProgress } from '../../view/progress.ts';
import { type ChainEndpoint, getChainFacts, toChainText } from '../../view/tree/chainText.ts';
import type { Fact, RowColor } from '../../view/tree/treeRow.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import type { ApiKeys } from '../apiKeys/apiKeys.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { ConfiguredChain } from '../worker/configuredChains.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { getThemeIcon } from './addressTreeItem.ts';
import type { ChainMonitor } from './chainMonitor.ts';
import { createFactsTooltip } from './factsTooltip.ts';

export interface ServiceTreeNode {
  readonly id: string;
  readonly parent: ServiceTreeNode | null;
  /** For the `when` clauses of menus. */
  readonly contextValue: string;
  readonly chain: string | null;
  /** The text that Copy copies. */
  readonly value: string | null;
  /** Called each time, because it shows the age of the head. */
  render(): {
    readonly label: string;
    readonly description: string;
    readonly accessibilityLabel: string;
    readonly icon: string;
    readonly color: RowColor | null;
    readonly facts: readonly Fact[];
  };
  getChildren(): readonly ServiceTreeNode[] | null;
}

export interface ServiceTreeDeps {
  readonly worker: WorkerClient;
  readonly settings: SettingsSource;
  readonly keys: ApiKeys;
  readonly chainMonitor: ChainMonitor;
  readonly book: Pick<AddressBook, 'getName' | 'onDidChange'>;
}

export interface ServiceTree extends Disposable {
  getChildren(node?: ServiceTreeNode): Promise<ServiceTreeNode[]>;
  getTreeItem(node: ServiceTreeNode): TreeItem;
  getParent(node: ServiceTreeNode): ServiceTreeNode | null;
  resolveTreeItem(item: TreeItem, node: ServiceTreeNode): TreeItem;
  refresh(node?: ServiceTreeNode): Promise<void>;
  setVisible(visible: boolean): void;
  /** The number of unreachable chains; a local chain counts only after it was reachable once. */
  badge(): ViewBadge | undefined;
  readonly onDidChange: Event<ServiceTreeNode | undefined>;
}

/** Host and port without path and query, which may hold keys. */
function getUrlHost(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return '';
  }
}

function getChainEndpoints(
  { nodes, groups }: Configuration,
  worker: Pick<WorkerClient, 'chains'>,
): readonly ChainEndpoint[] {
  const { mode, baseUrl } = groups.evm;
  return worker.chains().map(({ selector, isOnLoopback }) => ({
    selector,
    isOnLoopback,
    host: (mode === 'remote' ? [baseUrl] : toUrlList(nodes[selector])).map(getUrlHost).join(', '),
  }));
}

const createFactNode = (
  parent: ServiceTreeNode,
  key: string,
  { name, value }: Fact,
  style: { readonly icon: string; readonly color?: RowColor; readonly context?: string },
): ServiceTreeNode => ({
  id: `${parent.id}/${key}`,
  parent,
  contextValue: style.context ?? 'fact',
  chain: parent.chain,
  value,
  render: () => ({
    label: name,
    description: value,
    accessibilityLabel: `${name}: ${value}`,
    icon: style.icon,
    color: style.color ?? null,
    facts: [{ name, value }],
  }),
  getChildren: () => null,
});

/** The API groups of each remote host by origin. */
function getRemoteHosts({ groups }: Configuration): ReadonlyMap<string, readonly ApiGroup[]> {
  const groupsByOrigin = new Map<string, ApiGroup[]>();
  for (const [group, { mode, baseUrl }] of Object.entries(groups) as [ApiGroup, Configuration['groups'][ApiGroup]][]) {
    if (mode !== 'remote') continue;
    const origin = URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
    groupsByOrigin.set(origin, [...(groupsByOrigin.get(origin) ?? []), group]);
  }
  return groupsByOrigin;
}

function getGroupTitle(group: ApiGroup): string {
  if (group === 'auth') return l10n.t('sign-in verification');
  return group === 'evm' ? l10n.t('EVM data') : l10n.t('Aptos data');
}

export function createServiceTree({ worker, settings, keys, chainMonitor, book }: ServiceTreeDeps): ServiceTree {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<ServiceTreeNode | undefined>());
  let topNodes: readonly ServiceTreeNode[] = [];
  let isVisible = false;
  /** Chains that were reachable once. */
  const reached = new Set<string>();

  const createChainNode = (endpoint: ChainEndpoint): ServiceTreeNode => {
    const { selector } = endpoint;
    const status = () => chainMonitor.getStatus(selector);
    const progress = () => chainMonitor.getProgress(selector);
    const lastRead = () => chainMonitor.getLastRead(selector);
    const getFacts = () => getChainFacts(endpoint, status(), lastRead(), progress(), Date.now(), book.getName);
    const node: ServiceTreeNode = {
      id: `chain:${selector}`,
      parent: null,
      contextValue: 'chain',
      chain: selector,
      value: selector,
      render() {
        const text = toChainText(endpoint, status(), lastRead(), progress(), Date.now());
        return { ...text, facts: getFacts() };
      },
      getChildren() {
        const problem = status()?.problem ?? null;
        return [
          ...(problem === null
            ? []
            : [
                createFactNode(
                  node,
                  'problem',
                  { name: l10n.t('Problem'), value: problem },
                  { icon: 'lightbulb', color: 'charts.yellow', context: 'problem' },
                ),
              ]),
          ...getFacts().map((fact, index) =>
            createFactNode(node, `${index}:${fact.name}`, fact, { icon: 'circle-small' }),
          ),
        ];
      },
    };
    return node;
  };

  const createAptosNodes = ({ aptos }: Configuration): readonly ServiceTreeNode[] =>
    Object.entries(worker.aptosUse.isUsed() ? (aptos ?? {}) : {}).map(([network, { node: url, indexer }]) => {
      const endpoints = [
        ...(url === null ? [] : [{ name: l10n.t('Node'), value: getUrlHost(url) }]),
        ...(indexer === null ? [] : [{ name: l10n.t('Indexer'), value: getUrlHost(indexer) }]),
      ];
      const description = endpoints.map(({ value }) => value).join(' · ');
      const title = l10n.t('Aptos {0}', network);
      const node: ServiceTreeNode = {
        id: `aptos:${network}`,
        parent: null,
        contextValue: 'aptos',
        chain: null,
        value: network,
        render() {
          const progress = chainMonitor.getAptosProgress(network).map(formatTaskProgress);
          const text = [...progress, description].join(' · ');
          const icon = progress.length > 0 ? 'sync~spin' : 'layers';
          return {
            label: title,
            description: text,
            accessibilityLabel: `${title}, ${text}`,
            icon,
            color: null,
            facts: endpoints,
          };
        },
        getChildren: () =>
          endpoints.map((fact, index) => createFactNode(node, String(index), fact, { icon: 'circle-small' })),
      };
      return node;
    });

  const createHostNodes = (configuration: Configuration, keyOrigins: ReadonlySet<string>): readonly ServiceTreeNode[] =>
    [...getRemoteHosts(configuration)].map(([origin, groups]) => {
      const hasKey = keyOrigins.has(origin);
      const description = hasKey ? l10n.t('API key is set') : l10n.t('no API key');
      const facts = [
        { name: l10n.t('Used for'), value: groups.map(getGroupTitle).join(', ') },
        { name: l10n.t('API key'), value: hasKey ? l10n.t('set') : l10n.t('missing') },
      ];
      const node: ServiceTreeNode = {
        id: `host:${origin}`,
        parent: null,
        contextValue: hasKey ? 'host' : 'host keyless',
        chain: null,
        value: origin,
        render: () => ({
          label: getUrlHost(origin),
          description,
          accessibilityLabel: `${getUrlHost(origin)}, ${description}`,
          icon: hasKey ? 'key' : 'warning',
          color: hasKey ? 'charts.green' : 'charts.yellow',
          facts,
        }),
        getChildren: () =>
          facts.map((fact, index) => createFactNode(node, String(index), fact, { icon: 'circle-small' })),
      };
      return node;
    });

  const createTopNodes = async (): Promise<readonly ServiceTreeNode[]> => {
    const configuration = settings.configuration();
    const keyOrigins = new Set(await keys.origins());
    return [
      ...getChainEndpoints(configuration, worker).map(createChainNode),
      ...createAptosNodes(configuration),
      ...createHostNodes(configuration, keyOrigins),
    ];
  };

  const refreshAll = () => changed.fire(undefined);
  const renderAgain = (node: ServiceTreeNode | undefined) => {
    if (node !== undefined && isVisible) changed.fire(node);
  };
  store.add(chainMonitor.onDidChangeConnections(refreshAll));
  store.add(keys.onDidChange(refreshAll));
  store.add(worker.aptosUse.onDidChange(refreshAll));
  // Indexing progress is shown with saved names.
  store.add(book.onDidChange(() => isVisible && refreshAll()));
  store.add(
    chainMonitor.onDidChange(selector => {
      if (chainMonitor.getStatus(selector)?.problem === null) reached.add(selector);
      renderAgain(topNodes.find(({ chain }) => chain === selector));
    }),
  );
  store.add(
    chainMonitor.onDidProgressAptos(network => renderAgain(topNodes.find(({ id }) => id === `aptos:${network}`))),
  );

  const updateWatchedChains = () =>
    chainMonitor.setPolledChains('service', {
      shown: isVisible ? worker.chains().map(({ selector }) => selector) : [],
    });
  store.add(chainMonitor.onDidChangeConnections(updateWatchedChains));

  return {
    async getChildren(node) {
      if (node !== undefined) return [...(node.getChildren() ?? [])];
      topNodes = await createTopNodes();
      return [...topNodes];
    },
    getTreeItem(node) {
      const { label, description, accessibilityLabel, icon, color } = node.render();
      const { Collapsed, None } = TreeItemCollapsibleState;
      const item = new TreeItem(label, node.parent === null ? Collapsed : None);
      item.id = node.id;
      item.description = description;
      item.iconPath = getThemeIcon(icon, color);
      item.accessibilityInformation = { label: accessibilityLabel };
      item.contextValue = `${node.contextValue}${node.value === null ? '' : ' copy'}`;
      return item;
    },
    getParent: node => node.parent,
    resolveTreeItem(item, node) {
      const { label, facts, description } = node.render();
      item.tooltip = createFactsTooltip(
        label,
        node.parent === null ? [{ name: l10n.t('State'), value: description }, ...facts] : facts,
      );
      return item;
    },
    async refresh(node) {
      const chain = node?.chain ?? null;
      await chainMonitor.refresh(chain === null ? worker.chains().map(({ selector }) => selector) : [chain]);
      if (node === undefined) refreshAll();
    },
    setVisible(visible) {
      if (isVisible === visible) return;
      isVisible = visible;
      updateWatchedChains();
      if (isVisible) refreshAll(); // changes while it was hidden
    },
    badge() {
      const isUnreachable = ({ selector, isOnLoopback }: ConfiguredChain) =>
        (chainMonitor.getStatus(selector)?.problem ?? null) !== null && (!isOnLoopback || reached.has(selector));
      const value = worker.chains().filter(isUnreachable).length;
      if (value === 0) return undefined;
      const tooltip = value === 1 ? l10n.t('One chain is unreachable') : l10n.t('{0} chains are unreachable', value);
      return { value, tooltip };
    },
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}
