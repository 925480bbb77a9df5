// When the metadata of ids was last read, in the PostgreSQL index.
import { encodeNumberHex, toHexDigits, unpackHex, unpackNumber } from '../encoding.ts';
import { serializeNftKey } from '../ownershipState.ts';
import type { MetadataSyncTimes, NftKey } from '../rows.ts';
import { bulkColumn, insertRows, toByteaArray } from './bulkInsert.ts';
import type { QueryRunner } from './database.ts';

interface SyncRecord {
  readonly token: Buffer;
  readonly token_id: Buffer;
  readonly token_uri: string | null;
  readonly metadata: string | null;
}

const OF_IDS = `
  SELECT r.* FROM metadata_sync AS r, unnest($2::bytea[], $3::bytea[]) AS wanted (token, token_id)
  WHERE r.chain = $1 AND r.token = wanted.token AND r.token_id = wanted.token_id`;

const time = (text: string | null) => (text === null ? null : Number(text));

export async function readMetadataSyncs(
  queries: QueryRunner,
  chain: number,
  keys: readonly NftKey[],
): Promise<readonly MetadataSyncTimes[]> {
  const records = await queries.query<SyncRecord>(OF_IDS, [
    chain,
    toByteaArray(keys.map(({ token }) => toHexDigits(token, 20))),
    toByteaArray(keys.map(({ tokenId }) => encodeNumberHex(tokenId))),
  ]);
  return records.map(record => ({
    token: unpackHex(record.token),
    tokenId: unpackNumber(record.token_id),
    tokenUri: time(record.token_uri),
    metadata: time(record.metadata),
  }));
}

const KEEP_OTHERS = `
  ON CONFLICT (chain, token, token_id) DO UPDATE SET token_uri = coalesce(excluded.token_uri, r.token_uri),
    metadata = coalesce(excluded.metadata, r.metadata)`;

export async function writeMetadataSyncs(
  queries: QueryRunner,
  chain: number,
  syncs: readonly MetadataSyncTimes[],
): Promise<void> {
  // No statement may write a row twice, and processes that write the same rows do so in the same order.
  const once = new Map(syncs.map(sync => [serializeNftKey(sync), sync]));
  const ordered = [...once].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sync]) => sync);
  await insertRows(
    queries,
    'metadata_sync AS r',
    chain,
    ordered,
    [
      bulkColumn.address('token', ({ token }) => token),
      bulkColumn.number('token_id', ({ tokenId }) => tokenId),
      bulkColumn.big('token_uri', ({ tokenUriSyncedAt: tokenUri }) => tokenUri),
      bulkColumn.big('metadata', ({ metadataSyncedAt: metadata }) => metadata),
    ],
    KEEP_OTHERS,
  );
}
