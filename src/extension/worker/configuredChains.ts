// The chains and Aptos networks of the settings, and whether requests to them stay on this machine.
import type { Configuration } from '../../api/configuration.ts';
import type { ChainStatus } from '../../api/lookups.ts';
import { toUrlList } from '../../api/nodeUrls.ts';
import { isLoopbackUrl } from '../../base/loopback.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';

export interface ConfiguredAptosNetwork {
  readonly name: string;
  /** Node, indexer and the remote host, where one answers for them, are on this machine. */
  readonly isOnLoopback: boolean;
  /** The user's settings name it; otherwise it is one of the default networks. */
  readonly isUserConfigured: boolean;
  /** Can answer lists: it has an indexer, or it is on this machine and small enough for an index of our own. */
  readonly canList: boolean;
  /** Can answer summaries. */
  readonly hasNode: boolean;
}

/** In the settings' order. With a remote host, `isOnLoopback` is also about that host, which receives the requests. */
export function getConfiguredAptosNetworks(
  { aptos = {}, groups }: Pick<Configuration, 'aptos' | 'groups'>,
  getUserConfigured: () => ReadonlySet<string>,
): readonly ConfiguredAptosNetwork[] {
  const { mode, baseUrl } = groups.aptos;
  const host = mode === 'remote' ? [baseUrl] : [];
  return Object.entries(aptos).map(([name, { node, indexer }]) => {
    const endpoints = [node, indexer].filter(url => url !== null);
    const isOnLoopback = [...endpoints, ...host].every(isLoopbackUrl);
    return {
      name,
      isOnLoopback,
      get isUserConfigured() {
        return getUserConfigured().has(name);
      },
      canList: isOnLoopback || indexer !== null || mode === 'remote',
      hasNode: node !== null,
    };
  });
}

export interface ConfiguredChain {
  readonly selector: string;
  /** What its node calls it; `null` until it has reported that. See `getConfiguredTitle`. */
  readonly reportedTitle: string | null;
  /** All its nodes, or the remote host that answers for it, are on this machine: requests cost nothing. */
  readonly isOnLoopback: boolean;
  /** Only this machine knows the chain, as its node reports: requests disclose nothing. */
  readonly isLocal: boolean;
  /** Of a fork by a node on this machine: what came behind this block was mined here. */
  readonly forkBlock?: number;
}

/** Whether the block was mined on this machine: its node has all that its transactions read, and asks no other one for it. */
export const isMinedHere = (
  { isLocal, forkBlock }: Pick<ChainStatus, 'isLocal' | 'forkBlock'>,
  block: number | null,
): boolean => isLocal === true || (forkBlock !== undefined && block !== null && block > forkBlock);

/**
 * Which explorer has a block and what is in it: that of the settings, else that of the chain (absent), which lacks what a fork
 * has mined on this machine (`null`).
 */
export const selectExplorer = (
  chain: Pick<ChainStatus, 'isLocal' | 'forkBlock'> | undefined,
  block: number | null,
  ofSettings: string | undefined,
): { readonly explorer?: string | null } => {
  if (ofSettings !== undefined) return { explorer: ofSettings };
  return chain !== undefined && isMinedHere(chain, block) ? { explorer: null } : {};
};

/** Whether a development node of this machine has the chain, also as a fork of another one. */
export const isDevelopmentNode = (chain: Pick<ChainStatus, 'isLocal' | 'forkBlock'>): boolean =>
  isMinedHere(chain, Number.POSITIVE_INFINITY);

/**
 * Whether its node is queried for a hash that nothing but the chain proves to be one: the node of a fork asks another node for
 * what it does not know. `isPublic`: it is no key.
 */
export const isSearchedForHash = (chain: Pick<ChainStatus, 'isLocal' | 'forkBlock'>, isPublic: boolean): boolean =>
  chain.isLocal === true || (isPublic && isDevelopmentNode(chain));

/**
 * In the settings' order.
 *
 * @param localSelectors Selectors of the chains whose nodes report that only this machine knows them (`ChainStatus.isLocal`).
 * @param forkBlocks What nodes report as `ChainStatus.forkBlock`, by selector.
 * @param titles What nodes call their chains, by selector.
 */
export function getConfiguredChains(
  { nodes, groups }: Pick<Configuration, 'nodes' | 'groups'>,
  localSelectors: ReadonlySet<string>,
  forkBlocks: ReadonlyMap<string, number> = new Map(),
  titles: ReadonlyMap<string, string> = new Map(),
): readonly ConfiguredChain[] {
  const { mode, baseUrl } = groups.evm;
  return Object.entries(nodes).map(([selector, urls]) => {
    const isOnLoopback = (mode === 'remote' ? [baseUrl] : toUrlList(urls)).every(isLoopbackUrl);
    const forkBlock = isOnLoopback ? forkBlocks.get(selector) : undefined;
    const isLocal = isOnLoopback && localSelectors.has(selector);
    const reportedTitle = titles.get(selector) ?? null;
    return { selector, reportedTitle, isOnLoopback, isLocal, ...(forkBlock !== undefined && { forkBlock }) };
  });
}

interface Configured {
  readonly configuration: Configuration;
  readonly chains: readonly ConfiguredChain[];
  readonly networks: readonly ConfiguredAptosNetwork[];
}

/** What the settings configure, with what nodes have reported of their chains. */
export class ConfiguredNetworks {
  readonly #settings: Pick<SettingsSource, 'configuration' | 'userAptosNetworks'>;
  /** Whether only this machine knows the chain, as its last status says, by selector. */
  readonly #isLocal = new Map<string, boolean>();
  readonly #forkBlocks = new Map<string, number>();
  /** What each node called its chain last, by selector. */
  readonly #titles = new Map<string, string>();
  /** Views and the status bar read it often: computed once per configuration. */
  #cached: Configured | undefined;

  constructor(settings: Pick<SettingsSource, 'configuration' | 'userAptosNetworks'>) {
    this.#settings = settings;
  }

  get(): Configured {
    const configuration = this.#settings.configuration();
    if (this.#cached?.configuration !== configuration) {
      const networks = getConfiguredAptosNetworks(configuration, this.#settings.userAptosNetworks);
      const local = new Set([...this.#isLocal].flatMap(([selector, isLocal]) => (isLocal ? [selector] : [])));
      const chains = getConfiguredChains(configuration, local, this.#forkBlocks, this.#titles);
      this.#cached = { configuration, chains, networks };
    }
    return this.#cached;
  }

  /** Whether the node of the chain has reported if only this machine knows it. */
  isIdentified(selector: string): boolean {
    return this.#isLocal.has(selector);
  }

  /** Returns whether the chain has another title now. */
  noteStatus({ selector, chain, isLocal, forkBlock }: ChainStatus): boolean {
    const isSameChain = chain === null || this.#titles.get(selector) === chain.title;
    if (isSameChain && this.#isLocal.get(selector) === isLocal && this.#forkBlocks.get(selector) === forkBlock)
      return false;
    if (chain !== null) this.#titles.set(selector, chain.title);
    if (forkBlock === undefined) this.#forkBlocks.delete(selector);
    else this.#forkBlocks.set(selector, forkBlock);
    if (isLocal === undefined) this.#isLocal.delete(selector);
    else this.#isLocal.set(selector, isLocal);
    this.#cached = undefined;
    return !isSameChain;
  }

  /** The nodes are others. */
  clear(): void {
    this.#isLocal.clear();
    this.#forkBlocks.clear();
    this.#titles.clear();
    this.#cached = undefined;
  }
}
