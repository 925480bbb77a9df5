// When the metadata of ids was last read, in the PostgreSQL index.
import { packHex, packNumber, unpackHex, unpackNumber } from './encoding.ts';
import { idKey } from './ownership.ts';
import { ofIds } from './postgresOwners.ts';
import type { Queries } from './postgresPool.ts';
import { columns, insertRows } from './postgresRows.ts';
import type { MetadataSync, NftKey } from './rows.ts';

interface SyncRecord {
  readonly token: Buffer;
  readonly token_id: Buffer;
  readonly token_uri: string | null;
  readonly metadata: string | null;
}

const time = (text: string | null) => (text === null ? null : Number(text));

export async function readMetadataSyncs(
  queries: Queries,
  chain: number,
  keys: readonly NftKey[],
): Promise<readonly MetadataSync[]> {
  const { from, where, values } = ofIds(chain, keys);
  const records = await queries.all<SyncRecord>(`SELECT r.* FROM metadata_sync AS r, ${from} WHERE ${where}`, values);
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
      columns.bytes('token', ({ token }) => packHex(token, 20)),
      columns.bytes('token_id', ({ tokenId }) => packNumber(tokenId)),
      columns.big('token_uri', ({ tokenUri }) => tokenUri),
      columns.big('metadata', ({ metadata }) => metadata),
    ],
    KEEP_OTHERS,
  );
}
