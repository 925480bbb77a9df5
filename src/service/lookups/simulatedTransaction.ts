// `simulatedTransaction`: a simulated call in the form of a transaction of the chain, with its internal transactions.
import { ZERO_HASH } from '../../base/hex.ts';
import { toInternalTransactions } from '../evm/internalTransactions.ts';
import { toTransactionRecord } from '../evm/toBlockRecord.ts';
import { fetchTrace } from '../trace/fetchTrace.ts';
import { toCallFrames } from '../trace/replayedCalls.ts';
import type { Lookup } from './lookup.ts';

/** Not cached: the trace is. */
export const simulatedTransaction: Lookup<'simulatedTransaction'> = async (input, context, signal) => {
  const node = await context.nodes.find(input.chain, signal);
  const { state, result } = await fetchTrace(node, input.simulation, signal);
  if (!('trace' in result)) return { value: { kind: 'notSimulated', reason: result.reason } };
  const { wire, receipt, minedIn, trace, simulation, notes } = result;
  const { getLabel } = context.getAddressBook(node.selector);
  const record = toTransactionRecord(wire, receipt, minedIn, state.chain.id, getLabel);
  const internalTransactions = toInternalTransactions(toCallFrames(trace), minedIn, ZERO_HASH);
  return {
    value: {
      kind: 'simulatedTransaction',
      transaction: { ...record, internalTransactions },
      simulation: simulation ?? input.simulation,
      isConfirmed: trace.isVerified,
      notes,
    },
  };
};
