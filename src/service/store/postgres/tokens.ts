// Token contracts, and when the metadata of their ids was last read, in the PostgreSQL index.
import type { Hex } from '../../../base/hex.ts';
import { encodeNumberHex, toHexDigits, unpackHex, unpackNumber, unpackStandard } from '../encoding.ts';
import { type MetadataSyncTimes, serializeNftKey, type TokenRow } from '../rows.ts';
import type { PostgresRead } from './addressTable.ts';
import { bulkColumn, insertRows, toByteaArray } from './bulkInsert.ts';
import type { QueryRunner } from './queryRunner.ts';

interface TokenRecord extends Record<string, unknown> {
  readonly address: number;
  readonly standard: number;
  readonly name: Buffer | null;
  readonly symbol: Buffer | null;
  readonly decimals: number | null;
}

const toText = (utf8: Buffer | null) => utf8?.toString('utf8') ?? null;

export const readTokens: PostgresRead<'readTokens'> = async ({ queries, chain, addresses }, tokens) => {
  const ids = await addresses.find(queries, tokens);
  const rows = new Map<Hex, TokenRow>();
  if (ids.size === 0) return rows;
  const records = await queries.query<TokenRecord>(
    'SELECT address, standard, name, symbol, decimals FROM @token WHERE chain = $1 AND address = ANY ($2::integer[])',
    [chain, [...ids.values()]],
  );
  const toAddress = await addresses.resolve(
    queries,
    records.map(record => record.address),
  );
  for (const record of records) {
    const row = toTokenRow(record, toAddress);
    rows.set(row.tokenAddress, row);
  }
  return rows;
};

const toTokenRow = (
  { address, standard, name, symbol, decimals }: TokenRecord,
  toAddress: (id: number) => Hex,
): TokenRow => ({
  tokenAddress: toAddress(address),
  standard: unpackStandard(standard),
  name: toText(name),
  symbol: toText(symbol),
  decimals,
});

export const readNamedTokens: PostgresRead<'readNamedTokens'> = async ({ queries, chain, addresses }, limit) => {
  const records = await queries.query<TokenRecord>(
    `SELECT address, standard, name, symbol, decimals FROM @token
    WHERE chain = $1 AND (name IS NOT NULL OR symbol IS NOT NULL) ORDER BY seen DESC, address DESC LIMIT $2`,
    [chain, limit],
  );
  const toAddress = await addresses.resolve(
    queries,
    records.map(({ address }) => address),
  );
  return records.map(record => toTokenRow(record, toAddress));
};

interface MetadataSyncRecord extends Record<string, unknown> {
  readonly token: Buffer;
  readonly token_id: Buffer;
  readonly token_uri: string | null;
  readonly metadata: string | null;
}

const SELECT_METADATA_SYNCS = `
  SELECT r.* FROM @metadata_sync AS r, unnest($2::bytea[], $3::bytea[]) AS wanted (token, token_id)
  WHERE r.chain = $1 AND r.token = wanted.token AND r.token_id = wanted.token_id`;

const toTime = (bigint: string | null) => (bigint === null ? null : Number(bigint));

export const readMetadataSyncs: PostgresRead<'readMetadataSyncs'> = async ({ queries, chain }, keys) => {
  const records = await queries.query<MetadataSyncRecord>(SELECT_METADATA_SYNCS, [
    chain,
    toByteaArray(keys.map(({ tokenAddress }) => toHexDigits(tokenAddress, 20))),
    toByteaArray(keys.map(({ tokenId }) => encodeNumberHex(tokenId))),
  ]);
  return records.map(record => ({
    tokenAddress: unpackHex(record.token),
    tokenId: unpackNumber(record.token_id),
    tokenUriSyncedAt: toTime(record.token_uri),
    metadataSyncedAt: toTime(record.metadata),
  }));
};

const KEEP_KNOWN_TIMES = `
  ON CONFLICT (chain, token, token_id) DO UPDATE SET token_uri = coalesce(excluded.token_uri, r.token_uri),
    metadata = coalesce(excluded.metadata, r.metadata)`;

export async function writeMetadataSyncs(
  queries: QueryRunner,
  chain: number,
  syncs: readonly MetadataSyncTimes[],
): Promise<void> {
  // One statement may not write a row twice, and processes that write rows in different orders would deadlock.
  const unique = new Map(syncs.map(sync => [serializeNftKey(sync), sync]));
  const sorted = [...unique].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sync]) => sync);
  await insertRows(
    queries,
    'metadata_sync AS r',
    chain,
    sorted,
    [
      bulkColumn.address('token', ({ tokenAddress }) => tokenAddress),
      bulkColumn.number('token_id', ({ tokenId }) => tokenId),
      bulkColumn.big('token_uri', ({ tokenUriSyncedAt }) => tokenUriSyncedAt),
      bulkColumn.big('metadata', ({ metadataSyncedAt }) => metadataSyncedAt),
    ],
    KEEP_KNOWN_TIMES,
  );
}
