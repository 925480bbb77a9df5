// Maps accounts and texts of the Aptos index to the small integers that its tables store instead, and back.
import type { Hex } from '../../../base/hex.ts';
import { packHex, unpackHex } from '../../store/encoding.ts';
import { LookupCache } from '../../store/lookupCache.ts';
import type { SqliteConnection } from '../../store/sqlite/connection.ts';
import type { AptosKey, AptosListName, AptosPageRequest, AptosQuery, AptosRow } from '../aptosSource.ts';
import { encodeIdHash } from './aptosEncoding.ts';

export interface IdTable<T extends string> {
  /** The id of a value. Inserts a new value, so it must be called within a write transaction. */
  getOrCreateId(value: T): number;
  /** The id of a value; `null` when it does not occur in the index. */
  findId(value: T): number | null;
  /** The value of an id that the index contains. */
  getValue(id: number): T;
  /** Must be called after a rollback, which removes new ids. */
  clearCache(): void;
}

export interface IdTables {
  readonly accounts: IdTable<Hex>;
  readonly names: IdTable<string>;
}

/** What queries of an index file need. */
export interface AptosIndex {
  readonly connection: SqliteConnection;
  readonly idTables: IdTables;
}

export type ReadList<Name extends AptosListName> = (
  index: AptosIndex,
  query: AptosQuery<Name>,
  page: AptosPageRequest<AptosKey<Name>>,
) => readonly AptosRow<Name>[];

interface TableDefinition<T extends string> {
  readonly table: string;
  readonly column: string;
  encode(value: T): Buffer | string;
  decode(stored: Uint8Array | string): T;
}

function createIdTable<T extends string>(
  connection: SqliteConnection,
  { table, column, encode, decode }: TableDefinition<T>,
): IdTable<T> {
  const idCache = new LookupCache<T, number>();
  const valueCache = new LookupCache<number, T>();
  const findId = (value: T): number | null => {
    const cached = idCache.get(value);
    if (cached !== undefined) return cached;
    const row = connection.get<{ id: number }>(`SELECT id FROM ${table} WHERE ${column} = ?`, encode(value));
    if (row === undefined) return null;
    idCache.set(value, row.id);
    return row.id;
  };
  return {
    findId,
    getOrCreateId(value) {
      const existing = findId(value);
      if (existing !== null) return existing;
      const row = connection.get<{ id: number }>(
        `INSERT INTO ${table} (${column}) VALUES (?) RETURNING id`,
        encode(value),
      );
      const id = row?.id ?? 0;
      idCache.set(value, id);
      return id;
    },
    getValue(id) {
      const cached = valueCache.get(id);
      if (cached !== undefined) return cached;
      const row = connection.get<{ value: Uint8Array | string }>(
        `SELECT ${column} AS value FROM ${table} WHERE id = ?`,
        id,
      );
      const value = decode(row?.value ?? '');
      valueCache.set(id, value);
      return value;
    },
    clearCache() {
      idCache.clear();
      valueCache.clear();
    },
  };
}

export function createIdTables(connection: SqliteConnection): IdTables {
  return {
    accounts: createIdTable<Hex>(connection, {
      table: 'account',
      column: 'bytes',
      encode: value => packHex(value, 32),
      decode: stored => (typeof stored === 'string' ? '0x' : unpackHex(stored)),
    }),
    names: createIdTable<string>(connection, {
      table: 'name',
      column: 'text',
      encode: value => value,
      decode: stored => String(stored),
    }),
  };
}

/** The ids of the accounts that occur in the index; the others have no rows. */
export function findAccountIds({ accounts }: IdTables, addresses: readonly Hex[]): readonly number[] {
  return [...new Set(addresses)].map(address => accounts.findId(address)).filter(id => id !== null);
}

/** The row ids of the tokens or collections that occur in the index. */
export function findRowIds(
  connection: SqliteConnection,
  table: 'token' | 'collection',
  hashes: readonly string[],
): readonly number[] {
  return [...new Set(hashes)]
    .map(hash => connection.get<{ id: number }>(`SELECT id FROM ${table} WHERE hash = ?`, encodeIdHash(hash))?.id)
    .filter(id => id !== undefined);
}
