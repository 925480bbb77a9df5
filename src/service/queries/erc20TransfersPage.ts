// One page of ERC-20 transfers, for the operations that list them: rows of the index as records of the API.

import { FIRST_PAGE_NUMBER } from '../../api/decisions.ts';
import type { OperationId } from '../../api/operations/operations.ts';
import type { erc20Transfer } from '../../api/records/evmRecords.ts';
import type { InferRecord } from '../../api/records/record.ts';
import type { CursorKey } from '../../api/wire/cursor.ts';
import type { Page } from '../../api/wire/reply.ts';
import { formatUnits } from '../../base/formatUnits.ts';
import type { ChainAddressBook } from '../chainAddressBook.ts';
import type { HandlerContext, HandlerResult } from '../handler.ts';
import type { RowSource } from '../indexer/scanPage.ts';
import type { IndexedQueryScope } from '../indexer/scopedIndexes.ts';
import { type Erc20TransferRow, getLogIndex } from '../store/rows.ts';
import type { Erc20TransferQuery } from '../store/store.ts';
import { describeTokens } from './describeTokens.ts';
import {
  decodeLogPosition,
  encodeLogPosition,
  getBlockRange,
  getPageQuery,
  isEmptyRange,
  openListing,
  readConsistently,
} from './listing.ts';
import type { ListInput } from './pageCursor.ts';
import { getBlockDate, readBlocks } from './readBlocks.ts';

type Erc20TransferRecord = InferRecord<typeof erc20Transfer>;

interface Erc20ListInput extends ListInput {
  readonly order?: 'asc' | 'desc' | undefined;
}

/** `query` is without a block range, which comes from the input. */
export async function readErc20TransfersPage(
  operation: OperationId,
  input: Erc20ListInput,
  query: Erc20TransferQuery,
  scope: IndexedQueryScope,
  context: HandlerContext,
  signal: AbortSignal | undefined,
): Promise<HandlerResult<Page<Erc20TransferRecord>>> {
  const listing = await openListing(operation, input, FIRST_PAGE_NUMBER.plain, scope, context, signal);
  const { store } = listing.source;
  return readConsistently(listing.source, async () => {
    const page = { ...getPageQuery(listing, decodeLogPosition), isOldestFirst: input.order === 'asc' };
    const rows = isEmptyRange(listing)
      ? []
      : await store.readErc20Transfers({ ...query, ...getBlockRange(listing) }, page);
    const records = await toRecords(store, rows.slice(0, listing.limit), context.getAddressBook(listing.node.selector));
    return listing.finish({ rows, total: null, encodeKey: encodeErc20Position, records });
  });
}

/** What the records of transfers and mints have in common; the function takes each of `rows`. */
export async function describeErc20Rows(
  store: RowSource,
  rows: readonly Erc20TransferRow[],
  { getTrust, getLogo }: ChainAddressBook,
) {
  const tokens = rows.map(row => row.tokenAddress);
  const [getBlock, getToken] = await Promise.all([readBlocks(store, rows), describeTokens(store, tokens, getTrust)]);
  return (row: Erc20TransferRow) => {
    const block = getBlock(row.blockNumber);
    const { row: token, spamReason, isVerified } = getToken(row.tokenAddress);
    const decimals = token?.decimals ?? null;
    const shared = {
      tokenName: token?.name ?? null,
      tokenSymbol: token?.symbol ?? null,
      tokenLogo: getLogo(row.tokenAddress),
      tokenDecimals: decimals,
      transactionHash: row.transactionHash,
      transactionIndex: row.transactionIndex,
      logIndex: getLogIndex(row.place),
      blockTimestamp: getBlockDate(block),
      blockNumber: row.blockNumber,
      blockHash: block.hash,
      value: row.amount,
      valueDecimal: decimals === null ? null : formatUnits(row.amount, decimals),
      possibleSpam: spamReason !== null,
    };
    return { shared, isVerified };
  };
}

/** A log moves one amount of one token. */
export const encodeErc20Position = (row: Erc20TransferRow): CursorKey => encodeLogPosition({ ...row, batchIndex: 0 });

async function toRecords(
  store: RowSource,
  rows: readonly Erc20TransferRow[],
  book: ChainAddressBook,
): Promise<readonly Erc20TransferRecord[]> {
  const { getLabel } = book;
  const describe = await describeErc20Rows(store, rows, book);
  return rows.map(row => {
    const { shared, isVerified } = describe(row);
    return {
      ...shared,
      address: row.tokenAddress,
      toAddress: row.to,
      toAddressLabel: getLabel(row.to),
      fromAddress: row.from,
      fromAddressLabel: getLabel(row.from),
      verifiedContract: isVerified,
    };
  });
}
