// Reads of owners, collections, lowest trades and tokens from the PostgreSQL index, each one statement.
import type { Hex } from '../../base/hex.ts';
import { packHex, packNumber, unpackHex, unpackNftStandard, unpackNumber, unpackStandard } from './encoding.ts';
import type { Queries } from './postgresPool.ts';
import { type Condition, conditions, inSet, place, placeOrder } from './postgresSql.ts';
import type { OwnerRow, TokenRow, TradeRow } from './rows.ts';
import type { CollectionRow, OwnerKey, OwnerQuery, Slice, TradeQuery } from './store.ts';

interface OwnerRecord {
  readonly token: Buffer;
  readonly token_id: Buffer;
  readonly standard: number;
  readonly holder: Buffer;
  readonly amount: string;
  readonly block: string;
  readonly log: number;
  readonly position: number;
  readonly minted: string | null;
}

function ownerConditions({ owner, tokens, tokenId }: OwnerQuery): readonly Condition[] {
  const bytes = tokens?.map(token => packHex(token, 20));
  const [only] = bytes ?? [];
  return [
    ...(owner === undefined ? [] : [{ sql: 'holder = $?', values: [packHex(owner, 20)] }]),
    ...(bytes === undefined
      ? []
      : [bytes.length === 1 && only !== undefined ? { sql: 'token = $?', values: [only] } : inSet('token', bytes)]),
    ...(tokenId === undefined ? [] : [{ sql: 'token_id = $?', values: [packNumber(tokenId)] }]),
  ];
}

/** Bytes of addresses and ids sort as their texts and numbers do: the database's order is the list's order. */
const OWNER_ORDER = `${placeOrder}, holder, token, token_id`;

export async function readOwners(
  queries: Queries,
  chain: number,
  query: OwnerQuery,
  { limit, after }: Slice<OwnerKey>,
): Promise<readonly OwnerRow[]> {
  const own = ownerConditions(query);
  const arm: readonly Condition[] =
    after === undefined
      ? own
      : [
          ...own,
          place.notAfter(after.changed),
          // Rows of one place are told apart by what follows it in the order.
          {
            sql: '((block, log, position) <> ($?, $?, $?) OR (holder, token, token_id) > ($?::bytea, $?::bytea, $?::bytea))',
            values: [
              after.changed.blockNumber,
              after.changed.logIndex,
              after.changed.position,
              packHex(after.owner, 20),
              packHex(after.token, 20),
              packNumber(after.tokenId),
            ],
          },
        ];
  const { sql, values } = conditions(
    chain,
    [arm],
    where => `SELECT * FROM owner WHERE ${where} ${OWNER_ORDER} LIMIT ${limit}`,
  );
  const records = await queries.all<OwnerRecord>(
    `SELECT r.*, n.minted FROM (${sql[0]}) AS r
     LEFT JOIN nft AS n ON n.chain = r.chain AND n.token = r.token AND n.token_id = r.token_id
     ${OWNER_ORDER.replace(/\b(block|log|position|holder|token|token_id)\b/g, 'r.$1')}`,
    values,
  );
  return records.map(record => ({
    token: unpackHex(record.token),
    tokenId: unpackNumber(record.token_id),
    standard: unpackNftStandard(record.standard),
    owner: unpackHex(record.holder),
    amount: BigInt(record.amount),
    changed: { blockNumber: Number(record.block), logIndex: record.log, position: record.position },
    mintedBlock: record.minted === null ? null : Number(record.minted),
  }));
}

export async function countOwners(queries: Queries, chain: number, query: OwnerQuery): Promise<number> {
  const { sql, values } = conditions(
    chain,
    [ownerConditions(query)],
    where => `SELECT count(*) AS n FROM owner WHERE ${where}`,
  );
  const [row] = await queries.all<{ n: string }>(sql[0] ?? '', values);
  return Number(row?.n ?? 0);
}

/** Jumps from token to token of a wallet: as many steps as it has collections, however much it owns of each. */
const COLLECTIONS = `
  WITH RECURSIVE held AS (
    (SELECT token FROM owner WHERE chain = $1 AND holder = $2 ORDER BY token LIMIT 1)
    UNION ALL
    SELECT (SELECT o.token FROM owner AS o WHERE o.chain = $1 AND o.holder = $2 AND o.token > held.token
            ORDER BY o.token LIMIT 1)
    FROM held WHERE held.token IS NOT NULL)`;

interface CollectionRecord {
  readonly token: Buffer;
  readonly block: string;
  readonly log: number;
  readonly position: number;
}

export async function readCollections(
  queries: Queries,
  chain: number,
  wallet: Hex,
  { limit, after }: Slice<CollectionRow>,
): Promise<readonly CollectionRow[]> {
  const places = after?.changed;
  const records = await queries.all<CollectionRecord>(
    `${COLLECTIONS}
     SELECT held.token, last.block, last.log, last.position
     FROM held CROSS JOIN LATERAL (
       SELECT block, log, position FROM owner AS o
       WHERE o.chain = $1 AND o.holder = $2 AND o.token = held.token ${placeOrder} LIMIT 1) AS last
     WHERE held.token IS NOT NULL
       ${places === undefined ? '' : 'AND (last.block, last.log, last.position) < ($3, $4, $5)'}
     ORDER BY last.block DESC, last.log DESC, last.position DESC LIMIT ${limit}`,
    [
      chain,
      packHex(wallet, 20),
      ...(places === undefined ? [] : [places.blockNumber, places.logIndex, places.position]),
    ],
  );
  return records.map(({ token, block, log, position }) => ({
    token: unpackHex(token),
    changed: { blockNumber: Number(block), logIndex: log, position },
  }));
}

export async function countCollections(queries: Queries, chain: number, wallet: Hex): Promise<number> {
  const [row] = await queries.all<{ n: string }>(`${COLLECTIONS} SELECT count(token) AS n FROM held`, [
    chain,
    packHex(wallet, 20),
  ]);
  return Number(row?.n ?? 0);
}

interface TradeRecord {
  readonly block: string;
  readonly log: number;
  readonly tx: Buffer;
  readonly token: Buffer;
  readonly token_ids: string;
  readonly seller: Buffer;
  readonly buyer: Buffer;
  readonly marketplace: Buffer;
  readonly price: string;
}

export async function readLowestTrade(queries: Queries, chain: number, query: TradeQuery): Promise<TradeRow | null> {
  const { token, since, marketplaces } = query;
  const only = marketplaces === undefined ? '' : 'AND marketplace = ANY ($4::bytea[])';
  const [record] = await queries.all<TradeRecord>(
    `SELECT * FROM trade WHERE chain = $1 AND token = $2 AND block >= (
       SELECT number FROM block WHERE chain = $1 AND time >= $3 ORDER BY time, number LIMIT 1) ${only}
     ORDER BY price, block DESC, log DESC, ordinal DESC LIMIT 1`,
    [
      chain,
      packHex(token, 20),
      since,
      ...(marketplaces === undefined ? [] : [marketplaces.map(address => packHex(address, 20))]),
    ],
  );
  if (record === undefined) return null;
  return {
    blockNumber: Number(record.block),
    logIndex: record.log,
    transactionHash: unpackHex(record.tx),
    token: unpackHex(record.token),
    tokenIds: record.token_ids === '' ? [] : record.token_ids.split(',').map(BigInt),
    seller: unpackHex(record.seller),
    buyer: unpackHex(record.buyer),
    marketplace: unpackHex(record.marketplace),
    price: BigInt(record.price),
  };
}

interface TokenRecord {
  readonly address: Buffer;
  readonly standard: number;
  readonly name: Buffer | null;
  readonly symbol: Buffer | null;
  readonly decimals: number | null;
}

export async function readTokens(
  queries: Queries,
  chain: number,
  list: readonly Hex[],
): Promise<ReadonlyMap<Hex, TokenRow>> {
  const records = await queries.all<TokenRecord>(
    'SELECT address, standard, name, symbol, decimals FROM token WHERE chain = $1 AND address = ANY ($2::bytea[])',
    [chain, list.map(address => packHex(address, 20))],
  );
  const found = new Map<Hex, TokenRow>();
  for (const { address, standard, name, symbol, decimals } of records) {
    const token = unpackHex(address);
    const text = (bytes: Buffer | null) => bytes?.toString('utf8') ?? null;
    found.set(token, { token, standard: unpackStandard(standard), name: text(name), symbol: text(symbol), decimals });
  }
  return found;
}
