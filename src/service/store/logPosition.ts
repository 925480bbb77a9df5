// The order of owners in every store: newest change first, then owner, token and id, so that it is total.
import type { LogPosition } from './rows.ts';
import type { OwnerKey } from './store.ts';

/** A transfer changes the amounts of two owners at most: so many rows can share a place. */
export const MAX_ROWS_PER_POSITION = 2;

function comparePlaces(a: LogPosition, b: LogPosition): number {
  return a.blockNumber - b.blockNumber || a.logIndex - b.logIndex || a.batchIndex - b.batchIndex;
}

const order = (a: string | bigint, b: string | bigint) => (a < b ? -1 : a > b ? 1 : 0);

/** Negative when `a` comes first. */
export function compareOwnerKeys(a: OwnerKey, b: OwnerKey): number {
  return (
    comparePlaces(b.changedAt, a.changedAt) ||
    order(a.owner, b.owner) ||
    order(a.token, b.token) ||
    order(a.tokenId, b.tokenId)
  );
}
