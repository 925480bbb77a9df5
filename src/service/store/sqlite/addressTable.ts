// The address table of the SQLite index: addresses as small integers and back, the recently used ones cached.
import type { Hex } from '../../../base/hex.ts';
import { packHex, unpackHex } from '../encoding.ts';
import { LookupCache } from '../lookupCache.ts';
import type { StoreReader } from '../store.ts';
import { BulkStatement, toTuples } from './bulkStatement.ts';
import type { SqliteConnection } from './connection.ts';

export interface AddressTable {
  /** The id of an address; a new one is inserted, so this needs a write transaction. */
  intern(address: Hex): number;
  /** The ids of many addresses, with few statements. */
  internAll(list: readonly Hex[]): readonly number[];
  /** The id of an address; `null` when it is not in the index. */
  find(address: Hex): number | null;
  /** The address of an id that is in the index. */
  resolve(id: number): Hex;
  /** To be called after a write was rolled back: ids that it inserted are gone. */
  clearCache(): void;
}

/** What reads of an index file need. */
export interface SqliteIndex {
  readonly connection: SqliteConnection;
  readonly addresses: AddressTable;
}

type Read = {
  [Name in keyof StoreReader]: StoreReader[Name] extends (...args: infer Args) => Promise<infer Rows>
    ? (index: SqliteIndex, ...args: Args) => Rows
    : never;
};

/** The read of that name, on this thread. */
export type SqliteRead<Name extends keyof StoreReader> = Read[Name];

/** Addresses that one statement looks for. */
const ADDRESSES_PER_READ = 64;
const READ_IDS = `
  WITH wanted (number, bytes) AS (VALUES ${toTuples(ADDRESSES_PER_READ, 2)})
  SELECT wanted.number, a.id FROM wanted CROSS JOIN address AS a ON a.bytes = wanted.bytes`;

export function createAddressTable(connection: SqliteConnection): AddressTable {
  const idCache = new LookupCache<Hex, number>();
  const addressCache = new LookupCache<number, Hex>();

  const find = (address: Hex): number | null => {
    const cached = idCache.get(address);
    if (cached !== undefined) return cached;
    const row = connection.get<{ id: number }>('SELECT id FROM address WHERE bytes = ?', packHex(address, 20));
    if (row === undefined) return null;
    idCache.set(address, row.id);
    return row.id;
  };

  return {
    find,
    intern(address) {
      const existing = find(address);
      if (existing !== null) return existing;
      const row = connection.get<{ id: number }>(
        'INSERT INTO address (bytes) VALUES (?) RETURNING id',
        packHex(address, 20),
      );
      const id = row?.id ?? 0;
      idCache.set(address, id);
      return id;
    },
    internAll(list) {
      const ids = list.map(address => idCache.get(address) ?? 0);
      const missing = ids.flatMap((id, index) =>
        id === 0 ? [{ index, bytes: packHex(list[index] ?? '0x', 20) }] : [],
      );
      for (let start = 0; start < missing.length; start += ADDRESSES_PER_READ) {
        const wanted = Array.from({ length: ADDRESSES_PER_READ }, (_, offset) => missing[start + offset]);
        const values = wanted.flatMap(entry => [entry?.index ?? -1, entry?.bytes ?? null]);
        for (const { number, id } of connection.all<{ number: number; id: number }>(READ_IDS, ...values))
          ids[number] = id;
      }
      const statement = new BulkStatement(connection, { insert: 'INSERT INTO address (id, bytes)', columns: 2 });
      let nextId = (connection.get<{ last: number }>('SELECT max(id) AS last FROM address')?.last ?? 0) + 1;
      for (const { index, bytes } of missing) {
        if (ids[index] === 0) {
          ids[index] = nextId++;
          statement.add(ids[index] ?? 0, bytes);
        }
        idCache.set(list[index] ?? '0x', ids[index] ?? 0);
      }
      statement.flush();
      return ids;
    },
    resolve(id) {
      const cached = addressCache.get(id);
      if (cached !== undefined) return cached;
      const row = connection.get<{ bytes: Uint8Array }>('SELECT bytes FROM address WHERE id = ?', id);
      const address = unpackHex(row?.bytes ?? new Uint8Array(20));
      addressCache.set(id, address);
      return address;
    },
    clearCache() {
      idCache.clear();
      addressCache.clear();
    },
  };
}
