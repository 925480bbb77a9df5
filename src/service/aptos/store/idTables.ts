// Accounts and texts of the Aptos index as small integers, both ways, with the recent ones in memory.

import type { Hex } from '../../../base/hex.ts';
import { packHex, unpackHex } from '../../store/encoding.ts';
import { RecentMap } from '../../store/recentMap.ts';
import type { SqliteConnection } from '../../store/sqlite/connection.ts';
import { encodeIdHash } from './aptosEncoding.ts';

export interface IdTable<T extends string> {
  /** The number of a value; a new one is written, so only within a write. */
  getOrCreateId(value: T): number;
  /** The number of a value; `null` when the index has never seen it. */
  findId(value: T): number | null;
  /** The value of a number that the index holds. */
  getValue(id: number): T;
  /** After a write that was taken back: its new numbers are no more. */
  clearCache(): void;
}

interface Table<T extends string> {
  readonly table: string;
  readonly column: string;
  pack(value: T): Buffer | string;
  unpack(stored: Uint8Array | string): T;
}

function createInterned<T extends string>(
  connection: SqliteConnection,
  { table, column, pack, unpack }: Table<T>,
): IdTable<T> {
  let ids = new RecentMap<T, number>();
  let values = new RecentMap<number, T>();
  const find = (value: T): number | null => {
    const known = ids.get(value);
    if (known !== undefined) return known;
    const row = connection.get<{ id: number }>(`SELECT id FROM ${table} WHERE ${column} = ?`, pack(value));
    if (row === undefined) return null;
    ids.set(value, row.id);
    return row.id;
  };
  return {
    findId: find,
    getOrCreateId(value) {
      const known = find(value);
      if (known !== null) return known;
      const row = connection.get<{ id: number }>(
        `INSERT INTO ${table} (${column}) VALUES (?) RETURNING id`,
        pack(value),
      );
      const id = row?.id ?? 0;
      ids.set(value, id);
      return id;
    },
    getValue(id) {
      const known = values.get(id);
      if (known !== undefined) return known;
      const row = connection.get<{ value: Uint8Array | string }>(
        `SELECT ${column} AS value FROM ${table} WHERE id = ?`,
        id,
      );
      const value = unpack(row?.value ?? '');
      values.set(id, value);
      return value;
    },
    clearCache() {
      ids = new RecentMap();
      values = new RecentMap();
    },
  };
}

export interface IdTables {
  readonly accounts: IdTable<Hex>;
  readonly names: IdTable<string>;
}

export function createIdTables(connection: SqliteConnection): IdTables {
  return {
    accounts: createInterned<Hex>(connection, {
      table: 'account',
      column: 'bytes',
      pack: value => packHex(value, 32),
      unpack: stored => (typeof stored === 'string' ? '0x' : unpackHex(stored)),
    }),
    names: createInterned<string>(connection, {
      table: 'name',
      column: 'text',
      pack: value => value,
      unpack: stored => String(stored),
    }),
  };
}

// What of a caller's list the index has ever seen: the rest is in no row.
export function findAccountIds({ accounts }: IdTables, list: readonly Hex[]): readonly number[] {
  return [...new Set(list)].map(address => accounts.findId(address)).filter(id => id !== null);
}

export function findRowIds(
  connection: SqliteConnection,
  table: 'token' | 'collection',
  hashes: readonly string[],
): readonly number[] {
  return [...new Set(hashes)]
    .map(hash => connection.get<{ id: number }>(`SELECT id FROM ${table} WHERE hash = ?`, encodeIdHash(hash))?.id)
    .filter(id => id !== undefined);
}
