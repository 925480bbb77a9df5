// The trace of a transaction by the best way that its node permits, cached by transaction and block.

import { LRUCache } from 'lru-cache';
import { isPinned, type PinnedSimulation, type Simulation, type TraceTarget } from '../../api/traceTarget.ts';
import { HexLensError } from '../../base/errors.ts';
import { getOrInsert } from '../../base/getOrInsert.ts';
import { bytesToHex, type Hex, parseQuantity, toLowerHex, toQuantity } from '../../base/hex.ts';
import { joinLocalizable, type LocalizableText, localizable } from '../../base/localize.ts';
import { RequestDeduplicator } from '../../base/requestDeduplicator.ts';
import type { Trace } from '../../decode/trace/trace.ts';
import type { EvmNode, NodeState } from '../evm/evmNode.ts';
import { fetchTransaction } from '../evm/fetchTransaction.ts';
import type { NodeCache } from '../evm/nodeCache.ts';
import type { WireObject } from '../evm/responseFields.ts';
import type { MinedBlock } from '../evm/toBlockRecord.ts';
import { getEffectiveLogs } from './checkReplay.ts';
import type { Replay } from './replay/replayTransaction.ts';
import { pinSimulation, simulate } from './simulate.ts';
import { StepStates } from './stepStates.ts';
import { addStructLogs } from './structLogSteps.ts';
import { traceByReplay } from './traceByReplay.ts';
import type { MinedTransaction } from './traceCalls.ts';
import { traceCalls } from './traceCalls.ts';

/** A transaction with its trace. Of a simulated call, transaction, receipt and block are as they would be, without hashes. */
export interface FetchedTrace extends MinedTransaction {
  /** As it was run; `null` for a transaction of the chain. */
  readonly simulation: Simulation | null;
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
/** For so long the same simulation is in the same block: after that, time has passed for the contract too. */
const PINNED_MS = 60_000;

class TraceCache {
  /** By transaction and block. */
  readonly traces = new LRUCache<string, FetchedTrace>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ trace }) =>
      MIN_ENTRY_BYTES + Math.min(trace.steps.length * BYTES_PER_STEP, MAX_CACHED_BYTES / 2),
  });
  readonly requests = new RequestDeduplicator<FetchedTrace | NoTrace>();
  /** Simulations of the newest block, with the block that they are in: by what they call, and the newest block. */
  readonly pinned = new LRUCache<string, PinnedSimulation>({ max: 100, ttl: PINNED_MS });
}

/** By what is known of a node, which is replaced when its chain is reset. */
const caches = new WeakMap<NodeCache, TraceCache>();

function getCache(node: EvmNode): TraceCache {
  return getOrInsert(caches, node.cache, () => new TraceCache());
}

/** Those that were read before, without a request. */
export const listCachedTraces = (node: EvmNode): readonly FetchedTrace[] => [...getCache(node).traces.values()];

export interface TraceResult {
  readonly state: NodeState;
  readonly result: FetchedTrace | NoTrace;
}

/** What `fetchTrace` takes: the hash of a transaction, or a call to simulate. */
export const getTraceSubject = (target: TraceTarget): Hex | Simulation =>
  'hash' in target ? toLowerHex(target.hash) : target.simulation;

/** @throws `not-found` when the node does not know the transaction; faults of the node. */
export async function fetchTrace(
  node: EvmNode,
  subject: Hex | Simulation,
  signal: AbortSignal | undefined,
): Promise<TraceResult> {
  if (typeof subject !== 'string') return fetchSimulation(node, subject, signal);
  const hash = subject;
  const { state, found } = await fetchTransaction(node, hash, signal);
  if (found === null)
    throw new HexLensError('not-found', localizable('Transaction not found on {0}', state.chain.title));
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

async function fetchSimulation(
  node: EvmNode,
  simulation: Simulation,
  signal: AbortSignal | undefined,
): Promise<TraceResult> {
  // The user may have sent a transaction a moment ago.
  const state = isPinned(simulation) ? (await node.sendWithState([], signal)).state : await node.fetchState(signal);
  const cache = getCache(node);
  const name = `${JSON.stringify(simulation)} ${state.headHash}`;
  const pinned = isPinned(simulation)
    ? simulation
    : (cache.pinned.get(name) ?? (await pinSimulation(node, state, simulation, signal)));
  cache.pinned.set(name, pinned, { noUpdateTTL: true });
  const key = JSON.stringify(pinned);
  const cached = cache.traces.get(key);
  if (cached !== undefined) return { state, result: cached };
  const result = await cache.requests.join(
    key,
    async shared => {
      const simulated = await simulate(node, state, pinned, shared);
      if ('problem' in simulated) return { problem: 'unavailable', reason: simulated.problem } as const;
      const traced: FetchedTrace = {
        ...toTransaction(simulated.replay, simulated.time),
        simulation: pinned,
        isSuccessful: simulated.replay.isSuccessful,
        trace: toTrace(simulated.replay, simulated.isConfirmed),
        states: new StepStates(simulated.replay.input),
        notes: simulated.notes,
      };
      cache.traces.set(key, traced);
      return traced;
    },
    signal,
  );
  return { state, result };
}

const toTrace = (replay: Replay, isVerified: boolean): Trace => {
  const { frames, steps, writes, logs, selfDestructs, preimages, accounts, memorySizes, coldAccesses, fixedGas } =
    replay;
  const effects = { writes, logs, selfDestructs, preimages, accounts, readWords: replay.readWords };
  return { by: 'replay', isVerified, frames, steps, ...effects, memorySizes, coldAccesses, fixedGas };
};

/** Transaction, receipt and block of a simulated call, as a node would give them. */
function toTransaction(replay: Replay, time: Date): Pick<FetchedTrace, 'wire' | 'receipt' | 'minedIn'> {
  const { input, frames, gasUsed, isSuccessful, createdAddress, accounts } = replay;
  const { transaction, block } = input;
  const { hash, from, to, gasPrice } = transaction;
  const blockNumber = toQuantity(block.number);
  const nonce = accounts.find(({ address }) => address === from)?.before?.nonce ?? 0n;
  const logs = getEffectiveLogs(frames, replay.logs).map(({ address, topics, data }, index) => ({
    address,
    topics,
    data: bytesToHex(data),
    logIndex: toQuantity(index),
    blockNumber,
    transactionHash: hash,
    transactionIndex: '0x0',
    blockHash: block.hash,
  }));
  return {
    wire: {
      hash,
      from,
      to,
      blockNumber,
      gasPrice: toQuantity(gasPrice),
      input: bytesToHex(transaction.input),
      value: toQuantity(transaction.value),
      gas: toQuantity(transaction.gasLimit),
      transactionIndex: '0x0',
      nonce: toQuantity(nonce),
      blockHash: block.hash,
    },
    receipt: {
      transactionHash: hash,
      from,
      to,
      blockNumber,
      logs,
      contractAddress: createdAddress,
      status: isSuccessful ? '0x1' : '0x0',
      gasUsed: toQuantity(gasUsed),
      transactionIndex: '0x0',
      effectiveGasPrice: toQuantity(gasPrice),
    },
    minedIn: { number: Number(block.number), hash: block.hash, time },
  };
}

async function trace(
  node: EvmNode,
  state: NodeState,
  mined: { readonly wire: WireObject; readonly receipt: WireObject; readonly minedIn: MinedBlock },
  signal: AbortSignal,
): Promise<FetchedTrace | NoTrace> {
  const isSuccessful = parseQuantity(mined.receipt['status']) !== 0n;
  const shared = { ...mined, simulation: null, isSuccessful };
  const outcome = await traceByReplay(node, state, mined, signal);
  if ('replay' in outcome) {
    return {
      ...shared,
      trace: toTrace(outcome.replay, true),
      states: new StepStates(outcome.replay.input),
      notes: outcome.notes,
    };
  }
  const traced = await traceCalls(node, mined, signal);
  const stepped = traced === null ? null : await addStructLogs(node, traced, mined, signal);
  if (stepped !== null) return { ...shared, trace: stepped, states: null, notes: [outcome.problem, STEPS_OF_NODE] };
  if (traced !== null)
    return {
      ...shared,
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
