// Reads of owners, collections, lowest trades and tokens from the PostgreSQL index, each one statement; addresses, which never change, are read beside it.
import type { Hex } from '../../../base/hex.ts';
import { packNumber, unpackAmount, unpackHex, unpackNftStandard, unpackNumber, unpackStandard } from '../encoding.ts';
import { compareOwnerKeys, MAX_ROWS_PER_POSITION } from '../logPosition.ts';
import type { OwnerRow, TokenRow, TradeRow } from '../rows.ts';
import type { CollectionRow, OwnerKey, OwnerQuery, PageQuery, TradeQuery } from '../store.ts';
import type { AddressTable } from './addressTable.ts';
import {
  clampBlockNumber,
  isAnyOf,
  NEWEST_FIRST,
  numberConditions,
  positionCondition,
  type SqlCondition,
} from './conditions.ts';
import type { QueryRunner } from './database.ts';
import { NEVER_MINTED, ZERO_ADDRESS_ID } from './schema.ts';

interface OwnerRecord {
  readonly token: number;
  readonly token_id: Buffer;
  readonly standard: number;
  readonly holder: number;
  readonly amount: Buffer;
  readonly block: number;
  readonly log: number;
  readonly position: number;
  readonly first: number;
}

const lower = (address: Hex) => address.toLowerCase() as Hex;

/** What a burnt id leaves behind is no owner; word for word as the indexes have it. */
const SOMEBODY_HOLDS: SqlCondition = { sql: `holder <> ${ZERO_ADDRESS_ID}`, values: [] };

/** `null` when the index never saw the owner, or none of the tokens. */
async function ownerConditions(
  queries: QueryRunner,
  addresses: AddressTable,
  { owner, tokens, tokenId }: OwnerQuery,
): Promise<readonly SqlCondition[] | null> {
  const known = await addresses.find(queries, [...(owner === undefined ? [] : [owner]), ...(tokens ?? [])]);
  const holder = owner === undefined ? undefined : known.get(lower(owner));
  const list = tokens?.map(token => known.get(lower(token))).filter(id => id !== undefined);
  if ((owner !== undefined && holder === undefined) || list?.length === 0) return null;
  return [
    SOMEBODY_HOLDS,
    ...(holder === undefined ? [] : [{ sql: 'holder = $?', values: [holder] }]),
    ...(list === undefined ? [] : [list.length === 1 ? { sql: 'token = $?', values: list } : isAnyOf('token', list)]),
    ...(tokenId === undefined ? [] : [{ sql: 'token_id = $?', values: [packNumber(tokenId)] }]),
  ];
}

export async function readOwners(
  queries: QueryRunner,
  chain: number,
  addresses: AddressTable,
  query: OwnerQuery,
  { limit, after }: PageQuery<OwnerKey>,
): Promise<readonly OwnerRow[]> {
  const own = await ownerConditions(queries, addresses, query);
  if (own === null) return [];
  // The rows at the place where the last page ended are sorted out below, and the last place must be there whole.
  const { sql, values } = numberConditions(
    chain,
    [after === undefined ? own : [...own, positionCondition.atOrBefore(after.changedAt)]],
    where => `SELECT * FROM owner WHERE ${where} ${NEWEST_FIRST} LIMIT ${limit + MAX_ROWS_PER_POSITION + 1}`,
  );
  const records = await queries.query<OwnerRecord>(
    // Of ids with many holders, slot 0 keeps the first mint.
    `SELECT r.*, coalesce(i.minted, r.minted) AS first FROM (${sql[0]}) AS r LEFT JOIN owner AS i
     ON r.slot <> 0 AND i.chain = $1 AND i.token = r.token AND i.token_id = r.token_id AND i.slot = 0`,
    values,
  );
  const address = await addresses.resolve(
    queries,
    records.flatMap(({ token, holder }) => [token, holder]),
  );
  const rows = records.map(
    (record): OwnerRow => ({
      token: address(record.token),
      tokenId: unpackNumber(record.token_id),
      standard: unpackNftStandard(record.standard),
      owner: address(record.holder),
      amount: unpackAmount(record.amount),
      changedAt: { blockNumber: record.block, logIndex: record.log, batchIndex: record.position },
      mintedBlock: record.first === NEVER_MINTED ? null : record.first,
    }),
  );
  return rows
    .sort(compareOwnerKeys)
    .filter(row => after === undefined || compareOwnerKeys(row, after) > 0)
    .slice(0, limit);
}

export async function countOwners(
  queries: QueryRunner,
  chain: number,
  addresses: AddressTable,
  query: OwnerQuery,
): Promise<number> {
  const own = await ownerConditions(queries, addresses, query);
  if (own === null) return 0;
  const { sql, values } = numberConditions(chain, [own], where => `SELECT count(*) AS n FROM owner WHERE ${where}`);
  const [row] = await queries.query<{ n: string }>(sql[0] ?? '', values);
  return Number(row?.n ?? 0);
}

const HELD = `chain = $1 AND holder = $2 AND ${SOMEBODY_HOLDS.sql}`;

/** Jumps from token to token of a wallet: as many steps as it has collections, however much it owns of each. */
const COLLECTIONS = `
  WITH RECURSIVE held AS (
    (SELECT token FROM owner WHERE ${HELD} ORDER BY token LIMIT 1)
    UNION ALL
    SELECT (SELECT o.token FROM owner AS o WHERE ${HELD} AND o.token > held.token ORDER BY o.token LIMIT 1)
    FROM held WHERE held.token IS NOT NULL)`;

interface CollectionRecord {
  readonly token: number;
  readonly block: number;
  readonly log: number;
  readonly position: number;
}

export async function readCollections(
  queries: QueryRunner,
  chain: number,
  addresses: AddressTable,
  wallet: Hex,
  { limit, after }: PageQuery<CollectionRow>,
): Promise<readonly CollectionRow[]> {
  const holder = (await addresses.find(queries, [wallet])).get(lower(wallet));
  if (holder === undefined) return [];
  const places = after?.changedAt;
  const records = await queries.query<CollectionRecord>(
    `${COLLECTIONS}
     SELECT held.token, last.block, last.log, last.position
     FROM held CROSS JOIN LATERAL (
       SELECT block, log, position FROM owner AS o WHERE ${HELD} AND o.token = held.token ${NEWEST_FIRST} LIMIT 1) AS last
     WHERE held.token IS NOT NULL
       ${places === undefined ? '' : 'AND (last.block, last.log, last.position) < ($3, $4, $5)'}
     ORDER BY last.block DESC, last.log DESC, last.position DESC LIMIT ${limit}`,
    [
      chain,
      holder,
      ...(places === undefined ? [] : [clampBlockNumber(places.blockNumber), places.logIndex, places.batchIndex]),
    ],
  );
  const address = await addresses.resolve(
    queries,
    records.map(({ token }) => token),
  );
  return records.map(({ token, block, log, position }) => ({
    token: address(token),
    changed: { blockNumber: block, logIndex: log, position },
  }));
}

export async function countCollections(
  queries: QueryRunner,
  chain: number,
  addresses: AddressTable,
  wallet: Hex,
): Promise<number> {
  const holder = (await addresses.find(queries, [wallet])).get(lower(wallet));
  if (holder === undefined) return 0;
  const sql = `${COLLECTIONS} SELECT count(token) AS n FROM held`;
  const [row] = await queries.query<{ n: string }>(sql, [chain, holder]);
  return Number(row?.n ?? 0);
}

interface TradeRecord {
  readonly block: number;
  readonly log: number;
  readonly tx: Buffer;
  readonly token: number;
  readonly token_ids: string;
  readonly seller: number;
  readonly buyer: number;
  readonly marketplace: number;
  readonly price: Buffer;
}

export async function readLowestTrade(
  queries: QueryRunner,
  chain: number,
  addresses: AddressTable,
  { token, fromTime: since, marketplaces }: TradeQuery,
): Promise<TradeRow | null> {
  const known = await addresses.find(queries, [token, ...(marketplaces ?? [])]);
  const number = known.get(lower(token));
  const list = marketplaces?.map(address => known.get(lower(address))).filter(id => id !== undefined);
  if (number === undefined || list?.length === 0) return null;
  const only = list === undefined ? '' : 'AND marketplace = ANY ($4::integer[])';
  const [record] = await queries.query<TradeRecord>(
    `SELECT * FROM trade WHERE chain = $1 AND token = $2 AND block >= (
       SELECT number FROM block WHERE chain = $1 AND time >= $3 ORDER BY time, number LIMIT 1) ${only}
     ORDER BY price, block DESC, log DESC, ordinal DESC LIMIT 1`,
    [chain, number, since, ...(list === undefined ? [] : [list])],
  );
  if (record === undefined) return null;
  const { seller, buyer, marketplace } = record;
  const address = await addresses.resolve(queries, [record.token, seller, buyer, marketplace]);
  return {
    blockNumber: record.block,
    logIndex: record.log,
    transactionHash: unpackHex(record.tx),
    token: address(record.token),
    tokenIds: record.token_ids === '' ? [] : record.token_ids.split(',').map(BigInt),
    seller: address(seller),
    buyer: address(buyer),
    marketplace: address(marketplace),
    price: unpackNumber(record.price),
  };
}

interface TokenRecord {
  readonly address: number;
  readonly standard: number;
  readonly name: Buffer | null;
  readonly symbol: Buffer | null;
  readonly decimals: number | null;
}

export async function readTokens(
  queries: QueryRunner,
  chain: number,
  addresses: AddressTable,
  list: readonly Hex[],
): Promise<ReadonlyMap<Hex, TokenRow>> {
  const known = await addresses.find(queries, list);
  const found = new Map<Hex, TokenRow>();
  if (known.size === 0) return found;
  const records = await queries.query<TokenRecord>(
    'SELECT address, standard, name, symbol, decimals FROM token WHERE chain = $1 AND address = ANY ($2::integer[])',
    [chain, [...known.values()]],
  );
  const address = await addresses.resolve(
    queries,
    records.map(record => record.address),
  );
  const text = (bytes: Buffer | null) => bytes?.toString('utf8') ?? null;
  for (const { address: id, standard, name, symbol, decimals } of records) {
    const token = address(id);
    found.set(token, { token, standard: unpackStandard(standard), name: text(name), symbol: text(symbol), decimals });
  }
  return found;
}
