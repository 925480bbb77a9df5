// `walletNfts`: what a wallet owns, what it got or gave last first, of some contracts or of all, with or without spam.
import { FIRST_PAGE_NUMBER } from '../../api/decisions.ts';
import type { Input } from '../../api/operations/operations.ts';
import type { Handler } from '../handler.ts';
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
  const { store, isSynced: synced } = listing.indexed;
  return readConsistently(store, async () => {
    const wanted = await queryOf(listing, input, context.getTrust);
    const rows =
      wanted === null
        ? []
        : await readOwnersAtBlock(store, wanted, listing.range.to, getPageQuery(listing, decodeOwnerKey));
    const total = !listing.shouldCount ? null : wanted === null ? 0 : await store.countOwners(wanted);
    const page = rows.slice(0, listing.limit);
    // What a wallet gave away later is not in a history that ends earlier.
    const whole = synced || store.info.scope === undefined;
    const held = whole ? page : await fetchCurrentHoldings(listing.node, page, signal);
    const records = await readOwnerRecords(listing, held, input, context, signal);
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

/** `null` when no contract is left. */
async function queryOf(
  { indexed, range }: Listing,
  input: Input<'walletNfts'>,
  marks: GetTokenTrust,
): Promise<OwnerQuery | null> {
  const { address: owner, tokenAddresses: named, excludeSpam = false } = input;
  if (!excludeSpam) return { owner, tokens: named };
  const clean = (await readAllCollectionsWithoutSpam(indexed.store, owner, range.to, marks)).map(row => row.token);
  const tokens = named === undefined ? clean : clean.filter(token => named.includes(token));
  return tokens.length === 0 ? null : { owner, tokens };
}
