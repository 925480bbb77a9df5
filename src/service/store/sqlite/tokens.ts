// When the metadata of ids was last read, in the SQLite index.

import { packNumber } from '../encoding.ts';
import type { MetadataSyncTimes, NftKey } from '../rows.ts';
import type { AddressTable } from './addressTable.ts';
import type { SqliteConnection } from './connection.ts';

const READ = 'SELECT token_uri, metadata FROM metadata_sync WHERE token = ? AND token_id = ?';

const NOTE = `
  INSERT INTO metadata_sync (token, token_id, token_uri, metadata) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET
    token_uri = coalesce(excluded.token_uri, token_uri), metadata = coalesce(excluded.metadata, metadata)`;

interface SyncRecord {
  readonly token_uri: number | null;
  readonly metadata: number | null;
}

export function readMetadataSyncs(
  connection: SqliteConnection,
  addresses: AddressTable,
  keys: readonly NftKey[],
): readonly MetadataSyncTimes[] {
  return keys.flatMap(({ token, tokenId }) => {
    const id = addresses.find(token);
    const row = id === null ? undefined : connection.get<SyncRecord>(READ, id, packNumber(tokenId));
    return row === undefined ? [] : [{ token, tokenId, tokenUri: row.token_uri, metadata: row.metadata }];
  });
}

export function writeMetadataSyncs(
  connection: SqliteConnection,
  addresses: AddressTable,
  syncs: readonly MetadataSyncTimes[],
): void {
  try {
    connection.writeTransaction(() => {
      for (const { token, tokenId, tokenUriSyncedAt: tokenUri, metadataSyncedAt: metadata } of syncs)
        connection.run(NOTE, addresses.intern(token), packNumber(tokenId), tokenUri, metadata);
    });
  } catch (error) {
    addresses.clearCache();
    throw error;
  }
}
