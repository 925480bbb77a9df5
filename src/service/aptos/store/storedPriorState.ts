// What the index remembers of earlier transactions, for the rules: read from its tables, written as transactions say it.
import type { Hex } from '../../../base/hex.ts';
import { unpackHex } from '../../store/encoding.ts';
import { RecentMap } from '../../store/recentMap.ts';
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
  /** Within a write. */
  update(learnt: StateUpdates): void;
  /** After a write that was taken back. */
  clearCache(): void;
}

const NOTHING: FungibleStore = { owner: null, metadata: null };

export function createStoredPriorState(connection: SqliteConnection, { accounts, names }: IdTables): StoredPriorState {
  let stores = new RecentMap<Hex, FungibleStore>();
  let tables = new RecentMap<Hex, TokenTable>();
  let coins = new RecentMap<string, true>();
  let paired = new RecentMap<Hex, string | null>();
  let collections = new RecentMap<Hex, ObjectCollection | null>();
  let tokens = new RecentMap<Hex, ObjectTokenName | null>();

  const accountOf = (id: number | null): Hex | null => (id === null ? null : accounts.getValue(id));
  const numberOf = (address: Hex | null): number | null => (address === null ? null : accounts.getOrCreateId(address));

  const table = (handle: Hex): TokenTable | null => {
    const recent = tables.get(handle);
    if (recent !== undefined) return recent;
    const row = connection.get<{ owner: number; kind: number }>(
      'SELECT owner, kind FROM handle WHERE bytes = ?',
      encodeAptosAddress(handle),
    );
    if (row === undefined) return null;
    const known = { owner: accounts.getValue(row.owner), kind: decodeTableKind(row.kind) };
    tables.set(handle, known);
    return known;
  };
  const store = (address: Hex): FungibleStore | null => {
    const recent = stores.get(address);
    if (recent !== undefined) return recent;
    const row = connection.get<{ owner: number | null; metadata: number | null }>(
      'SELECT owner, metadata FROM asset_store WHERE bytes = ?',
      encodeAptosAddress(address),
    );
    if (row === undefined) return null;
    const known = { owner: accountOf(row.owner), metadata: accountOf(row.metadata) };
    stores.set(address, known);
    return known;
  };

  const readCoin = (metadata: Hex): string | null => {
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
    return { creator: accountOf(row.creator), name: row.name, ...terms };
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

  const learnCoin = (coin: string) => {
    if (coins.get(coin) === true) return;
    const metadata = getPairedMetadataAddress(coin);
    connection.run(
      'INSERT OR IGNORE INTO pair VALUES (?, ?)',
      names.getOrCreateId(metadata),
      names.getOrCreateId(coin),
    );
    coins.set(coin, true);
    paired.set(metadata, coin);
  };
  const learnStore = (address: Hex, said: FungibleStore) => {
    const before = store(address) ?? NOTHING;
    const after = { owner: said.owner ?? before.owner, metadata: said.metadata ?? before.metadata };
    if (after.owner === before.owner && after.metadata === before.metadata) return;
    connection.run(
      'INSERT OR REPLACE INTO asset_store VALUES (?, ?, ?)',
      encodeAptosAddress(address),
      numberOf(after.owner),
      numberOf(after.metadata),
    );
    stores.set(address, after);
  };
  const learnTable = (handle: Hex, said: TokenTable) => {
    if (table(handle) !== null) return; // a table stays with its resource
    connection.run(
      'INSERT INTO handle VALUES (?, ?, ?)',
      encodeAptosAddress(handle),
      accounts.getOrCreateId(said.owner),
      encodeTableKind(said.kind),
    );
    tables.set(handle, said);
  };
  const learnCollection = (address: Hex, said: ObjectCollection) => {
    const { creator, name, royalty, mutability } = said;
    const before = collections.get(address);
    const terms = encodeCollectionTerms({ royalty, mutability });
    if (before?.creator === creator && before.name === name && encodeCollectionTerms(before) === terms) return;
    connection.run(
      `INSERT INTO collection (hash, creator, name, terms) VALUES (?, ?, ?, ?)
        ON CONFLICT (hash) DO UPDATE SET creator = excluded.creator, name = excluded.name, terms = excluded.terms`,
      encodeAptosAddress(address),
      numberOf(creator),
      name,
      terms,
    );
    collections.set(address, said);
  };
  /** What is not known is remembered too: most objects are no tokens. */
  const cached = <T>(recent: RecentMap<Hex, T | null>, address: Hex, read: (address: Hex) => T | null): T | null => {
    const known = recent.get(address);
    if (known !== undefined) return known;
    const found = read(address);
    recent.set(address, found);
    return found;
  };

  return {
    getTokenTable: table,
    getFungibleStore: store,
    getPairedCoin: metadata => cached(paired, metadata, readCoin),
    getCollection: address => cached(collections, address, readCollection),
    getToken: address => cached(tokens, address, readToken),
    update(learnt) {
      for (const coin of learnt.coinTypes) learnCoin(coin);
      for (const [handle, said] of learnt.tokenTables) learnTable(handle, said);
      for (const [address, said] of learnt.fungibleStores) learnStore(address, said);
      for (const [address, said] of learnt.collections) learnCollection(address, said);
      for (const [address, said] of learnt.tokens) tokens.set(address, said);
    },
    clearCache() {
      stores = new RecentMap();
      tables = new RecentMap();
      coins = new RecentMap();
      paired = new RecentMap();
      collections = new RecentMap();
      tokens = new RecentMap();
    },
  };
}
