// `walletNftCollections`: the collections that a wallet owns something of, what it got or gave last first.

import { FIRST_PAGE } from '../../api/decisions.ts';
import type { CursorKey } from '../../api/wire/cursor.ts';
import type { Handler } from '../handler.ts';
import { describeTokens } from '../queries/describeTokens.ts';
import { openListing, readSteadily, sliceOf } from '../queries/listing.ts';
import { statusOf } from '../queries/ownerRecords.ts';
import { collectionsAt } from '../queries/ownersAtBlock.ts';
import { keyOf, placeIn } from '../queries/transfersPage.ts';
import { allCleanCollections, cleanCollections } from '../queries/walletCollections.ts';
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
