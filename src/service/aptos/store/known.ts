// What of a caller's list the index has ever seen: the rest is in no row.
import type { Hex } from '../../../base/hex.ts';
import type { SqliteConnection } from '../../store/sqlite/connection.ts';
import { encodeIdHash } from './aptosEncoding.ts';
import type { IdTables } from './idTables.ts';

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
