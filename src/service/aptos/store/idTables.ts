// Maps accounts and texts of the Aptos index to the small integers that its tables store instead, and back.
import type { Hex } from '../../../base/hex.ts';
import { packHex, unpackHex } from '../../store/encoding.ts';
import { BulkStatement } from '../../store/sqlite/bulkStatement.ts';
import type { SqliteConnection } from '../../store/sqlite/connection.ts';
import { IdTable } from '../../store/sqlite/idTable.ts';
import type { AptosKey, AptosListName, AptosPageRequest, AptosQuery, AptosRow } from '../aptosSource.ts';
import { encodeIdHash } from './aptosEncoding.ts';

export interface IdTables {
  readonly accounts: AccountTable;
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

/** Rows that wait to be written together: fewer than a cache keeps, in which they are found until then. */
export const MAX_PENDING_ROWS = 10_000;

/** Ids of rows that are not written yet. */
export class RowIdCounter {
  readonly #connection: SqliteConnection;
  readonly #table: 'account' | 'token';
  #last: number | null = null;

  constructor(connection: SqliteConnection, table: 'account' | 'token') {
    this.#connection = connection;
    this.#table = table;
  }

  next(): number {
    this.#last ??= this.#connection.get<{ last: number }>(`SELECT max(id) AS last FROM ${this.#table}`)?.last ?? 0;
    return ++this.#last;
  }

  /** Must be called after a rollback, or when another process has written. */
  clear(): void {
    this.#last = null;
  }
}

/** New accounts get their ids at once, and are written together in the order of the index by address. */
export class AccountTable extends IdTable<Hex> {
  readonly #counter: RowIdCounter;
  readonly #rows: BulkStatement;
  #pending: { readonly id: number; readonly address: Hex }[] = [];

  constructor(connection: SqliteConnection) {
    super(connection, {
      table: 'account',
      column: 'bytes',
      encode: value => packHex(value, 32),
      decode: stored => (typeof stored === 'string' ? '0x' : unpackHex(stored)),
    });
    this.#counter = new RowIdCounter(connection, 'account');
    this.#rows = new BulkStatement(connection, { into: 'account (id, bytes)', columns: 2 });
  }

  override readonly intern = (address: Hex): number => {
    const existing = this.find(address);
    if (existing !== null) return existing;
    if (this.#pending.length >= MAX_PENDING_ROWS) this.flush();
    const id = this.#counter.next();
    this.#pending.push({ id, address });
    this.ids.set(address, id);
    return id;
  };

  /** Must be called before the write transaction ends. */
  flush(): void {
    const accounts = this.#pending.sort((a, b) => (a.address < b.address ? -1 : 1));
    this.#pending = [];
    for (const { id, address } of accounts) this.#rows.add(id, packHex(address, 32));
    this.#rows.flush();
  }

  override clearCache(): void {
    super.clearCache();
    this.#counter.clear();
    this.#pending = [];
    this.#rows.clear();
  }
}

export function createIdTables(connection: SqliteConnection): IdTables {
  return {
    accounts: new AccountTable(connection),
    names: new IdTable<string>(connection, {
      table: 'name',
      column: 'text',
      encode: value => value,
      decode: stored => String(stored),
    }),
  };
}

/** The ids of the accounts that occur in the index; the others have no rows. */
export function findAccountIds({ accounts }: IdTables, addresses: readonly Hex[]): readonly number[] {
  return [...new Set(addresses)].map(address => accounts.find(address)).filter(id => id !== null);
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
