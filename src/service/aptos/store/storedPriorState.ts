// The state before a transaction, read from the tables of the Aptos index and updated with each transaction.
import type { Hex } from '../../../base/hex.ts';
import { unpackHex } from '../../store/encoding.ts';
import { LookupCache } from '../../store/lookupCache.ts';
import { BulkStatement } from '../../store/sqlite/bulkStatement.ts';
import type { SqliteConnection } from '../../store/sqlite/connection.ts';
import { getPairedMetadataAddress } from '../derivedIds.ts';
import type {
  FungibleStore,
  ObjectCollection,
  ObjectTokenName,
  PriorState,
  StateUpdates,
  TokenTable,
} from '../processors/priorState.ts';
import {
  decodeCollectionTerms,
  decodeTableKind,
  encodeAptosAddress,
  encodeCollectionTerms,
  encodeTableKind,
} from './aptosEncoding.ts';
import { type IdTables, MAX_PENDING_ROWS } from './idTables.ts';

/** A cached row; `none` for an address that has no row, as most objects have no token. */
type Cached<T> = T | 'none';

const UNKNOWN_STORE: FungibleStore = { owner: null, metadata: null };

export class StoredPriorState implements PriorState {
  readonly #connection: SqliteConnection;
  readonly #accounts: IdTables['accounts'];
  readonly #names: IdTables['names'];
  readonly #fungibleStoreRows: BulkStatement;
  /** Not written yet; they are in the cache. */
  readonly #changedFungibleStores = new Map<Hex, FungibleStore>();
  readonly #fungibleStoreCache = new LookupCache<Hex, FungibleStore>();
  readonly #tokenTableCache = new LookupCache<Hex, TokenTable>();
  readonly #knownCoinTypes = new LookupCache<string, true>();
  readonly #pairedCoinCache = new LookupCache<Hex, Cached<string>>();
  readonly #collectionCache = new LookupCache<Hex, Cached<ObjectCollection>>();
  readonly #tokenCache = new LookupCache<Hex, Cached<ObjectTokenName>>();

  constructor(connection: SqliteConnection, { accounts, names }: IdTables) {
    this.#connection = connection;
    this.#fungibleStoreRows = new BulkStatement(connection, {
      into: 'asset_store',
      columns: 3,
      conflict: 'ON CONFLICT DO UPDATE SET owner = excluded.owner, metadata = excluded.metadata',
    });
    this.#accounts = accounts;
    this.#names = names;
  }

  getTokenTable(handle: Hex): TokenTable | null {
    const cached = this.#tokenTableCache.get(handle);
    if (cached !== undefined) return cached;
    const row = this.#connection.get<{ owner: number; kind: number }>(
      'SELECT owner, kind FROM handle WHERE bytes = ?',
      encodeAptosAddress(handle),
    );
    if (row === undefined) return null;
    const tokenTable = { owner: this.#accounts.resolve(row.owner), kind: decodeTableKind(row.kind) };
    this.#tokenTableCache.set(handle, tokenTable);
    return tokenTable;
  }

  getFungibleStore(address: Hex): FungibleStore | null {
    const cached = this.#fungibleStoreCache.get(address);
    if (cached !== undefined) return cached;
    const row = this.#connection.get<{ owner: number | null; metadata: number | null }>(
      'SELECT owner, metadata FROM asset_store WHERE bytes = ?',
      encodeAptosAddress(address),
    );
    if (row === undefined) return null;
    const store = { owner: this.#getAccount(row.owner), metadata: this.#getAccount(row.metadata) };
    this.#fungibleStoreCache.set(address, store);
    return store;
  }

  getPairedCoin(metadata: Hex): string | null {
    return this.#readThrough(this.#pairedCoinCache, metadata, address => this.#readPairedCoin(address));
  }

  getCollection(address: Hex): ObjectCollection | null {
    return this.#readThrough(this.#collectionCache, address, address => this.#readCollection(address));
  }

  getToken(address: Hex): ObjectTokenName | null {
    return this.#readThrough(this.#tokenCache, address, address => this.#readToken(address));
  }

  /** Must be called within a write transaction. */
  update({ coinTypes, tokenTables, fungibleStores, collections, tokens }: StateUpdates): void {
    for (const coinType of coinTypes) this.#writeCoinType(coinType);
    for (const [handle, tokenTable] of tokenTables) this.#writeTokenTable(handle, tokenTable);
    for (const [address, store] of fungibleStores) this.#writeFungibleStore(address, store);
    for (const [address, collection] of collections) this.#writeCollection(address, collection);
    // The row of a token is written with its token data.
    for (const [address, token] of tokens) this.#tokenCache.set(address, token);
  }

  /** Must be called before the write transaction ends. */
  flush(): void {
    // In the order of the table.
    const stores = [...this.#changedFungibleStores].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#changedFungibleStores.clear();
    for (const [address, { owner, metadata }] of stores) {
      const ids = [this.#toAccountId(owner), this.#toAccountId(metadata)];
      this.#fungibleStoreRows.add(encodeAptosAddress(address), ...ids);
    }
    this.#fungibleStoreRows.flush();
  }

  /** Must be called after a rollback, or when another process has written. */
  clearCache(): void {
    this.#fungibleStoreRows.clear();
    this.#changedFungibleStores.clear();
    this.#fungibleStoreCache.clear();
    this.#tokenTableCache.clear();
    this.#knownCoinTypes.clear();
    this.#pairedCoinCache.clear();
    this.#collectionCache.clear();
    this.#tokenCache.clear();
  }

  #getAccount(id: number | null): Hex | null {
    return this.#accounts.resolveOptional(id);
  }

  #toAccountId(address: Hex | null): number | null {
    return address === null ? null : this.#accounts.intern(address);
  }

  #readPairedCoin(metadata: Hex): string | null {
    const id = this.#names.find(metadata);
    const row =
      id === null ? undefined : this.#connection.get<{ coin: number }>('SELECT coin FROM pair WHERE metadata = ?', id);
    return row === undefined ? null : this.#names.resolve(row.coin);
  }

  #readCollection(address: Hex): ObjectCollection | null {
    const row = this.#connection.get<{ creator: number | null; name: string | null; terms: string | null }>(
      'SELECT creator, name, terms FROM collection WHERE hash = ?',
      encodeAptosAddress(address),
    );
    if (row === undefined) return null;
    const terms = row.terms === null ? { royalty: null, mutability: null } : decodeCollectionTerms(row.terms);
    return { creator: this.#getAccount(row.creator), name: row.name, ...terms };
  }

  #readToken(address: Hex): ObjectTokenName | null {
    const row = this.#connection.get<{ collection: Uint8Array | null; name: string | null }>(
      `SELECT c.hash AS collection, t.name FROM token AS t LEFT JOIN collection AS c ON c.id = t.collection
        WHERE t.hash = ? AND t.standard = 1`,
      encodeAptosAddress(address),
    );
    if (row === undefined) return null;
    return { collection: row.collection === null ? null : unpackHex(row.collection), name: row.name };
  }

  #writeCoinType(coinType: string): void {
    if (this.#knownCoinTypes.get(coinType) === true) return;
    const metadata = getPairedMetadataAddress(coinType);
    this.#connection.run(
      'INSERT OR IGNORE INTO pair VALUES (?, ?)',
      this.#names.intern(metadata),
      this.#names.intern(coinType),
    );
    this.#knownCoinTypes.set(coinType, true);
    this.#pairedCoinCache.set(metadata, coinType);
  }

  #writeFungibleStore(address: Hex, update: FungibleStore): void {
    // A store that is known in full needs no read of its row: most are written for the first time.
    const isComplete = update.owner !== null && update.metadata !== null;
    const before =
      (isComplete ? this.#fungibleStoreCache.get(address) : this.getFungibleStore(address)) ?? UNKNOWN_STORE;
    const after = { owner: update.owner ?? before.owner, metadata: update.metadata ?? before.metadata };
    if (after.owner === before.owner && after.metadata === before.metadata) return;
    if (this.#changedFungibleStores.size >= MAX_PENDING_ROWS) this.flush();
    this.#changedFungibleStores.set(address, after);
    this.#fungibleStoreCache.set(address, after);
  }

  #writeTokenTable(handle: Hex, tokenTable: TokenTable): void {
    if (this.getTokenTable(handle) !== null) return; // a table never moves to another resource
    this.#connection.run(
      'INSERT INTO handle VALUES (?, ?, ?)',
      encodeAptosAddress(handle),
      this.#accounts.intern(tokenTable.owner),
      encodeTableKind(tokenTable.kind),
    );
    this.#tokenTableCache.set(handle, tokenTable);
  }

  #writeCollection(address: Hex, collection: ObjectCollection): void {
    const { creator, name } = collection;
    const before = this.#collectionCache.get(address);
    const terms = encodeCollectionTerms(collection);
    if (
      before !== undefined &&
      before !== 'none' &&
      before.creator === creator &&
      before.name === name &&
      encodeCollectionTerms(before) === terms
    )
      return;
    this.#connection.run(
      `INSERT INTO collection (hash, creator, name, terms) VALUES (?, ?, ?, ?)
        ON CONFLICT (hash) DO UPDATE SET creator = excluded.creator, name = excluded.name, terms = excluded.terms`,
      encodeAptosAddress(address),
      this.#toAccountId(creator),
      name,
      terms,
    );
    this.#collectionCache.set(address, collection);
  }

  #readThrough<T extends string | object>(
    cache: LookupCache<Hex, Cached<T>>,
    address: Hex,
    read: (address: Hex) => T | null,
  ): T | null {
    const cached = cache.get(address);
    if (cached !== undefined) return cached === 'none' ? null : cached;
    const value = read(address);
    cache.set(address, value ?? 'none');
    return value;
  }
}
