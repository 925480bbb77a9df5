// `transaction`: one transaction by hash, as the record that a block holds; a pending one has `null` for what is not yet known.
import { HexLensError } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { worded } from '../../base/worded.ts';
import { freshnessOf, freshnessOfNow } from '../evm/evmNode.ts';
import { transactionRecord } from '../evm/evmRecords.ts';
import { fetchTransaction } from '../evm/fetchTransaction.ts';
import { internalHeaders, internalOfTransaction } from '../evm/internalTransactions.ts';
import type { Handler } from '../handler.ts';

export const transaction: Handler<'transaction'> = async (input, { nodes, labels }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const hash: Hex = input.hash;
  const { state, found } = await fetchTransaction(node, hash, signal);
  if (found === null) throw new HexLensError('not-found', worded('Transaction not found'));
  const { wire, receipt, place } = found;
  const record = node.believe('eth_getTransactionByHash', () => transactionRecord(wire, receipt, place, labels));
  const freshness = place === null ? freshnessOfNow(node, state) : freshnessOf(node, state, place.number);
  if (input.include !== 'internal_transactions') return { output: record, freshness };
  if (place === null) return { output: { ...record, internalTransactions: [] }, freshness };
  const contract = record.toAddress ?? record.receiptContractAddress;
  const internal = await internalOfTransaction(node, place, { hash, contract }, signal);
  return {
    output: { ...record, internalTransactions: internal.byTransaction[0] ?? [] },
    freshness,
    headers: internalHeaders(internal),
  };
};
