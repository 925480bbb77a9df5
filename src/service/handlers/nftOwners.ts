// `nftOwners`: who owns one token, whoever got or gave some of it last first.
import { FIRST_PAGE_NUMBER } from '../../api/decisions.ts';
import type { Handler } from '../handler.ts';
import { getPageQuery, openListing, readConsistently } from '../queries/listing.ts';
import { decodeOwnerKey, encodeOwnerKey, getSyncStatus, readOwnerRecords } from '../queries/ownerRecords.ts';
import { readOwnersAtBlock } from '../queries/ownersAtBlock.ts';

export const nftOwners: Handler<'nftOwners'> = async (input, context, signal) => {
  const scope = { kind: 'contract', address: input.address } as const;
  const listing = await openListing('nftOwners', input, FIRST_PAGE_NUMBER.status, scope, context, signal);
  const { store, isSynced: synced } = listing.indexed;
  const wanted = { tokens: [input.address], tokenId: input.tokenId };
  return readConsistently(store, async () => {
    const rows = await readOwnersAtBlock(store, wanted, listing.range.to, getPageQuery(listing, decodeOwnerKey));
    const total = listing.shouldCount ? await store.countOwners(wanted) : null;
    const records = await readOwnerRecords(listing, rows.slice(0, listing.limit), input, context, signal);
    const unkept = input.normalizeMetadata === true || input.mediaItems === true;
    return listing.finish({
      rows,
      total,
      encodeKey: encodeOwnerKey,
      records,
      extra: { status: getSyncStatus(synced) },
      isUncacheable: unkept,
    });
  });
};
