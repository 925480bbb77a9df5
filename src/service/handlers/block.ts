// `block`: a block by number or hash with its transactions, their logs and, with `include`, their internal transactions.
import { HexLensError } from '../../base/errors.ts';
import { localizable } from '../../base/localize.ts';
import { HEADER_METHOD } from '../evm/blockHeader.ts';
import { fetchBlock } from '../evm/fetchBlock.ts';
import { getFreshness } from '../evm/finality.ts';
import { getInternalTransactionsHeaders, toInternalTransactions } from '../evm/internalTransactions.ts';
import { fetchNullRound } from '../evm/nullRounds.ts';
import { createPrunedBlockFault } from '../evm/readWhenPresent.ts';
import { toBlockRecord } from '../evm/toBlockRecord.ts';
import type { Handler } from '../handler.ts';
import { fetchCallsOfBlock } from '../trace/replayedCalls.ts';

export const block: Handler<'block'> = async (input, { nodes, getAddressBook }, signal) => {
  const node = await nodes.find(input.chain, signal);
  // Before the block: the freshness must never be newer than the data.
  const state = await node.getState(signal);
  const found = await fetchBlock(node, input.block, signal);
  if (found === null) {
    // The chain may have been reset or reverted since then, and rightly lack the block now.
    const { headNumber } = await node.fetchState(signal);
    const shouldExist = typeof input.block === 'number' && input.block <= headNumber;
    if (shouldExist && (await fetchNullRound(node, input.block, signal)) === null)
      throw createPrunedBlockFault(node, HEADER_METHOD, input.block, headNumber);
    throw new HexLensError('not-found', localizable('Block not found'));
  }
  const record = node.validate(HEADER_METHOD, () =>
    toBlockRecord(found, state.chain.id, getAddressBook(node.selector).getLabel),
  );
  const freshness = getFreshness(node, state, found.header.number);
  if (input.include !== 'internal_transactions') return { output: record, freshness };
  const traced = await fetchCallsOfBlock(node, state, found, signal);
  const transactions = record.transactions?.map((transaction, index) => ({
    ...transaction,
    internalTransactions: toInternalTransactions(traced.frames[index], found.header, found.hashes[index] ?? '0x'),
  }));
  return {
    output: { ...record, transactions: transactions ?? [] },
    freshness,
    headers: getInternalTransactionsHeaders(traced),
  };
};
