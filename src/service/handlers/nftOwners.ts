// `nftOwners`: the owners of one token, by the last change of what they hold, newest first.
import { FIRST_PAGE_NUMBER } from '../../api/decisions.ts';
import type { Handler } from '../handler.ts';
import { getPageQuery, openListing, readConsistently } from '../queries/listing.ts';
import { decodeOwnerKey, encodeOwnerKey, getSyncStatus, readOwnerRecords } from '../queries/ownerRecords.ts';
import { readOwnersAtBlock } from '../queries/ownersAtBlock.ts';

export const nftOwners: Handler<'nftOwners'> = async (input, context, signal) => {
  const scope = { kind: 'contract', address: input.address } as const;
  const listing = await openListing('nftOwners', input, FIRST_PAGE_NUMBER.status, scope, context, signal);
  const { store, isSynced } = listing.source;
  const query = { contracts: [input.address], tokenId: input.tokenId };
  return readConsistently(store, async () => {
    const rows = await readOwnersAtBlock(store, query, listing.range.to, getPageQuery(listing, decodeOwnerKey));
    const total = listing.shouldCount ? await store.countOwners(query) : null;
    const records = await readOwnerRecords(listing, rows.slice(0, listing.limit), input, context, signal);
    return listing.finish({
      ...{ rows, total, records },
      encodeKey: encodeOwnerKey,
      extra: { status: getSyncStatus(isSynced) },
      isUncacheable: input.normalizeMetadata === true || input.mediaItems === true,
    });
  });
};
