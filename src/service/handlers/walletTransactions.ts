// `walletTransactions`: transactions from and to an address, by block, in pages, from the best source that the node has.
import { EVM_PAGE_SIZE, FIRST_PAGE_NUMBER } from '../../api/decisions.ts';
import type { walletTransaction } from '../../api/records/evmRecords.ts';
import type { InferRecord } from '../../api/records/record.ts';
import { decodeCursor, encodeCursor, parseCursorInteger } from '../../api/wire/cursor.ts';
import { createPage } from '../../api/wire/reply.ts';
import { PARTIAL_HEADER, SCAN_HEADER, SOURCE_HEADER } from '../../api/wire/responseHeaders.ts';
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
  fetchInternalTransactions,
  getInternalTransactionsHeaders,
  type InternalTransactions,
} from '../evm/internalTransactions.ts';
import { type LocatedTransaction, searchBlocks, searchNodeIndex } from '../evm/searchTransactions.ts';
import { toTransactionRecord } from '../evm/toBlockRecord.ts';
import type { Handler, HandlerContext } from '../handler.ts';
import {
  formatScanHeader,
  getCursorFilters,
  PINNED_HASH,
  rejectReversedRange,
  resolveNodeRange,
  shortenHash,
} from '../queries/listing.ts';

type WalletTransactionRecord = InferRecord<typeof walletTransaction>;

/** Transactions that are traced at once. */
const MAX_CONCURRENT_TRACES = 8;

export const walletTransactions: Handler<'walletTransactions'> = async (input, context, signal) => {
  const { nodes, clock, indexes } = context;
  const node = await nodes.find(input.chain, signal);
  const filters = getCursorFilters('walletTransactions', node, input);
  const cursor = input.cursor === undefined ? null : decodeCursor(input.cursor, filters);
  if (cursor === null) rejectReversedRange(input);
  const state = await node.fetchState(signal);
  const range = await resolveNodeRange(node, state, cursor, input, signal);
  const limit = input.limit ?? EVM_PAGE_SIZE.default;
  const isOldestFirst = input.order === 'asc';
  const [block, index] = cursor?.key ?? [];
  const search = {
    ...{ address: input.address, isOldestFirst, limit: limit + 1 },
    ...{ from: Math.max(range.from, getFirstOwnBlock(state)), to: Math.min(range.to, state.headNumber) },
    after:
      cursor === null ? null : { blockNumber: parseCursorInteger(block), transactionIndex: parseCursorInteger(index) },
  };
  const isSearchedWhole = state.isDevelopment || (await indexes.isIndexedWhole(node, signal));
  const { source, transactions, stoppedAt, problem } = await (isSearchedWhole ? searchBlocks : searchNodeIndex)(
    ...([node, clock, search, signal] as const),
  );
  const limitation = range.from < search.from ? 'Transactions before the fork are not searched.' : problem;
  const hasMore = transactions.length > limit;
  const { records, internal } = await fetchRecords(node, transactions.slice(0, limit), context, {
    isTraced: input.include === 'internal_transactions',
    signal,
  });
  const last = records.at(-1);
  const nextKey = hasMore
    ? [last?.blockNumber ?? 0, last?.transactionIndex ?? 0]
    : stoppedAt === null
      ? null
      : [stoppedAt, isOldestFirst ? Number.MAX_SAFE_INTEGER : 0];
  const page = cursor?.page ?? FIRST_PAGE_NUMBER.plain;
  const pinned = {
    ...range,
    genesis: shortenHash(state.genesisHash),
    ...(hasMore && last?.blockHash && { [PINNED_HASH]: shortenHash(last.blockHash) }),
  };
  const nextCursor =
    nextKey === null ? null : encodeCursor({ filters, key: nextKey, pinned, page: page + 1, total: null });
  const isClosed = input.toBlock !== undefined && input.toBlock <= state.headNumber;
  return {
    output: createPage({ result: records, cursor: nextCursor, page, pageSize: limit }),
    freshness: getFreshness(node, state, isClosed ? range.to : null),
    headers: {
      [SOURCE_HEADER]: source,
      ...(limitation !== null && { [PARTIAL_HEADER]: limitation }),
      ...(!hasMore && stoppedAt !== null && { [SCAN_HEADER]: formatScanHeader(stoppedAt) }),
      ...(internal !== null && getInternalTransactionsHeaders(internal)),
    },
  };
};

/** On a fork, all blocks below belong to the other chain, and the node would fetch each of them from there. */
const getFirstOwnBlock = ({ fork }: NodeState): number => (fork === null || fork.block === null ? 0 : fork.block + 1);

/** In their order; `internal` is the first incomplete trace, `null` when all are complete or none was requested. */
async function fetchRecords(
  node: EvmNode,
  located: readonly LocatedTransaction[],
  { getAddressBook }: HandlerContext,
  { isTraced, signal }: { readonly isTraced: boolean; readonly signal: AbortSignal | undefined },
): Promise<{ readonly records: readonly WalletTransactionRecord[]; readonly internal: InternalTransactions | null }> {
  const responses = await node.rpc.sendAll(
    located.flatMap(({ hash }) => createTransactionCalls(hash)),
    signal,
  );
  const { getLabel } = getAddressBook(node.selector);
  const parsed = located.map(({ hash }, index) => {
    const found = parseTransaction(node, hash, responses[2 * index], responses[2 * index + 1]);
    if (typeof found === 'string') throw createMismatchedReceiptFault(node);
    return found;
  });
  let internal: InternalTransactions | null = null;
  const records = await mapConcurrently(parsed, MAX_CONCURRENT_TRACES, async one => {
    const minedIn = await fetchMinedBlock(node, one, signal);
    const { logs: _logs, ...record } = node.validate('eth_getTransactionByHash', () =>
      toTransactionRecord(one.wire, one.receipt, minedIn, getLabel),
    );
    if (!isTraced || minedIn === null || record.hash === null) return { ...record, receiptRoot: null };
    const contract = record.toAddress ?? record.receiptContractAddress;
    const traced = await fetchInternalTransactions(node, minedIn, { hash: record.hash, contract }, signal);
    if (traced.problem !== null) internal ??= traced;
    return { ...record, receiptRoot: null, internalTransactions: traced.byTransaction[0] ?? [] };
  });
  return { records, internal };
}
