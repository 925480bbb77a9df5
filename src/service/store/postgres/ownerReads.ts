// Reads of NFT owners and of a wallet's collections from the PostgreSQL index, each one statement.
import { packNumber, unpackAmount, unpackNftStandard, unpackNumber } from '../encoding.ts';
import { getOwnersPage } from '../records.ts';
import type { OwnerRow } from '../rows.ts';
import { MAX_OWNERS_PER_POSITION, type OwnerQuery } from '../store.ts';
import type { PostgresIndex, PostgresRead } from './addressTable.ts';
import {
  comparePosition,
  countRowsWhere,
  getPositionValues,
  isAnyOf,
  NEWEST_FIRST,
  numberConditions,
  type PositionRecord,
  type SqlCondition,
  toPosition,
} from './conditions.ts';
import { NEVER_MINTED, ZERO_ADDRESS_ID } from './schema.ts';

interface OwnerRecord extends PositionRecord {
  readonly token: number;
  readonly token_id: Buffer;
  readonly standard: number;
  readonly holder: number;
  readonly amount: Buffer;
  readonly first: number;
}

/** Excludes burned ids; in the same words as the partial indexes, so that the planner uses them. */
const HAS_HOLDER: SqlCondition = { sql: `holder <> ${ZERO_ADDRESS_ID}`, values: [] };

/** `null` when the owner, or all of the contracts, are not in the index. */
async function getOwnerConditions(
  { queries, addresses }: PostgresIndex,
  { owner, contracts, tokenId }: OwnerQuery,
): Promise<readonly SqlCondition[] | null> {
  const ids = await addresses.find(queries, [...(owner === undefined ? [] : [owner]), ...(contracts ?? [])]);
  const contractIds = contracts?.map(contract => ids.get(contract)).filter(id => id !== undefined);
  if ((owner !== undefined && !ids.has(owner)) || contractIds?.length === 0) return null;
  return [
    HAS_HOLDER,
    ...(owner === undefined ? [] : [{ sql: 'holder = $?', values: [ids.get(owner)] }]),
    ...(contractIds === undefined
      ? []
      : [contractIds.length === 1 ? { sql: 'token = $?', values: contractIds } : isAnyOf('token', contractIds)]),
    ...(tokenId === undefined ? [] : [{ sql: 'token_id = $?', values: [packNumber(tokenId)] }]),
  ];
}

export const readOwners: PostgresRead<'readOwners'> = async (index, query, { limit, after }) => {
  const { queries, chain, addresses } = index;
  const conditions = await getOwnerConditions(index, query);
  if (conditions === null) return [];
  // Rows of one position have no order in SQL: those before the key are dropped below, and the last position is read whole.
  const maxRows = limit + MAX_OWNERS_PER_POSITION + 1;
  const { sql, values } = numberConditions(
    chain,
    [after === undefined ? conditions : [...conditions, comparePosition('position', '<=', after.changedAt)]],
    where => `SELECT * FROM @owner WHERE ${where} ${NEWEST_FIRST} LIMIT ${maxRows}`,
  );
  const records = await queries.query<OwnerRecord>(
    // Where an id has many holders, the row with slot 0 has its first mint.
    `SELECT r.*, coalesce(i.minted, r.minted) AS first FROM (${sql[0]}) AS r LEFT JOIN @owner AS i
     ON r.slot <> 0 AND i.chain = $1 AND i.token = r.token AND i.token_id = r.token_id AND i.slot = 0`,
    values,
  );
  const toAddress = await addresses.resolve(
    queries,
    records.flatMap(({ token, holder }) => [token, holder]),
  );
  const rows = records.map(
    (record): OwnerRow => ({
      tokenAddress: toAddress(record.token),
      tokenId: unpackNumber(record.token_id),
      standard: unpackNftStandard(record.standard),
      owner: toAddress(record.holder),
      amount: unpackAmount(record.amount),
      changedAt: toPosition(record),
      mintedBlock: record.first === NEVER_MINTED ? null : record.first,
    }),
  );
  return getOwnersPage(rows, { limit, after });
};

export const countOwners: PostgresRead<'countOwners'> = async (index, query) => {
  const conditions = await getOwnerConditions(index, query);
  return conditions === null ? 0 : countRowsWhere(index, 'owner', [conditions]);
};

const HELD = `chain = $1 AND holder = $2 AND ${HAS_HOLDER.sql}`;

/** Jumps from token to token of a wallet: one step per collection, however many of its ids the wallet owns. */
const COLLECTIONS = `
  WITH RECURSIVE held AS (
    (SELECT token FROM @owner WHERE ${HELD} ORDER BY token LIMIT 1)
    UNION ALL
    SELECT (SELECT o.token FROM @owner AS o WHERE ${HELD} AND o.token > held.token ORDER BY o.token LIMIT 1)
    FROM held WHERE held.token IS NOT NULL)`;

interface CollectionRecord extends PositionRecord {
  readonly token: number;
}

export const readCollections: PostgresRead<'readCollections'> = async (
  { queries, chain, addresses },
  wallet,
  { limit, after },
) => {
  const holder = (await addresses.find(queries, [wallet])).get(wallet);
  if (holder === undefined) return [];
  const position = after?.changedAt;
  const records = await queries.query<CollectionRecord>(
    `${COLLECTIONS}
     SELECT held.token, last.*
     FROM held CROSS JOIN LATERAL (
       SELECT block, tx_index, log, position FROM @owner AS o WHERE ${HELD} AND o.token = held.token ${NEWEST_FIRST} LIMIT 1) AS last
     WHERE held.token IS NOT NULL
       ${position === undefined ? '' : 'AND (block, tx_index, log, position) < ($3, $4, $5, $6)'}
     ${NEWEST_FIRST} LIMIT ${limit}`,
    [chain, holder, ...(position === undefined ? [] : getPositionValues(position))],
  );
  const toAddress = await addresses.resolve(
    queries,
    records.map(({ token }) => token),
  );
  return records.map(record => ({
    tokenAddress: toAddress(record.token),
    changedAt: toPosition(record),
  }));
};

export const countCollections: PostgresRead<'countCollections'> = async ({ queries, chain, addresses }, wallet) => {
  const holder = (await addresses.find(queries, [wallet])).get(wallet);
  if (holder === undefined) return 0;
  const sql = `${COLLECTIONS} SELECT count(token) AS n FROM held`;
  const [row] = await queries.query<{ n: string }>(sql, [chain, holder]);
  return Number(row?.n ?? 0);
};
