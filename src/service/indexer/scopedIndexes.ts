// The sparse indexes of one node's chain: one per contract or wallet that a request needed; the last used stay open.
import { type Hex, toLowerHex } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { fetchBlockNumberAtTime } from '../evm/fetchBlockNumberAtTime.ts';
import { getScopeName, type IndexScope } from '../store/store.ts';
import type { TaskRegistry } from '../taskRegistry.ts';
import type { ChainFollowerDeps } from './chainFollower.ts';
import { type ChainIndex, createChainIndex } from './chainIndex.ts';
import { fetchDeployment } from './fetchDeployment.ts';
import type { IndexPlan } from './indexPlan.ts';
import type { PageScan } from './scanPage.ts';
import { createScopeRangeReader } from './scopeRangeReader.ts';

const SECONDS_PER_DAY = 86_400;

interface ScopePlan extends IndexPlan {
  readonly scope: IndexScope;
  /** Sales: from now on the index must hold at least so many days before the newest block. */
  requireDays(days: number): void;
}

/** What a sparse index reads: a contract from its deployment on, a wallet from block 0, sales of the last days. */
function createScopePlan(node: EvmNode, scope: IndexScope, log: Log): ScopePlan {
  let requiredDays = 0;
  /** Unix time from which on the store has sales, once that is known. */
  let reachedTime: number | null = null;
  const getRequiredTime = (headTime: Date) => Math.max(0, headTime.getTime() / 1000 - requiredDays * SECONDS_PER_DAY);

  const fetchFirstBlock: IndexPlan['fetchFirstBlock'] = async (state, signal) => {
    if (scope.kind === 'wallet') return 0;
    if (scope.kind === 'contract') {
      const { block, isExact } = await fetchDeployment(node, scope.address, state.headNumber, signal);
      if (!isExact)
        log.info(
          `The node of ${node.selector} has too little old state to tell when ${scope.address} was deployed: its logs are read from block ${block} on.`,
        );
      return block;
    }
    const time = getRequiredTime(state.head.time);
    const block = await fetchBlockNumberAtTime(node, state, time, signal);
    reachedTime = time;
    return Math.min(block, state.headNumber);
  };

  return {
    scope,
    createReader: tokenContracts => createScopeRangeReader(node, scope, tokenContracts),
    fetchFirstBlock,
    ...(scope.kind === 'trades' && {
      async reachesFarEnough(coverage, state, signal) {
        if (reachedTime !== null && getRequiredTime(state.head.time) >= reachedTime) return true;
        const timeBefore = reachedTime;
        if (coverage.fromBlock <= (await fetchFirstBlock(state, signal))) return true;
        reachedTime = timeBefore;
        return false;
      },
    }),
    requireDays(days) {
      requiredDays = Math.max(requiredDays, days);
    },
  };
}

/** What a sparse index of one contract or wallet holds. */
type ScopedQueryScope =
  /** Transfers of one token contract, and thereby the owners of its NFTs. */
  | { readonly kind: 'contract'; readonly address: Hex }
  /** Transfers of tokens from and to one wallet, and thereby the NFTs that it owns. */
  | { readonly kind: 'wallet'; readonly address: Hex }
  /** Sales of one contract's NFTs in the last days before the newest block. */
  | { readonly kind: 'trades'; readonly address: Hex; readonly days: number };

/** What needs an index. */
export type IndexedQueryScope =
  /** Every transfer of tokens, and every sale. */
  { readonly kind: 'chain' } | ScopedQueryScope;

/** The part of a chain that a query needs: a development chain is indexed whole, a public one only as far as queries need. */
export type QueryScope =
  | IndexedQueryScope
  /** One page of the whole chain, which can be scanned where the chain is not indexed. */
  | { readonly kind: 'page'; readonly scan: PageScan };

export const WHOLE_CHAIN: IndexedQueryScope = { kind: 'chain' };

export interface AcquiredIndex {
  readonly index: ChainIndex;
  /** To be called when its rows have been read: until then it stays open. */
  release(): void;
}

export interface ScopedIndexes {
  /** The index of the scope; opened, and the least recently used one closed for it, when it is not open. */
  acquire(scope: ScopedQueryScope): AcquiredIndex;
  stop(): Promise<void>;
}

export interface ScopedIndexesDeps extends Pick<ChainFollowerDeps, 'node' | 'open' | 'clock' | 'log'> {
  readonly tasks: TaskRegistry;
}

/** Each holds an open file; one that is running or being read is never closed for another. */
const MAX_OPEN_INDEXES = 24;
/** Clients do not repeat their request while a long history is read: the work continues for this long without one. */
const SCOPED_IDLE_MS = 15 * 60_000;

interface OpenScopedIndex {
  readonly index: ChainIndex;
  readonly plan: ScopePlan;
  readers: number;
}

export function createScopedIndexes({ node, open, clock, log, tasks }: ScopedIndexesDeps): ScopedIndexes {
  /** By the name of the scope, the most recently used last. */
  const openIndexes = new Map<string, OpenScopedIndex>();
  const closing = new Set<Promise<void>>();

  const create = (scope: IndexScope): OpenScopedIndex => {
    const plan = createScopePlan(node, scope, log);
    const index = createChainIndex({ node, plan, open, clock, log, tasks, idleMs: SCOPED_IDLE_MS });
    return { plan, index, readers: 0 };
  };
  const closeLeastRecentlyUsed = () => {
    if (openIndexes.size < MAX_OPEN_INDEXES) return;
    for (const [name, { index, readers }] of openIndexes) {
      if (readers > 0 || index.progress().isRunning) continue;
      openIndexes.delete(name);
      const closed: Promise<void> = index.stop().finally(() => closing.delete(closed));
      closing.add(closed);
      return;
    }
  };

  return {
    acquire(queryScope) {
      const scope: IndexScope = { kind: queryScope.kind, address: toLowerHex(queryScope.address) };
      const name = getScopeName(scope);
      let opened = openIndexes.get(name);
      if (opened === undefined) {
        closeLeastRecentlyUsed();
        opened = create(scope);
      }
      openIndexes.delete(name);
      openIndexes.set(name, opened);
      if (queryScope.kind === 'trades') opened.plan.requireDays(queryScope.days);
      const acquired = opened;
      acquired.readers++;
      return {
        index: acquired.index,
        release() {
          acquired.readers--;
        },
      };
    },
    async stop() {
      await Promise.allSettled([...[...openIndexes.values()].map(({ index }) => index.stop()), ...closing]);
      openIndexes.clear();
    },
  };
}
