// The SQLite schema of the Aptos index: forward-only migrations, and the secondary indexes of its queries.
import type { SqliteSchema } from '../../store/sqlite/indexFile.ts';

/**
 * Each migration leads to the next version of the file; a released migration is never changed. The ids of
 * `committed_transaction`, `coin` and `token_activity` are those of `activityIds.ts`. Accounts and repeated texts are ids.
 * A transaction has its gas fee, if any, with its sender. Numbers of any size are integers where JavaScript reads those
 * exactly, else text. The value of `asset` is a coin type or a metadata address.
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
  // What the activities of a transaction have in common is in its row, and so is its gas fee: rows are rewritten.
  `
  ALTER TABLE coin RENAME TO old_coin;
  ALTER TABLE token_activity RENAME TO old_token_activity;
  DELETE FROM old_coin WHERE version >= 68719476736 OR event >= 131071;
  DELETE FROM old_token_activity WHERE version >= 68719476736 OR event >= 131071;
  CREATE TABLE committed_transaction (
    id INTEGER PRIMARY KEY, time INTEGER NOT NULL, block INTEGER, entry INTEGER, success INTEGER NOT NULL,
    sender INTEGER, fee ANY, sequence ANY) STRICT;
  CREATE TABLE coin (
    id INTEGER PRIMARY KEY, type INTEGER NOT NULL, amount ANY NOT NULL, asset INTEGER, account INTEGER, creation ANY,
    sequence ANY, owner INTEGER) STRICT;
  CREATE TABLE token_activity (
    id INTEGER PRIMARY KEY, token INTEGER NOT NULL, collection INTEGER, type INTEGER NOT NULL, account INTEGER,
    creation ANY, sequence ANY, sender INTEGER, recipient INTEGER, property_version ANY NOT NULL, amount ANY NOT NULL) STRICT;
  INSERT OR IGNORE INTO committed_transaction
    SELECT version * 131072, time, block, entry, success, iif(event = -1, owner, NULL),
      iif(event = -1, iif(length(amount) < 16, CAST(amount AS INTEGER), amount), NULL),
      iif(event = -1, iif(length(sequence) < 16, CAST(sequence AS INTEGER), sequence), NULL)
    FROM old_coin ORDER BY id;
  INSERT OR IGNORE INTO committed_transaction
    SELECT version * 131072, time, NULL, NULL, 1, NULL, NULL, NULL FROM old_token_activity ORDER BY id;
  INSERT INTO coin
    SELECT version * 131072 + event + 1, type, iif(length(amount) < 16, CAST(amount AS INTEGER), amount), asset, account,
      iif(length(creation) < 16, CAST(creation AS INTEGER), creation),
      iif(length(sequence) < 16, CAST(sequence AS INTEGER), sequence), owner
    FROM old_coin WHERE event >= 0 ORDER BY id;
  INSERT INTO token_activity
    SELECT version * 131072 + event + 1, token, collection, type, account,
      iif(length(creation) < 16, CAST(creation AS INTEGER), creation),
      iif(length(sequence) < 16, CAST(sequence AS INTEGER), sequence), sender, recipient,
      iif(length(property_version) < 16, CAST(property_version AS INTEGER), property_version),
      iif(length(amount) < 16, CAST(amount AS INTEGER), amount)
    FROM old_token_activity ORDER BY id;
  DROP TABLE old_coin; DROP TABLE old_token_activity;
  `,
];

/**
 * The tables that are emptied when the index restarts in the same file. Ids of accounts and texts stay, because another
 * window may have cached them.
 */
export const CONTENT_TABLES = [
  'committed_transaction',
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
  migrationEffect: 'its rows are rewritten',
  secondaryIndexes: {
    transaction_sender: 'committed_transaction (sender) WHERE sender IS NOT NULL',
    coin_owner: 'coin (owner)',
    coin_owner_asset: 'coin (owner, asset)',
    coin_asset: 'coin (asset)',
    token_sender: 'token_activity (sender)',
    token_recipient: 'token_activity (recipient)',
    token_creator: 'token (creator, version) WHERE version IS NOT NULL',
    owner_wallet: 'ownership (owner, version, token, property_version)',
    owner_collection: 'ownership (collection, version, token, property_version, owner)',
  },
};
