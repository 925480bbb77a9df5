// `transaction`: one transaction by hash, as the record that a block holds; a pending one has `null` for what is not yet known.
import { HexLensError } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { localizable } from '../../base/localize.ts';
import { getFreshness, getLiveFreshness } from '../evm/evmNode.ts';
import { toTransactionRecord } from '../evm/evmRecords.ts';
import { fetchTransaction } from '../evm/fetchTransaction.ts';
import { fetchInternalTransactions, getInternalTransactionsHeaders } from '../evm/internalTransactions.ts';
import type { Handler } from '../handler.ts';

export const transaction: Handler<'transaction'> = async (input, { nodes, getLabel: labels }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const hash: Hex = input.hash;
  const { state, found } = await fetchTransaction(node, hash, signal);
  if (found === null) throw new HexLensError('not-found', localizable('Transaction not found'));
  const { wire, receipt, minedIn: place } = found;
  const record = node.validate('eth_getTransactionByHash', () => toTransactionRecord(wire, receipt, place, labels));
  const freshness = place === null ? getLiveFreshness(node, state) : getFreshness(node, state, place.number);
  if (input.include !== 'internal_transactions') return { output: record, freshness };
  if (place === null) return { output: { ...record, internalTransactions: [] }, freshness };
  const contract = record.toAddress ?? record.receiptContractAddress;
  const internal = await fetchInternalTransactions(node, place, { hash, contract }, signal);
  return {
    output: { ...record, internalTransactions: internal.byTransaction[0] ?? [] },
    freshness,
    headers: getInternalTransactionsHeaders(internal),
  };
};
