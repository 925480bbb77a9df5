// Rows of tokens and their collections: ids are known at once, while tokens are written together at the end of a batch.
import type { Hex } from '../../../base/hex.ts';
import { LookupCache } from '../../store/lookupCache.ts';
import { BulkStatement } from '../../store/sqlite/bulkStatement.ts';
import type { SqliteConnection } from '../../store/sqlite/connection.ts';
import type { TokenActivity, TokenData } from '../models.ts';
import {
  encodeIdHash,
  encodeSeconds,
  encodeTokenData,
  encodeTokenProperties,
  encodeTokenStandard,
} from './aptosEncoding.ts';
import { type IdTables, MAX_PENDING_ROWS, RowIdCounter } from './idTables.ts';

/** What every row contains about its token. */
type TokenIdentity = Pick<
  TokenActivity,
  'tokenStandard' | 'tokenDataIdHash' | 'collectionDataIdHash' | 'collectionName' | 'creatorAddress' | 'name'
>;

export interface TokenRowId {
  readonly id: number;
  readonly collectionId: number | null;
}

interface CachedRow<RowId> {
  readonly rowId: RowId;
  readonly creator: Hex | null;
  readonly name: string | null;
}

interface DataColumns {
  readonly properties: string | null;
  readonly data: string | null;
  readonly version: number | null;
  readonly time: number | null;
}

const NO_DATA: DataColumns = { properties: null, data: null, version: null, time: null };

/** A token whose row is not written yet. Names that are `null` keep their stored values, and so does other data. */
interface PendingToken {
  readonly id: number;
  readonly isNew: boolean;
  readonly standard: number;
  collection: number | null;
  name: string | null;
  creator: number | null;
  data: DataColumns | null;
}

const COLUMNS = 'token (id, hash, standard, collection, name, creator, properties, data, version, time)';
const SET_NAMES = `collection = coalesce(excluded.collection, collection), name = coalesce(excluded.name, name),
  creator = coalesce(excluded.creator, creator)`;
const SET_DATA =
  'properties = excluded.properties, data = excluded.data, version = excluded.version, time = excluded.time';

/** All methods must be called within a write transaction. */
export class TokenRows {
  readonly #connection: SqliteConnection;
  readonly #accounts: IdTables['accounts'];
  readonly #tokenCache = new LookupCache<string, CachedRow<TokenRowId>>();
  readonly #collectionCache = new LookupCache<string, CachedRow<number>>();
  readonly #ids: RowIdCounter;
  /** By hash; their ids are in the cache. */
  readonly #pending = new Map<string, PendingToken>();
  readonly #newRows: BulkStatement;
  readonly #changedRows: BulkStatement;
  readonly #namedRows: BulkStatement;

  constructor(connection: SqliteConnection, { accounts }: IdTables) {
    this.#connection = connection;
    this.#accounts = accounts;
    this.#ids = new RowIdCounter(connection, 'token');
    const insert = { into: COLUMNS, columns: 10 };
    this.#newRows = new BulkStatement(connection, insert);
    const conflict = `ON CONFLICT DO UPDATE SET ${SET_NAMES}`;
    this.#changedRows = new BulkStatement(connection, { ...insert, conflict: `${conflict}, ${SET_DATA}` });
    this.#namedRows = new BulkStatement(connection, { ...insert, conflict });
  }

  getOrCreate(row: TokenIdentity): TokenRowId {
    const collectionId = this.#getOrCreateCollection(row);
    const { tokenDataIdHash: hash, creatorAddress, name } = row;
    const cached = this.#tokenCache.get(hash);
    if (
      cached !== undefined &&
      isUnchanged(cached, creatorAddress, name) &&
      (collectionId === null || collectionId === cached.rowId.collectionId)
    )
      return cached.rowId;
    const stored = cached?.rowId ?? this.#readRowId(hash);
    const rowId = { id: stored?.id ?? this.#ids.next(), collectionId: collectionId ?? stored?.collectionId ?? null };
    const pending = this.#getPending(row, rowId, stored === undefined);
    pending.collection = collectionId ?? pending.collection;
    pending.name = name ?? pending.name;
    pending.creator = this.#toAccountId(creatorAddress) ?? pending.creator;
    this.#tokenCache.set(hash, {
      rowId,
      creator: creatorAddress ?? cached?.creator ?? null,
      name: name ?? cached?.name ?? null,
    });
    return rowId;
  }

  setData(row: TokenData): void {
    const rowId = this.getOrCreate(row);
    const { tokenStandard, tokenDataIdHash, collectionDataIdHash, collectionName, creatorAddress, ...rest } = row;
    const { name: _name, lastTransactionVersion, lastTransactionTimestamp, defaultProperties, ...data } = rest;
    this.#getPending(row, rowId, false).data = {
      properties: encodeTokenProperties(defaultProperties),
      data: encodeTokenData(data),
      version: Number(lastTransactionVersion),
      time: encodeSeconds(lastTransactionTimestamp),
    };
  }

  /** A burned object disappears from the list of its creator, but its activities remain. */
  clearData(hash: string): void {
    const pending = this.#pending.get(hash);
    if (pending !== undefined) pending.data = NO_DATA;
    else this.#connection.run('UPDATE token SET data = NULL, version = NULL WHERE hash = ?', encodeIdHash(hash));
  }

  /** Must be called before the write transaction ends. */
  flush(): void {
    // In the order of the index by hash.
    const tokens = [...this.#pending].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#pending.clear();
    for (const [hash, { id, isNew, standard, collection, name, creator, data }] of tokens) {
      const rows = isNew ? this.#newRows : data === null ? this.#namedRows : this.#changedRows;
      const { properties, data: text, version, time } = data ?? NO_DATA;
      rows.add(id, encodeIdHash(hash), standard, collection, name, creator, properties, text, version, time);
    }
    for (const rows of [this.#newRows, this.#changedRows, this.#namedRows]) rows.flush();
  }

  /** Must be called after a rollback, or when another process has written. */
  clearCache(): void {
    this.#tokenCache.clear();
    this.#collectionCache.clear();
    this.#ids.clear();
    this.#pending.clear();
    for (const rows of [this.#newRows, this.#changedRows, this.#namedRows]) rows.clear();
  }

  #getPending({ tokenDataIdHash: hash, tokenStandard }: TokenIdentity, { id }: TokenRowId, isNew: boolean) {
    let pending = this.#pending.get(hash);
    if (pending === undefined) {
      if (this.#pending.size >= MAX_PENDING_ROWS) this.flush();
      const standard = encodeTokenStandard(tokenStandard);
      pending = { id, isNew, standard, collection: null, name: null, creator: null, data: null };
      this.#pending.set(hash, pending);
    }
    return pending;
  }

  #readRowId(hash: string): TokenRowId | undefined {
    const sql = 'SELECT id, collection AS collectionId FROM token WHERE hash = ?';
    return this.#connection.get<TokenRowId>(sql, encodeIdHash(hash));
  }

  #getOrCreateCollection({ collectionDataIdHash: hash, creatorAddress, collectionName }: TokenIdentity): number | null {
    if (hash === null) return null;
    const cached = this.#collectionCache.get(hash);
    if (cached !== undefined && isUnchanged(cached, creatorAddress, collectionName)) return cached.rowId;
    const stored = this.#connection.get<{ id: number }>(
      `INSERT INTO collection (hash, creator, name) VALUES (?, ?, ?) ON CONFLICT (hash) DO UPDATE SET
        creator = coalesce(excluded.creator, creator), name = coalesce(excluded.name, name) RETURNING id`,
      encodeIdHash(hash),
      this.#toAccountId(creatorAddress),
      collectionName,
    );
    const rowId = stored?.id ?? 0;
    this.#collectionCache.set(hash, {
      rowId,
      creator: creatorAddress ?? cached?.creator ?? null,
      name: collectionName ?? cached?.name ?? null,
    });
    return rowId;
  }

  #toAccountId(address: Hex | null): number | null {
    return address === null ? null : this.#accounts.intern(address);
  }
}

const isUnchanged = (cached: CachedRow<unknown>, creator: Hex | null, name: string | null): boolean =>
  (creator === null || creator === cached.creator) && (name === null || name === cached.name);
