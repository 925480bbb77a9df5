// The address table of the SQLite index: addresses as small integers and back, the recently used ones cached.
import type { Hex } from '../../../base/hex.ts';
import { packHex, unpackHex } from '../encoding.ts';
import type { StoreReader } from '../store.ts';
import { BulkStatement, toTuples } from './bulkStatement.ts';
import type { SqliteConnection } from './connection.ts';
import { IdTable } from './idTable.ts';

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

export class AddressTable extends IdTable<Hex> {
  constructor(connection: SqliteConnection) {
    super(connection, {
      table: 'address',
      column: 'bytes',
      encode: address => packHex(address, 20),
      decode: stored => unpackHex(typeof stored === 'string' ? new Uint8Array(20) : stored),
    });
  }

  /** A write transaction in which addresses may get ids, which are gone where it is rolled back. */
  writeTransaction(write: () => void): void {
    try {
      this.connection.writeTransaction(write);
    } catch (error) {
      this.clearCache();
      throw error;
    }
  }

  /** The ids of many addresses, with few statements. */
  internAll(list: readonly Hex[]): readonly number[] {
    const ids = list.map(address => this.ids.get(address) ?? 0);
    const missing = ids.flatMap((id, index) => (id === 0 ? [{ index, bytes: packHex(list[index] ?? '0x', 20) }] : []));
    for (let start = 0; start < missing.length; start += ADDRESSES_PER_READ) {
      const wanted = Array.from({ length: ADDRESSES_PER_READ }, (_, offset) => missing[start + offset]);
      const values = wanted.flatMap(entry => [entry?.index ?? -1, entry?.bytes ?? null]);
      for (const { number, id } of this.connection.all<{ number: number; id: number }>(READ_IDS, ...values))
        ids[number] = id;
    }
    const statement = new BulkStatement(this.connection, { into: 'address (id, bytes)', columns: 2 });
    let nextId = (this.connection.get<{ last: number }>('SELECT max(id) AS last FROM address')?.last ?? 0) + 1;
    for (const { index, bytes } of missing) {
      if (ids[index] === 0) {
        ids[index] = nextId++;
        statement.add(ids[index] ?? 0, bytes);
      }
      this.ids.set(list[index] ?? '0x', ids[index] ?? 0);
    }
    statement.flush();
    return ids;
  }
}
