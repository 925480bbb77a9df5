// `nftLowestPrice`: the trade of a collection with the lowest price paid in the native coin within the last days.

import { LOWEST_PRICE_DAYS } from '../../api/decisions.ts';
import { INDEX_HEADER } from '../../api/wire/responseHeaders.ts';
import { HexLensError } from '../../base/errors.ts';
import { localizable } from '../../base/localize.ts';
import { getFreshness } from '../evm/evmNode.ts';
import type { Handler } from '../handler.ts';
import { formatIndexHeader, readConsistently } from '../queries/listing.ts';
import { getBlockDate, readBlocks } from '../queries/transfersPage.ts';

const DAY = 86_400;
/** When to ask a lagging index again. */
const RETRY_MS = 1_000;

export const nftLowestPrice: Handler<'nftLowestPrice'> = async (input, { nodes, indexes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const days = input.days ?? LOWEST_PRICE_DAYS.default;
  const scope = { kind: 'trades', address: input.address, days } as const;
  const indexed = await indexes.current(node, scope, signal);
  const { store, head, isSynced: synced, nodeState: state, chainHeight: height } = indexed;
  return readConsistently(store, async () => {
    // Back from the newest block: a dev chain's time is its own. Whatever emits a marketplace's event counts as one:
    // on a dev chain Seaport does not stand at its usual address, and its own address is what the record names.
    const trade = await store.queryLowestTrade({ token: input.address, fromTime: head.timestamp - days * DAY });
    if (trade === null) {
      throw new HexLensError(
        'not-found',
        synced
          ? localizable('No trade of this collection in the native coin within the last {0} days', days)
          : localizable(
              'No trade of this collection in the native coin found so far: the index is at block {0} of {1}',
              head.number,
              height,
            ),
        synced
          ? { fix: localizable('Ask for more days.') }
          : {
              fix: localizable('Try again in a moment.'),
              retryAfterMs: RETRY_MS,
              indexProgress: formatIndexHeader(indexed),
            },
      );
    }
    const block = (await readBlocks(store, [trade]))(trade.blockNumber);
    const output = {
      transactionHash: trade.transactionHash,
      tokenIds: trade.tokenIds,
      sellerAddress: trade.seller,
      buyerAddress: trade.buyer,
      tokenAddress: trade.token,
      marketplaceAddress: trade.marketplace,
      price: trade.price,
      blockTimestamp: getBlockDate(block),
      blockNumber: trade.blockNumber,
      blockHash: block.hash,
    };
    return synced
      ? { output, freshness: getFreshness(node, state, null) }
      : { output, headers: { [INDEX_HEADER]: formatIndexHeader(indexed) } };
  });
};
