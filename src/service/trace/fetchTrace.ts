// The trace of a transaction by the best way that its node permits, cached by transaction and block.
import { LRUCache } from 'lru-cache';
import { HexLensError } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { parseQuantity } from '../../base/hex.ts';
import { joinLocalizable, type LocalizableText, localizable } from '../../base/localize.ts';
import { RequestDeduplicator } from '../../base/requestDeduplicator.ts';
import type { Trace } from '../../decode/trace/trace.ts';
import type { EvmNode, NodeState } from '../evm/evmNode.ts';
import { fetchTransaction } from '../evm/fetchTransaction.ts';
import type { NodeCache } from '../evm/nodeCache.ts';
import type { WireObject } from '../evm/responseFields.ts';
import type { MinedBlock } from '../evm/toBlockRecord.ts';
import { StepStates } from './stepStates.ts';
import { addStructLogs } from './structLogSteps.ts';
import { traceByReplay } from './traceByReplay.ts';
import { traceCalls } from './traceCalls.ts';

/** A transaction with its trace. */
export interface FetchedTrace {
  readonly wire: WireObject;
  readonly receipt: WireObject;
  readonly minedIn: MinedBlock;
  readonly isSuccessful: boolean;
  readonly trace: Trace;
  /** Stack and memory at each step; `null` for a trace of the node. */
  readonly states: StepStates | null;
  /** What a reader of the trace should know: one sentence each. */
  readonly notes: readonly LocalizableText[];
}

/** Why a transaction has no trace. */
export interface NoTrace {
  /** `pending`: not mined yet; `unavailable`: `reason` says what is missing and how to get it. */
  readonly problem: 'pending' | 'unavailable';
  readonly reason: LocalizableText;
}

/** Bytes of steps that all traces of a chain may hold. */
const MAX_CACHED_BYTES = 64 << 20;
const BYTES_PER_STEP = 17;
const MIN_ENTRY_BYTES = 4_096;

class TraceCache {
  /** By transaction and block. */
  readonly traces = new LRUCache<string, FetchedTrace>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ trace }) =>
      MIN_ENTRY_BYTES + Math.min(trace.steps.length * BYTES_PER_STEP, MAX_CACHED_BYTES / 2),
  });
  readonly requests = new RequestDeduplicator<FetchedTrace | NoTrace>();
}

/** By what is known of a node, which is replaced when its chain is reset. */
const caches = new WeakMap<NodeCache, TraceCache>();

function getCache(node: EvmNode): TraceCache {
  let cache = caches.get(node.cache);
  if (cache === undefined) {
    cache = new TraceCache();
    caches.set(node.cache, cache);
  }
  return cache;
}

export interface TraceResult {
  readonly state: NodeState;
  readonly result: FetchedTrace | NoTrace;
}

/** @throws `not-found` when the node does not know the transaction; faults of the node. */
export async function fetchTrace(node: EvmNode, hash: Hex, signal: AbortSignal | undefined): Promise<TraceResult> {
  const { state, found } = await fetchTransaction(node, hash, signal);
  if (found === null) throw new HexLensError('not-found', localizable('Transaction not found'));
  const { wire, receipt, minedIn } = found;
  if (receipt === null || minedIn === null)
    return { state, result: { problem: 'pending', reason: localizable('The transaction is not in a block yet.') } };
  const cache = getCache(node);
  const key = `${hash} ${minedIn.hash}`;
  const cached = cache.traces.get(key);
  if (cached !== undefined) return { state, result: cached };
  const result = await cache.requests.join(
    key,
    async shared => {
      const traced = await trace(node, state, { wire, receipt, minedIn }, shared);
      if ('trace' in traced) cache.traces.set(key, traced);
      return traced;
    },
    signal,
  );
  return { state, result };
}

async function trace(
  node: EvmNode,
  state: NodeState,
  mined: { readonly wire: WireObject; readonly receipt: WireObject; readonly minedIn: MinedBlock },
  signal: AbortSignal,
): Promise<FetchedTrace | NoTrace> {
  const isSuccessful = parseQuantity(mined.receipt['status']) !== 0n;
  const outcome = await traceByReplay(node, state, mined, signal);
  if ('replay' in outcome) {
    const { frames, steps, writes, logs, selfDestructs, preimages, accounts } = outcome.replay;
    return {
      ...mined,
      isSuccessful,
      trace: { by: 'replay', isVerified: true, frames, steps, writes, logs, selfDestructs, preimages, accounts },
      states: new StepStates(outcome.replay.input),
      notes: outcome.notes,
    };
  }
  const traced = await traceCalls(node, mined, signal);
  const stepped = traced === null ? null : await addStructLogs(node, traced, mined, signal);
  if (stepped !== null)
    return { ...mined, isSuccessful, trace: stepped, states: null, notes: [outcome.problem, STEPS_OF_NODE] };
  if (traced !== null)
    return {
      ...mined,
      isSuccessful,
      trace: traced,
      states: null,
      notes: [
        outcome.problem,
        localizable(
          'The calls are those that the node traced. It gave no steps, so that there are no lines: Anvil keeps them with --steps-tracing.',
        ),
      ],
    };
  return { problem: 'unavailable', reason: joinLocalizable([outcome.problem, NO_TRACER], ' ') };
}

const STEPS_OF_NODE = localizable('The steps and calls are those that the node traced.');
const NO_TRACER = localizable(
  'The node has no tracer either: a node of your own with the debug API (geth --http.api eth,debug; anvil) has one.',
);
