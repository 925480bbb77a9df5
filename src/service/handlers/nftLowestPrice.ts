// `nftLowestPrice`: the trade of a collection with the lowest price in the native coin within the last days.
import { LOWEST_PRICE_DAYS } from '../../api/decisions.ts';
import { INDEX_HEADER } from '../../api/wire/responseHeaders.ts';
import { HexLensError } from '../../base/errors.ts';
import { localizable } from '../../base/localize.ts';
import { getFreshness } from '../evm/finality.ts';
import type { Handler } from '../handler.ts';
import type { CurrentIndex } from '../indexer/indexes.ts';
import { formatIndexHeader, readConsistently } from '../queries/listing.ts';
import { getBlockDate, readBlocks } from '../queries/readBlocks.ts';

const SECONDS_PER_DAY = 86_400;
/** When a client should request again from an index that is behind. */
const RETRY_AFTER_MS = 1_000;

export const nftLowestPrice: Handler<'nftLowestPrice'> = async (input, { nodes, indexes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const days = input.days ?? LOWEST_PRICE_DAYS.default;
  const scope = { kind: 'trades', address: input.address, days } as const;
  const index = await indexes.current(node, scope, signal);
  const { store, head, isSynced, nodeState } = index;
  return readConsistently(index, async () => {
    // Counted back from the newest block, as development chains have their own time. Every contract that emits the event
    // counts as a marketplace: on a development chain Seaport has another address, which the record names.
    const fromTime = head.timestamp - days * SECONDS_PER_DAY;
    const trade = await store.readLowestTrade({ contract: input.address, fromTime });
    if (trade === null) throw createNoTradeFault(index, days);
    const block = (await readBlocks(store, [trade]))(trade.blockNumber);
    const output = {
      transactionHash: trade.transactionHash,
      tokenIds: trade.tokenIds,
      sellerAddress: trade.seller,
      buyerAddress: trade.buyer,
      tokenAddress: trade.tokenAddress,
      marketplaceAddress: trade.marketplace,
      price: trade.price,
      blockTimestamp: getBlockDate(block),
      blockNumber: trade.blockNumber,
      blockHash: block.hash,
    };
    return isSynced
      ? { output, freshness: getFreshness(node, nodeState, null) }
      : { output, headers: { [INDEX_HEADER]: formatIndexHeader(index) } };
  });
};

function createNoTradeFault(index: CurrentIndex, days: number): HexLensError {
  if (index.isSynced)
    return new HexLensError(
      'not-found',
      localizable('No trade of this collection in the native coin within the last {0} days', days),
      { fix: localizable('Use more days.') },
    );
  return new HexLensError(
    'not-found',
    localizable(
      'No trade of this collection in the native coin found so far: the index is at block {0} of {1}',
      index.head.number,
      index.chainHeight,
    ),
    {
      fix: localizable('Try again in a moment.'),
      retryAfterMs: RETRY_AFTER_MS,
      indexProgress: formatIndexHeader(index),
    },
  );
}
