// Internal transactions of a transaction or block: from the node's traces, and where it has none from our own run.
import type { HaltReason } from '../../api/transactionTrace.ts';
import { isFault } from '../../base/errors.ts';
import { bytesToHex, type Hex, ZERO_ADDRESS } from '../../base/hex.ts';
import type { Trace, TraceFrame, TraceSelfDestruct } from '../../decode/trace/trace.ts';
import type { EvmNode, NodeState } from '../evm/evmNode.ts';
import type { FullBlock } from '../evm/fetchBlock.ts';
import {
  fetchInternalTransactions,
  fetchInternalTransactionsOfBlock,
  type InternalTransactions,
  type TracedTransaction,
} from '../evm/internalTransactions.ts';
import type { InternalTransactionRecord, MinedBlock } from '../evm/toBlockRecord.ts';
import { fetchTrace } from './fetchTrace.ts';
import type { Replay } from './replay/replayTransaction.ts';
import { replayBlock } from './replayBlock.ts';

/** The calls inside one transaction; `problem` stays the node's where it cannot be run again either. */
export async function fetchCallsOfTransaction(
  node: EvmNode,
  block: MinedBlock,
  transaction: TracedTransaction,
  signal: AbortSignal | undefined,
): Promise<InternalTransactions> {
  const traced = await fetchInternalTransactions(node, block, transaction, signal);
  if (traced.problem === null) return traced;
  try {
    const { result } = await fetchTrace(node, transaction.hash, signal);
    if (!('trace' in result)) return traced;
    return { byTransaction: [toInternalTransactions(result.trace, block, transaction.hash)], problem: null };
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
  transactions: readonly TracedTransaction[],
  signal: AbortSignal | undefined,
): Promise<InternalTransactions> {
  const { header } = block;
  const traced = await fetchInternalTransactionsOfBlock(node, header, transactions, signal);
  if (traced.problem === null) return traced;
  try {
    const read = (replay: Replay) => toInternalTransactions(replay, header, replay.input.transaction.hash);
    const byTransaction = await replayBlock(node, state, block, read, signal);
    return byTransaction === null ? traced : { byTransaction, problem: null };
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
export function toInternalTransactions(
  { frames, selfDestructs }: Pick<Trace, 'frames' | 'selfDestructs'>,
  block: Pick<MinedBlock, 'number' | 'hash'>,
  transactionHash: Hex,
): readonly InternalTransactionRecord[] {
  const shared = { transactionHash, blockNumber: block.number, blockHash: block.hash };
  const calls = frames.slice(1).map(frame => ({ step: frame.callStep, record: { ...shared, ...toRecord(frame) } }));
  const destroyed = selfDestructs.map(entry => ({
    step: entry.step,
    record: { ...shared, ...toDestroyed(entry, frames[entry.frame]) },
  }));
  // Steps are the order of execution, also of calls without code between them.
  return [...calls, ...destroyed].sort((a, b) => a.step - b.step).map(({ record }) => record);
}

type OwnFields = Omit<InternalTransactionRecord, 'transactionHash' | 'blockNumber' | 'blockHash'>;

function toRecord(frame: TraceFrame): OwnFields {
  const { kind, caller, isCreation, status, address, codeAddress, value, gasLimit, gasUsed, code, input, output } =
    frame;
  const hasValue = kind !== 'STATICCALL' && kind !== 'DELEGATECALL';
  return {
    type: kind,
    from: caller,
    // A creation that failed made no contract: the zero address, as official clients cannot read a block where this is empty.
    to: isCreation ? (status === 'success' ? address : ZERO_ADDRESS) : codeAddress,
    value: hasValue ? value : 0n,
    gas: BigInt(gasLimit),
    gasUsed: BigInt(gasUsed),
    input: bytesToHex(isCreation ? code : input),
    output: bytesToHex(output),
    error: getError(frame),
    depth: frame.depth,
  };
}

const toDestroyed = ({ address, beneficiary, value }: TraceSelfDestruct, frame: TraceFrame | undefined): OwnFields => ({
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
});
