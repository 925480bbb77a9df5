// `erc20Mints`: ERC-20 mints of some tokens or to some wallets, or of all but some, newest first.
import { FIRST_PAGE_NUMBER } from '../../api/decisions.ts';
import type { Handler } from '../handler.ts';
import { describeErc20Rows, encodeErc20Position } from '../queries/erc20TransfersPage.ts';
import {
  decodeLogPosition,
  getBlockRange,
  getPageQuery,
  isEmptyRange,
  openListing,
  readConsistently,
} from '../queries/listing.ts';
import type { MintQuery } from '../store/store.ts';

export const erc20Mints: Handler<'erc20Mints'> = async (input, context, signal) => {
  const query: MintQuery = {
    contracts: input.contractAddresses,
    excludedContracts: input.excludeContracts,
    wallets: input.walletAddresses,
    excludedWallets: input.excludeWallets,
  };
  const scope = { kind: 'page', scan: { what: 'mints', query } } as const;
  const listing = await openListing('erc20Mints', input, FIRST_PAGE_NUMBER.plain, scope, context, signal);
  const { store } = listing.source;
  const rangeQuery: MintQuery = { ...query, ...getBlockRange(listing) };
  return readConsistently(listing.source, async () => {
    const page = getPageQuery(listing, decodeLogPosition);
    const rows = isEmptyRange(listing) ? [] : await store.readMints(rangeQuery, page);
    const shown = rows.slice(0, listing.limit);
    const book = context.getAddressBook(listing.node.selector);
    const describe = await describeErc20Rows(store, shown, book);
    const records = shown.map(row => {
      const { shared, isVerified } = describe(row);
      return {
        ...shared,
        contractAddress: row.tokenAddress,
        toWallet: row.to,
        toWalletLabel: book.getLabel(row.to),
        verifiedCollection: isVerified,
      };
    });
    const total = !listing.shouldCount ? null : isEmptyRange(listing) ? 0 : await store.countMints(rangeQuery);
    return listing.finish({ rows, total, encodeKey: encodeErc20Position, records });
  });
};
