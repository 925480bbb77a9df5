// `erc20Mints`: ERC-20 mints of some tokens or to some wallets, or of all but some, newest first.
import { FIRST_PAGE_NUMBER } from '../../api/decisions.ts';
import { formatUnits } from '../../base/formatUnits.ts';
import type { Handler } from '../handler.ts';
import { describeTokens } from '../queries/describeTokens.ts';
import { encodeErc20Position } from '../queries/erc20TransfersPage.ts';
import {
  decodeLogPosition,
  getBlockRange,
  getPageQuery,
  isEmptyRange,
  openListing,
  readConsistently,
} from '../queries/listing.ts';
import { getBlockDate, readBlocks } from '../queries/readBlocks.ts';
import type { MintQuery } from '../store/store.ts';

export const erc20Mints: Handler<'erc20Mints'> = async (input, context, signal) => {
  const query: MintQuery = {
    tokens: input.contractAddresses,
    excludedTokens: input.excludeContracts,
    wallets: input.walletAddresses,
    excludedWallets: input.excludeWallets,
  };
  const scope = { kind: 'page', scan: { what: 'mints', query } } as const;
  const listing = await openListing('erc20Mints', input, FIRST_PAGE_NUMBER.plain, scope, context, signal);
  const { store } = listing.indexed;
  const { getLabel, getTrust, getLogo } = context;
  const rangeQuery: MintQuery = { ...query, ...getBlockRange(listing) };
  return readConsistently(store, async () => {
    const page = getPageQuery(listing, decodeLogPosition);
    const rows = isEmptyRange(listing) ? [] : await store.queryMints(rangeQuery, page);
    const shown = rows.slice(0, listing.limit);
    const tokens = shown.map(row => row.token);
    const [getBlock, getToken] = await Promise.all([readBlocks(store, shown), describeTokens(store, tokens, getTrust)]);
    const records = shown.map(row => {
      const block = getBlock(row.blockNumber);
      const { row: token, spamReason, isVerified } = getToken(row.token);
      const decimals = token?.decimals ?? null;
      return {
        tokenName: token?.name ?? null,
        tokenSymbol: token?.symbol ?? null,
        tokenLogo: getLogo(row.token),
        tokenDecimals: decimals,
        contractAddress: row.token,
        transactionHash: row.transactionHash,
        transactionIndex: row.transactionIndex,
        logIndex: row.logIndex,
        blockTimestamp: getBlockDate(block),
        blockNumber: row.blockNumber,
        blockHash: block.hash,
        toWallet: row.to,
        toWalletLabel: getLabel(row.to),
        value: row.amount,
        valueDecimal: decimals === null ? null : formatUnits(row.amount, decimals),
        possibleSpam: spamReason !== null,
        verifiedCollection: isVerified,
      };
    });
    const total = !listing.shouldCount ? null : isEmptyRange(listing) ? 0 : await store.countMints(rangeQuery);
    return listing.finish({ rows, total, encodeKey: encodeErc20Position, records });
  });
};
