// One page of NFT transfers, for all four operations that list them: rows of the index as records of the API.

import { FIRST_PAGE_NUMBER } from '../../api/decisions.ts';
import type { OperationId } from '../../api/operations/operations.ts';
import type { nftTransfer } from '../../api/records/evmRecords.ts';
import type { InferRecord } from '../../api/records/record.ts';
import type { Page } from '../../api/wire/reply.ts';
import { type Hex, parseQuantity, toQuantity } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { InvalidResponseError, requireHash, requireObject } from '../evm/responseFields.ts';
import type { HandlerContext, HandlerResult } from '../handler.ts';
import type { QueryScope } from '../indexer/scopedIndexes.ts';
import { type BlockRow, getLogIndex, type TransferRow } from '../store/rows.ts';
import type { StoreWriter, TransferQuery } from '../store/store.ts';
import { describeTokens } from './describeTokens.ts';
import {
  decodeLogPosition,
  encodeLogPosition,
  getBlockRange,
  getPageQuery,
  isEmptyRange,
  type Listing,
  openListing,
  readConsistently,
} from './listing.ts';
import type { ListInput } from './pageCursor.ts';
import { getBlockDate, readBlocks } from './readBlocks.ts';

interface FetchTransactionValuesDeps {
  readonly node: EvmNode;
  readonly store: Pick<StoreWriter, 'writeTransactionValues'>;
  readonly getBlock: (number: number) => BlockRow;
  readonly log: Log;
}

/**
 * Native values of the rows' transactions by hash; those that the index lacks are fetched and stored. Without transactions
 * that the node no longer has. Rejects with the node's faults.
 */
async function fetchTransactionValues(
  { node, store, getBlock, log }: FetchTransactionValuesDeps,
  rows: readonly TransferRow[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<Hex, bigint>> {
  const values = new Map<Hex, bigint>();
  const withoutValue = new Map<Hex, TransferRow>();
  for (const row of rows) {
    if (row.value === null) withoutValue.set(row.transactionHash, row);
    else values.set(row.transactionHash, row.value);
  }
  if (withoutValue.size === 0) return values;
  const fetchMissing = async (method: string, toParams: (row: TransferRow) => readonly unknown[]) => {
    const missing = [...withoutValue.values()].filter(row => !values.has(row.transactionHash));
    const responses = await node.rpc.sendAll(
      missing.map(row => ({ method, params: toParams(row) })),
      signal,
    );
    for (const [index, { transactionHash }] of missing.entries()) {
      const value = node.validate(method, () => parseValue(node.getResult(method, responses[index]), transactionHash));
      if (value !== null) values.set(transactionHash, value);
    }
  };
  await fetchMissing('eth_getTransactionByHash', row => [row.transactionHash]);
  // Nodes may have dropped an old transaction from their index by hash, and still have it in its block.
  await fetchMissing('eth_getTransactionByBlockHashAndIndex', row => [
    getBlock(row.blockNumber).hash,
    toQuantity(row.transactionIndex),
  ]);
  const found = [...withoutValue.values()].flatMap(({ blockNumber, transactionHash }) => {
    const value = values.get(transactionHash);
    return value === undefined ? [] : [{ blockNumber, transactionHash, value }];
  });
  // The page does not wait for this, and a full disk must not make it fail: it only makes later pages faster.
  void store
    .writeTransactionValues(found)
    .catch(error => log.debug(`Values of transactions could not be stored: ${error}`));
  return values;
}

/** `null` when the node does not have the transaction. */
function parseValue(result: unknown, hash: Hex): bigint | null {
  if (result === null || result === undefined) return null;
  const transaction = requireObject(result, 'the transaction');
  if (requireHash(transaction, 'hash').toLowerCase() !== hash) throw new InvalidResponseError('it is another one');
  return parseQuantity(transaction['value']);
}

type TransferRecord = InferRecord<typeof nftTransfer>;

/** `query` is without a block range, which comes from the input. */
export async function readTransfersPage(
  operation: OperationId,
  input: ListInput & { readonly order?: 'asc' | 'desc' | undefined },
  query: TransferQuery,
  context: HandlerContext,
  signal: AbortSignal | undefined,
): Promise<HandlerResult<Page<TransferRecord>>> {
  const scope = getScope(query);
  const listing = await openListing(operation, input, FIRST_PAGE_NUMBER.transfers, scope, context, signal);
  const { store } = listing.source;
  const rangeQuery: TransferQuery = { ...query, ...getBlockRange(listing) };
  return readConsistently(listing.source, async () => {
    const isEmpty = isEmptyRange(listing);
    const page = { ...getPageQuery(listing, decodeLogPosition), isOldestFirst: input.order === 'asc' };
    const rows = isEmpty ? [] : await store.readTransfers(rangeQuery, page);
    const total = !listing.shouldCount ? null : isEmpty ? 0 : await store.countTransfers(rangeQuery);
    const records = await toRecords(listing, rows.slice(0, listing.limit), context, signal);
    const extra = getRangeFacts(listing, input);
    return listing.finish({ rows, total, encodeKey: encodeLogPosition, records, extra });
  });
}

/** The index of a contract holds all its transfers, whatever else the query filters by. */
function getScope({ contract: token, wallet }: TransferQuery): QueryScope {
  if (token !== undefined) return { kind: 'contract', address: token };
  return wallet === undefined ? { kind: 'page', scan: { what: 'transfers' } } : { kind: 'wallet', address: wallet };
}

/**
 * `block_exists`: the chain has the blocks that the request names (for `from_date`, a block at or after it).
 * `index_complete`: everything up to the end of the range is in the index.
 */
function getRangeFacts({ source, cursor, range }: Listing, { fromBlock, toBlock, fromDate }: ListInput) {
  const { chainHeight, head, isSynced } = source;
  const namedBlocks = [fromBlock, toBlock].filter(block => block !== undefined);
  const isDateAhead = cursor === null && isSynced && fromDate !== undefined && range.from > head.number;
  return {
    blockExists: namedBlocks.every(block => block <= chainHeight) && !isDateAhead,
    indexComplete: isSynced || (toBlock !== undefined && toBlock <= head.number),
  };
}

async function toRecords(
  { node, source }: Listing,
  rows: readonly TransferRow[],
  { getAddressBook, log }: HandlerContext,
  signal: AbortSignal | undefined,
): Promise<readonly TransferRecord[]> {
  const { store } = source;
  const { getLabel, getTrust } = getAddressBook(node.selector);
  const getBlock = await readBlocks(store, rows);
  const addresses = rows.map(row => row.tokenAddress);
  const [values, getToken] = await Promise.all([
    fetchTransactionValues({ node, store, getBlock, log }, rows, signal),
    describeTokens(store, addresses, getTrust),
  ]);
  return rows.map(row => {
    const block = getBlock(row.blockNumber);
    const { spamReason, isVerified } = getToken(row.tokenAddress);
    return {
      tokenAddress: row.tokenAddress,
      tokenId: row.tokenId,
      fromAddress: row.from,
      fromAddressLabel: getLabel(row.from),
      toAddress: row.to,
      toAddressLabel: getLabel(row.to),
      value: values.get(row.transactionHash) ?? null,
      amount: row.amount,
      contractType: row.standard,
      blockNumber: row.blockNumber,
      blockTimestamp: getBlockDate(block),
      transactionHash: row.transactionHash,
      operator: row.operator,
      possibleSpam: spamReason !== null,
      verifiedCollection: isVerified,
      blockHash: block.hash,
      transactionIndex: row.transactionIndex,
      logIndex: getLogIndex(row.place),
      transactionType: 'Single',
      verified: null,
    };
  });
}
