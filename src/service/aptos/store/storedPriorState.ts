// What the index remembers of earlier transactions, for the rules: read from its tables, written as transactions say it.
import type { Hex } from '../../../base/hex.ts';
import { unpackHex } from '../../store/encoding.ts';
import { RecentMap } from '../../store/recentMap.ts';
import type { Connection } from '../../store/sqlite/connection.ts';
import { pairedMetadata } from '../derivedIds.ts';
import type { KnownCollection, KnownStore, KnownTable, KnownToken, Learnt, Memory } from '../processors/priorState.ts';
import { packAddress, packKind, packTerms, unpackKind, unpackTerms } from './aptosEncoding.ts';
import type { Numbers } from './idTables.ts';

export interface TableMemory extends Memory {
  /** Within a write. */
  learn(learnt: Learnt): void;
  /** After a write that was taken back. */
  forget(): void;
}

const NOTHING: KnownStore = { owner: null, metadata: null };

export function createTableMemory(connection: Connection, { accounts, names }: Numbers): TableMemory {
  let stores = new RecentMap<Hex, KnownStore>();
  let tables = new RecentMap<Hex, KnownTable>();
  let coins = new RecentMap<string, true>();
  let paired = new RecentMap<Hex, string | null>();
  let collections = new RecentMap<Hex, KnownCollection | null>();
  let tokens = new RecentMap<Hex, KnownToken | null>();

  const accountOf = (id: number | null): Hex | null => (id === null ? null : accounts.value(id));
  const numberOf = (address: Hex | null): number | null => (address === null ? null : accounts.intern(address));

  const table = (handle: Hex): KnownTable | null => {
    const recent = tables.get(handle);
    if (recent !== undefined) return recent;
    const row = connection.get<{ owner: number; kind: number }>(
      'SELECT owner, kind FROM handle WHERE bytes = ?',
      packAddress(handle),
    );
    if (row === undefined) return null;
    const known = { owner: accounts.value(row.owner), kind: unpackKind(row.kind) };
    tables.set(handle, known);
    return known;
  };
  const store = (address: Hex): KnownStore | null => {
    const recent = stores.get(address);
    if (recent !== undefined) return recent;
    const row = connection.get<{ owner: number | null; metadata: number | null }>(
      'SELECT owner, metadata FROM asset_store WHERE bytes = ?',
      packAddress(address),
    );
    if (row === undefined) return null;
    const known = { owner: accountOf(row.owner), metadata: accountOf(row.metadata) };
    stores.set(address, known);
    return known;
  };

  const readCoin = (metadata: Hex): string | null => {
    const id = names.find(metadata);
    const row =
      id === null ? undefined : connection.get<{ coin: number }>('SELECT coin FROM pair WHERE metadata = ?', id);
    return row === undefined ? null : names.value(row.coin);
  };
  const readCollection = (address: Hex): KnownCollection | null => {
    const row = connection.get<{ creator: number | null; name: string | null; terms: string | null }>(
      'SELECT creator, name, terms FROM collection WHERE hash = ?',
      packAddress(address),
    );
    if (row === undefined) return null;
    const terms = row.terms === null ? { royalty: null, mutability: null } : unpackTerms(row.terms);
    return { creator: accountOf(row.creator), name: row.name, ...terms };
  };
  const readToken = (address: Hex): KnownToken | null => {
    const row = connection.get<{ collection: Uint8Array | null; name: string | null }>(
      `SELECT c.hash AS collection, t.name FROM token AS t LEFT JOIN collection AS c ON c.id = t.collection
        WHERE t.hash = ? AND t.standard = 1`,
      packAddress(address),
    );
    if (row === undefined) return null;
    return { collection: row.collection === null ? null : unpackHex(row.collection), name: row.name };
  };

  const learnCoin = (coin: string) => {
    if (coins.get(coin) === true) return;
    const metadata = pairedMetadata(coin);
    connection.run('INSERT OR IGNORE INTO pair VALUES (?, ?)', names.intern(metadata), names.intern(coin));
    coins.set(coin, true);
    paired.set(metadata, coin);
  };
  const learnStore = (address: Hex, said: KnownStore) => {
    const before = store(address) ?? NOTHING;
    const after = { owner: said.owner ?? before.owner, metadata: said.metadata ?? before.metadata };
    if (after.owner === before.owner && after.metadata === before.metadata) return;
    connection.run(
      'INSERT OR REPLACE INTO asset_store VALUES (?, ?, ?)',
      packAddress(address),
      numberOf(after.owner),
      numberOf(after.metadata),
    );
    stores.set(address, after);
  };
  const learnTable = (handle: Hex, said: KnownTable) => {
    if (table(handle) !== null) return; // a table stays with its resource
    connection.run(
      'INSERT INTO handle VALUES (?, ?, ?)',
      packAddress(handle),
      accounts.intern(said.owner),
      packKind(said.kind),
    );
    tables.set(handle, said);
  };
  const learnCollection = (address: Hex, said: KnownCollection) => {
    const { creator, name, royalty, mutability } = said;
    const before = collections.get(address);
    const terms = packTerms({ royalty, mutability });
    if (before?.creator === creator && before.name === name && packTerms(before) === terms) return;
    connection.run(
      `INSERT INTO collection (hash, creator, name, terms) VALUES (?, ?, ?, ?)
        ON CONFLICT (hash) DO UPDATE SET creator = excluded.creator, name = excluded.name, terms = excluded.terms`,
      packAddress(address),
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
    table,
    store,
    coinOf: metadata => cached(paired, metadata, readCoin),
    collection: address => cached(collections, address, readCollection),
    token: address => cached(tokens, address, readToken),
    learn(learnt) {
      for (const coin of learnt.coinTypes) learnCoin(coin);
      for (const [handle, said] of learnt.tables) learnTable(handle, said);
      for (const [address, said] of learnt.stores) learnStore(address, said);
      for (const [address, said] of learnt.collections) learnCollection(address, said);
      for (const [address, said] of learnt.tokens) tokens.set(address, said);
    },
    forget() {
      stores = new RecentMap();
      tables = new RecentMap();
      coins = new RecentMap();
      paired = new RecentMap();
      collections = new RecentMap();
      tokens = new RecentMap();
    },
  };
}
