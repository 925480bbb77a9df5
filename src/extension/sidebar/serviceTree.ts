// The tree of the Service view: chains, Aptos networks and remote hosts with their status and problems.
import { EventEmitter, l10n, TreeItem, TreeItemCollapsibleState, type ViewBadge } from 'vscode';
import type { Configuration } from '../../api/configuration.ts';
import { toUrlList } from '../../api/nodeUrls.ts';
import type { ApiGroup } from '../../api/operations/operation.ts';
import { Owner } from '../../base/disposable.ts';
import { formatTaskProgress } from '../../view/progress.ts';
import { type ChainEndpoint, getChainFacts, toChainText } from '../../view/tree/chainText.ts';
import type { Fact, RowColor, TreeRow } from '../../view/tree/treeRow.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import type { FeatureDeps } from '../featureDeps.ts';
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
  render(): Pick<TreeRow, 'label' | 'description' | 'accessibilityLabel' | 'icon' | 'color' | 'facts'>;
  getChildren(): readonly ServiceTreeNode[] | null;
}

export interface ServiceTreeDeps extends Pick<FeatureDeps, 'worker' | 'settings' | 'keys'> {
  readonly chainMonitor: ChainMonitor;
  readonly book: Pick<AddressBook, 'getName' | 'onDidChange'>;
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
  style: { readonly icon: string; readonly color?: RowColor; readonly context?: string } = { icon: 'circle-small' },
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

function createChainNode(
  endpoint: ChainEndpoint,
  { chainMonitor, book }: Pick<ServiceTreeDeps, 'chainMonitor' | 'book'>,
): ServiceTreeNode {
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
    render: () => ({
      ...toChainText(endpoint, status(), lastRead(), progress(), Date.now()),
      facts: getFacts(),
    }),
    getChildren() {
      const problem = status()?.problem ?? null;
      const style = { icon: 'lightbulb', color: 'charts.yellow', context: 'problem' } as const;
      const facts = getFacts().map((fact, index) => createFactNode(node, `${index}:${fact.name}`, fact));
      if (problem === null) return facts;
      return [createFactNode(node, 'problem', { name: l10n.t('Problem'), value: problem }, style), ...facts];
    },
  };
  return node;
}

const createAptosNodes = (
  { aptos }: Configuration,
  { chainMonitor }: Pick<ServiceTreeDeps, 'chainMonitor'>,
): readonly ServiceTreeNode[] =>
  Object.entries(aptos ?? {}).map(([network, { node: url, indexer }]) => {
    const endpoints = [
      ...(url === null ? [] : [{ name: l10n.t('Node'), value: getUrlHost(url) }]),
      ...(indexer === null ? [] : [{ name: l10n.t('Indexer'), value: getUrlHost(indexer) }]),
    ];
    const hosts = endpoints.map(({ value }) => value).join(' · ');
    const label = l10n.t('Aptos {0}', network);
    const node: ServiceTreeNode = {
      id: `aptos:${network}`,
      parent: null,
      contextValue: 'aptos',
      chain: null,
      value: network,
      render() {
        const progress = chainMonitor.getAptosProgress(network).map(formatTaskProgress);
        const description = [...progress, hosts].join(' · ');
        const icon = progress.length > 0 ? 'sync~spin' : 'layers';
        return {
          label,
          description,
          accessibilityLabel: `${label}, ${description}`,
          icon,
          color: null,
          facts: endpoints,
        };
      },
      getChildren: () => endpoints.map((fact, index) => createFactNode(node, String(index), fact)),
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
      getChildren: () => facts.map((fact, index) => createFactNode(node, String(index), fact)),
    };
    return node;
  });

export class ServiceTree extends Owner {
  readonly #deps: ServiceTreeDeps;
  readonly #changed = this.store.add(new EventEmitter<ServiceTreeNode | undefined>());
  /** The rows that are shown. */
  #topNodes: readonly ServiceTreeNode[] = [];
  /** Whether the view is on screen. */
  #isVisible = false;
  /** Chains that were reachable once. */
  readonly #reached = new Set<string>();
  readonly onDidChange = this.#changed.event;

  constructor(deps: ServiceTreeDeps) {
    super();
    this.#deps = deps;
    this.store.add(deps.chainMonitor.onDidChangeConnections(() => this.#refreshAll()));
    this.store.add(deps.keys.onDidChange(() => this.#refreshAll()));
    this.store.add(deps.worker.aptosUse.onDidChange(() => this.#refreshAll()));
    // Indexing progress is shown with saved names.
    this.store.add(deps.book.onDidChange(() => this.#isVisible && this.#refreshAll()));
    this.store.add(
      deps.chainMonitor.onDidChange(selector => {
        if (deps.chainMonitor.getStatus(selector)?.problem === null) this.#reached.add(selector);
        this.#renderAgain(this.#topNodes.find(({ chain }) => chain === selector));
      }),
    );
    this.store.add(
      deps.chainMonitor.onDidProgressAptos(network =>
        this.#renderAgain(this.#topNodes.find(({ id }) => id === `aptos:${network}`)),
      ),
    );
    this.store.add(deps.chainMonitor.onDidChangeConnections(() => this.#updateWatchedChains()));
  }

  async getChildren(node?: ServiceTreeNode): Promise<ServiceTreeNode[]> {
    if (node !== undefined) return [...(node.getChildren() ?? [])];
    this.#topNodes = await this.#createTopNodes();
    return [...this.#topNodes];
  }

  getTreeItem(node: ServiceTreeNode): TreeItem {
    const { label, description, accessibilityLabel, icon, color } = node.render();
    const { Collapsed, None } = TreeItemCollapsibleState;
    const item = new TreeItem(label, node.parent === null ? Collapsed : None);
    item.id = node.id;
    item.description = description;
    item.iconPath = getThemeIcon(icon, color);
    item.accessibilityInformation = { label: accessibilityLabel };
    item.contextValue = `${node.contextValue}${node.value === null ? '' : ' copy'}`;
    return item;
  }

  getParent(node: ServiceTreeNode): ServiceTreeNode | null {
    return node.parent;
  }

  resolveTreeItem(item: TreeItem, node: ServiceTreeNode): TreeItem {
    const { label, facts, description } = node.render();
    item.tooltip = createFactsTooltip(
      label,
      node.parent === null ? [{ name: l10n.t('State'), value: description }, ...facts] : facts,
    );
    return item;
  }

  async refresh(node?: ServiceTreeNode): Promise<void> {
    const chain = node?.chain ?? null;
    await this.#deps.chainMonitor.refresh(chain === null ? this.#getSelectors() : [chain]);
    if (node === undefined) this.#refreshAll();
  }

  setVisible(visible: boolean): void {
    if (this.#isVisible === visible) return;
    this.#isVisible = visible;
    this.#updateWatchedChains();
    if (this.#isVisible) this.#refreshAll(); // changes while it was hidden
  }

  /** The number of unreachable chains; a local chain counts only after it was reachable once. */
  badge(): ViewBadge | undefined {
    const { worker, chainMonitor } = this.#deps;
    const isUnreachable = ({ selector, isOnLoopback }: ConfiguredChain) =>
      (chainMonitor.getStatus(selector)?.problem ?? null) !== null && (!isOnLoopback || this.#reached.has(selector));
    const value = worker.chains().filter(isUnreachable).length;
    if (value === 0) return undefined;
    const tooltip = value === 1 ? l10n.t('One chain is unreachable') : l10n.t('{0} chains are unreachable', value);
    return { value, tooltip };
  }

  async #createTopNodes(): Promise<readonly ServiceTreeNode[]> {
    const { settings, keys, worker } = this.#deps;
    const configuration = settings.configuration();
    const keyOrigins = new Set(await keys.origins());
    return [
      ...getChainEndpoints(configuration, worker).map(endpoint => createChainNode(endpoint, this.#deps)),
      ...(worker.aptosUse.isUsed() ? createAptosNodes(configuration, this.#deps) : []),
      ...createHostNodes(configuration, keyOrigins),
    ];
  }

  #refreshAll(): void {
    this.#changed.fire(undefined);
  }

  #renderAgain(node: ServiceTreeNode | undefined): void {
    if (node !== undefined && this.#isVisible) this.#changed.fire(node);
  }

  #updateWatchedChains(): void {
    this.#deps.chainMonitor.setPolledChains('service', {
      shown: this.#isVisible ? this.#getSelectors() : [],
    });
  }

  #getSelectors(): string[] {
    return this.#deps.worker.chains().map(({ selector }) => selector);
  }
}
