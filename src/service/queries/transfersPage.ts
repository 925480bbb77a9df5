// One page of NFT transfers, whichever of the four operations asks: the index's rows as the description's records.

import { FIRST_PAGE_NUMBER } from '../../api/decisions.ts';
import type { OperationId } from '../../api/operations/operations.ts';
import type { nftTransfer } from '../../api/records/evmRecords.ts';
import type { InferRecord } from '../../api/records/record.ts';
import type { CursorKey } from '../../api/wire/cursor.ts';
import type { Page } from '../../api/wire/reply.ts';
import { HexLensError } from '../../base/errors.ts';
import type { HandlerContext, HandlerResult } from '../handler.ts';
import type { QueryScope } from '../indexer/queryScope.ts';
import type { LogPosition } from '../store/logPosition.ts';
import type { BlockRow, TransferRow } from '../store/rows.ts';
import type { Store, TransferQuery } from '../store/store.ts';
import { describeTokens } from './describeTokens.ts';
import { fetchTransactionValues } from './fetchTransactionValues.ts';
import {
  getBlockRange,
  getPageQuery,
  isEmptyRange,
  type ListInput,
  type Listing,
  openListing,
  readConsistently,
} from './listing.ts';

export type TransferRecord = InferRecord<typeof nftTransfer>;

/** `query` without its range, which comes from the input. */
export async function readTransfersPage(
  operation: OperationId,
  input: ListInput,
  query: TransferQuery,
  context: HandlerContext,
  signal: AbortSignal | undefined,
): Promise<HandlerResult<Page<TransferRecord>>> {
  const listing = await openListing(operation, input, FIRST_PAGE_NUMBER.transfers, scopeOf(query), context, signal);
  const { store } = listing.indexed;
  const wanted: TransferQuery = { ...query, ...getBlockRange(listing) };
  const read = readConsistently(store, async () => {
    const empty = isEmptyRange(listing);
    const rows = empty ? [] : await store.queryTransfers(wanted, getPageQuery(listing, decodeLogPosition));
    const total = !listing.shouldCount ? null : empty ? 0 : await store.countTransfers(wanted);
    const records = await recordsOf(listing, rows.slice(0, listing.limit), context, signal);
    return listing.finish({ rows, total, encodeKey: encodeLogPosition, records, extra: rangeFacts(listing, input) });
  });
  return read.finally(() => listing.close());
}

export const encodeLogPosition = ({ blockNumber, logIndex, batchIndex: position }: LogPosition): CursorKey => [
  blockNumber,
  logIndex,
  position,
];

export function decodeLogPosition(key: CursorKey): LogPosition {
  const [blockNumber, logIndex, position] = key;
  return { blockNumber: Number(blockNumber), logIndex: Number(logIndex), batchIndex: Number(position) };
}

/**
 * `block_exists`: the chain has the blocks that the request names (for `from_date`, a block at or after it).
 * `index_complete`: everything up to the end of the range is in the index.
 */
function rangeFacts({ indexed, cursor, range }: Listing, { fromBlock, toBlock, fromDate }: ListInput) {
  const { chainHeight: height, head, isSynced: synced } = indexed;
  const named = [fromBlock, toBlock].filter(block => block !== undefined);
  const dateIsAhead = cursor === null && synced && fromDate !== undefined && range.from > head.number;
  return {
    blockExists: named.every(block => block <= height) && !dateIsAhead,
    indexComplete: synced || (toBlock !== undefined && toBlock <= head.number),
  };
}

/** The blocks that rows stand in, by number. Rejects when one is gone, as after a reorg. */
export async function readBlocks(store: Store, rows: readonly { readonly blockNumber: number }[]) {
  const numbers = [...new Set(rows.map(row => row.blockNumber))];
  const found = await Promise.all(numbers.map(number => store.readBlock(number)));
  const blocks = new Map<number, BlockRow>();
  for (const block of found) if (block !== null) blocks.set(block.number, block);
  return (number: number): BlockRow => {
    const block = blocks.get(number);
    if (block !== undefined) return block;
    throw new HexLensError('node-answer', 'The chain was reorganised while it was read.', { fix: 'Try again.' });
  };
}

export const getBlockDate = (block: BlockRow): Date => new Date(block.timestamp * 1000);

/** A contract's own index has everything of it, whatever else is asked for. */
function scopeOf({ token, wallet }: TransferQuery): QueryScope {
  if (token !== undefined) return { kind: 'contract', address: token };
  return wallet === undefined ? { kind: 'page', scan: { what: 'transfers' } } : { kind: 'wallet', address: wallet };
}

async function recordsOf(
  { node, indexed }: Listing,
  rows: readonly TransferRow[],
  { getLabel: labels, getTrust: marks, log }: HandlerContext,
  signal: AbortSignal | undefined,
): Promise<readonly TransferRecord[]> {
  const { store } = indexed;
  const blockOf = await readBlocks(store, rows);
  const [values, tokenOf] = await Promise.all([
    fetchTransactionValues({ node, store, blockOf, log }, rows, signal),
    describeTokens(
      store,
      rows.map(row => row.token),
      marks,
    ),
  ]);
  return rows.map(row => {
    const block = blockOf(row.blockNumber);
    const { spamReason: spam, isVerified: verified } = tokenOf(row.token);
    return {
      tokenAddress: row.token,
      tokenId: row.tokenId,
      fromAddress: row.from,
      fromAddressLabel: labels(row.from),
      toAddress: row.to,
      toAddressLabel: labels(row.to),
      value: values.get(row.transactionHash) ?? null,
      amount: row.amount,
      contractType: row.standard,
      blockNumber: row.blockNumber,
      blockTimestamp: getBlockDate(block),
      transactionHash: row.transactionHash,
      operator: row.operator,
      possibleSpam: spam !== null,
      verifiedCollection: verified,
      blockHash: block.hash,
      transactionIndex: row.transactionIndex,
      logIndex: row.logIndex,
      transactionType: 'Single',
      verified: null,
    };
  });
}
