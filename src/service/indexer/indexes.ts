// The indexes of the configured chains, opened at first need: one of a whole development chain, many small ones of a public one.
import { DEVELOPMENT_CHAIN_IDS, getChainById } from '../../api/chains.ts';
import { HexLensError } from '../../base/errors.ts';
import { localizable } from '../../base/localize.ts';
import type { EvmNode, NodeState } from '../evm/evmNode.ts';
import type { BlockRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { type ChainIndex, createChainIndex } from './chainIndex.ts';
import { toBlockRow } from './chainRangeReader.ts';
import { type PageScan, type RowSource, type ScannedPage, type ScanRange, scanPage } from './scanPage.ts';
import {
  type AcquiredIndex,
  createScopedIndexes,
  type QueryScope,
  type ScopedIndexes,
  type ScopedIndexesDeps,
} from './scopedIndexes.ts';
import { createTokenContractCache, type TokenContractCache } from './tokenContractCache.ts';

/** Rows of a chain at one moment: of an index, or of one scanned page. */
export interface QuerySource {
  readonly store: RowSource;
  /** The newest block of the index; for a scanned page that of the chain. */
  readonly head: BlockRow;
  /** Whether that was the node's newest block too. */
  readonly isSynced: boolean;
  /** The number of the chain's newest block, never below that of `head`. */
  readonly chainHeight: number;
  /** The node's state before the rows were read: never newer than they are. */
  readonly nodeState: NodeState;
  /**
   * Whether rows up to `head` were removed meanwhile: a page of the others must not pass for the whole list.
   *
   * @param newest The newest block of `store` at this moment.
   */
  wasShortened(newest: BlockRow | null): boolean;
}

/** A chain's index at one moment. */
export interface CurrentIndex extends QuerySource {
  readonly store: Store;
}

/** How far the index of one chain is. */
export interface IndexStatus {
  /** Canonical chain selector. */
  readonly chain: string;
  /** Newest block in the index; `null` when there is none yet. */
  readonly indexedBlock: number | null;
  /** The node's head when it was last requested. */
  readonly nodeHead: number | null;
  /** Why the last run ended, when it was by a fault. */
  readonly fault: HexLensError | null;
}

export interface IndexReader {
  /**
   * An index that holds everything of the scope, at the node's head if that takes only a moment: that of the whole chain
   * where there is one. Rejects with `not-implemented` when the scope is the whole of a public chain, and with the node's
   * faults.
   */
  current(node: EvmNode, scope: QueryScope, signal: AbortSignal | undefined): Promise<CurrentIndex>;
  /** One page of everything that happened on a chain that is not indexed whole. Rejects with the node's faults. */
  scanPage(
    node: EvmNode,
    scan: PageScan,
    range: ScanRange,
    signal: AbortSignal | undefined,
  ): Promise<QuerySource & ScannedPage>;
  /** Whether the chain is indexed whole. Rejects with the node's faults. */
  isIndexedWhole(node: EvmNode, signal: AbortSignal | undefined): Promise<boolean>;
}

/** The indexes that one request reads stay open until it releases them. */
export interface RequestIndexes extends IndexReader {
  release(): void;
}

export type IndexesDeps = Omit<ScopedIndexesDeps, 'node'>;

/** A fork of a public chain is as high as that chain: indexing it whole would take days. */
export const MAX_WHOLE_CHAIN_HEIGHT = 2_000_000;

export type Indexes = ReturnType<typeof createIndexes>;

export function createIndexes({ open, clock, log, tasks }: IndexesDeps) {
  const wholeIndexes = new Map<EvmNode, ChainIndex>();
  const scopedIndexes = new Map<EvmNode, ScopedIndexes>();
  const tokenContractCaches = new Map<
    EvmNode,
    { readonly tokenContracts: TokenContractCache; readonly genesisHash: string }
  >();
  let isStopped = false;

  const acquireIndex = (node: EvmNode, state: NodeState, scope: QueryScope): AcquiredIndex => {
    if (isStopped) throw new HexLensError('backend-stopped', localizable('The embedded service was stopped.'));
    if (canIndexWhole(node, state)) {
      const index = wholeIndexes.get(node) ?? createChainIndex({ node, open, clock, log, tasks });
      wholeIndexes.set(node, index);
      return { index, release() {} };
    }
    if (scope.kind === 'chain' || scope.kind === 'page') throw createNotIndexedWholeFault(state);
    const scoped = scopedIndexes.get(node) ?? createScopedIndexes({ node, open, clock, log, tasks });
    scopedIndexes.set(node, scoped);
    return scoped.acquire(scope);
  };

  const getTokenContracts = (node: EvmNode, { genesisHash }: NodeState): TokenContractCache => {
    const cached = tokenContractCaches.get(node);
    if (cached?.genesisHash === genesisHash) return cached.tokenContracts;
    const tokenContracts = createTokenContractCache(node);
    tokenContractCaches.set(node, { tokenContracts, genesisHash });
    return tokenContracts;
  };

  const forRequest = (): RequestIndexes => {
    const acquired: AcquiredIndex[] = [];
    return {
      async scanPage(node, scan, range, signal) {
        const nodeState = await node.getState(signal);
        const tokenContracts = getTokenContracts(node, nodeState);
        const page = await scanPage({ node, tokenContracts, clock }, scan, range, signal);
        const head = toBlockRow(nodeState.head);
        const wasShortened = () => false;
        return { ...page, head, isSynced: true, chainHeight: nodeState.headNumber, nodeState, wasShortened };
      },
      isIndexedWhole: async (node, signal) => canIndexWhole(node, await node.getState(signal)),
      async current(node, scope, signal) {
        const count = node.stateRequestCount;
        const nodeState = await node.getState(signal);
        const lease = acquireIndex(node, nodeState, scope);
        acquired.push(lease);
        const { index } = lease;
        const { store, head, isSynced, removals } = await index.current(signal, node.hasStateSince(count));
        // The index has just requested the node's head; the state may be from a moment before.
        const chainHeight = Math.max(nodeState.headNumber, head.number, index.progress().nodeHead ?? 0);
        const wasShortened = (newest: BlockRow | null) =>
          index.removals !== removals || newest === null || newest.number < head.number;
        return { store, head, isSynced, chainHeight, nodeState, wasShortened };
      },
      release() {
        for (const lease of acquired.splice(0)) lease.release();
      },
    };
  };

  return {
    forRequest,
    /** Every index of a whole chain that was needed so far. Sends nothing to nodes. */
    getStatuses: () =>
      [...wholeIndexes].map(([node, index]) => {
        const { indexedBlock, nodeHead, fault } = index.progress();
        return { chain: node.selector, indexedBlock, nodeHead, fault };
      }),
    /** Aborts all work and closes the stores. */
    async stop() {
      isStopped = true;
      await Promise.allSettled([...wholeIndexes.values(), ...scopedIndexes.values()].map(index => index.stop()));
      wholeIndexes.clear();
      scopedIndexes.clear();
    },
  };
}

/** Development chains are small and local; a public chain is not indexed whole, and neither is a fork as high as one. */
export function canIndexWhole(node: EvmNode, { chain, isDevelopment, headNumber }: NodeState): boolean {
  const isOwnChain =
    DEVELOPMENT_CHAIN_IDS.includes(chain.id) ||
    (node.rpc.isLoopback && (isDevelopment || getChainById(chain.id) === undefined));
  return isOwnChain && headNumber <= MAX_WHOLE_CHAIN_HEIGHT;
}

function createNotIndexedWholeFault({ chain }: NodeState): HexLensError {
  return new HexLensError(
    'not-implemented',
    localizable('The embedded service does not index all of {0}.', chain.title),
    { fix: localizable('Choose a contract or a wallet, or a remote host for this group in the settings.') },
  );
}
