// `nftOwners`: who owns one token, whoever got or gave some of it last first.
import { FIRST_PAGE } from '../../api/decisions.ts';
import type { Handler } from '../handler.ts';
import { openListing, readSteadily, sliceOf } from '../queries/listing.ts';
import { ownerKeyIn, ownerKeyOf, ownerRecords, statusOf } from '../queries/ownerRecords.ts';
import { ownersAt } from '../queries/ownersAtBlock.ts';

export const nftOwners: Handler<'nftOwners'> = async (input, context, signal) => {
  const scope = { kind: 'contract', address: input.address } as const;
  const listing = await openListing('nftOwners', input, FIRST_PAGE.status, scope, context, signal);
  const { store, synced } = listing.indexed;
  const wanted = { tokens: [input.address], tokenId: input.tokenId };
  return readSteadily(store, async () => {
    const rows = await ownersAt(store, wanted, listing.range.to, sliceOf(listing, ownerKeyIn));
    const total = listing.counts ? await store.countOwners(wanted) : null;
    const records = await ownerRecords(listing, rows.slice(0, listing.limit), input, context, signal);
    const unkept = input.normalizeMetadata === true || input.mediaItems === true;
    return listing.finish({ rows, total, key: ownerKeyOf, records, extra: { status: statusOf(synced) }, unkept });
  });
};
