-- The Aptos index file aptos-4-6666666666666666.db of version 0.1.0: four transactions, with a payment, a deposit, a mint and
-- a transfer of a token.
PRAGMA user_version = 1;
CREATE TABLE chain (id INTEGER PRIMARY KEY CHECK (id = 1), chain_id INTEGER NOT NULL, genesis BLOB NOT NULL) STRICT;
CREATE TABLE progress (id INTEGER PRIMARY KEY CHECK (id = 1), first INTEGER NOT NULL, next INTEGER NOT NULL,
    hash TEXT, height INTEGER, time INTEGER) STRICT;
CREATE TABLE account (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL UNIQUE) STRICT;
CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE pair (metadata INTEGER PRIMARY KEY, coin INTEGER NOT NULL) STRICT;
CREATE TABLE coin (id INTEGER PRIMARY KEY, version INTEGER NOT NULL, event INTEGER NOT NULL, time INTEGER NOT NULL,
    block INTEGER, type INTEGER NOT NULL, amount TEXT NOT NULL, asset INTEGER, standard INTEGER NOT NULL, entry INTEGER, account INTEGER, creation TEXT, sequence TEXT, success INTEGER NOT NULL, owner INTEGER) STRICT;
CREATE TABLE collection (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, creator INTEGER, name TEXT,
    terms TEXT) STRICT;
CREATE TABLE token (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, standard INTEGER NOT NULL, collection INTEGER,
    name TEXT, creator INTEGER, properties TEXT, data TEXT, version INTEGER, time INTEGER) STRICT;
CREATE TABLE token_activity (id INTEGER PRIMARY KEY, version INTEGER NOT NULL, event INTEGER NOT NULL,
    time INTEGER NOT NULL, token INTEGER NOT NULL, collection INTEGER, type INTEGER NOT NULL, account INTEGER, creation TEXT, sequence TEXT, sender INTEGER, recipient INTEGER, property_version TEXT NOT NULL, amount TEXT NOT NULL) STRICT;
CREATE TABLE ownership (token INTEGER NOT NULL, property_version TEXT NOT NULL, owner INTEGER NOT NULL,
    collection INTEGER, amount TEXT NOT NULL, properties TEXT, version INTEGER NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (token, property_version, owner)) STRICT, WITHOUT ROWID;
CREATE TABLE handle (bytes BLOB PRIMARY KEY, owner INTEGER NOT NULL, kind INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE asset_store (bytes BLOB PRIMARY KEY, owner INTEGER, metadata INTEGER) STRICT, WITHOUT ROWID;
CREATE INDEX coin_owner ON coin (owner);
CREATE INDEX coin_owner_asset ON coin (owner, asset);
CREATE INDEX coin_asset ON coin (asset);
CREATE INDEX coin_block ON coin (block);
CREATE INDEX token_sender ON token_activity (sender);
CREATE INDEX token_recipient ON token_activity (recipient);
CREATE INDEX token_creator ON token (creator, version) WHERE version IS NOT NULL;
CREATE INDEX owner_wallet ON ownership (owner, version, token, property_version);
CREATE INDEX owner_collection ON ownership (collection, version, token, property_version, owner);
INSERT INTO chain VALUES (1, 4, x'6666666666666666666666666666666666666666666666666666666666666666');
INSERT INTO progress VALUES (1, 0, 5, '0x7777777777777777777777777777777777777777777777777777777777777777', 4, NULL);
INSERT INTO account VALUES (1, x'000000000000000000000000000000000000000000000000000000000000a001');
INSERT INTO account VALUES (2, x'000000000000000000000000000000000000000000000000000000000000a002');
INSERT INTO account VALUES (3, x'000000000000000000000000000000000000000000000000000000000000a320');
INSERT INTO account VALUES (4, x'000000000000000000000000000000000000000000000000000000000000a009');
INSERT INTO account VALUES (5, x'0000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO name VALUES (1, '0x000000000000000000000000000000000000000000000000000000000000000a');
INSERT INTO name VALUES (2, '0x1::aptos_coin::AptosCoin');
INSERT INTO name VALUES (3, '0x1::aptos_coin::GasFeeEvent');
INSERT INTO name VALUES (4, '0x1::aptos_account::transfer');
INSERT INTO name VALUES (5, '0x1::coin::WithdrawEvent');
INSERT INTO name VALUES (6, '0x1::coin::DepositEvent');
INSERT INTO name VALUES (7, '0x1::fungible_asset::Deposit');
INSERT INTO name VALUES (8, '0x000000000000000000000000000000000000000000000000000000000000a320');
INSERT INTO name VALUES (9, '0x4::collection::MintEvent');
INSERT INTO name VALUES (10, '0x1::object::Transfer');
INSERT INTO pair VALUES (1, 2);
INSERT INTO coin VALUES (1, 1, -1, 1700000000, 1, 3, '700', 2, 0, 4, 1, '-1', '3', 1, 1);
INSERT INTO coin VALUES (2, 1, 0, 1700000000, 1, 5, '5', 2, 0, 4, 1, '3', '5', 1, 1);
INSERT INTO coin VALUES (3, 1, 1, 1700000000, 1, 6, '5', 2, 0, 4, 2, '2', '5', 1, 2);
INSERT INTO coin VALUES (4, 2, -1, 1700000010, 2, 3, '700', 2, 0, 4, 1, '-1', '3', 1, 1);
INSERT INTO coin VALUES (5, 2, 0, 1700000010, 2, 7, '9', 8, 1, 4, 1, '0', '0', 1, 1);
INSERT INTO coin VALUES (6, 3, -1, 1700000020, 3, 3, '700', 2, 0, 4, 4, '-1', '3', 1, 4);
INSERT INTO coin VALUES (7, 4, -1, 1700000030, 4, 3, '700', 2, 0, 4, 4, '-1', '3', 1, 4);
INSERT INTO collection VALUES (1, x'000000000000000000000000000000000000000000000000000000000000a258', 4, 'Apes',
    '{"royalty":{"payee":"0x000000000000000000000000000000000000000000000000000000000000a009","numerator":"5","denominator":"100"},"mutability":{"uri":true,"description":true,"properties":false,"royalty":null}}');
INSERT INTO token VALUES (1, x'000000000000000000000000000000000000000000000000000000000000a7d1', 1, 1, 'Ape 1', 4,
    NULL, '{"description":"made up","metadataUri":"ipfs://x","largestPropertyVersion":null,"maximum":null,"supply":null,"payeeAddress":"0x000000000000000000000000000000000000000000000000000000000000a009","royaltyPointsNumerator":"5","royaltyPointsDenominator":"100","maximumMutable":null,"uriMutable":true,"descriptionMutable":true,"propertiesMutable":false,"royaltyMutable":null}', 4, 1700000030);
INSERT INTO token_activity VALUES (1, 3, 0, 1700000020, 1, 1, 9, 5, '0', '0', 4, NULL, '0', '1');
INSERT INTO token_activity VALUES (2, 4, 0, 1700000030, 1, 1, 10, 5, '0', '0', 4, 1, '0', '1');
INSERT INTO ownership VALUES (1, '0', 1, 1, '1', NULL, 4, 1700000030);
INSERT INTO asset_store VALUES (x'000000000000000000000000000000000000000000000000000000000000a2bc', 1, 3);
