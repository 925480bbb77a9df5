// Reads of a wallet's collections from the SQLite index, in the order of what it got last.
import type { Hex } from '../../base/hex.ts';
import type { AddressTable } from './sqlite/addressTable.ts';
import { findFirstRowId, readTransferPosition } from './sqlite/blockReads.ts';
import type { SqliteConnection } from './sqlite/connection.ts';
import { HAS_HOLDER } from './sqlite/schema.ts';
import type { CollectionRow, PageQuery } from './store.ts';

const HELD = `FROM owner INDEXED BY owner_collection WHERE holder = ?1 AND ${HAS_HOLDER}`;

/** Jumps from token to token of a wallet: as many steps as it has collections, however much it owns of each. */
const COLLECTIONS = `
  WITH RECURSIVE held (token) AS (
    SELECT min(token) ${HELD}
    UNION ALL
    SELECT (SELECT min(token) ${HELD} AND token > held.token) FROM held WHERE held.token IS NOT NULL`;

/** A page from all collections of the wallet, after `?4` steps at most; nothing when it has more than `?5`. */
const PAGE_OF_ALL = `${COLLECTIONS} LIMIT ?4)
  SELECT c.token, c.changed
  FROM (SELECT token, (SELECT max(changed) ${HELD} AND token = held.token) AS changed FROM held WHERE token IS NOT NULL) AS c
  WHERE (SELECT count(token) FROM held) <= ?5 AND c.changed < ?2 ORDER BY c.changed DESC LIMIT ?3`;

const NEWEST_FIRST = `
  SELECT token, changed FROM owner INDEXED BY owner_wallet
  WHERE holder = ? AND ${HAS_HOLDER} AND changed < ? ORDER BY changed DESC LIMIT ?`;

const LAST_CHANGE = `SELECT max(changed) AS changed ${HELD} AND token = ?2`;

/** So many changes are looked at for each row of a page before all of the wallet's collections are. */
const CHANGES_PER_ROW = 2;

/** A token that a wallet holds something of, with the number of the transfer that changed anything of it last. */
interface Held {
  readonly token: number;
  readonly changed: number;
}

/** Above all numbers of transfers; as a limit, none. */
const MOST = Number.MAX_SAFE_INTEGER;

/** A page from what the wallet got last; `null` when that was so much of the same collections that it is not filled. */
function newest(connection: SqliteConnection, owner: number, before: number, limit: number): readonly Held[] | null {
  const seen = new Set<number>();
  const page: Held[] = [];
  let looked = 0;
  for (const { token, changed } of connection.iterate<Held>(NEWEST_FIRST, owner, before, limit * CHANGES_PER_ROW)) {
    looked++;
    if (seen.has(token)) continue;
    seen.add(token);
    // When something of it changed after this, it was on an earlier page.
    const last = before === MOST ? changed : connection.get<{ changed: number }>(LAST_CHANGE, owner, token)?.changed;
    if (last === changed) page.push({ token, changed });
    if (page.length === limit) return page;
  }
  return looked < limit * CHANGES_PER_ROW ? page : null;
}

/** Wallets of a thousand collections are often given single NFTs of many: a page of theirs takes no longer than others. */
function pageOf(connection: SqliteConnection, owner: number, before: number, limit: number): readonly Held[] {
  // The step behind the last collection finds none.
  const few = connection.all<Held>(PAGE_OF_ALL, owner, before, limit, limit + 2, limit);
  if (few.length > 0) return few;
  return newest(connection, owner, before, limit) ?? connection.all(PAGE_OF_ALL, owner, before, limit, MOST, MOST);
}

export function readCollections(
  connection: SqliteConnection,
  addresses: AddressTable,
  wallet: Hex,
  { limit, after }: PageQuery<CollectionRow>,
): readonly CollectionRow[] {
  const owner = addresses.find(wallet);
  if (owner === null) return [];
  const before = after === undefined ? MOST : findFirstRowId(connection, 'transfer', after.changedAt);
  return pageOf(connection, owner, before, limit).map(({ token, changed }) => ({
    token: addresses.resolve(token),
    changed: readTransferPosition(connection, changed),
  }));
}

export function countCollections(connection: SqliteConnection, addresses: AddressTable, wallet: Hex): number {
  const owner = addresses.find(wallet);
  if (owner === null) return 0;
  return connection.get<{ n: number }>(`${COLLECTIONS}) SELECT count(token) AS n FROM held`, owner)?.n ?? 0;
}
