// `walletNfts`: what a wallet owns, what it got or gave last first, of some contracts or of all, with or without spam.
import { FIRST_PAGE } from '../../api/decisions.ts';
import type { Input } from '../../api/operations/operations.ts';
import type { Handler } from '../handler.ts';
import type { Marks } from '../queries/describeTokens.ts';
import { stillHeld } from '../queries/fetchCurrentHoldings.ts';
import { type Listing, openListing, readSteadily, sliceOf } from '../queries/listing.ts';
import { ownerKeyIn, ownerKeyOf, ownerRecords, statusOf } from '../queries/ownerRecords.ts';
import { ownersAt } from '../queries/ownersAtBlock.ts';
import { allCleanCollections } from '../queries/walletCollections.ts';
import type { OwnerQuery } from '../store/store.ts';

export const walletNfts: Handler<'walletNfts'> = async (input, context, signal) => {
  const scope = { kind: 'wallet', address: input.address } as const;
  const listing = await openListing('walletNfts', input, FIRST_PAGE.status, scope, context, signal);
  const { store, synced } = listing.indexed;
  return readSteadily(store, async () => {
    const wanted = await queryOf(listing, input, context.marks);
    const rows = wanted === null ? [] : await ownersAt(store, wanted, listing.range.to, sliceOf(listing, ownerKeyIn));
    const total = !listing.counts ? null : wanted === null ? 0 : await store.countOwners(wanted);
    const page = rows.slice(0, listing.limit);
    // What a wallet gave away later is not in a history that ends earlier.
    const whole = synced || store.info.subject === undefined;
    const held = whole ? page : await stillHeld(listing.node, page, signal);
    const records = await ownerRecords(listing, held, input, context, signal);
    const unkept = input.normalizeMetadata === true || input.mediaItems === true;
    return listing.finish({ rows, total, key: ownerKeyOf, records, extra: { status: statusOf(synced) }, unkept });
  });
};

/** `null` when no contract is left. */
async function queryOf(
  { indexed, range }: Listing,
  input: Input<'walletNfts'>,
  marks: Marks,
): Promise<OwnerQuery | null> {
  const { address: owner, tokenAddresses: named, excludeSpam = false } = input;
  if (!excludeSpam) return { owner, tokens: named };
  const clean = (await allCleanCollections(indexed.store, owner, range.to, marks)).map(row => row.token);
  const tokens = named === undefined ? clean : clean.filter(token => named.includes(token));
  return tokens.length === 0 ? null : { owner, tokens };
}
