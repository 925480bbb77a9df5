// Tokens and collections of the Aptos index as numbers, written only when what is said of them is new.
import type { Hex } from '../../../base/hex.ts';
import { RecentMap } from '../../store/recentMap.ts';
import type { SqliteConnection } from '../../store/sqlite/connection.ts';
import type { TokenActivity } from '../models.ts';
import { encodeIdHash, encodeTokenStandard } from './aptosEncoding.ts';
import type { IdTables } from './idTables.ts';

/** What every row says of its token. */
export type TokenIdentity = Pick<
  TokenActivity,
  'tokenStandard' | 'tokenDataIdHash' | 'collectionDataIdHash' | 'collectionName' | 'creatorAddress' | 'name'
>;

export interface TokenRowId {
  readonly id: number;
  readonly collectionId: number | null;
}

export interface TokenRowIds {
  /** Within a write. What a row does not know stays as it was. */
  getOrCreate(row: TokenIdentity): TokenRowId;
  /** After a write that was taken back, or when somebody else wrote. */
  clearCache(): void;
}

interface Said<T> {
  readonly number: T;
  readonly creator: Hex | null;
  readonly name: string | null;
}

export function createTokenRowIds(connection: SqliteConnection, { accounts }: IdTables): TokenRowIds {
  let tokens = new RecentMap<string, Said<TokenRowId>>();
  let collections = new RecentMap<string, Said<number>>();
  const account = (address: Hex | null) => (address === null ? null : accounts.getOrCreateId(address));
  const same = (said: Said<unknown>, creator: Hex | null, name: string | null) =>
    (creator === null || creator === said.creator) && (name === null || name === said.name);

  const collectionOf = ({
    collectionDataIdHash: hash,
    creatorAddress,
    collectionName,
  }: TokenIdentity): number | null => {
    if (hash === null) return null;
    const said = collections.get(hash);
    if (said !== undefined && same(said, creatorAddress, collectionName)) return said.number;
    const row = connection.get<{ id: number }>(
      `INSERT INTO collection (hash, creator, name) VALUES (?, ?, ?) ON CONFLICT (hash) DO UPDATE SET
        creator = coalesce(excluded.creator, creator), name = coalesce(excluded.name, name) RETURNING id`,
      encodeIdHash(hash),
      account(creatorAddress),
      collectionName,
    );
    const number = row?.id ?? 0;
    collections.set(hash, {
      number,
      creator: creatorAddress ?? said?.creator ?? null,
      name: collectionName ?? said?.name ?? null,
    });
    return number;
  };

  return {
    getOrCreate(row) {
      const collection = collectionOf(row);
      const said = tokens.get(row.tokenDataIdHash);
      if (
        said !== undefined &&
        same(said, row.creatorAddress, row.name) &&
        (collection === null || collection === said.number.collectionId)
      )
        return said.number;
      const number = connection.get<{ id: number; collection: number | null }>(
        `INSERT INTO token (hash, standard, collection, name, creator) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (hash) DO UPDATE SET collection = coalesce(excluded.collection, collection),
          name = coalesce(excluded.name, name), creator = coalesce(excluded.creator, creator) RETURNING id, collection`,
        encodeIdHash(row.tokenDataIdHash),
        encodeTokenStandard(row.tokenStandard),
        collection,
        row.name,
        account(row.creatorAddress),
      ) ?? { id: 0, collection: null };
      tokens.set(row.tokenDataIdHash, {
        number,
        creator: row.creatorAddress ?? said?.creator ?? null,
        name: row.name ?? said?.name ?? null,
      });
      return number;
    },
    clearCache() {
      tokens = new RecentMap();
      collections = new RecentMap();
    },
  };
}
