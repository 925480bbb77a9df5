// `nftLowestPrice`: the trade of a collection with the lowest price paid in the native coin within the last days.

import { LOWEST_PRICE_DAYS } from '../../api/decisions.ts';
import { INDEX_HEADER } from '../../api/wire/responseHeaders.ts';
import { HexLensError } from '../../base/errors.ts';
import { worded } from '../../base/worded.ts';
import { freshnessOf } from '../evm/evmNode.ts';
import type { Handler } from '../handler.ts';
import { indexText, readSteadily } from '../queries/listing.ts';
import { blocksOf, timeOfBlock } from '../queries/transfersPage.ts';

const DAY = 86_400;
/** When to ask a lagging index again. */
const RETRY_MS = 1_000;

export const nftLowestPrice: Handler<'nftLowestPrice'> = async (input, { nodes, indexes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const days = input.days ?? LOWEST_PRICE_DAYS.fallback;
  const scope = { kind: 'trades', address: input.address, days } as const;
  const indexed = await indexes.current(node, scope, signal);
  const { store, head, synced, state, height } = indexed;
  return readSteadily(store, async () => {
    // Back from the newest block: a dev chain's time is its own. Whatever emits a marketplace's event counts as one:
    // on a dev chain Seaport does not stand at its usual address, and its own address is what the record names.
    const trade = await store.lowestTrade({ token: input.address, since: head.time - days * DAY });
    if (trade === null) {
      throw new HexLensError(
        'not-found',
        synced
          ? worded('No trade of this collection in the native coin within the last {0} days', days)
          : worded(
              'No trade of this collection in the native coin found so far: the index is at block {0} of {1}',
              head.number,
              height,
            ),
        synced
          ? { fix: worded('Ask for more days.') }
          : { fix: worded('Try again in a moment.'), retryAfterMs: RETRY_MS, index: indexText(indexed) },
      );
    }
    const block = (await blocksOf(store, [trade]))(trade.blockNumber);
    const output = {
      transactionHash: trade.transactionHash,
      tokenIds: trade.tokenIds,
      sellerAddress: trade.seller,
      buyerAddress: trade.buyer,
      tokenAddress: trade.token,
      marketplaceAddress: trade.marketplace,
      price: trade.price,
      blockTimestamp: timeOfBlock(block),
      blockNumber: trade.blockNumber,
      blockHash: block.hash,
    };
    return synced
      ? { output, freshness: freshnessOf(node, state, null) }
      : { output, headers: { [INDEX_HEADER]: indexText(indexed) } };
  });
};
