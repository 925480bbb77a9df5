// Maps tokens and collections to their row ids, and writes their names and creators when these are new.
import type { Hex } from '../../../base/hex.ts';
import { LookupCache } from '../../store/lookupCache.ts';
import type { SqliteConnection } from '../../store/sqlite/connection.ts';
import type { TokenActivity } from '../models.ts';
import { encodeIdHash, encodeTokenStandard } from './aptosEncoding.ts';
import type { IdTables } from './idTables.ts';

/** What every row contains about its token. */
type TokenIdentity = Pick<
  TokenActivity,
  'tokenStandard' | 'tokenDataIdHash' | 'collectionDataIdHash' | 'collectionName' | 'creatorAddress' | 'name'
>;

interface TokenRowId {
  readonly id: number;
  readonly collectionId: number | null;
}

interface CachedRow<RowId> {
  readonly rowId: RowId;
  readonly creator: Hex | null;
  readonly name: string | null;
}

export type TokenRowIds = ReturnType<typeof createTokenRowIds>;

export function createTokenRowIds(connection: SqliteConnection, { accounts }: IdTables) {
  const tokenCache = new LookupCache<string, CachedRow<TokenRowId>>();
  const collectionCache = new LookupCache<string, CachedRow<number>>();
  const toAccountId = (address: Hex | null) => (address === null ? null : accounts.intern(address));
  const isUnchanged = (cached: CachedRow<unknown>, creator: Hex | null, name: string | null) =>
    (creator === null || creator === cached.creator) && (name === null || name === cached.name);

  const getOrCreateCollection = (row: TokenIdentity): number | null => {
    const { collectionDataIdHash: hash, creatorAddress, collectionName } = row;
    if (hash === null) return null;
    const cached = collectionCache.get(hash);
    if (cached !== undefined && isUnchanged(cached, creatorAddress, collectionName)) return cached.rowId;
    const stored = connection.get<{ id: number }>(
      `INSERT INTO collection (hash, creator, name) VALUES (?, ?, ?) ON CONFLICT (hash) DO UPDATE SET
        creator = coalesce(excluded.creator, creator), name = coalesce(excluded.name, name) RETURNING id`,
      encodeIdHash(hash),
      toAccountId(creatorAddress),
      collectionName,
    );
    const rowId = stored?.id ?? 0;
    collectionCache.set(hash, {
      rowId,
      creator: creatorAddress ?? cached?.creator ?? null,
      name: collectionName ?? cached?.name ?? null,
    });
    return rowId;
  };

  return {
    /** Must be called within a write transaction. Fields that are `null` keep their stored values. */
    getOrCreate(row: TokenIdentity): TokenRowId {
      const collectionId = getOrCreateCollection(row);
      const cached = tokenCache.get(row.tokenDataIdHash);
      if (
        cached !== undefined &&
        isUnchanged(cached, row.creatorAddress, row.name) &&
        (collectionId === null || collectionId === cached.rowId.collectionId)
      )
        return cached.rowId;
      const rowId = connection.get<{ id: number; collectionId: number | null }>(
        `INSERT INTO token (hash, standard, collection, name, creator) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (hash) DO UPDATE SET collection = coalesce(excluded.collection, collection),
          name = coalesce(excluded.name, name), creator = coalesce(excluded.creator, creator)
          RETURNING id, collection AS collectionId`,
        encodeIdHash(row.tokenDataIdHash),
        encodeTokenStandard(row.tokenStandard),
        collectionId,
        row.name,
        toAccountId(row.creatorAddress),
      ) ?? { id: 0, collectionId: null };
      tokenCache.set(row.tokenDataIdHash, {
        rowId,
        creator: row.creatorAddress ?? cached?.creator ?? null,
        name: row.name ?? cached?.name ?? null,
      });
      return rowId;
    },
    /** Must be called after a rollback, or when another process has written. */
    clearCache() {
      tokenCache.clear();
      collectionCache.clear();
    },
  };
}
