// Addresses of the PostgreSQL index as small integers, both ways: the same in all processes, the recent ones in memory.
import { HexLensError } from '../../../base/errors.ts';
import type { Hex } from '../../../base/hex.ts';
import { toHexDigits, unpackHex } from '../encoding.ts';
import { RecentMap } from '../recentMap.ts';
import { toByteaArray } from './bulkInsert.ts';
import type { QueryRunner } from './database.ts';

/** Numbers are never taken back nor given to others: what is in memory stays right, whatever other processes do. */
export interface AddressTable {
  /**
   * The numbers of all of them, also as they are written here. New ones are kept at once, so never within a transaction:
   * others who need the same would wait for its end.
   */
  intern(queries: QueryRunner, list: Iterable<Hex>): Promise<ReadonlyMap<Hex, number>>;
  /** The numbers of those that the index has ever seen, by address in lower case. */
  find(queries: QueryRunner, list: Iterable<Hex>): Promise<ReadonlyMap<Hex, number>>;
  /** The addresses of numbers that stand in the index. */
  resolve(queries: QueryRunner, ids: Iterable<number>): Promise<(id: number) => Hex>;
}

interface AddressRecord {
  readonly id: number;
  readonly bytes: Buffer;
}

const lower = (address: Hex) => address.toLowerCase() as Hex;

export function createAddressTable(): AddressTable {
  const numbers = new RecentMap<Hex, number>();
  const names = new RecentMap<number, Hex>();

  const learn = (records: readonly AddressRecord[], into: (address: Hex, id: number) => unknown) => {
    for (const { id, bytes } of records) {
      const address = unpackHex(bytes);
      numbers.set(address, id);
      names.set(id, address);
      into(address, id);
    }
  };

  const find: AddressTable['find'] = async (queries, list) => {
    const found = new Map<Hex, number>();
    const unknown = new Set<Hex>();
    for (const given of list) {
      const address = lower(given);
      const id = numbers.get(address);
      if (id === undefined) unknown.add(address);
      else found.set(address, id);
    }
    if (unknown.size > 0) {
      const wanted = toByteaArray([...unknown].map(address => toHexDigits(address, 20)));
      const sql = 'SELECT id, bytes FROM address WHERE bytes = ANY ($1::bytea[])';
      learn(await queries.query<AddressRecord & Record<string, unknown>>(sql, [wanted]), (address, id) =>
        found.set(address, id),
      );
    }
    return found;
  };

  return {
    find,
    async intern(queries, list) {
      const given = new Set(list);
      const found = new Map(await find(queries, given));
      // In one order, so that two who keep the same ones wait for each other, and not each for the other.
      const fresh = [...new Set([...given].map(lower))].filter(address => !found.has(address)).sort();
      if (fresh.length > 0) {
        const wanted = toByteaArray(fresh.map(address => toHexDigits(address, 20)));
        await queries.query('INSERT INTO address (bytes) SELECT unnest($1::bytea[]) ON CONFLICT DO NOTHING', [wanted]);
        for (const [address, id] of await find(queries, fresh)) found.set(address, id);
      }
      for (const address of given) {
        const id = found.get(lower(address));
        if (id === undefined) throw new HexLensError('internal', 'PostgreSQL did not keep an address.');
        found.set(address, id);
      }
      return found;
    },
    async resolve(queries, ids) {
      const found = new Map<number, Hex>();
      const unknown = new Set<number>();
      for (const id of ids) {
        const address = names.get(id);
        if (address === undefined) unknown.add(id);
        else found.set(id, address);
      }
      if (unknown.size > 0) {
        const sql = 'SELECT id, bytes FROM address WHERE id = ANY ($1::integer[])';
        learn(await queries.query<AddressRecord & Record<string, unknown>>(sql, [[...unknown]]), (address, id) =>
          found.set(id, address),
        );
      }
      return id => {
        const address = found.get(id);
        if (address === undefined) throw new HexLensError('internal', `The index names no address ${id}.`);
        return address;
      };
    },
  };
}
