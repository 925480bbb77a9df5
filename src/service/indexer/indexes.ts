// The indexes of the configured chains, made when first needed: one of a whole development chain, many small ones of a public one.

import { getChainById } from '../../api/chains.ts';
import type { Progress } from '../../api/workerProtocol.ts';
import type { Clock } from '../../base/clock.ts';
import { HexLensError } from '../../base/errors.ts';
import { localizable } from '../../base/localize.ts';
import type { Log } from '../../base/log.ts';
import type { EvmNode, NodeState } from '../evm/evmNode.ts';
import type { BlockRow } from '../store/rows.ts';
import { getScopeName, type IndexScope, type OpenStore, type Store } from '../store/store.ts';
import { type ChainIndex, createChainIndex, type IndexProgress } from './chainIndex.ts';
import { createProgressReporter, getTaskName, toProgressStep } from './progressReporter.ts';
import type { QueryScope } from './queryScope.ts';
import { type PageScan, type ScannedPage, type ScanRange, scanPage } from './scanPage.ts';
import { createScopedIndexes, type ScopedIndexes } from './scopedIndexes.ts';
import { createTokenContractCache, type TokenContractCache } from './tokenContractCache.ts';

/** A chain's index at one moment. */
export interface CurrentIndex {
  readonly store: Store;
  /** The newest block of the index. */
  readonly head: BlockRow;
  /** Whether that was the node's newest too. */
  readonly isSynced: boolean;
  /** The chain's height: at least that of `head`. */
  readonly chainHeight: number;
  /** The node's state from before: never newer than what the index says. */
  readonly nodeState: NodeState;
}

/** How far the index of one chain is. */
export interface IndexStatus {
  /** Canonical chain selector. */
  readonly chain: string;
  /** Newest block in the index; `null` when there is none yet. */
  readonly indexedBlock: number | null;
  /** The node's head when it was last looked at. */
  readonly nodeHead: number | null;
  /** Why it does not go on. */
  readonly fault: HexLensError | null;
}

export interface Indexes {
  /**
   * An index that holds everything of the scope, brought up to the node's head where that takes no longer than a moment:
   * that of the whole chain where there is one. Rejects with `not-implemented` when the whole of a public chain is asked
   * for, and with the node's faults.
   */
  current(node: EvmNode, scope: QueryScope, signal: AbortSignal | undefined): Promise<CurrentIndex>;
  /** One page of all that happened on a chain that is not indexed whole. Rejects with the node's faults. */
  scanPage(
    node: EvmNode,
    scan: PageScan,
    span: ScanRange,
    signal: AbortSignal | undefined,
  ): Promise<CurrentIndex & ScannedPage>;
  /** Whether the chain is indexed whole. Rejects with the node's faults. */
  isIndexedWhole(node: EvmNode, signal: AbortSignal | undefined): Promise<boolean>;
  /** Every index of a whole chain that was needed so far. Asks nobody. */
  getStatuses(): readonly IndexStatus[];
  /** Ends the work that progress named so, after the step it is at; the next request goes on from there. */
  pause(task: string): void;
  /** Goes on with what was paused, if it is still open. */
  resume(task: string): void;
  /** Ends what is under way and closes the stores. */
  stop(): Promise<void>;
}

export interface IndexesDeps {
  readonly open: OpenStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Hears of indexing that takes longer than a moment. */
  readonly report?: ((progress: Progress) => void) | undefined;
}

/** Chain ids of Anvil, Hardhat and Ganache. */
const DEVELOPMENT_IDS: readonly number[] = [31337, 1337];
/** A fork of a public chain has its height, and reading it whole would take days of someone else's node. */
export const MAX_WHOLE_CHAIN_HEIGHT = 2_000_000;

export function createIndexes({ open, clock, log, report = () => {} }: IndexesDeps): Indexes {
  const indexes = new Map<EvmNode, ChainIndex>();
  const subjects = new Map<EvmNode, ScopedIndexes>();
  const books = new Map<EvmNode, { readonly book: TokenContractCache; readonly genesisHash: string }>();
  let stopped = false;

  const reporting = ({ selector }: EvmNode, subject: IndexScope | undefined) => {
    const task = getTaskName(selector, getScopeName(subject));
    const of = {
      task,
      kind: 'index',
      chain: selector,
      address: subject?.address ?? null,
      ...(subject && { scope: subject.kind }),
    } as const;
    const take = createProgressReporter({ clock, report }, of);
    return (progress: IndexProgress) => take(toProgressStep(progress));
  };

  const indexOf = (node: EvmNode, state: NodeState, scope: QueryScope): ChainIndex => {
    if (stopped) throw new HexLensError('backend-stopped', localizable('The embedded service was stopped.'));
    if (isIndexedWhole(node, state)) {
      const index =
        indexes.get(node) ?? createChainIndex({ node, open, clock, log, onProgress: reporting(node, undefined) });
      indexes.set(node, index);
      return index;
    }
    if (scope.kind === 'chain' || scope.kind === 'page') throw notWhole(state);
    const progressed = (subject: IndexScope) => reporting(node, subject);
    const ofNode = subjects.get(node) ?? createScopedIndexes({ node, open, clock, log, onProgress: progressed });
    subjects.set(node, ofNode);
    return ofNode.getOrCreate(scope);
  };

  const bookOf = (node: EvmNode, { genesisHash }: NodeState): TokenContractCache => {
    const known = books.get(node);
    if (known?.genesisHash === genesisHash) return known.book;
    const book = createTokenContractCache(node);
    books.set(node, { book, genesisHash });
    return book;
  };

  const named = (task: string): readonly ChainIndex[] => [
    ...[...indexes].filter(([node]) => getTaskName(node.selector, '') === task).map(([, index]) => index),
    ...[...subjects].flatMap(([node, ofNode]) =>
      [...ofNode.getOpen()]
        .filter(([subject]) => getTaskName(node.selector, subject) === task)
        .map(([, index]) => index),
    ),
  ];

  return {
    async scanPage(node, wanted, span, signal) {
      const state = await node.getState(signal);
      const scanned = await scanPage({ node, state, book: bookOf(node, state), clock, log }, wanted, span, signal);
      const { number, hash, parentHash, time } = state.head;
      const head = { number, hash, parentHash: parentHash ?? hash, timestamp: time.getTime() / 1000 };
      return { ...scanned, head, isSynced: true, chainHeight: state.headNumber, nodeState: state };
    },
    isIndexedWhole: async (node, signal) => isIndexedWhole(node, await node.getState(signal)),
    async current(node, scope, signal) {
      const state = await node.getState(signal);
      const index = indexOf(node, state, scope);
      const { store, head, isSynced: synced } = await index.current(signal);
      // The index looked at the node just now; the state may be from a moment before.
      const height = Math.max(state.headNumber, head.number, index.progress().nodeHead ?? 0);
      return { store, head, isSynced: synced, chainHeight: height, nodeState: state };
    },
    getStatuses: () =>
      [...indexes].map(([node, index]) => {
        const { indexedBlock, nodeHead, fault } = index.progress();
        return { chain: node.selector, indexedBlock, nodeHead, fault };
      }),
    pause(task) {
      for (const index of named(task)) index.pause();
    },
    resume(task) {
      // Nobody waits for the answer: who asks next learns of a fault.
      const known = named(task);
      for (const index of known) index.current().catch(() => {});
      // Closed for others meanwhile: the next request opens it.
      if (known.length === 0)
        report({ task, kind: 'index', chain: null, address: null, done: 0, total: 0, isRunning: false });
    },
    async stop() {
      stopped = true;
      await Promise.allSettled([...indexes.values(), ...subjects.values()].map(index => index.stop()));
      indexes.clear();
      subjects.clear();
    },
  };
}

/** Dev chains are small and belong to whoever asks; a public chain is not read whole, and neither is a fork as high as one. */
function isIndexedWhole(node: EvmNode, { chain, isDevelopment: development, headNumber }: NodeState): boolean {
  const own =
    DEVELOPMENT_IDS.includes(chain.id) ||
    (node.rpc.isLoopback && (development || getChainById(chain.id) === undefined));
  return own && headNumber <= MAX_WHOLE_CHAIN_HEIGHT;
}

function notWhole({ chain }: NodeState): HexLensError {
  return new HexLensError(
    'not-implemented',
    localizable('The embedded service does not index all of {0}.', chain.title),
    {
      fix: localizable('Ask for a contract or a wallet, or choose a remote host for this group in the settings.'),
    },
  );
}
