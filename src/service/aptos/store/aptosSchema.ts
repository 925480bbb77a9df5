// The SQLite schema of the Aptos index: forward-only migrations, and the secondary indexes of its queries.
import type { SqliteSchema } from '../../store/sqlite/indexFile.ts';

/**
 * Each migration leads to the next version of the file; a released migration is never changed. Rows of `coin` and
 * `token_activity` have ids without gaps in the order of the ledger (version, event index), so that binary search finds
 * positions and times. Accounts and repeated texts are ids. Unsigned 64-bit numbers that may exceed 2^63 are text. The
 * value of `asset` is a coin type or a metadata address.
 */
const migrations: readonly string[] = [
  `
  CREATE TABLE chain (id INTEGER PRIMARY KEY CHECK (id = 1), chain_id INTEGER NOT NULL, genesis BLOB NOT NULL) STRICT;
  CREATE TABLE progress (
    id INTEGER PRIMARY KEY CHECK (id = 1), first INTEGER NOT NULL, next INTEGER NOT NULL, hash TEXT, height INTEGER,
    time INTEGER) STRICT;
  INSERT INTO progress VALUES (1, 0, 0, NULL, NULL, NULL);
  CREATE TABLE account (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL UNIQUE) STRICT;
  CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE pair (metadata INTEGER PRIMARY KEY, coin INTEGER NOT NULL) STRICT;
  CREATE TABLE coin (
    id INTEGER PRIMARY KEY, version INTEGER NOT NULL, event INTEGER NOT NULL, time INTEGER NOT NULL, block INTEGER,
    type INTEGER NOT NULL, amount TEXT NOT NULL, asset INTEGER, standard INTEGER NOT NULL, entry INTEGER,
    account INTEGER, creation TEXT, sequence TEXT, success INTEGER NOT NULL, owner INTEGER) STRICT;
  CREATE TABLE collection (
    id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, creator INTEGER, name TEXT, terms TEXT) STRICT;
  CREATE TABLE token (
    id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, standard INTEGER NOT NULL, collection INTEGER, name TEXT,
    creator INTEGER, properties TEXT, data TEXT, version INTEGER, time INTEGER) STRICT;
  CREATE TABLE token_activity (
    id INTEGER PRIMARY KEY, version INTEGER NOT NULL, event INTEGER NOT NULL, time INTEGER NOT NULL,
    token INTEGER NOT NULL, collection INTEGER, type INTEGER NOT NULL, account INTEGER, creation TEXT,
    sequence TEXT, sender INTEGER, recipient INTEGER, property_version TEXT NOT NULL, amount TEXT NOT NULL) STRICT;
  CREATE TABLE ownership (
    token INTEGER NOT NULL, property_version TEXT NOT NULL, owner INTEGER NOT NULL, collection INTEGER,
    amount TEXT NOT NULL, properties TEXT, version INTEGER NOT NULL, time INTEGER NOT NULL,
    PRIMARY KEY (token, property_version, owner)) STRICT, WITHOUT ROWID;
  CREATE TABLE handle (bytes BLOB PRIMARY KEY, owner INTEGER NOT NULL, kind INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE asset_store (bytes BLOB PRIMARY KEY, owner INTEGER, metadata INTEGER) STRICT, WITHOUT ROWID;
  `,
];

/**
 * The tables that are emptied when the index restarts in the same file. Ids of accounts and texts stay, because another
 * window may have cached them.
 */
export const CONTENT_TABLES = [
  'coin',
  'collection',
  'token',
  'token_activity',
  'ownership',
  'handle',
  'asset_store',
] as const;

export const aptosSchema: SqliteSchema = {
  migrations,
  secondaryIndexes: {
    coin_owner: 'coin (owner)',
    coin_owner_asset: 'coin (owner, asset)',
    coin_asset: 'coin (asset)',
    coin_block: 'coin (block)',
    token_sender: 'token_activity (sender)',
    token_recipient: 'token_activity (recipient)',
    token_creator: 'token (creator, version) WHERE version IS NOT NULL',
    owner_wallet: 'ownership (owner, version, token, property_version)',
    owner_collection: 'ownership (collection, version, token, property_version, owner)',
  },
};
