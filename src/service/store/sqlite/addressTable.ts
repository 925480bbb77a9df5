// Addresses of the SQLite index as small integers, both ways, with the recent ones in memory.
import type { Hex } from '../../../base/hex.ts';
import { packHex, unpackHex } from '../encoding.ts';
import { RecentMap } from '../recentMap.ts';
import type { SqliteConnection } from './connection.ts';

export interface AddressTable {
  /** The number of an address; a new one is written, so only within a write. */
  intern(address: Hex): number;
  /** The number of an address; `null` when the index has never seen it. */
  find(address: Hex): number | null;
  /** The address of a number that the index holds. */
  resolve(id: number): Hex;
  /** After a write that was taken back: its new numbers are no more. */
  clearCache(): void;
}

export function createAddressTable(connection: SqliteConnection): AddressTable {
  let ids = new RecentMap<Hex, number>();
  let addresses = new RecentMap<number, Hex>();

  const find = (address: Hex): number | null => {
    const known = ids.get(address);
    if (known !== undefined) return known;
    const row = connection.get<{ id: number }>('SELECT id FROM address WHERE bytes = ?', packHex(address, 20));
    if (row === undefined) return null;
    ids.set(address, row.id);
    return row.id;
  };

  return {
    find,
    intern(address) {
      const known = find(address);
      if (known !== null) return known;
      const row = connection.get<{ id: number }>(
        'INSERT INTO address (bytes) VALUES (?) RETURNING id',
        packHex(address, 20),
      );
      const id = row?.id ?? 0;
      ids.set(address, id);
      return id;
    },
    resolve(id) {
      const known = addresses.get(id);
      if (known !== undefined) return known;
      const row = connection.get<{ bytes: Uint8Array }>('SELECT bytes FROM address WHERE id = ?', id);
      const address = unpackHex(row?.bytes ?? new Uint8Array(20));
      addresses.set(id, address);
      return address;
    },
    clearCache() {
      ids = new RecentMap();
      addresses = new RecentMap();
    },
  };
}
