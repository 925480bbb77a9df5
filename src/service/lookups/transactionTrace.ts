// `transactionTrace`: the calls of a transaction as they ran; its steps stay in this thread.
import {
  MAX_TRACE_DATA_BYTES,
  MAX_TRACED_CALLS,
  type TracedCall,
  type TransactionTrace,
} from '../../api/transactionTrace.ts';
import { bytesToHex, type Hex, parseQuantity, toWordHex } from '../../base/hex.ts';
import { findFailedFrame } from '../../decode/trace/failure.ts';
import { isUndone, type Trace, type TraceFrame } from '../../decode/trace/trace.ts';
import type { NodeState } from '../evm/evmNode.ts';
import { getFreshness, getLiveFreshness } from '../evm/finality.ts';
import { type FetchedTrace, fetchTrace, getTraceSubject } from '../trace/fetchTrace.ts';
import { hashCode } from '../trace/hashCode.ts';
import type { Lookup } from './lookup.ts';

export const transactionTrace: Lookup<'transactionTrace'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const subject = getTraceSubject(input);
  const hash = typeof subject === 'string' ? subject : null;
  const { state, result } = await fetchTrace(node, subject, signal);
  const value =
    'trace' in result
      ? toTransactionTrace(hash, state, result)
      : ({ kind: 'noTrace', chain: state.chain, hash, ...result } as const);
  // A simulated call is in the cache of traces, with the block that it is in.
  if (hash === null) return { value };
  const isTraced = 'trace' in result;
  return {
    value,
    freshness: isTraced ? getFreshness(node, state, result.minedIn.number) : getLiveFreshness(node, state),
  };
};

function toTransactionTrace(hash: Hex | null, { chain }: NodeState, fetched: FetchedTrace): TransactionTrace {
  const { trace, minedIn, receipt, isSuccessful, notes, simulation } = fetched;
  const failed = findFailedFrame(trace);
  return {
    kind: 'trace',
    chain,
    hash,
    notes,
    ...(simulation !== null && { simulation }),
    blockNumber: minedIn.number,
    blockHash: simulation === null ? minedIn.hash : null,
    status: isSuccessful ? 'success' : 'failed',
    gasUsed: parseQuantity(receipt['gasUsed']) ?? 0n,
    by: trace.by,
    verified: trace.isVerified,
    steps: trace.steps.length,
    calls: toTracedCalls(trace),
    omittedCalls: Math.max(0, trace.frames.length - MAX_TRACED_CALLS),
    failure:
      failed === null || failed.status === 'success'
        ? null
        : {
            call: failed.index,
            status: failed.status,
            haltReason: failed.haltReason ?? null,
            data: toData(trace.frames[0]?.output ?? failed.output),
          },
  };
}

const toData = (bytes: Uint8Array): Hex => bytesToHex(bytes.subarray(0, MAX_TRACE_DATA_BYTES));
const groupByFrame = <T extends { readonly frame: number }>(entries: readonly T[]) =>
  Map.groupBy(entries, ({ frame }) => frame);

/** The first calls, with what each of them did itself. */
export function toTracedCalls(trace: Trace): readonly TracedCall[] {
  const logs = groupByFrame(trace.logs);
  const writes = groupByFrame(trace.writes);
  const selfDestructs = groupByFrame(trace.selfDestructs);
  return trace.frames.slice(0, MAX_TRACED_CALLS).map(frame => ({
    ...toCall(trace, frame),
    logs: (logs.get(frame.index) ?? []).map(({ step, address, topics, data }) => ({
      step,
      address,
      topics,
      data: toData(data),
    })),
    writes: (writes.get(frame.index) ?? []).map(({ step, address, slot, oldValue, newValue, isTransient }) => ({
      step,
      address,
      isTransient,
      slot: toWordHex(slot),
      oldValue: toWordHex(oldValue),
      newValue: toWordHex(newValue),
    })),
    selfDestructs: (selfDestructs.get(frame.index) ?? []).map(({ step, beneficiary, value }) => ({
      step,
      beneficiary,
      value,
    })),
  }));
}

function toCall({ frames }: Trace, frame: TraceFrame): Omit<TracedCall, 'logs' | 'writes' | 'selfDestructs'> {
  const { index, parent, depth, kind, caller, value, gasLimit, gasUsed, status, code, output } = frame;
  const input = frame.isCreation ? code : frame.input;
  return {
    index,
    parent,
    depth,
    kind,
    caller,
    value,
    gasLimit,
    gasUsed,
    status,
    address: frame.address === '0x' ? null : frame.address,
    codeAddress: frame.codeAddress === '0x' ? null : frame.codeAddress,
    codeHash: code.length === 0 ? null : hashCode(code),
    input: toData(input),
    inputSize: input.length,
    output: toData(output),
    outputSize: output.length,
    haltReason: frame.haltReason ?? null,
    isUndone: isUndone(frames, frame),
    precompile: frame.precompile ?? null,
    step: frame.callStep,
  };
}
