// Reads of NFT owners and of a wallet's collections from the SQLite index.

import { packInteger, unpackInteger, unpackNftStandard } from '../encoding.ts';
import { getOwnersPage } from '../records.ts';
import type { OwnerRow } from '../rows.ts';
import { MAX_OWNERS_PER_POSITION, type OwnerQuery } from '../store.ts';
import type { AddressTable, SqliteRead } from './addressTable.ts';
import type { SqliteConnection } from './connection.ts';
import type { PositionRecord } from './rowIds.ts';
import { findFirstRowId, readTransferPosition, toPosition } from './rowIds.ts';
import { HAS_HOLDER, HAS_MANY_HOLDERS } from './schema.ts';
import {
  addConditions,
  countUnion,
  findAddressIds,
  MAX_BRANCHES,
  placeholders,
  selectUnion,
  type UnionBranch,
} from './unionQuery.ts';

interface OwnerRecord extends PositionRecord {
  readonly token: number;
  readonly token_id: number | Uint8Array;
  readonly standard: number;
  readonly holder: number;
  readonly amount: number | Uint8Array;
  readonly minted: number | null;
}

function getOwnerBranches(addresses: AddressTable, query: OwnerQuery): readonly UnionBranch[] {
  const owner = query.owner === undefined ? undefined : addresses.find(query.owner);
  const contracts = query.contracts === undefined ? undefined : findAddressIds(addresses, query.contracts);
  if (owner === null || contracts?.length === 0) return [];
  const tokenId = query.tokenId === undefined ? undefined : packInteger(query.tokenId);
  const withTokenId = (branch: UnionBranch) =>
    tokenId === undefined ? branch : addConditions(branch, ['+r.token_id = ?'], [tokenId]);
  const hasHolder = `r.${HAS_HOLDER}`;

  if (contracts !== undefined && contracts.length <= MAX_BRANCHES) {
    if (owner !== undefined)
      return contracts.map(contract =>
        withTokenId({
          index: 'owner_collection',
          where: ['r.holder = ?', 'r.token = ?', hasHolder],
          values: [owner, contract],
        }),
      );
    if (tokenId === undefined)
      return contracts.map(
        (contract): UnionBranch => ({ index: 'owner_token', where: ['r.token = ?', hasHolder], values: [contract] }),
      );
    // Ids with one holder are found by the primary key, those with many by an index of their own.
    const where = ['r.token = ?', 'r.token_id = ?'];
    return contracts.flatMap((contract): readonly UnionBranch[] => [
      { index: null, where: [...where, 'r.slot = 0', hasHolder], values: [contract, tokenId] },
      { index: 'owner_edition', where: [...where, `r.${HAS_MANY_HOLDERS}`], values: [contract, tokenId] },
    ]);
  }
  const branch: UnionBranch =
    owner === undefined
      ? { index: null, where: [hasHolder], values: [] }
      : { index: 'owner_wallet', where: ['r.holder = ?', hasHolder], values: [owner] };
  return [
    withTokenId(
      contracts === undefined ? branch : addConditions(branch, [`+r.token IN (${placeholders(contracts)})`], contracts),
    ),
  ];
}

/** Where an id has many holders, the row with slot 0 has its first mint. */
const MINTED = `
  CASE WHEN r.slot = 0 THEN r.minted
  ELSE (SELECT minted FROM owner AS i WHERE i.token = r.token AND i.token_id = r.token_id AND i.slot = 0) END AS minted`;

export const readOwners: SqliteRead<'readOwners'> = ({ connection, addresses }, query, { limit, after }) => {
  const branches = getOwnerBranches(addresses, query);
  const newest = after === undefined ? null : findFirstRowId(connection, 'transfer', after.changedAt);
  const records = selectUnion<OwnerRecord>(
    connection,
    {
      table: 'owner',
      // CROSS JOIN makes SQLite read owners first.
      join: 'CROSS JOIN transfer AS t ON t.id = r.changed CROSS JOIN mined_transaction AS m ON m.id = t.transaction_id',
      columns: `r.token, r.token_id, r.standard, r.holder, r.amount, ${MINTED}, r.changed AS changed, m.block, m.tx_index, t.log, t.position`,
      order: 'changed DESC',
    },
    newest === null ? branches : branches.map(branch => addConditions(branch, ['r.changed <= ?'], [newest])),
    // Rows of one position have no order in SQL: those before the key are dropped below, and the last position is read whole.
    limit + MAX_OWNERS_PER_POSITION + 1,
  );
  const rows = records.map(
    (record): OwnerRow => ({
      tokenAddress: addresses.resolve(record.token),
      tokenId: unpackInteger(record.token_id),
      standard: unpackNftStandard(record.standard),
      owner: addresses.resolve(record.holder),
      amount: unpackInteger(record.amount),
      changedAt: toPosition(record),
      mintedBlock: record.minted,
    }),
  );
  return getOwnersPage(rows, { limit, after });
};

export const countOwners: SqliteRead<'countOwners'> = ({ connection, addresses }, query) =>
  countUnion(connection, 'owner', getOwnerBranches(addresses, query));

const HELD = `FROM owner INDEXED BY owner_collection WHERE holder = ?1 AND ${HAS_HOLDER}`;

/** Jumps from token to token of a wallet: one step per collection, however many of its ids the wallet owns. */
const COLLECTIONS = `
  WITH RECURSIVE held (token) AS (
    SELECT min(token) ${HELD}
    UNION ALL
    SELECT (SELECT min(token) ${HELD} AND token > held.token) FROM held WHERE held.token IS NOT NULL`;

/** A page from all collections of the wallet, after at most `?4` steps; empty when it has more than `?5` collections. */
const PAGE_OF_ALL = `${COLLECTIONS} LIMIT ?4)
  SELECT c.token, c.changed
  FROM (SELECT token, (SELECT max(changed) ${HELD} AND token = held.token) AS changed FROM held WHERE token IS NOT NULL) AS c
  WHERE (SELECT count(token) FROM held) <= ?5 AND c.changed < ?2 ORDER BY c.changed DESC LIMIT ?3`;

const NEWEST_CHANGES = `
  SELECT token, changed FROM owner INDEXED BY owner_wallet
  WHERE holder = ? AND ${HAS_HOLDER} AND changed < ? ORDER BY changed DESC LIMIT ?`;

const LAST_CHANGE = `SELECT max(changed) AS changed ${HELD} AND token = ?2`;

/** How many changes are read for each row of a page before all of the wallet's collections are. */
const CHANGES_PER_ROW = 2;

/** A token of which a wallet holds an id, and the id of the last transfer that changed what it holds of it. */
interface HeldToken {
  readonly token: number;
  readonly changed: number;
}

/** Above all transfer ids; as a limit, none. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** A page from the wallet's newest changes; `null` when too many of them are of the same collections to fill it. */
function readNewestCollections(
  connection: SqliteConnection,
  owner: number,
  before: number,
  limit: number,
): readonly HeldToken[] | null {
  const seen = new Set<number>();
  const page: HeldToken[] = [];
  const maxChanges = limit * CHANGES_PER_ROW;
  let changes = 0;
  for (const { token, changed } of connection.iterate<HeldToken>(NEWEST_CHANGES, owner, before, maxChanges)) {
    changes++;
    if (seen.has(token)) continue;
    seen.add(token);
    // A collection that changed again after this one was on an earlier page.
    const last =
      before === NO_LIMIT ? changed : connection.get<{ changed: number }>(LAST_CHANGE, owner, token)?.changed;
    if (last === changed) page.push({ token, changed });
    if (page.length === limit) return page;
  }
  return changes < maxChanges ? page : null;
}

/** Three ways, so that a page takes no longer for a wallet with a thousand collections than for others. */
function readCollectionPage(
  connection: SqliteConnection,
  owner: number,
  before: number,
  limit: number,
): readonly HeldToken[] {
  // One step more than collections: the last one finds none.
  const all = connection.all<HeldToken>(PAGE_OF_ALL, owner, before, limit, limit + 2, limit);
  if (all.length > 0) return all;
  return (
    readNewestCollections(connection, owner, before, limit) ??
    connection.all(PAGE_OF_ALL, owner, before, limit, NO_LIMIT, NO_LIMIT)
  );
}

export const readCollections: SqliteRead<'readCollections'> = ({ connection, addresses }, wallet, { limit, after }) => {
  const owner = addresses.find(wallet);
  if (owner === null) return [];
  const before = after === undefined ? NO_LIMIT : findFirstRowId(connection, 'transfer', after.changedAt);
  return readCollectionPage(connection, owner, before, limit).map(({ token, changed }) => ({
    tokenAddress: addresses.resolve(token),
    changedAt: readTransferPosition(connection, changed),
  }));
};

export const countCollections: SqliteRead<'countCollections'> = ({ connection, addresses }, wallet) => {
  const owner = addresses.find(wallet);
  if (owner === null) return 0;
  return connection.get<{ n: number }>(`${COLLECTIONS}) SELECT count(token) AS n FROM held`, owner)?.n ?? 0;
};
