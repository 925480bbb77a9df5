// Reads of owners, lowest trades and tokens from the SQLite index.

import type { Hex } from '../../../base/hex.ts';
import { packNumber, unpackHex, unpackNftStandard, unpackNumber, unpackStandard } from '../encoding.ts';
import { compareOwnerKeys, MAX_ROWS_PER_POSITION } from '../logPosition.ts';
import type { OwnerRow, TokenRow, TradeRow } from '../rows.ts';
import type { CollectionRow, OwnerKey, OwnerQuery, PageQuery, TradeQuery } from '../store.ts';
import type { AddressTable } from './addressTable.ts';
import { findFirstRowId, readFirstBlockAt, readTransferPosition } from './blockReads.ts';
import type { SqliteConnection } from './connection.ts';
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

// Reads of a wallet's collections from the SQLite index, in the order of what it got last.
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

interface OwnerRecord {
  readonly token: number;
  readonly token_id: Uint8Array;
  readonly standard: number;
  readonly holder: number;
  readonly amount: string;
  readonly minted: number | null;
  readonly block: number;
  readonly log: number;
  readonly position: number;
}

function ownerArms(addresses: AddressTable, query: OwnerQuery): readonly UnionBranch[] {
  const owner = query.owner === undefined ? undefined : addresses.find(query.owner);
  const tokens = query.tokens === undefined ? undefined : findAddressIds(addresses, query.tokens);
  if (owner === null || tokens?.length === 0) return [];
  const tokenId = query.tokenId === undefined ? undefined : packNumber(query.tokenId);
  const withId = (arm: UnionBranch) =>
    tokenId === undefined ? arm : addConditions(arm, ['+r.token_id = ?'], [tokenId]);
  const somebody = `r.${HAS_HOLDER}`;

  if (tokens !== undefined && tokens.length <= MAX_BRANCHES) {
    if (owner !== undefined)
      return tokens.map(token =>
        withId({ index: 'owner_collection', where: ['r.holder = ?', 'r.token = ?', somebody], values: [owner, token] }),
      );
    if (tokenId === undefined)
      return tokens.map(
        (token): UnionBranch => ({ index: 'owner_token', where: ['r.token = ?', somebody], values: [token] }),
      );
    // The one holder, or the many, who have an index of their own.
    const where = ['r.token = ?', 'r.token_id = ?'];
    return tokens.flatMap((token): readonly UnionBranch[] => [
      { index: null, where: [...where, 'r.slot = 0', somebody], values: [token, tokenId] },
      { index: 'owner_edition', where: [...where, `r.${HAS_MANY_HOLDERS}`], values: [token, tokenId] },
    ]);
  }
  const lead: UnionBranch =
    owner === undefined
      ? { index: null, where: [somebody], values: [] }
      : { index: 'owner_wallet', where: ['r.holder = ?', somebody], values: [owner] };
  return [withId(tokens === undefined ? lead : addConditions(lead, [`+r.token IN (${placeholders(tokens)})`], tokens))];
}

/** Of ids with many holders, slot 0 keeps the first mint. */
const MINTED = `
  CASE WHEN r.slot = 0 THEN r.minted
  ELSE (SELECT minted FROM owner AS i WHERE i.token = r.token AND i.token_id = r.token_id AND i.slot = 0) END AS minted`;

export function readOwners(
  connection: SqliteConnection,
  addresses: AddressTable,
  query: OwnerQuery,
  { limit, after }: PageQuery<OwnerKey>,
): readonly OwnerRow[] {
  const arms = ownerArms(addresses, query);
  const newest = after === undefined ? null : findFirstRowId(connection, 'transfer', after.changedAt);
  const records = selectUnion<OwnerRecord>(
    connection,
    {
      table: 'owner',
      // The order of a join is what is written: owners first.
      join: 'CROSS JOIN transfer AS t ON t.id = r.changed',
      columns: `r.token, r.token_id, r.standard, r.holder, r.amount, ${MINTED}, r.changed AS changed, t.block, t.log, t.position`,
      order: 'changed DESC',
    },
    newest === null ? arms : arms.map(arm => addConditions(arm, ['r.changed <= ?'], [newest])),
    // The rows at the place where the last page ended are sorted out below, and the last place must be there whole.
    limit + MAX_ROWS_PER_POSITION + 1,
  );
  const rows = records.map(
    (record): OwnerRow => ({
      token: addresses.resolve(record.token),
      tokenId: unpackNumber(record.token_id),
      standard: unpackNftStandard(record.standard),
      owner: addresses.resolve(record.holder),
      amount: BigInt(record.amount),
      changedAt: { blockNumber: record.block, logIndex: record.log, batchIndex: record.position },
      mintedBlock: record.minted,
    }),
  );
  return rows
    .sort(compareOwnerKeys)
    .filter(row => after === undefined || compareOwnerKeys(row, after) > 0)
    .slice(0, limit);
}

export function countOwners(connection: SqliteConnection, addresses: AddressTable, query: OwnerQuery): number {
  return countUnion(connection, 'owner', ownerArms(addresses, query));
}

interface TradeRecord {
  readonly block: number;
  readonly log: number;
  readonly tx: Uint8Array;
  readonly token: number;
  readonly token_ids: string;
  readonly seller: number;
  readonly buyer: number;
  readonly marketplace: number;
  readonly price: Uint8Array;
}

export function readLowestTrade(
  connection: SqliteConnection,
  addresses: AddressTable,
  query: TradeQuery,
): TradeRow | null {
  const token = addresses.find(query.token);
  const marketplaces = query.marketplaces === undefined ? undefined : findAddressIds(addresses, query.marketplaces);
  const first = readFirstBlockAt(connection, query.fromTime);
  if (token === null || first === null || marketplaces?.length === 0) return null;
  const only = marketplaces === undefined ? '' : `AND marketplace IN (${placeholders(marketplaces)})`;
  const record = connection.get<TradeRecord>(
    `SELECT * FROM trade INDEXED BY trade_price WHERE token = ? AND block >= ? ${only}
     ORDER BY price, block DESC, id DESC LIMIT 1`,
    token,
    first.number,
    ...(marketplaces ?? []),
  );
  if (record === undefined) return null;
  return {
    blockNumber: record.block,
    logIndex: record.log,
    transactionHash: unpackHex(record.tx),
    token: addresses.resolve(record.token),
    tokenIds: record.token_ids === '' ? [] : record.token_ids.split(',').map(BigInt),
    seller: addresses.resolve(record.seller),
    buyer: addresses.resolve(record.buyer),
    marketplace: addresses.resolve(record.marketplace),
    price: unpackNumber(record.price),
  };
}

interface TokenRecord {
  readonly address: number;
  readonly standard: number;
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: number | null;
}

export function readTokens(
  connection: SqliteConnection,
  addresses: AddressTable,
  list: readonly Hex[],
): ReadonlyMap<Hex, TokenRow> {
  const found = new Map<Hex, TokenRow>();
  for (const token of list) {
    const id = addresses.find(token);
    if (id === null) continue;
    const record = connection.get<TokenRecord>(
      'SELECT address, standard, name, symbol, decimals FROM token WHERE address = ?',
      id,
    );
    if (record === undefined) continue;
    const { name, symbol, decimals } = record;
    found.set(token, { token, standard: unpackStandard(record.standard), name, symbol, decimals });
  }
  return found;
}
