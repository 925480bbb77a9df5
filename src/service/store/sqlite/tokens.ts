// Token contracts, and when the metadata of their ids was last read, in the SQLite index.
import type { Hex } from '../../../base/hex.ts';
import { packNumber, unpackStandard } from '../encoding.ts';
import type { MetadataSyncTimes, TokenRow } from '../rows.ts';
import type { AddressTable, SqliteRead } from './addressTable.ts';
import type { SqliteConnection } from './connection.ts';

interface TokenRecord {
  readonly standard: number;
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: number | null;
}

export const readTokens: SqliteRead<'readTokens'> = ({ connection, addresses }, tokens) => {
  const rows = new Map<Hex, TokenRow>();
  for (const token of tokens) {
    const id = addresses.find(token);
    if (id === null) continue;
    const record = connection.get<TokenRecord>(
      'SELECT standard, name, symbol, decimals FROM token WHERE address = ?',
      id,
    );
    if (record !== undefined)
      rows.set(token, { ...record, tokenAddress: token, standard: unpackStandard(record.standard) });
  }
  return rows;
};

export const readNamedTokens: SqliteRead<'readNamedTokens'> = ({ connection, addresses }, limit) => {
  const records = connection.all<TokenRecord & { readonly address: number }>(
    `SELECT address, standard, name, symbol, decimals FROM token WHERE name IS NOT NULL OR symbol IS NOT NULL
    ORDER BY seen DESC, address DESC LIMIT ?`,
    limit,
  );
  return records.map(({ address, standard, ...record }) => ({
    ...record,
    tokenAddress: addresses.resolve(address),
    standard: unpackStandard(standard),
  }));
};

interface MetadataSyncRecord {
  readonly token_uri: number | null;
  readonly metadata: number | null;
}

export const readMetadataSyncs: SqliteRead<'readMetadataSyncs'> = ({ connection, addresses }, keys) => {
  return keys.flatMap(({ tokenAddress, tokenId }) => {
    const id = addresses.find(tokenAddress);
    if (id === null) return [];
    const record = connection.get<MetadataSyncRecord>(
      'SELECT token_uri, metadata FROM metadata_sync WHERE token = ? AND token_id = ?',
      id,
      packNumber(tokenId),
    );
    if (record === undefined) return [];
    return [{ tokenAddress, tokenId, tokenUriSyncedAt: record.token_uri, metadataSyncedAt: record.metadata }];
  });
};

const UPSERT_METADATA_SYNC = `
  INSERT INTO metadata_sync (token, token_id, token_uri, metadata) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET
    token_uri = coalesce(excluded.token_uri, token_uri), metadata = coalesce(excluded.metadata, metadata)`;

export function writeMetadataSyncs(
  connection: SqliteConnection,
  addresses: AddressTable,
  syncs: readonly MetadataSyncTimes[],
): void {
  addresses.writeTransaction(() => {
    for (const { tokenAddress, tokenId, tokenUriSyncedAt, metadataSyncedAt } of syncs)
      connection.run(
        UPSERT_METADATA_SYNC,
        addresses.intern(tokenAddress),
        packNumber(tokenId),
        tokenUriSyncedAt,
        metadataSyncedAt,
      );
  });
}
