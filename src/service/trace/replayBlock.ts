// Runs all transactions of a block again in turn, for nodes that have its state and no tracer.
import { HexLensError } from '../../base/errors.ts';
import { type EvmNode, isDevelopmentChain, type NodeState } from '../evm/evmNode.ts';
import type { FullBlock } from '../evm/fetchBlock.ts';
import { findDifference } from './checkReplay.ts';
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
export async function replayBlock<T>(
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
