// `walletNftCollections`: the collections that a wallet owns something of, what it got or gave last first.
import type { CursorKey } from '../../contract/cursor.ts';
import { FIRST_PAGE } from '../../contract/decisions.ts';
import type { Handler } from '../handler.ts';
import { allCleanCollections, cleanCollections } from '../nft/collections.ts';
import { openListing, readSteadily, sliceOf } from '../nft/listing.ts';
import { statusOf } from '../nft/owners.ts';
import { collectionsAt } from '../nft/snapshot.ts';
import { describeTokens } from '../nft/tokens.ts';
import { keyOf, placeIn } from '../nft/transfers.ts';
import type { CollectionRow } from '../store/store.ts';

export const walletNftCollections: Handler<'walletNftCollections'> = async (input, context, signal) => {
  const scope = { kind: 'wallet', address: input.address } as const;
  const listing = await openListing('walletNftCollections', input, FIRST_PAGE.status, scope, context, signal);
  const { store, synced } = listing.indexed;
  const { range } = listing;
  const { marks } = context;
  const { address, excludeSpam = false } = input;
  return readSteadily(store, async () => {
    const slice = sliceOf(listing, keyIn);
    const rows = await (excludeSpam
      ? cleanCollections(store, address, range.to, slice, marks)
      : collectionsAt(store, address, range.to, slice));
    const count = async () =>
      excludeSpam
        ? (await allCleanCollections(store, address, range.to, marks)).length
        : store.countCollections(address);
    const total = listing.counts ? await count() : null;
    const shown = rows.slice(0, listing.limit).map(row => row.token);
    const tokenOf = await describeTokens(store, shown, marks);
    const records = shown.map(token => {
      const { row, spam, verified } = tokenOf(token);
      return {
        tokenAddress: token,
        contractType: row?.standard ?? null,
        name: row?.name ?? null,
        symbol: row?.symbol ?? null,
        possibleSpam: spam !== null,
        verifiedCollection: verified,
      };
    });
    return listing.finish({ rows, total, key, records, extra: { status: statusOf(synced) } });
  });
};

const key = ({ changed, token }: CollectionRow): CursorKey => [...keyOf(changed), token];

function keyIn([blockNumber = 0, logIndex = 0, position = 0, token]: CursorKey): CollectionRow {
  return { changed: placeIn([blockNumber, logIndex, position]), token: `0x${String(token).slice(2)}` };
}
