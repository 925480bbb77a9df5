// Values of an index file as small integers, which its tables store instead, and back; the recently used ones cached.
import { LookupCache } from '../lookupCache.ts';
import type { SqliteConnection } from './connection.ts';

export interface IdTableSchema<T extends string> {
  readonly table: string;
  readonly column: string;
  encode(value: T): Buffer | string;
  decode(stored: Uint8Array | string): T;
}

export class IdTable<T extends string> {
  protected readonly connection: SqliteConnection;
  readonly #schema: IdTableSchema<T>;
  protected readonly ids = new LookupCache<T, number>();
  readonly #values = new LookupCache<number, T>();

  constructor(connection: SqliteConnection, schema: IdTableSchema<T>) {
    this.connection = connection;
    this.#schema = schema;
  }

  /** The id of a value; a new one is inserted, so this needs a write transaction. */
  readonly intern = (value: T): number => {
    const existing = this.find(value);
    if (existing !== null) return existing;
    const { table, column, encode } = this.#schema;
    const sql = `INSERT INTO ${table} (${column}) VALUES (?) RETURNING id`;
    const id = this.connection.get<{ id: number }>(sql, encode(value))?.id ?? 0;
    this.ids.set(value, id);
    return id;
  };

  /** The id of a value; `null` when it is not in the index. */
  readonly find = (value: T): number | null => {
    const cached = this.ids.get(value);
    if (cached !== undefined) return cached;
    const { table, column, encode } = this.#schema;
    const row = this.connection.get<{ id: number }>(`SELECT id FROM ${table} WHERE ${column} = ?`, encode(value));
    if (row === undefined) return null;
    this.ids.set(value, row.id);
    return row.id;
  };

  /** The value of an id that is in the index. */
  readonly resolve = (id: number): T => {
    const cached = this.#values.get(id);
    if (cached !== undefined) return cached;
    const { table, column, decode } = this.#schema;
    const sql = `SELECT ${column} AS value FROM ${table} WHERE id = ?`;
    const value = decode(this.connection.get<{ value: Uint8Array | string }>(sql, id)?.value ?? '');
    this.#values.set(id, value);
    return value;
  };

  readonly resolveOptional = (id: number | null): T | null => (id === null ? null : this.resolve(id));

  /** To be called after a write was rolled back: ids that it inserted are gone. */
  clearCache(): void {
    this.ids.clear();
    this.#values.clear();
  }
}
