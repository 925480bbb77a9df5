// Maps accounts and texts of the Aptos index to the small integers that its tables store instead, and back.
import type { Hex } from '../../../base/hex.ts';
import { packHex, unpackHex } from '../../store/encoding.ts';
import type { SqliteConnection } from '../../store/sqlite/connection.ts';
import { IdTable } from '../../store/sqlite/idTable.ts';
import type { AptosKey, AptosListName, AptosPageRequest, AptosQuery, AptosRow } from '../aptosSource.ts';
import { encodeIdHash } from './aptosEncoding.ts';

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

export function createIdTables(connection: SqliteConnection): IdTables {
  return {
    accounts: new IdTable<Hex>(connection, {
      table: 'account',
      column: 'bytes',
      encode: value => packHex(value, 32),
      decode: stored => (typeof stored === 'string' ? '0x' : unpackHex(stored)),
    }),
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
