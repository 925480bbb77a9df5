// When the metadata of ids was last read, in the PostgreSQL index.
import { hexDigits, numberDigits, unpackHex, unpackNumber } from '../encoding.ts';
import { idKey } from '../ownershipState.ts';
import type { MetadataSync, NftKey } from '../rows.ts';
import { byteaArray, columns, insertRows } from './bulkInsert.ts';
import type { Queries } from './database.ts';

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
  queries: Queries,
  chain: number,
  keys: readonly NftKey[],
): Promise<readonly MetadataSync[]> {
  const records = await queries.all<SyncRecord>(OF_IDS, [
    chain,
    byteaArray(keys.map(({ token }) => hexDigits(token, 20))),
    byteaArray(keys.map(({ tokenId }) => numberDigits(tokenId))),
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

export async function noteMetadataSyncs(
  queries: Queries,
  chain: number,
  syncs: readonly MetadataSync[],
): Promise<void> {
  // No statement may write a row twice, and processes that write the same rows do so in the same order.
  const once = new Map(syncs.map(sync => [idKey(sync), sync]));
  const ordered = [...once].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sync]) => sync);
  await insertRows(
    queries,
    'metadata_sync AS r',
    chain,
    ordered,
    [
      columns.address('token', ({ token }) => token),
      columns.number('token_id', ({ tokenId }) => tokenId),
      columns.big('token_uri', ({ tokenUri }) => tokenUri),
      columns.big('metadata', ({ metadata }) => metadata),
    ],
    KEEP_OTHERS,
  );
}
