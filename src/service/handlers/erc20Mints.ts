// `erc20Mints`: ERC-20 mints of some tokens or to some wallets, or of all but some, newest first.

import { FIRST_PAGE_NUMBER } from '../../api/decisions.ts';
import { formatUnits } from '../../base/formatUnits.ts';
import type { Handler } from '../handler.ts';
import { describeTokens } from '../queries/describeTokens.ts';
import { getBlockRange, getPageQuery, isEmptyRange, openListing, readConsistently } from '../queries/listing.ts';
import { decodeLogPosition, encodeLogPosition, getBlockDate, readBlocks } from '../queries/transfersPage.ts';
import type { MintRow } from '../store/rows.ts';
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
  const { getLabel: labels, getTrust: marks } = context;
  const wanted: MintQuery = { ...query, ...getBlockRange(listing) };
  const read = readConsistently(store, async () => {
    const rows = isEmptyRange(listing) ? [] : await store.queryMints(wanted, getPageQuery(listing, decodeLogPosition));
    const shown = rows.slice(0, listing.limit);
    const tokens = shown.map(row => row.token);
    const [blockOf, tokenOf] = await Promise.all([readBlocks(store, shown), describeTokens(store, tokens, marks)]);
    const records = shown.map(row => {
      const block = blockOf(row.blockNumber);
      const { row: token, spamReason: spam, isVerified: verified } = tokenOf(row.token);
      const decimals = token?.decimals ?? null;
      return {
        tokenName: token?.name ?? null,
        tokenSymbol: token?.symbol ?? null,
        tokenLogo: null,
        tokenDecimals: decimals,
        contractAddress: row.token,
        transactionHash: row.transactionHash,
        transactionIndex: row.transactionIndex,
        logIndex: row.logIndex,
        blockTimestamp: getBlockDate(block),
        blockNumber: row.blockNumber,
        blockHash: block.hash,
        toWallet: row.to,
        toWalletLabel: labels(row.to),
        value: row.amount,
        valueDecimal: decimals === null ? null : formatUnits(row.amount, decimals),
        possibleSpam: spam !== null,
        verifiedCollection: verified,
      };
    });
    // The operation has no disable_total: nobody can ask for a count.
    return listing.finish({ rows, total: null, encodeKey: key, records });
  });
  return read.finally(() => listing.close());
};

const key = ({ blockNumber, logIndex }: MintRow) => encodeLogPosition({ blockNumber, logIndex, batchIndex: 0 });
