// `block`: a block by number or hash with its transactions, their logs and, when asked for, their internal transactions.
import { HexLensError } from '../../base/errors.ts';
import { worded } from '../../base/worded.ts';
import { freshnessOf } from '../evm/evmNode.ts';
import { blockRecord } from '../evm/evmRecords.ts';
import { fetchBlock } from '../evm/fetchBlock.ts';
import { internalHeaders, internalOfBlock } from '../evm/internalTransactions.ts';
import type { Handler } from '../handler.ts';

export const block: Handler<'block'> = async (input, { nodes, labels }, signal) => {
  const node = await nodes.find(input.chain, signal);
  // Before the block itself: a label must never be newer than what it stands on.
  const state = await node.state(signal);
  const found = await fetchBlock(node, input.block, signal);
  if (found === null) {
    // Looked at anew: the chain may have been reset or reverted since, and then it rightly has no such block.
    const { headNumber } = await node.freshState(signal);
    if (typeof input.block === 'number' && input.block <= headNumber)
      throw node.rpc.doubt('eth_getBlockByNumber', `block ${input.block} is missing below the head ${headNumber}`, {
        fix: 'It may have thrown old blocks away, or it is still syncing: use a node that keeps all blocks.',
      });
    throw new HexLensError('not-found', worded('Block not found'));
  }
  const record = node.believe('eth_getBlockByNumber', () => blockRecord(found, state.chain.id, labels));
  const freshness = freshnessOf(node, state, found.header.number);
  if (input.include !== 'internal_transactions') return { output: record, freshness };
  const traced = found.hashes.map((hash, index) => {
    const { toAddress, receiptContractAddress } = record.transactions?.[index] ?? {};
    return { hash, contract: toAddress ?? receiptContractAddress ?? null };
  });
  const internal = await internalOfBlock(node, found.header, traced, signal);
  const transactions = record.transactions?.map((transaction, index) => ({
    ...transaction,
    internalTransactions: internal.byTransaction[index] ?? [],
  }));
  return { output: { ...record, transactions: transactions ?? [] }, freshness, headers: internalHeaders(internal) };
};
