// `walletNftCollections`: the collections that a wallet owns something of, what it got or gave last first.

import { FIRST_PAGE_NUMBER } from '../../api/decisions.ts';
import type { CursorKey } from '../../api/wire/cursor.ts';
import type { Handler } from '../handler.ts';
import { describeTokens } from '../queries/describeTokens.ts';
import { getPageQuery, openListing, readConsistently } from '../queries/listing.ts';
import { getSyncStatus } from '../queries/ownerRecords.ts';
import { readCollectionsAtBlock } from '../queries/ownersAtBlock.ts';
import { decodeLogPosition, encodeLogPosition } from '../queries/transfersPage.ts';
import { readAllCollectionsWithoutSpam, readCollectionsWithoutSpam } from '../queries/walletCollections.ts';
import type { CollectionRow } from '../store/store.ts';

export const walletNftCollections: Handler<'walletNftCollections'> = async (input, context, signal) => {
  const scope = { kind: 'wallet', address: input.address } as const;
  const listing = await openListing('walletNftCollections', input, FIRST_PAGE_NUMBER.status, scope, context, signal);
  const { store, isSynced: synced } = listing.indexed;
  const { range } = listing;
  const { getTrust: marks } = context;
  const { address, excludeSpam = false } = input;
  return readConsistently(store, async () => {
    const slice = getPageQuery(listing, keyIn);
    const rows = await (excludeSpam
      ? readCollectionsWithoutSpam(store, address, range.to, slice, marks)
      : readCollectionsAtBlock(store, address, range.to, slice));
    const count = async () =>
      excludeSpam
        ? (await readAllCollectionsWithoutSpam(store, address, range.to, marks)).length
        : store.countCollections(address);
    const total = listing.shouldCount ? await count() : null;
    const shown = rows.slice(0, listing.limit).map(row => row.token);
    const tokenOf = await describeTokens(store, shown, marks);
    const records = shown.map(token => {
      const { row, spamReason: spam, isVerified: verified } = tokenOf(token);
      return {
        tokenAddress: token,
        contractType: row?.standard ?? null,
        name: row?.name ?? null,
        symbol: row?.symbol ?? null,
        possibleSpam: spam !== null,
        verifiedCollection: verified,
      };
    });
    return listing.finish({ rows, total, encodeKey: key, records, extra: { status: getSyncStatus(synced) } });
  });
};

const key = ({ changedAt: changed, token }: CollectionRow): CursorKey => [...encodeLogPosition(changed), token];

function keyIn([blockNumber = 0, logIndex = 0, position = 0, token]: CursorKey): CollectionRow {
  return { changedAt: decodeLogPosition([blockNumber, logIndex, position]), token: `0x${String(token).slice(2)}` };
}
