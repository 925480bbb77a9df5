// What of a caller's list the index has ever seen: the rest is in no row.
import type { Hex } from '../../../base/hex.ts';
import type { Connection } from '../../store/sqlite/connection.ts';
import { packId } from './aptosEncoding.ts';
import type { Numbers } from './idTables.ts';

export function knownAccounts({ accounts }: Numbers, list: readonly Hex[]): readonly number[] {
  return [...new Set(list)].map(address => accounts.find(address)).filter(id => id !== null);
}

export function knownIds(
  connection: Connection,
  table: 'token' | 'collection',
  hashes: readonly string[],
): readonly number[] {
  return [...new Set(hashes)]
    .map(hash => connection.get<{ id: number }>(`SELECT id FROM ${table} WHERE hash = ?`, packId(hash))?.id)
    .filter(id => id !== undefined);
}
