// `transaction`: one transaction by hash, as blocks hold it; a pending one has `null` for what is not known yet.
import { HexLensError } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { localizable } from '../../base/localize.ts';
import { fetchSharedTransaction, fetchTransaction } from '../evm/fetchTransaction.ts';
import { getFreshness, getLiveFreshness } from '../evm/finality.ts';
import { getInternalTransactionsHeaders, sendTrace, toInternalTransactions } from '../evm/internalTransactions.ts';
import { toTransactionRecord } from '../evm/toBlockRecord.ts';
import type { Handler } from '../handler.ts';
import { fetchCallsOfTransaction } from '../trace/replayedCalls.ts';

export const transaction: Handler<'transaction'> = async (input, { nodes, getAddressBook, forEditor }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const hash: Hex = input.hash;
  const isTraced = input.include === 'internal_transactions';
  const trace = isTraced ? sendTrace(node, hash, signal) : null;
  const { state, found } = await (forEditor ? fetchSharedTransaction : fetchTransaction)(node, hash, signal);
  if (found === null) throw new HexLensError('not-found', localizable('Transaction not found'));
  const { wire, receipt, minedIn } = found;
  const { getLabel } = getAddressBook(node.selector);
  const record = node.validate('eth_getTransactionByHash', () =>
    toTransactionRecord(wire, receipt, minedIn, state.chain.id, getLabel),
  );
  const freshness = minedIn === null ? getLiveFreshness(node, state) : getFreshness(node, state, minedIn.number);
  if (!isTraced) return { output: record, freshness };
  if (minedIn === null) return { output: { ...record, internalTransactions: [] }, freshness };
  const traced = await fetchCallsOfTransaction(node, minedIn, hash, signal, trace);
  return {
    output: { ...record, internalTransactions: toInternalTransactions(traced.frames[0], minedIn, hash) },
    freshness,
    headers: getInternalTransactionsHeaders(traced),
  };
};
