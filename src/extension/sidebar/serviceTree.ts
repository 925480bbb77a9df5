// The Service view: what answers, chain by chain and network by network, what is wrong and what mends it.
import { type Event, EventEmitter, l10n, TreeItem, TreeItemCollapsibleState, type ViewBadge } from 'vscode';
import type { Configuration } from '../../api/configuration.ts';
import type { Group } from '../../api/operations/operation.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type ChainPlace, chainFacts, chainText } from '../../view/tree/chainText.ts';
import type { Fact, RowColor } from '../../view/tree/treeRow.ts';
import type { Book } from '../addressBook/addressBook.ts';
import type { Keys } from '../apiKeys/apiKeys.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { ConfiguredChain } from '../worker/configuredChains.ts';
import type { BackendHost } from '../worker/workerClient.ts';
import { themeIcon } from './addressTreeItem.ts';
import type { ChainWatch } from './chainMonitor.ts';
import { tooltipOf } from './factsTooltip.ts';

/** One line of the view; `value` is what it copies. */
export interface ServiceNode {
  readonly id: string;
  readonly parent: ServiceNode | null;
  /** Goes into the `when` clauses of its menus. */
  readonly context: string;
  /** The chain it is about. */
  readonly chain: string | null;
  readonly value: string | null;
  /** Drawn anew each time: heads grow older by themselves. */
  paint(): {
    readonly label: string;
    readonly description: string;
    readonly spoken: string;
    readonly icon: string;
    readonly color: RowColor | null;
    readonly facts: readonly Fact[];
  };
  below(): readonly ServiceNode[] | null;
}

export interface ServiceDeps {
  readonly backend: BackendHost;
  readonly settings: SettingsSource;
  readonly keys: Keys;
  readonly watch: ChainWatch;
  readonly book: Pick<Book, 'nameOf' | 'onDidChange'>;
}

export interface ServiceTree extends Disposable {
  getChildren(node?: ServiceNode): Promise<ServiceNode[]>;
  getTreeItem(node: ServiceNode): TreeItem;
  getParent(node: ServiceNode): ServiceNode | null;
  resolveTreeItem(item: TreeItem, node: ServiceNode): TreeItem;
  refresh(node?: ServiceNode): Promise<void>;
  setVisible(visible: boolean): void;
  /** How many chains have stopped answering; nothing when all is well, or for a dev chain that was never started. */
  badge(): ViewBadge | undefined;
  readonly onDidChange: Event<ServiceNode | undefined>;
}

/** Host and port: paths and queries of node URLs may hold keys. */
function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return '';
  }
}

export function placesOf(
  { nodes, groups }: Configuration,
  backend: Pick<BackendHost, 'chains'>,
): readonly ChainPlace[] {
  const { mode, baseUrl } = groups.evm;
  return backend.chains().map(({ selector, local }) => ({
    selector,
    local,
    host: hostOf(mode === 'remote' ? baseUrl : (nodes[selector] ?? '')),
  }));
}

const leaf = (
  parent: ServiceNode,
  key: string,
  { name, value }: Fact,
  look: { readonly icon: string; readonly color?: RowColor; readonly context?: string },
): ServiceNode => ({
  id: `${parent.id}/${key}`,
  parent,
  context: look.context ?? 'fact',
  chain: parent.chain,
  value,
  paint: () => ({
    label: name,
    description: value,
    spoken: `${name}: ${value}`,
    icon: look.icon,
    color: look.color ?? null,
    facts: [{ name, value }],
  }),
  below: () => null,
});

/** The remote hosts by origin, with what each answers for. */
function remotes({ groups }: Configuration): ReadonlyMap<string, readonly Group[]> {
  const found = new Map<string, Group[]>();
  for (const [group, { mode, baseUrl }] of Object.entries(groups) as [Group, Configuration['groups'][Group]][]) {
    if (mode !== 'remote') continue;
    const origin = URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
    found.set(origin, [...(found.get(origin) ?? []), group]);
  }
  return found;
}

function groupWord(group: Group): string {
  if (group === 'auth') return l10n.t('sign-in verification');
  return group === 'evm' ? l10n.t('EVM data') : l10n.t('Aptos data');
}

export function createServiceTree({ backend, settings, keys, watch, book }: ServiceDeps): ServiceTree {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<ServiceNode | undefined>());
  let top: readonly ServiceNode[] = [];
  let visible = false;
  const answered = new Set<string>();

  const chainNode = (place: ChainPlace): ServiceNode => {
    const { selector } = place;
    const status = () => watch.statusOf(selector);
    const progress = () => watch.progressOf(selector);
    const factsNow = () => chainFacts(place, status(), progress(), Date.now(), book.nameOf);
    const node: ServiceNode = {
      id: `chain:${selector}`,
      parent: null,
      context: 'chain',
      chain: selector,
      value: selector,
      paint() {
        const text = chainText(place, status(), progress(), Date.now());
        return { ...text, facts: factsNow() };
      },
      below() {
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

  const aptosNodes = ({ aptos }: Configuration): readonly ServiceNode[] =>
    Object.entries(aptos ?? {}).map(([network, { node: url, indexer }]) => {
      const places = [
        ...(url === null ? [] : [{ name: l10n.t('Node'), value: hostOf(url) }]),
        ...(indexer === null ? [] : [{ name: l10n.t('Indexer'), value: hostOf(indexer) }]),
      ];
      const description = places.map(({ value }) => value).join(' · ');
      const title = l10n.t('Aptos {0}', network);
      const node: ServiceNode = {
        id: `aptos:${network}`,
        parent: null,
        context: 'aptos',
        chain: null,
        value: network,
        paint: () => ({
          label: title,
          description,
          spoken: `${title}, ${description}`,
          icon: 'layers',
          color: null,
          facts: places,
        }),
        below: () => places.map((fact, at) => leaf(node, String(at), fact, { icon: 'circle-small' })),
      };
      return node;
    });

  const hostNodes = (configuration: Configuration, withKey: ReadonlySet<string>): readonly ServiceNode[] =>
    [...remotes(configuration)].map(([origin, groups]) => {
      const has = withKey.has(origin);
      const description = has ? l10n.t('API key is set') : l10n.t('no API key');
      const facts = [
        { name: l10n.t('Answers for'), value: groups.map(groupWord).join(', ') },
        { name: l10n.t('API key'), value: has ? l10n.t('set') : l10n.t('missing') },
      ];
      const node: ServiceNode = {
        id: `host:${origin}`,
        parent: null,
        context: has ? 'host' : 'host keyless',
        chain: null,
        value: origin,
        paint: () => ({
          label: hostOf(origin),
          description,
          spoken: `${hostOf(origin)}, ${description}`,
          icon: has ? 'key' : 'warning',
          color: has ? 'charts.green' : 'charts.yellow',
          facts,
        }),
        below: () => facts.map((fact, at) => leaf(node, String(at), fact, { icon: 'circle-small' })),
      };
      return node;
    });

  const build = async (): Promise<readonly ServiceNode[]> => {
    const configuration = settings.configuration();
    const withKey = new Set(await keys.origins());
    return [
      ...placesOf(configuration, backend).map(chainNode),
      ...aptosNodes(configuration),
      ...hostNodes(configuration, withKey),
    ];
  };

  const all = () => changed.fire(undefined);
  store.add(watch.onDidReset(all));
  store.add(keys.onDidChange(all));
  // Work is told with saved names.
  store.add(book.onDidChange(() => visible && all()));
  store.add(
    watch.onDidChange(selector => {
      if (watch.statusOf(selector)?.problem === null) answered.add(selector);
      const node = top.find(({ chain }) => chain === selector);
      if (node !== undefined && visible) changed.fire(node);
    }),
  );

  const tellWatch = () => watch.want('service', visible ? backend.chains().map(({ selector }) => selector) : []);
  store.add(watch.onDidReset(tellWatch));

  return {
    async getChildren(node) {
      if (node !== undefined) return [...(node.below() ?? [])];
      top = await build();
      return [...top];
    },
    getTreeItem(node) {
      const { label, description, spoken, icon, color } = node.paint();
      const { Collapsed, None } = TreeItemCollapsibleState;
      const item = new TreeItem(label, node.parent === null ? Collapsed : None);
      item.id = node.id;
      item.description = description;
      item.iconPath = themeIcon(icon, color);
      item.accessibilityInformation = { label: spoken };
      item.contextValue = `${node.context}${node.value === null ? '' : ' copy'}`;
      return item;
    },
    getParent: node => node.parent,
    resolveTreeItem(item, node) {
      const { label, facts, description } = node.paint();
      item.tooltip = tooltipOf(
        label,
        node.parent === null ? [{ name: l10n.t('State'), value: description }, ...facts] : facts,
      );
      return item;
    },
    async refresh(node) {
      const chain = node?.chain ?? null;
      await watch.ask(chain === null ? backend.chains().map(({ selector }) => selector) : [chain]);
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
        (watch.statusOf(selector)?.problem ?? null) !== null && (!local || answered.has(selector));
      const value = backend.chains().filter(failing).length;
      if (value === 0) return undefined;
      const tooltip = value === 1 ? l10n.t('One chain cannot be asked') : l10n.t('{0} chains cannot be asked', value);
      return { value, tooltip };
    },
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}
