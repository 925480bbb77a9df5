// The order of owners in every store: newest change first, then owner, token and id, so that it is total.
import type { Place } from './rows.ts';
import type { OwnerKey } from './store.ts';

/** A transfer changes the amounts of two owners at most: so many rows can share a place. */
export const SAME_PLACE = 2;

function comparePlaces(a: Place, b: Place): number {
  return a.blockNumber - b.blockNumber || a.logIndex - b.logIndex || a.position - b.position;
}

const order = (a: string | bigint, b: string | bigint) => (a < b ? -1 : a > b ? 1 : 0);

/** Negative when `a` comes first. */
export function inOwnerOrder(a: OwnerKey, b: OwnerKey): number {
  return (
    comparePlaces(b.changed, a.changed) ||
    order(a.owner, b.owner) ||
    order(a.token, b.token) ||
    order(a.tokenId, b.tokenId)
  );
}
