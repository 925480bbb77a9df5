// The Service view: what answers, chain by chain and network by network, what is wrong and what mends it.
import { type Event, EventEmitter, l10n, TreeItem, TreeItemCollapsibleState, type ViewBadge } from 'vscode';
import type { Configuration } from '../../api/configuration.ts';
import type { ApiGroup } from '../../api/operations/operation.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
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

/** One line of the view; `value` is what it copies. */
export interface ServiceTreeNode {
  readonly id: string;
  readonly parent: ServiceTreeNode | null;
  /** Goes into the `when` clauses of its menus. */
  readonly contextValue: string;
  /** The chain it is about. */
  readonly chain: string | null;
  readonly value: string | null;
  /** Drawn anew each time: heads grow older by themselves. */
  render(): {
    readonly label: string;
    readonly description: string;
    readonly spoken: string;
    readonly icon: string;
    readonly color: RowColor | null;
    readonly facts: readonly Fact[];
  };
  getChildren(): readonly ServiceTreeNode[] | null;
}

export interface ServiceTreeDeps {
  readonly backend: WorkerClient;
  readonly settings: SettingsSource;
  readonly keys: ApiKeys;
  readonly watch: ChainMonitor;
  readonly book: Pick<AddressBook, 'nameOf' | 'onDidChange'>;
}

export interface ServiceTree extends Disposable {
  getChildren(node?: ServiceTreeNode): Promise<ServiceTreeNode[]>;
  getTreeItem(node: ServiceTreeNode): TreeItem;
  getParent(node: ServiceTreeNode): ServiceTreeNode | null;
  resolveTreeItem(item: TreeItem, node: ServiceTreeNode): TreeItem;
  refresh(node?: ServiceTreeNode): Promise<void>;
  setVisible(visible: boolean): void;
  /** How many chains have stopped answering; nothing when all is well, or for a dev chain that was never started. */
  badge(): ViewBadge | undefined;
  readonly onDidChange: Event<ServiceTreeNode | undefined>;
}

/** Host and port: paths and queries of node URLs may hold keys. */
function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return '';
  }
}

export function getChainEndpoints(
  { nodes, groups }: Configuration,
  backend: Pick<WorkerClient, 'chains'>,
): readonly ChainEndpoint[] {
  const { mode, baseUrl } = groups.evm;
  return backend.chains().map(({ selector, local }) => ({
    selector,
    local,
    host: hostOf(mode === 'remote' ? baseUrl : (nodes[selector] ?? '')),
  }));
}

const leaf = (
  parent: ServiceTreeNode,
  key: string,
  { name, value }: Fact,
  look: { readonly icon: string; readonly color?: RowColor; readonly context?: string },
): ServiceTreeNode => ({
  id: `${parent.id}/${key}`,
  parent,
  contextValue: look.context ?? 'fact',
  chain: parent.chain,
  value,
  render: () => ({
    label: name,
    description: value,
    spoken: `${name}: ${value}`,
    icon: look.icon,
    color: look.color ?? null,
    facts: [{ name, value }],
  }),
  getChildren: () => null,
});

/** The remote hosts by origin, with what each answers for. */
function remotes({ groups }: Configuration): ReadonlyMap<string, readonly ApiGroup[]> {
  const found = new Map<string, ApiGroup[]>();
  for (const [group, { mode, baseUrl }] of Object.entries(groups) as [ApiGroup, Configuration['groups'][ApiGroup]][]) {
    if (mode !== 'remote') continue;
    const origin = URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
    found.set(origin, [...(found.get(origin) ?? []), group]);
  }
  return found;
}

function groupWord(group: ApiGroup): string {
  if (group === 'auth') return l10n.t('sign-in verification');
  return group === 'evm' ? l10n.t('EVM data') : l10n.t('Aptos data');
}

export function createServiceTree({ backend, settings, keys, watch, book }: ServiceTreeDeps): ServiceTree {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<ServiceTreeNode | undefined>());
  let top: readonly ServiceTreeNode[] = [];
  let visible = false;
  const answered = new Set<string>();

  const chainNode = (place: ChainEndpoint): ServiceTreeNode => {
    const { selector } = place;
    const status = () => watch.getStatus(selector);
    const progress = () => watch.getProgress(selector);
    const factsNow = () => getChainFacts(place, status(), progress(), Date.now(), book.getName);
    const node: ServiceTreeNode = {
      id: `chain:${selector}`,
      parent: null,
      contextValue: 'chain',
      chain: selector,
      value: selector,
      render() {
        const text = toChainText(place, status(), progress(), Date.now());
        return { ...text, facts: factsNow() };
      },
      getChildren() {
        const problem = status()?.problem ?? null;
        return [
          ...(problem === null
            ? []
            : [
                leaf(
                  node,
                  'problem',
                  { name: l10n.t('Problem'), value: problem },
                  { icon: 'lightbulb', color: 'charts.yellow', context: 'problem' },
                ),
              ]),
          ...factsNow().map((fact, at) => leaf(node, `${at}:${fact.name}`, fact, { icon: 'circle-small' })),
        ];
      },
    };
    return node;
  };

  const aptosNodes = ({ aptos }: Configuration): readonly ServiceTreeNode[] =>
    Object.entries(aptos ?? {}).map(([network, { node: url, indexer }]) => {
      const places = [
        ...(url === null ? [] : [{ name: l10n.t('Node'), value: hostOf(url) }]),
        ...(indexer === null ? [] : [{ name: l10n.t('Indexer'), value: hostOf(indexer) }]),
      ];
      const description = places.map(({ value }) => value).join(' · ');
      const title = l10n.t('Aptos {0}', network);
      const node: ServiceTreeNode = {
        id: `aptos:${network}`,
        parent: null,
        contextValue: 'aptos',
        chain: null,
        value: network,
        render: () => ({
          label: title,
          description,
          spoken: `${title}, ${description}`,
          icon: 'layers',
          color: null,
          facts: places,
        }),
        getChildren: () => places.map((fact, at) => leaf(node, String(at), fact, { icon: 'circle-small' })),
      };
      return node;
    });

  const hostNodes = (configuration: Configuration, withKey: ReadonlySet<string>): readonly ServiceTreeNode[] =>
    [...remotes(configuration)].map(([origin, groups]) => {
      const has = withKey.has(origin);
      const description = has ? l10n.t('API key is set') : l10n.t('no API key');
      const facts = [
        { name: l10n.t('Answers for'), value: groups.map(groupWord).join(', ') },
        { name: l10n.t('API key'), value: has ? l10n.t('set') : l10n.t('missing') },
      ];
      const node: ServiceTreeNode = {
        id: `host:${origin}`,
        parent: null,
        contextValue: has ? 'host' : 'host keyless',
        chain: null,
        value: origin,
        render: () => ({
          label: hostOf(origin),
          description,
          spoken: `${hostOf(origin)}, ${description}`,
          icon: has ? 'key' : 'warning',
          color: has ? 'charts.green' : 'charts.yellow',
          facts,
        }),
        getChildren: () => facts.map((fact, at) => leaf(node, String(at), fact, { icon: 'circle-small' })),
      };
      return node;
    });

  const build = async (): Promise<readonly ServiceTreeNode[]> => {
    const configuration = settings.configuration();
    const withKey = new Set(await keys.origins());
    return [
      ...getChainEndpoints(configuration, backend).map(chainNode),
      ...aptosNodes(configuration),
      ...hostNodes(configuration, withKey),
    ];
  };

  const all = () => changed.fire(undefined);
  store.add(watch.onDidChangeConnections(all));
  store.add(keys.onDidChange(all));
  // Work is told with saved names.
  store.add(book.onDidChange(() => visible && all()));
  store.add(
    watch.onDidChange(selector => {
      if (watch.getStatus(selector)?.problem === null) answered.add(selector);
      const node = top.find(({ chain }) => chain === selector);
      if (node !== undefined && visible) changed.fire(node);
    }),
  );

  const tellWatch = () => watch.setWatched('service', visible ? backend.chains().map(({ selector }) => selector) : []);
  store.add(watch.onDidChangeConnections(tellWatch));

  return {
    async getChildren(node) {
      if (node !== undefined) return [...(node.getChildren() ?? [])];
      top = await build();
      return [...top];
    },
    getTreeItem(node) {
      const { label, description, spoken, icon, color } = node.render();
      const { Collapsed, None } = TreeItemCollapsibleState;
      const item = new TreeItem(label, node.parent === null ? Collapsed : None);
      item.id = node.id;
      item.description = description;
      item.iconPath = getThemeIcon(icon, color);
      item.accessibilityInformation = { label: spoken };
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
      await watch.refresh(chain === null ? backend.chains().map(({ selector }) => selector) : [chain]);
      if (node === undefined) all();
    },
    setVisible(next) {
      if (visible === next) return;
      visible = next;
      tellWatch();
      if (visible) all(); // what was heard while it was hidden
    },
    badge() {
      const failing = ({ selector, local }: ConfiguredChain) =>
        (watch.getStatus(selector)?.problem ?? null) !== null && (!local || answered.has(selector));
      const value = backend.chains().filter(failing).length;
      if (value === 0) return undefined;
      const tooltip = value === 1 ? l10n.t('One chain cannot be asked') : l10n.t('{0} chains cannot be asked', value);
      return { value, tooltip };
    },
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}
