// `walletNfts`: the tokens that a wallet owns, by last change, newest first; of some contracts or all, with or without spam.
import { FIRST_PAGE_NUMBER } from '../../api/decisions.ts';
import type { Input } from '../../api/operations/operations.ts';
import type { Handler } from '../handler.ts';
import type { CurrentIndex } from '../indexer/indexes.ts';
import type { GetTokenTrust } from '../queries/describeTokens.ts';
import { fetchCurrentHoldings } from '../queries/fetchCurrentHoldings.ts';
import { getPageQuery, type Listing, openListing, readConsistently } from '../queries/listing.ts';
import { decodeOwnerKey, encodeOwnerKey, getSyncStatus, readOwnerRecords } from '../queries/ownerRecords.ts';
import { readOwnersAtBlock } from '../queries/ownersAtBlock.ts';
import { readAllCollectionsWithoutSpam } from '../queries/walletCollections.ts';
import type { OwnerQuery } from '../store/store.ts';

export const walletNfts: Handler<'walletNfts'> = async (input, context, signal) => {
  const scope = { kind: 'wallet', address: input.address } as const;
  const listing = await openListing('walletNfts', input, FIRST_PAGE_NUMBER.status, scope, context, signal);
  const { store, isSynced } = listing.indexed;
  return readConsistently(store, async () => {
    const query = await resolveQuery(listing, input, context.getTrust);
    const rows =
      query === null
        ? []
        : await readOwnersAtBlock(store, query, listing.range.to, getPageQuery(listing, decodeOwnerKey));
    const total = !listing.shouldCount ? null : query === null ? 0 : await store.countOwners(query);
    const page = rows.slice(0, listing.limit);
    // The index of a wallet that is behind lacks what the wallet sent away since.
    const isUpToDate = isSynced || store.info.scope === undefined;
    const holdings = isUpToDate ? page : await fetchCurrentHoldings(listing.node, page, signal);
    const records = await readOwnerRecords(listing, holdings, input, context, signal);
    return listing.finish({
      ...{ rows, total, records },
      encodeKey: encodeOwnerKey,
      extra: { status: getSyncStatus(isSynced) },
      isUncacheable: input.normalizeMetadata === true || input.mediaItems === true,
    });
  });
};

/** `null` when no contract is left. */
async function resolveQuery(
  { indexed, range }: Listing<CurrentIndex>,
  input: Input<'walletNfts'>,
  getTrust: GetTokenTrust,
): Promise<OwnerQuery | null> {
  const { address: owner, tokenAddresses, excludeSpam = false } = input;
  if (!excludeSpam) return { owner, tokens: tokenAddresses };
  const collections = await readAllCollectionsWithoutSpam(indexed.store, owner, range.to, getTrust);
  const withoutSpam = collections.map(row => row.token);
  const tokens =
    tokenAddresses === undefined ? withoutSpam : withoutSpam.filter(token => tokenAddresses.includes(token));
  return tokens.length === 0 ? null : { owner, tokens };
}
