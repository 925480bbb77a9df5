// The quick pick of Connect Node: nodes on this machine, nodes that workspace files name, and a typed URL.
import { l10n, QuickPickItemKind, ThemeIcon, window, workspace } from 'vscode';
import { DEVELOPMENT_CHAIN_IDS } from '../../api/chains.ts';
import { findChain } from '../../api/chainTable.ts';
import type { NodeProbe } from '../../api/lookups.ts';
import { toUrlList } from '../../api/nodeUrls.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { isFault } from '../../base/errors.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { isLoopbackUrl } from '../../base/loopback.ts';
import { NO_PROJECT_FILES_GLOB, PROJECT_FILES_GLOB } from '../../decode/artifactOrigin.ts';
import { validateUrl } from '../../manifest/validateUrl.ts';
import { getChainTitle } from '../../view/chainTitle.ts';
import { sanitizeLabel } from '../../view/lookUp/summaryPreview.ts';
import { findProjectNodes, type ProjectNode } from '../../view/nodes/projectNodes.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { disableSorting, getAcceptedItem, type StepItem, setItems } from '../prompts/quickPickStep.ts';

export type NodeCommandsDeps = Pick<FeatureDeps, 'worker' | 'settings' | 'secrets'>;

const formatProbedChain = ({ chainId, title }: NodeProbe): string => {
  if (DEVELOPMENT_CHAIN_IDS.includes(chainId)) return `${l10n.t('dev chain')} (${chainId})`;
  return findChain(chainId) === undefined ? getChainTitle({ title }) : `${getChainTitle({ title })} (${chainId})`;
};

export const formatProbe = (probe: NodeProbe): string => {
  const { client, head } = probe;
  return [
    formatProbedChain(probe),
    l10n.t('block {0}', formatInteger(head)),
    client === null ? '' : sanitizeLabel(client, 40),
  ]
    .filter(part => part !== '')
    .join(' · ');
};

/** Without path and query, which may hold a key. */
export const getUrlHost = (url: string): string => URL.parse(url)?.host ?? url;

/** Default ports of Anvil and Hardhat, Ganache, and Truffle. */
const DEFAULT_NODE_URLS = ['http://127.0.0.1:8545', 'http://127.0.0.1:7545', 'http://127.0.0.1:9545'];
const MAX_FILES = 20;

interface WorkspaceNode extends ProjectNode {
  readonly file: string;
}

/** Nodes that configuration files of the workspace name; none in an untrusted workspace. */
async function readWorkspaceNodes(): Promise<readonly WorkspaceNode[]> {
  if (!workspace.isTrusted) return [];
  const files = await workspace.findFiles(PROJECT_FILES_GLOB, NO_PROJECT_FILES_GLOB, MAX_FILES);
  const nodes = await Promise.all(
    files.map(async uri => {
      try {
        const text = new TextDecoder().decode(await workspace.fs.readFile(uri));
        return findProjectNodes(uri.path, text).map(node => ({ ...node, file: workspace.asRelativePath(uri) }));
      } catch {
        return []; // deleted meanwhile
      }
    }),
  );
  return nodes.flat();
}

export type NodeChoice = { readonly url: string; readonly probe: NodeProbe | null };

/** @param failed The URL that was tried, and why it is not connected. */
export const pickNode = (deps: NodeCommandsDeps, failed?: FailedUrl): Promise<NodeChoice | undefined> =>
  new NodePicker(deps, failed).pick();

interface FailedUrl {
  readonly url: string;
  readonly problem: string;
}

class NodePicker {
  readonly #deps: NodeCommandsDeps;
  readonly #failed: FailedUrl | undefined;
  readonly #store = new DisposableStore();
  readonly #picker = this.#store.add(window.createQuickPick<StepItem<NodeChoice>>());
  /** Ends the search. */
  readonly #closing = new AbortController();
  /** The nodes that responded, by URL. */
  readonly #probes = new Map<string, NodeProbe>();
  readonly #configuredUrls: readonly string[];
  #workspaceNodes: readonly WorkspaceNode[] = [];
  #isSearching = true;

  constructor(deps: NodeCommandsDeps, failed: FailedUrl | undefined) {
    this.#deps = deps;
    this.#failed = failed;
    this.#configuredUrls = Object.values(deps.settings.current().nodes).flatMap(toUrlList);
  }

  pick(): Promise<NodeChoice | undefined> {
    const picker = this.#picker;
    disableSorting(picker as never);
    picker.title = l10n.t('Connect Node');
    picker.placeholder = l10n.t('Select a detected node, or enter a URL');
    picker.ignoreFocusOut = true;
    picker.value = this.#failed?.url ?? '';
    picker.busy = true;
    this.#store.add(picker.onDidChangeValue(() => this.#updateItems()));
    return new Promise(resolve => {
      let choice: NodeChoice | undefined;
      this.#store.add(
        picker.onDidAccept(() => {
          const item = getAcceptedItem(picker);
          if (item?.result === undefined) return;
          choice = item.result;
          picker.hide();
        }),
      );
      this.#store.add(
        picker.onDidHide(() => {
          this.#closing.abort();
          this.#store.dispose();
          resolve(choice);
        }),
      );
      this.#updateItems();
      picker.show();
      void this.#search();
    });
  }

  async #search(): Promise<void> {
    const probe = (url: string) => this.#probe(url);
    const defaultProbes = DEFAULT_NODE_URLS.map(probe);
    this.#workspaceNodes = await readWorkspaceNodes();
    this.#updateItems();
    const workspaceUrls = this.#workspaceNodes.flatMap(({ url }) =>
      url !== null && isLoopbackUrl(url) ? [url.replace(/\/$/, '')] : [],
    );
    const urls = new Set([...workspaceUrls, ...this.#configuredUrls.filter(isLoopbackUrl)]);
    const moreUrls = [...urls].filter(url => !DEFAULT_NODE_URLS.includes(url));
    await Promise.all([...defaultProbes, ...moreUrls.map(probe)]);
    this.#isSearching = false;
    if (this.#store.disposed) return;
    this.#picker.busy = false;
    this.#updateItems();
  }

  async #probe(url: string): Promise<void> {
    try {
      this.#probes.set(url, await this.#deps.worker.lookup('probeNode', { url }, this.#closing.signal));
      this.#updateItems();
    } catch (error) {
      if (isFault(error, 'internal')) throw error; // else there is no node at this URL
    }
  }

  #updateItems(): void {
    if (this.#store.disposed) return;
    const [active] = this.#picker.activeItems;
    const items = this.#createItems().map(item => ({ ...item, alwaysShow: true }));
    setItems(this.#picker, items);
    const activeItem = items.find(({ label, result }) => label === active?.label && result !== undefined);
    if (activeItem !== undefined) this.#picker.activeItems = [activeItem];
  }

  #createItems(): StepItem<NodeChoice>[] {
    const text = this.#picker.value.trim();
    const found = createFoundItems(this.#probes, this.#configuredUrls);
    const ofWorkspace = createWorkspaceItems(this.#workspaceNodes);
    if (text !== '') {
      const wanted = text.toLowerCase();
      const matching = [...found, ...ofWorkspace].filter(({ label, description = '' }) =>
        `${label} ${description}`.toLowerCase().includes(wanted),
      );
      return [
        ...createTypedItems(text, matching.length > 0),
        ...(this.#failed?.url === text ? [createProblemItem(this.#failed.problem)] : []),
        ...matching,
      ];
    }
    return [
      { label: l10n.t('On this machine'), kind: QuickPickItemKind.Separator },
      ...(found.length > 0 ? found : [createSearchItem(this.#isSearching)]),
      ...(ofWorkspace.length > 0
        ? [{ label: l10n.t('From this workspace'), kind: QuickPickItemKind.Separator }, ...ofWorkspace]
        : []),
    ];
  }
}

/** Connects to what was typed, or says why it is no URL, unless it may be meant for one of the found nodes. */
function createTypedItems(text: string, hasMatches: boolean): StepItem<NodeChoice>[] {
  const written = /^\d{2,5}$/.test(text) ? `127.0.0.1:${text}` : text;
  const validated = validateUrl(/^[\w.-]+:\d+$/.test(written) ? `http://${written}` : written, {
    allowsWebSocket: true,
  });
  if ('url' in validated) {
    const { href, host, origin, pathname, search } = validated.url;
    const url = pathname === '/' && search === '' ? origin : href;
    const detail = isLoopbackUrl(url) ? '' : l10n.t('HexLens queries its chain and adds it to your settings.');
    return [
      { label: l10n.t('Connect to {0}', host), detail, iconPath: new ThemeIcon('plug'), result: { url, probe: null } },
    ];
  }
  if (hasMatches) return [];
  const label = l10n.t('What you write {0}', validated.wrong);
  return [{ label, detail: 'http://127.0.0.1:8545', iconPath: new ThemeIcon('error') }];
}

/** The first sentence says what was wrong, the others what to do. */
function createProblemItem(problem: string): StepItem<NodeChoice> {
  const end = problem.indexOf('. ') + 1;
  const [label, detail] = end > 0 ? [problem.slice(0, end), problem.slice(end + 1)] : [problem, ''];
  return { label, detail, iconPath: new ThemeIcon('error') };
}

const createFoundItems = (
  probes: ReadonlyMap<string, NodeProbe>,
  configuredUrls: readonly string[],
): StepItem<NodeChoice>[] =>
  [...probes].map(([url, probe]) => ({
    label: getUrlHost(url),
    description: configuredUrls.includes(url) ? `${formatProbe(probe)} · ${l10n.t('in use')}` : formatProbe(probe),
    iconPath: new ThemeIcon('pass'),
    result: { url, probe },
  }));

const createSearchItem = (isSearching: boolean): StepItem<NodeChoice> => ({
  label: isSearching ? l10n.t('Looking for nodes…') : l10n.t('No node found on the usual ports'),
  detail: isSearching ? '' : l10n.t('Start one, for example with: anvil, or: npx hardhat node'),
  iconPath: new ThemeIcon(isSearching ? 'loading~spin' : 'info'),
});

const createWorkspaceItems = (nodes: readonly WorkspaceNode[]): StepItem<NodeChoice>[] =>
  nodes
    .filter(({ url }) => url === null || !isLoopbackUrl(url))
    .map(({ name, url, variable, file }) =>
      url === null
        ? {
            label: sanitizeLabel(name, 40),
            description: sanitizeLabel(file, 80),
            detail: l10n.t('Its URL is in {0}, which HexLens does not read: enter it here.', variable ?? ''),
            iconPath: new ThemeIcon('circle-slash'),
          }
        : {
            label: sanitizeLabel(name, 40),
            description: `${sanitizeLabel(getUrlHost(url), 80)} · ${sanitizeLabel(file, 80)}`,
            detail: l10n.t('Nothing is sent to it until you select it.'),
            iconPath: new ThemeIcon('globe'),
            result: { url, probe: null },
          },
    );
