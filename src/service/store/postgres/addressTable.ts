// The address table of the PostgreSQL index: addresses as integers that all chains and processes share, and back; cached.

import { HexLensError } from '../../../base/errors.ts';
import { getOrInsert } from '../../../base/getOrInsert.ts';
import { type Hex, toLowerHex } from '../../../base/hex.ts';
import { toHexDigits, unpackHex } from '../encoding.ts';
import { LookupCache } from '../lookupCache.ts';
import type { StoreReader } from '../store.ts';
import { toByteaArray } from './bulkInsert.ts';
import type { QueryRunner } from './queryRunner.ts';

/** Ids are never deleted or reused, so that caches stay valid whatever other processes do. */
export interface AddressTable {
  /**
   * The id of each address, by the address as given. New addresses are committed at once: not to be called within a
   * transaction, since other processes that need the same address would wait for its end.
   */
  intern(queries: QueryRunner, addresses: Iterable<Hex>): Promise<ReadonlyMap<Hex, number>>;
  /** The ids of those addresses that are in the index, by the address as given. */
  find(queries: QueryRunner, addresses: Iterable<Hex>): Promise<ReadonlyMap<Hex, number>>;
  /** Reads the addresses of ids that are in the index; the function returns them. */
  resolve(queries: QueryRunner, ids: Iterable<number>): Promise<(id: number) => Hex>;
}

interface AddressRecord extends Record<string, unknown> {
  readonly id: number;
  readonly bytes: Buffer;
}

/** What reads of the index of one chain need. */
export interface PostgresIndex {
  readonly queries: QueryRunner;
  readonly chain: number;
  readonly addresses: AddressTable;
}

type Read = {
  [Name in keyof StoreReader]: StoreReader[Name] extends (...args: infer Args) => infer Rows
    ? (index: PostgresIndex, ...args: Args) => Rows
    : never;
};

/** The read of that name. */
export type PostgresRead<Name extends keyof StoreReader> = Read[Name];

export function createAddressTable(): AddressTable {
  const idCache = new LookupCache<Hex, number>();
  const addressCache = new LookupCache<number, Hex>();

  const readRecords = async (queries: QueryRunner, condition: string, value: unknown) => {
    const records = await queries.query<AddressRecord>(`SELECT id, bytes FROM @address WHERE ${condition}`, [value]);
    return records.map(({ id, bytes }) => {
      const address = unpackHex(bytes);
      idCache.set(address, id);
      addressCache.set(id, address);
      return { id, address };
    });
  };

  const find: AddressTable['find'] = async (queries, addresses) => {
    const ids = new Map<Hex, number>();
    const missing = new Map<Hex, Hex[]>();
    for (const given of addresses) {
      const address = toLowerHex(given);
      const id = idCache.get(address);
      if (id !== undefined) ids.set(given, id);
      else getOrInsert(missing, address, () => []).push(given);
    }
    if (missing.size > 0) {
      const digits = toByteaArray([...missing.keys()].map(address => toHexDigits(address, 20)));
      for (const { id, address } of await readRecords(queries, 'bytes = ANY ($1::bytea[])', digits))
        for (const given of missing.get(address) ?? []) ids.set(given, id);
    }
    return ids;
  };

  return {
    find,
    async intern(queries, addresses) {
      const given = new Set(addresses);
      const ids = new Map(await find(queries, given));
      // Sorted: processes that insert the same addresses in different orders would deadlock.
      const newAddresses = [...new Set([...given].filter(address => !ids.has(address)).map(toLowerHex))].sort();
      if (newAddresses.length > 0) {
        const digits = toByteaArray(newAddresses.map(address => toHexDigits(address, 20)));
        await queries.query('INSERT INTO @address (bytes) SELECT unnest($1::bytea[]) ON CONFLICT DO NOTHING', [digits]);
        const newIds = await find(queries, newAddresses);
        for (const address of given) {
          const id = ids.get(address) ?? newIds.get(toLowerHex(address));
          if (id === undefined) throw new HexLensError('internal', 'PostgreSQL did not store an address.');
          ids.set(address, id);
        }
      }
      return ids;
    },
    async resolve(queries, ids) {
      const addresses = new Map<number, Hex>();
      const missing = new Set<number>();
      for (const id of ids) {
        const address = addressCache.get(id);
        if (address === undefined) missing.add(id);
        else addresses.set(id, address);
      }
      if (missing.size > 0)
        for (const { id, address } of await readRecords(queries, 'id = ANY ($1::integer[])', [...missing]))
          addresses.set(id, address);
      return id => {
        const address = addresses.get(id);
        if (address === undefined) throw new HexLensError('internal', `The index has no address with id ${id}.`);
        return address;
      };
    },
  };
}
