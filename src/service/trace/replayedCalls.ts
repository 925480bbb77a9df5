// Internal transactions of a transaction or block: from the node's traces, and where it has none from our own run.

import type { HaltReason } from '../../api/transactionTrace.ts';
import { HexLensError, isFault } from '../../base/errors.ts';
import { bytesToHex, type Hex } from '../../base/hex.ts';
import { isUndone, type Trace, type TraceFrame, type TraceSelfDestruct } from '../../decode/trace/trace.ts';
import type { CallFrame } from '../evm/callFrames.ts';
import { type EvmNode, isDevelopmentChain, type NodeState } from '../evm/evmNode.ts';
import type { FullBlock } from '../evm/fetchBlock.ts';
import { type TracedFrames, traceBlock, traceTransaction } from '../evm/internalTransactions.ts';
import type { RpcResponse } from '../evm/rpcMessage.ts';
import type { MinedBlock } from '../evm/toBlockRecord.ts';
import { findDifference } from './checkReplay.ts';
import { fetchTrace } from './fetchTrace.ts';
import { parseReplayTransaction } from './parseReplayInput.ts';
import type { Replay, ReplayInput } from './replay/replayTransaction.ts';
import type { ReplayTransaction } from './replay/replayTypes.ts';
import { ParentStateSource } from './stateSources.ts';
import {
  fetchReplayBlock,
  hasMetSizeLimit,
  listHardforks,
  loadEvm,
  MAX_EARLIER_TRANSACTIONS,
} from './traceByReplay.ts';

/**
 * What `read` makes of the run of each transaction, whose steps are dropped after it; `null` where the block has too many of
 * them, or where one of the runs is not what the chain has. Rejects with the fault of the node that lacks the state.
 */
async function replayBlock<T>(
  node: EvmNode,
  state: NodeState,
  { header, transactions, receipts }: FullBlock,
  read: (replay: Replay) => T,
  signal: AbortSignal | undefined,
): Promise<readonly T[] | null> {
  const { isLoopback } = node.rpc;
  if (transactions.length > 1 + MAX_EARLIER_TRANSACTIONS[isLoopback ? 'loopback' : 'remote']) return null;
  const inputs = node
    .validate('eth_getBlockByHash', () =>
      transactions.map((wire, at) => parseReplayTransaction(wire, receipts[at] ?? {})),
    )
    .filter(transaction => transaction !== null);
  const receipt = receipts.find(({ blobGasPrice }) => blobGasPrice !== undefined) ?? receipts[0];
  if (receipt === undefined || inputs.length < transactions.length) return null;
  const block = await fetchReplayBlock(node, header.wire, receipt, signal);
  const source = new ParentStateSource(node, block, signal);
  if (!isLoopback) await Promise.all(inputs.map(each => source.prefetch(each)));
  for (const hardfork of await listHardforks(state, block))
    for (const hasCodeSizeLimit of isDevelopmentChain(state) ? [true, false] : [true]) {
      const rules = { source, hardfork, hasCodeSizeLimit, chainId: state.chain.id, block };
      const run = await runOnce(rules, inputs, receipts, read, signal);
      if (run.results !== null) return run.results;
      if (!run.hasMetSizeLimit) break;
    }
  return null;
}

/** `results` is `null` from the first transaction on that did something else than the chain says. */
async function runOnce<T>(
  rules: Omit<ReplayInput, 'earlier' | 'transaction'>,
  transactions: readonly ReplayTransaction[],
  receipts: FullBlock['receipts'],
  read: (replay: Replay) => T,
  signal: AbortSignal | undefined,
): Promise<{ readonly results: readonly T[] | null; readonly hasMetSizeLimit: boolean }> {
  const { replayInTurn } = await loadEvm();
  const results: T[] = [];
  let hasMet = false;
  try {
    for await (const replay of replayInTurn(rules, transactions, signal)) {
      hasMet ||= hasMetSizeLimit(replay);
      const isSame = findDifference(replay, receipts[results.length] ?? {}, null) === null;
      if (!isSame) return { results: null, hasMetSizeLimit: hasMet };
      results.push(read(replay));
    }
  } catch (error) {
    if (error instanceof HexLensError || signal?.aborted) throw error;
    return { results: null, hasMetSizeLimit: hasMet }; // the EVM does not know something of this chain
  }
  return { results, hasMetSizeLimit: hasMet };
}

/** The calls inside one transaction, for which `sendTrace` may have been called; `problem` stays the node's where it cannot be run again either. */
export async function fetchCallsOfTransaction(
  node: EvmNode,
  block: MinedBlock,
  hash: Hex,
  signal: AbortSignal | undefined,
  sent: Promise<RpcResponse> | null = null,
): Promise<TracedFrames> {
  const traced = await traceTransaction(node, block, hash, signal, sent);
  if (traced.problem === null) return traced;
  try {
    const { result } = await fetchTrace(node, hash, signal);
    return 'trace' in result ? { frames: [toCallFrames(result.trace)], problem: null } : traced;
  } catch (error) {
    if (isFault(error, 'cancelled')) throw error;
    return traced;
  }
}

/** The calls inside all transactions of a block; `problem` stays the node's where it cannot be run again either. */
export async function fetchCallsOfBlock(
  node: EvmNode,
  state: NodeState,
  block: FullBlock,
  signal: AbortSignal | undefined,
): Promise<TracedFrames> {
  const traced = await traceBlock(node, block.header, block.hashes, signal);
  if (traced.problem === null) return traced;
  try {
    const frames = await replayBlock(node, state, block, toCallFrames, signal);
    return frames === null ? traced : { frames, problem: null };
  } catch (error) {
    if (signal?.aborted || isFault(error, 'cancelled')) throw error;
    return traced;
  }
}

/** As Geth says it. */
const ERROR_TEXTS: Readonly<Record<HaltReason, string>> = {
  outOfGas: 'out of gas',
  stackUnderflow: 'stack underflow',
  stackOverflow: 'stack limit reached 1024',
  invalidOpcode: 'invalid opcode',
  badJump: 'invalid jump destination',
  staticStateChange: 'write protection',
  returnDataOutOfBounds: 'return data out of bounds',
  codeSizeLimit: 'max code size exceeded',
  initCodeSizeLimit: 'max initcode size exceeded',
  codeBeginsWithEf: 'invalid code: must not begin with 0xef',
  addressCollision: 'contract address collision',
  depth: 'max call depth exceeded',
  insufficientBalance: 'insufficient balance for transfer',
  nonceOverflow: 'nonce uint64 overflow',
  precompile: 'precompiled contract failed',
  other: 'execution failed',
};

const getError = ({ status, haltReason = 'other' }: TraceFrame): string | null =>
  status === 'success' ? null : status === 'reverted' ? 'execution reverted' : ERROR_TEXTS[haltReason];

/** All but the transaction's own call, in the order of execution. */
export function toCallFrames({ frames, selfDestructs }: Pick<Trace, 'frames' | 'selfDestructs'>): readonly CallFrame[] {
  const calls = frames.slice(1).map(frame => ({
    step: frame.callStep,
    call: { ...toCall(frame, frames[frame.parent]), isReverted: isUndone(frames, frame) },
  }));
  const destroyed = selfDestructs.map(entry => ({ step: entry.step, call: toDestroyed(entry, frames) }));
  // Steps are the order of execution, also of calls without code between them.
  return [...calls, ...destroyed].sort((a, b) => a.step - b.step).map(({ call }) => call);
}

function toCall(frame: TraceFrame, parent: TraceFrame | undefined): Omit<CallFrame, 'isReverted'> {
  const { kind, caller, isCreation, status, address, codeAddress, value, gasLimit, gasUsed, code, input, output } =
    frame;
  const hasValue = kind !== 'STATICCALL' && kind !== 'DELEGATECALL';
  return {
    type: kind,
    // A delegated call keeps the caller of the code around it, but is made by that contract.
    from: kind === 'DELEGATECALL' && parent !== undefined ? parent.address : caller,
    to: !isCreation ? codeAddress : status === 'success' ? address : null,
    value: hasValue ? value : 0n,
    gas: BigInt(gasLimit),
    gasUsed: BigInt(gasUsed),
    input: bytesToHex(isCreation ? code : input),
    output: bytesToHex(output),
    error: getError(frame),
    depth: frame.depth,
  };
}

function toDestroyed(
  { address, beneficiary, value, frame: index }: TraceSelfDestruct,
  frames: readonly TraceFrame[],
): CallFrame {
  const frame = frames[index];
  return {
    type: 'SELFDESTRUCT',
    from: address,
    to: beneficiary,
    value,
    gas: 0n,
    gasUsed: 0n,
    input: '0x',
    output: '0x',
    error: null,
    depth: (frame?.depth ?? 0) + 1,
    isReverted: frame !== undefined && isUndone(frames, frame),
  };
}
