// `walletTransactions`: transactions of an address, by block, in pages: from the index, else from what the node offers.

import { EVM_PAGE_SIZE, FIRST_PAGE_NUMBER } from '../../api/decisions.ts';
import type { Input } from '../../api/operations/operations.ts';
import type { walletTransaction } from '../../api/records/evmRecords.ts';
import type { InferRecord } from '../../api/records/record.ts';
import { type CursorKey, parseCursorInteger } from '../../api/wire/cursor.ts';
import { createPage } from '../../api/wire/reply.ts';
import { INDEX_SOURCE, PARTIAL_HEADER, SCAN_HEADER, SOURCE_HEADER } from '../../api/wire/responseHeaders.ts';
import { toLowerHex } from '../../base/hex.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import type { EvmNode, NodeState } from '../evm/evmNode.ts';
import {
  createMismatchedReceiptFault,
  createTransactionCalls,
  fetchMinedBlock,
  parseTransaction,
} from '../evm/fetchTransaction.ts';
import { getFreshness } from '../evm/finality.ts';
import {
  getInternalTransactionsHeaders,
  type TracedFrames,
  toInternalTransactions,
} from '../evm/internalTransactions.ts';
import { ChainReorganizedError } from '../evm/repeatAfterReorg.ts';
import { TransactionSearcher } from '../evm/searchTransactions.ts';
import { toTransactionRecord } from '../evm/toBlockRecord.ts';
import type { Handler, HandlerContext } from '../handler.ts';
import { WHOLE_CHAIN } from '../indexer/scopedIndexes.ts';
import { completeInternalRecipients } from '../queries/completeInternalRecipients.ts';
import {
  formatScanHeader,
  getBlockRange,
  getPageQuery,
  isEmptyRange,
  openListing,
  readConsistently,
  resolveNodeRange,
} from '../queries/listing.ts';
import { PageCursor } from '../queries/pageCursor.ts';
import {
  compareTransactionPositions,
  type LocatedTransaction,
  MAX_TRANSACTION_INDEX,
  type TransactionPosition,
} from '../store/rows.ts';
import { fetchCallsOfTransaction } from '../trace/replayedCalls.ts';

type WalletTransactionRecord = InferRecord<typeof walletTransaction>;

/** Transactions that are traced at once. */
const MAX_CONCURRENT_TRACES = 8;

export const walletTransactions: Handler<'walletTransactions'> = async (input, context, signal) => {
  const node = await context.nodes.find(input.chain, signal);
  const isIndexed = await context.indexes.isIndexedWhole(node, signal);
  return isIndexed ? readIndexedPage(input, context, signal) : searchPage(node, input, context, signal);
};

type ListHandler = ReturnType<typeof walletTransactions>;
type ListInput = Input<'walletTransactions'>;

const BEFORE_FORK = 'Transactions before the fork are not searched.';

const decodePosition = ([block, index]: CursorKey): TransactionPosition => ({
  blockNumber: parseCursorInteger(block),
  transactionIndex: parseCursorInteger(index, MAX_TRANSACTION_INDEX),
});

/** From the index of the whole chain. */
async function readIndexedPage(
  input: ListInput,
  context: HandlerContext,
  signal: AbortSignal | undefined,
): ListHandler {
  const { clock, log } = context;
  const listing = await openListing('walletTransactions', input, FIRST_PAGE_NUMBER.plain, WHOLE_CHAIN, context, signal);
  const { node, source, range, limit } = listing;
  const { store, nodeState } = source;
  const isOldestFirst = input.order === 'asc';
  return readConsistently(source, async () => {
    const page = { ...getPageQuery(listing, decodePosition), isOldestFirst };
    const blocks = getBlockRange(listing);
    const readRows = async () =>
      isEmptyRange(listing) ? [] : store.readTransactions({ wallet: toLowerHex(input.address), ...blocks }, page);
    // What is read of calls now comes before the last row of a full page.
    const end = (await readRows())[limit]?.blockNumber;
    const needed = { ...blocks, ...(end !== undefined && (isOldestFirst ? { toBlock: end } : { fromBlock: end })) };
    const { problem, pendingFrom } = isEmptyRange(listing)
      ? { problem: null, pendingFrom: null }
      : await completeInternalRecipients(
          { node, store, clock, log },
          { range: needed, isOldestFirst, after: page.after },
          signal,
        );
    const found = await readRows();
    const certain = pendingFrom === null ? found : found.filter(row => isListedBefore(row, pendingFrom, isOldestFirst));
    const isCut = pendingFrom !== null && certain.length <= limit;
    const rows = isCut ? certain : found;
    const { records, internal } = await fetchRecords(node, rows.slice(0, limit), context, {
      isTraced: input.include === 'internal_transactions',
      signal,
    });
    // The node may have reorganized its chain after the index was read.
    if (records.some((record, index) => record.blockNumber !== rows[index]?.blockNumber))
      throw new ChainReorganizedError();
    const encodeKey = ({ blockNumber, transactionIndex }: TransactionPosition) => [blockNumber, transactionIndex];
    const { headers, ...result } = await listing.finish({
      rows,
      total: null,
      encodeKey,
      records,
      stoppedAt: isCut ? encodeKey(getPositionBefore(pendingFrom, isOldestFirst)) : null,
      isUncacheable: isCut || problem !== null,
    });
    const pending = isCut
      ? `The calls inside the transactions of block ${pendingFrom.blockNumber} and ${isOldestFirst ? 'later' : 'earlier'} ones are still being read: request the page again, or the next one.`
      : null;
    const limitations = [range.from < getFirstOwnBlock(nodeState) ? BEFORE_FORK : null, problem, pending];
    return { ...result, headers: { ...headers, ...toHeaders(INDEX_SOURCE, limitations, internal) } };
  });
}

const isListedBefore = (a: TransactionPosition, b: TransactionPosition, isOldestFirst: boolean): boolean =>
  isOldestFirst ? compareTransactionPositions(a, b) < 0 : compareTransactionPositions(a, b) > 0;

/** The last position that is listed before this one. */
function getPositionBefore(
  { blockNumber, transactionIndex }: TransactionPosition,
  isOldestFirst: boolean,
): TransactionPosition {
  if (!isOldestFirst) return { blockNumber, transactionIndex: transactionIndex + 1 };
  return transactionIndex > 0
    ? { blockNumber, transactionIndex: transactionIndex - 1 }
    : { blockNumber: blockNumber - 1, transactionIndex: MAX_TRANSACTION_INDEX };
}

/** From what the node offers. */
async function searchPage(
  node: EvmNode,
  input: ListInput,
  context: HandlerContext,
  signal: AbortSignal | undefined,
): ListHandler {
  const cursor = new PageCursor('walletTransactions', node, input, FIRST_PAGE_NUMBER.plain);
  const state = await node.fetchState(signal);
  const range = await resolveNodeRange(node, state, cursor, input, signal);
  const limit = input.limit ?? EVM_PAGE_SIZE.default;
  const isOldestFirst = input.order === 'asc';
  const search = {
    address: input.address,
    isOldestFirst,
    limit: limit + 1,
    from: Math.max(range.from, getFirstOwnBlock(state)),
    to: Math.min(range.to, state.headNumber),
    after: cursor.content === null ? null : decodePosition(cursor.content.key),
  };
  const searcher = new TransactionSearcher(search, { node, clock: context.clock, signal });
  const { source, transactions, stoppedAt, problem } = await (state.isDevelopment
    ? searcher.searchBlocks()
    : searcher.searchNodeIndex());
  const hasMore = transactions.length > limit;
  const { records, internal } = await fetchRecords(node, transactions.slice(0, limit), context, {
    isTraced: input.include === 'internal_transactions',
    signal,
  });
  const last = records.at(-1);
  const stop = stoppedAt === null ? null : [stoppedAt, isOldestFirst ? MAX_TRANSACTION_INDEX : 0];
  const nextCursor = cursor.encodeNext({
    key: hasMore ? [last?.blockNumber ?? 0, last?.transactionIndex ?? 0] : stop,
    range,
    genesisHash: state.genesisHash,
    blockHash: hasMore ? last?.blockHash : null,
  });
  const isClosed = input.toBlock !== undefined && input.toBlock <= state.headNumber;
  const limitation = range.from < search.from ? BEFORE_FORK : problem;
  return {
    output: createPage({ result: records, cursor: nextCursor, page: cursor.page, pageSize: limit }),
    freshness: getFreshness(node, state, isClosed ? range.to : null),
    headers: {
      ...toHeaders(source, [limitation], internal),
      ...(!hasMore && stoppedAt !== null && { [SCAN_HEADER]: formatScanHeader(stoppedAt, isOldestFirst) }),
    },
  };
}

/** `limitations` are sentences. */
function toHeaders(
  source: string,
  limitations: readonly (string | null)[],
  internal: TracedFrames | null,
): Readonly<Record<string, string>> {
  const partial = limitations.filter(sentence => sentence !== null).join(' ');
  return {
    [SOURCE_HEADER]: source,
    ...(partial !== '' && { [PARTIAL_HEADER]: partial }),
    ...(internal !== null && getInternalTransactionsHeaders(internal)),
  };
}

/** On a fork, all blocks below belong to the other chain, and the node would fetch each of them from there. */
const getFirstOwnBlock = ({ fork }: NodeState): number => (fork === null || fork.block === null ? 0 : fork.block + 1);

/** In their order; `internal` is the first incomplete trace, `null` when all are complete or none was requested. */
async function fetchRecords(
  node: EvmNode,
  located: readonly LocatedTransaction[],
  { getAddressBook }: HandlerContext,
  { isTraced, signal }: { readonly isTraced: boolean; readonly signal: AbortSignal | undefined },
): Promise<{ readonly records: readonly WalletTransactionRecord[]; readonly internal: TracedFrames | null }> {
  const responses = await node.rpc.sendAll(
    located.flatMap(({ transactionHash }) => createTransactionCalls(transactionHash)),
    signal,
  );
  const { getLabel } = getAddressBook(node.selector);
  const { chain } = await node.getState(signal);
  const parsed = located.map(({ transactionHash }, index) => {
    const found = parseTransaction(node, transactionHash, responses[2 * index], responses[2 * index + 1]);
    if (typeof found === 'string') throw createMismatchedReceiptFault(node);
    return found;
  });
  let internal: TracedFrames | null = null;
  const records = await mapConcurrently(parsed, MAX_CONCURRENT_TRACES, async one => {
    const minedIn = await fetchMinedBlock(node, one, signal);
    const { logs: _logs, ...record } = node.validate('eth_getTransactionByHash', () =>
      toTransactionRecord(one.wire, one.receipt, minedIn, chain.id, getLabel),
    );
    if (!isTraced || minedIn === null || record.hash === null) return { ...record, receiptRoot: null };
    const { hash } = record;
    const traced = await fetchCallsOfTransaction(node, minedIn, hash, signal);
    if (traced.problem !== null) internal ??= traced;
    const internalTransactions = toInternalTransactions(traced.frames[0], minedIn, hash);
    return { ...record, receiptRoot: null, internalTransactions };
  });
  return { records, internal };
}
