// The state before a transaction, read from the tables of the Aptos index and updated with each transaction.
import type { Hex } from '../../../base/hex.ts';
import { unpackHex } from '../../store/encoding.ts';
import { LookupCache } from '../../store/lookupCache.ts';
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
import type { IdTables } from './idTables.ts';

export interface StoredPriorState extends PriorState {
  /** Must be called within a write transaction. */
  update(updates: StateUpdates): void;
  /** Must be called after a rollback, or when another process has written. */
  clearCache(): void;
}

/** A cached row; `none` for an address that has no row, as most objects have no token. */
type Cached<T> = T | 'none';

const UNKNOWN_STORE: FungibleStore = { owner: null, metadata: null };

export function createStoredPriorState(connection: SqliteConnection, { accounts, names }: IdTables): StoredPriorState {
  const fungibleStoreCache = new LookupCache<Hex, FungibleStore>();
  const tokenTableCache = new LookupCache<Hex, TokenTable>();
  const knownCoinTypes = new LookupCache<string, true>();
  const pairedCoinCache = new LookupCache<Hex, Cached<string>>();
  const collectionCache = new LookupCache<Hex, Cached<ObjectCollection>>();
  const tokenCache = new LookupCache<Hex, Cached<ObjectTokenName>>();

  const getAccount = (id: number | null): Hex | null => (id === null ? null : accounts.getValue(id));
  const toAccountId = (address: Hex | null): number | null =>
    address === null ? null : accounts.getOrCreateId(address);

  const getTokenTable = (handle: Hex): TokenTable | null => {
    const cached = tokenTableCache.get(handle);
    if (cached !== undefined) return cached;
    const row = connection.get<{ owner: number; kind: number }>(
      'SELECT owner, kind FROM handle WHERE bytes = ?',
      encodeAptosAddress(handle),
    );
    if (row === undefined) return null;
    const tokenTable = { owner: accounts.getValue(row.owner), kind: decodeTableKind(row.kind) };
    tokenTableCache.set(handle, tokenTable);
    return tokenTable;
  };
  const getFungibleStore = (address: Hex): FungibleStore | null => {
    const cached = fungibleStoreCache.get(address);
    if (cached !== undefined) return cached;
    const row = connection.get<{ owner: number | null; metadata: number | null }>(
      'SELECT owner, metadata FROM asset_store WHERE bytes = ?',
      encodeAptosAddress(address),
    );
    if (row === undefined) return null;
    const store = { owner: getAccount(row.owner), metadata: getAccount(row.metadata) };
    fungibleStoreCache.set(address, store);
    return store;
  };

  const readPairedCoin = (metadata: Hex): string | null => {
    const id = names.findId(metadata);
    const row =
      id === null ? undefined : connection.get<{ coin: number }>('SELECT coin FROM pair WHERE metadata = ?', id);
    return row === undefined ? null : names.getValue(row.coin);
  };
  const readCollection = (address: Hex): ObjectCollection | null => {
    const row = connection.get<{ creator: number | null; name: string | null; terms: string | null }>(
      'SELECT creator, name, terms FROM collection WHERE hash = ?',
      encodeAptosAddress(address),
    );
    if (row === undefined) return null;
    const terms = row.terms === null ? { royalty: null, mutability: null } : decodeCollectionTerms(row.terms);
    return { creator: getAccount(row.creator), name: row.name, ...terms };
  };
  const readToken = (address: Hex): ObjectTokenName | null => {
    const row = connection.get<{ collection: Uint8Array | null; name: string | null }>(
      `SELECT c.hash AS collection, t.name FROM token AS t LEFT JOIN collection AS c ON c.id = t.collection
        WHERE t.hash = ? AND t.standard = 1`,
      encodeAptosAddress(address),
    );
    if (row === undefined) return null;
    return { collection: row.collection === null ? null : unpackHex(row.collection), name: row.name };
  };

  const writeCoinType = (coinType: string) => {
    if (knownCoinTypes.get(coinType) === true) return;
    const metadata = getPairedMetadataAddress(coinType);
    connection.run(
      'INSERT OR IGNORE INTO pair VALUES (?, ?)',
      names.getOrCreateId(metadata),
      names.getOrCreateId(coinType),
    );
    knownCoinTypes.set(coinType, true);
    pairedCoinCache.set(metadata, coinType);
  };
  const writeFungibleStore = (address: Hex, update: FungibleStore) => {
    const before = getFungibleStore(address) ?? UNKNOWN_STORE;
    const after = { owner: update.owner ?? before.owner, metadata: update.metadata ?? before.metadata };
    if (after.owner === before.owner && after.metadata === before.metadata) return;
    connection.run(
      'INSERT OR REPLACE INTO asset_store VALUES (?, ?, ?)',
      encodeAptosAddress(address),
      toAccountId(after.owner),
      toAccountId(after.metadata),
    );
    fungibleStoreCache.set(address, after);
  };
  const writeTokenTable = (handle: Hex, tokenTable: TokenTable) => {
    if (getTokenTable(handle) !== null) return; // a table never moves to another resource
    connection.run(
      'INSERT INTO handle VALUES (?, ?, ?)',
      encodeAptosAddress(handle),
      accounts.getOrCreateId(tokenTable.owner),
      encodeTableKind(tokenTable.kind),
    );
    tokenTableCache.set(handle, tokenTable);
  };
  const writeCollection = (address: Hex, collection: ObjectCollection) => {
    const { creator, name } = collection;
    const before = collectionCache.get(address);
    const terms = encodeCollectionTerms(collection);
    if (
      before !== undefined &&
      before !== 'none' &&
      before.creator === creator &&
      before.name === name &&
      encodeCollectionTerms(before) === terms
    )
      return;
    connection.run(
      `INSERT INTO collection (hash, creator, name, terms) VALUES (?, ?, ?, ?)
        ON CONFLICT (hash) DO UPDATE SET creator = excluded.creator, name = excluded.name, terms = excluded.terms`,
      encodeAptosAddress(address),
      toAccountId(creator),
      name,
      terms,
    );
    collectionCache.set(address, collection);
  };

  const readThrough = <T extends string | object>(
    cache: LookupCache<Hex, Cached<T>>,
    address: Hex,
    read: (address: Hex) => T | null,
  ): T | null => {
    const cached = cache.get(address);
    if (cached !== undefined) return cached === 'none' ? null : cached;
    const value = read(address);
    cache.set(address, value ?? 'none');
    return value;
  };

  return {
    getTokenTable,
    getFungibleStore,
    getPairedCoin: metadata => readThrough(pairedCoinCache, metadata, readPairedCoin),
    getCollection: address => readThrough(collectionCache, address, readCollection),
    getToken: address => readThrough(tokenCache, address, readToken),
    update({ coinTypes, tokenTables, fungibleStores, collections, tokens }) {
      for (const coinType of coinTypes) writeCoinType(coinType);
      for (const [handle, tokenTable] of tokenTables) writeTokenTable(handle, tokenTable);
      for (const [address, store] of fungibleStores) writeFungibleStore(address, store);
      for (const [address, collection] of collections) writeCollection(address, collection);
      // The row of a token is written with its token data.
      for (const [address, token] of tokens) tokenCache.set(address, token);
    },
    clearCache() {
      fungibleStoreCache.clear();
      tokenTableCache.clear();
      knownCoinTypes.clear();
      pairedCoinCache.clear();
      collectionCache.clear();
      tokenCache.clear();
    },
  };
}
