// The tables of the SQLite index: numbered forward migrations, and the secondary indexes that reads need.

/**
 * Each migration makes the next version of the file; a released one is never changed. Rows of `mined_transaction`, `transfer`,
 * `erc20_transfer` and `trade` have ids without gaps in the order of the chain: an id identifies a log position, and an index needs no other
 * column for paging; `block` has the first ids of each block. A row of `owner` has slot 0 when the id has at most one
 * holder, so that a transfer is one upsert, and the holder as its slot when there may be many; slot 0 also has the first
 * mint of every id. `changed` is the id of a transfer. `sender` and `recipient` of a transaction are null where only logs name
 * it, `recipient` also where a creation failed; `traced` is 0 where rows of `internal_recipient`, which have its id, may be
 * missing.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE chain (id INTEGER PRIMARY KEY CHECK (id = 1), chain_id INTEGER NOT NULL, genesis BLOB NOT NULL) STRICT;
  CREATE TABLE address (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL UNIQUE) STRICT;
  INSERT INTO address VALUES (1, zeroblob(20));
  CREATE TABLE block (
    number INTEGER PRIMARY KEY, hash BLOB NOT NULL, parent BLOB NOT NULL, time INTEGER NOT NULL,
    first_transfer INTEGER NOT NULL, first_mint INTEGER NOT NULL, first_trade INTEGER NOT NULL) STRICT;
  CREATE TABLE transfer (
    id INTEGER PRIMARY KEY, block INTEGER NOT NULL, log INTEGER NOT NULL, position INTEGER NOT NULL,
    tx BLOB NOT NULL, tx_index INTEGER NOT NULL, token INTEGER NOT NULL, token_id BLOB NOT NULL,
    standard INTEGER NOT NULL, sender INTEGER NOT NULL, recipient INTEGER NOT NULL, amount TEXT NOT NULL,
    operator INTEGER, value TEXT) STRICT;
  CREATE TABLE owner (
    token INTEGER NOT NULL, token_id BLOB NOT NULL, slot INTEGER NOT NULL, standard INTEGER NOT NULL,
    holder INTEGER NOT NULL, amount TEXT NOT NULL, changed INTEGER NOT NULL, minted INTEGER,
    PRIMARY KEY (token, token_id, slot)) STRICT, WITHOUT ROWID;
  CREATE TABLE mint (
    id INTEGER PRIMARY KEY, block INTEGER NOT NULL, log INTEGER NOT NULL, tx BLOB NOT NULL, tx_index INTEGER NOT NULL,
    token INTEGER NOT NULL, recipient INTEGER NOT NULL, amount TEXT NOT NULL) STRICT;
  CREATE TABLE trade (
    id INTEGER PRIMARY KEY, block INTEGER NOT NULL, log INTEGER NOT NULL, tx BLOB NOT NULL, token INTEGER NOT NULL,
    token_ids TEXT NOT NULL, seller INTEGER NOT NULL, buyer INTEGER NOT NULL, marketplace INTEGER NOT NULL,
    price BLOB NOT NULL) STRICT;
  CREATE TABLE token (
    address INTEGER PRIMARY KEY, standard INTEGER NOT NULL, name TEXT, symbol TEXT, decimals INTEGER,
    seen INTEGER NOT NULL) STRICT;
  `,
  // The scope of a sparse index, and the block from which on it is complete, up to its newest block.
  'CREATE TABLE coverage (id INTEGER PRIMARY KEY CHECK (id = 1), subject TEXT NOT NULL, first INTEGER) STRICT;',
  // When the metadata of ids was last read, in Unix milliseconds.
  `
  CREATE TABLE metadata_sync (
    token INTEGER NOT NULL, token_id BLOB NOT NULL, token_uri INTEGER, metadata INTEGER,
    PRIMARY KEY (token, token_id)) STRICT, WITHOUT ROWID;
  `,
  // All ERC-20 transfers instead of mints: an index without them is emptied, so that the chain is read again.
  `
  DROP TABLE mint;
  CREATE TABLE erc20_transfer (
    id INTEGER PRIMARY KEY, block INTEGER NOT NULL, log INTEGER NOT NULL, tx BLOB NOT NULL, tx_index INTEGER NOT NULL,
    token INTEGER NOT NULL, sender INTEGER NOT NULL, recipient INTEGER NOT NULL, amount BLOB NOT NULL) STRICT;
  ALTER TABLE block RENAME COLUMN first_mint TO first_erc20_transfer;
  DROP INDEX IF EXISTS transfer_sender; DROP INDEX IF EXISTS transfer_recipient; DROP INDEX IF EXISTS transfer_self;
  DROP INDEX IF EXISTS transfer_token; DROP INDEX IF EXISTS transfer_token_id; DROP INDEX IF EXISTS owner_wallet;
  DROP INDEX IF EXISTS owner_collection; DROP INDEX IF EXISTS owner_token; DROP INDEX IF EXISTS owner_edition;
  DROP INDEX IF EXISTS trade_price;
  DELETE FROM block; DELETE FROM transfer; DELETE FROM owner; DELETE FROM trade; DELETE FROM token;
  UPDATE coverage SET first = NULL;
  `,
  // Transactions: the index of a whole chain without them is emptied, so that it is read again. A sparse one has none.
  `
  CREATE TABLE mined_transaction (
    id INTEGER PRIMARY KEY, block INTEGER NOT NULL, tx_index INTEGER NOT NULL, tx BLOB NOT NULL,
    sender INTEGER NOT NULL, recipient INTEGER, traced INTEGER NOT NULL) STRICT;
  CREATE TABLE internal_recipient (
    id INTEGER NOT NULL, recipient INTEGER NOT NULL, PRIMARY KEY (id, recipient)) STRICT, WITHOUT ROWID;
  ALTER TABLE block ADD COLUMN first_mined_transaction INTEGER NOT NULL DEFAULT 1;
  DELETE FROM transfer WHERE NOT EXISTS (SELECT 1 FROM coverage);
  DELETE FROM erc20_transfer WHERE NOT EXISTS (SELECT 1 FROM coverage);
  DELETE FROM owner WHERE NOT EXISTS (SELECT 1 FROM coverage);
  DELETE FROM trade WHERE NOT EXISTS (SELECT 1 FROM coverage);
  DELETE FROM token WHERE NOT EXISTS (SELECT 1 FROM coverage);
  DELETE FROM block WHERE NOT EXISTS (SELECT 1 FROM coverage);
  `,
  // Positions of logs begin with their transaction; `log` is the place of `getLogPlaces`. An older index may lack logs where
  // log indexes repeat, and may have ERC-20 transfers among its NFTs: it is emptied, so that the chain is read again.
  `
  DELETE FROM block; DELETE FROM mined_transaction; DELETE FROM internal_recipient; DELETE FROM transfer;
  DELETE FROM erc20_transfer; DELETE FROM owner; DELETE FROM trade; DELETE FROM token;
  UPDATE coverage SET first = NULL;
  ALTER TABLE trade ADD COLUMN tx_index INTEGER NOT NULL DEFAULT 0;
  `,
  // Transactions are there once, with their values: rows of transfers name them by id. Amounts and ids of tokens are integers
  // where JavaScript reads those exactly, else bytes. The index is emptied, so that the chain is read again.
  `
  DROP TABLE mined_transaction; DROP TABLE transfer; DROP TABLE erc20_transfer; DROP TABLE owner;
  DELETE FROM block; DELETE FROM internal_recipient; DELETE FROM trade; DELETE FROM token;
  UPDATE coverage SET first = NULL;
  CREATE TABLE mined_transaction (
    id INTEGER PRIMARY KEY, block INTEGER NOT NULL, tx_index INTEGER NOT NULL, tx BLOB NOT NULL,
    sender INTEGER, recipient INTEGER, traced INTEGER NOT NULL, value ANY) STRICT;
  CREATE TABLE transfer (
    id INTEGER PRIMARY KEY, transaction_id INTEGER NOT NULL, log INTEGER NOT NULL, position INTEGER NOT NULL,
    token INTEGER NOT NULL, token_id ANY NOT NULL, standard INTEGER NOT NULL, sender INTEGER NOT NULL,
    recipient INTEGER NOT NULL, amount ANY NOT NULL, operator INTEGER) STRICT;
  CREATE TABLE erc20_transfer (
    id INTEGER PRIMARY KEY, transaction_id INTEGER NOT NULL, log INTEGER NOT NULL, token INTEGER NOT NULL,
    sender INTEGER NOT NULL, recipient INTEGER NOT NULL, amount ANY NOT NULL) STRICT;
  CREATE TABLE owner (
    token INTEGER NOT NULL, token_id ANY NOT NULL, slot INTEGER NOT NULL, standard INTEGER NOT NULL,
    holder INTEGER NOT NULL, amount ANY NOT NULL, changed INTEGER NOT NULL, minted INTEGER,
    PRIMARY KEY (token, token_id, slot)) STRICT, WITHOUT ROWID;
  `,
];

/** The first migration inserts the zero address first. */
export const ZERO_ADDRESS_ID = 1;

/** Conditions of partial indexes: queries must use the same text, which SQLite compares. */
export const HAS_HOLDER = 'holder <> 1';
export const HAS_MANY_HOLDERS = 'slot <> 0';
export const IS_MINT = 'sender = 1';
export const IS_UNTRACED = 'traced = 0';

/**
 * What reads and rollbacks need beyond the primary keys. Built at the first read, not with the tables: building them once
 * after a first load costs about half of updating them row by row.
 */
export const secondaryIndexes: Readonly<Record<string, string>> = {
  mined_transaction_sender: 'mined_transaction (sender) WHERE sender IS NOT NULL',
  mined_transaction_recipient: 'mined_transaction (recipient) WHERE sender <> recipient',
  mined_transaction_untraced: `mined_transaction (traced) WHERE ${IS_UNTRACED}`,
  internal_recipient_recipient: 'internal_recipient (recipient, id)',
  transfer_sender: 'transfer (sender)',
  // Transfers to oneself have an index of their own, so that the two sides of a wallet have no row in common.
  transfer_recipient: 'transfer (recipient) WHERE sender <> recipient',
  transfer_self: 'transfer (sender) WHERE sender = recipient',
  transfer_token: 'transfer (token)',
  transfer_token_id: 'transfer (token, token_id)',
  owner_wallet: `owner (holder, changed) WHERE ${HAS_HOLDER}`,
  owner_collection: `owner (holder, token, changed) WHERE ${HAS_HOLDER}`,
  owner_token: `owner (token, changed) WHERE ${HAS_HOLDER}`,
  owner_edition: `owner (token, token_id, changed) WHERE ${HAS_MANY_HOLDERS}`,
  erc20_transfer_sender: 'erc20_transfer (sender)',
  erc20_transfer_recipient: 'erc20_transfer (recipient) WHERE sender <> recipient',
  erc20_transfer_token: 'erc20_transfer (token)',
  // The tokens of a wallet, and the mints of a token.
  erc20_transfer_sender_token: 'erc20_transfer (sender, token)',
  erc20_transfer_recipient_token: 'erc20_transfer (recipient, token)',
  erc20_transfer_minted: `erc20_transfer (recipient) WHERE ${IS_MINT}`,
  trade_price: 'trade (token, price, block DESC)',
};
