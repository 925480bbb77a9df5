// What the look-up boxes of palette and inspector know without a node: saved addresses, ABIs of the workspace, history.

import { commands, type Memento } from 'vscode';
import type { KnownTokens } from '../../api/lookups.ts';
import type { Hex } from '../../base/hex.ts';
import { contextKeys } from '../../manifest/identifiers.ts';
import { getConfiguredTitle } from '../../view/chainTitle.ts';
import { createEntryRanking } from '../../view/lookUp/entryRanking.ts';
import {
  addHistoryEntry,
  getHistoryEntries,
  getHistoryKey,
  HISTORY_KEY,
  type LookUpHistory,
  parseHistory,
  removeHistoryEntry,
} from '../../view/lookUp/lookUpHistory.ts';
import type { LookUpSource, LookUpState, LookUpToken } from '../../view/lookUp/lookUpItem.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import type { ConfiguredChain } from '../worker/configuredChains.ts';

export interface LookUpSourcesDeps extends Pick<FeatureDeps, 'worker' | 'book' | 'abis' | 'records'> {
  /** Stores the history, separately for each workspace. */
  readonly workspaceState: Memento;
}

const ENS_CHAIN = 'eth';

const toLookUpTokens = (chain: string, { tokens }: KnownTokens): readonly LookUpToken[] =>
  tokens.map(({ address, standard, name, symbol }) => ({
    chain,
    address,
    standard: standard.replace('ERC', 'ERC-'),
    name: symbol ?? name ?? '',
    tags: symbol === null || name === null || name === symbol ? [] : [name],
    folder: '',
  }));

export type LookUpSources = ReturnType<typeof createLookUpSources>;

export function createLookUpSources({ worker, book, workspaceState, abis, records }: LookUpSourcesDeps) {
  const genesisHashes = new Map<string, string>();
  const chainIds = new Map<string, number>();
  /** By chain, as far as their indexes have been asked. */
  const tokens = new Map<string, readonly LookUpToken[]>();
  let rankedTokens = createEntryRanking<LookUpToken>([]);
  const readHistory = () => parseHistory(workspaceState.get(HISTORY_KEY));
  const writeHistory = async (history: LookUpHistory): Promise<void> => {
    const hasEntries = history.some(({ entries }) => entries.length > 0);
    await workspaceState.update(HISTORY_KEY, hasEntries ? history : undefined);
    void commands.executeCommand('setContext', contextKeys.lookedUp, hasEntries);
  };
  const getKey = (selector: string): string | null => {
    const chain = worker.chains().find(configured => configured.selector === selector);
    return chain === undefined
      ? null
      : getHistoryKey({ selector, isOnLoopback: chain.isOnLoopback }, genesisHashes.get(selector) ?? null);
  };
  let ranked: { readonly entries: unknown; readonly ranking: LookUpState['ranking'] } | undefined;
  const getRanking = () => {
    const entries = book.trustedEntries();
    if (ranked?.entries !== entries) ranked = { entries, ranking: createEntryRanking(entries) };
    return ranked.ranking;
  };
  const getEnsChain = () => (worker.chains().some(({ selector }) => selector === ENS_CHAIN) ? ENS_CHAIN : null);
  return {
    /** The selector of the chain that ENS names are looked up on; `null` when it is not configured. */
    getEnsChain,
    /** `firstChain` comes before the other chains. `source`: where the text was selected. */
    createState({
      firstChain,
      source = null,
    }: {
      readonly firstChain?: string;
      readonly source?: LookUpSource | null;
    }): LookUpState {
      const history = readHistory();
      const chains = worker
        .chains()
        .map(chain => {
          const { selector, isOnLoopback } = chain;
          const title = getConfiguredTitle(chain);
          const id = chainIds.get(selector);
          return { selector, title, isOnLoopback, ...(id !== undefined && { id }) };
        })
        .toSorted((a, b) => Number(b.selector === firstChain) - Number(a.selector === firstChain));
      return {
        registry: abis.current(),
        chains,
        ranking: getRanking(),
        tokens: rankedTokens,
        ensChain: getEnsChain(),
        usesAptos: worker.aptosUse.isUsed(),
        source,
        getName: (address, chain) => book.getName(address, chain),
        getRecord: hash => records.peek(hash),
        history: chains.flatMap(({ selector }) => {
          const key = getKey(selector);
          return key === null ? [] : [{ key, chain: selector, entries: getHistoryEntries(history, key) }];
        }),
      };
    },
    /** Asks the nodes of this machine for id and genesis block, which the history of a dev chain is stored by. */
    async identifyLocalChains(signal: AbortSignal) {
      const identify = async (selector: string) => {
        const { chain, genesisHash } = await worker.lookup('chainStatus', { chain: selector }, signal);
        if (chain !== null) chainIds.set(selector, chain.id);
        if (genesisHash !== undefined) genesisHashes.set(selector, genesisHash);
      };
      // Without a node the history of its chain is not shown.
      await Promise.allSettled(
        worker.chains().flatMap(({ selector, isOnLoopback }) => (isOnLoopback ? [identify(selector)] : [])),
      );
    },
    /** Reads the tokens that the indexes of chains of this machine have met. */
    async loadTokens(signal: AbortSignal) {
      const load = async (chain: string) => {
        tokens.set(chain, toLookUpTokens(chain, await worker.lookup('knownTokens', { chain }, signal)));
        rankedTokens = createEntryRanking(worker.chains().flatMap(({ selector }) => tokens.get(selector) ?? []));
      };
      // Without a node, and in a first sync, they are not found by name. A request would resume an index that the user paused.
      const isRead = ({ selector, isOnLoopback }: ConfiguredChain) => isOnLoopback && !worker.isIndexPaused(selector);
      await Promise.allSettled(worker.chains().flatMap(chain => (isRead(chain) ? [load(chain.selector)] : [])));
    },
    /** Whether a deployment tool has recorded the hash, which was not known before. */
    findRecord: async (hash: Hex): Promise<boolean> =>
      records.peek(hash) === null && (await records.find(hash)) !== null,
    async saveToHistory(chain: string, value: string, label: string) {
      const key = getKey(chain);
      if (key === null) return;
      await writeHistory(addHistoryEntry(readHistory(), key, { value, label }));
    },
    removeFromHistory: (key: string, value: string): Promise<void> =>
      writeHistory(removeHistoryEntry(readHistory(), key, value)),
    clearHistory: () => writeHistory([]),
  };
}
