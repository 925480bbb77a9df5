// The first two migrations of the PostgreSQL index, as they were released: rows that named everything in full.

export const initialMigrations: readonly string[] = [
  `
  CREATE TABLE chain (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, chain_id bigint NOT NULL, genesis bytea NOT NULL,
    UNIQUE (chain_id, genesis));
  CREATE TABLE block (
    chain integer NOT NULL, number bigint NOT NULL, hash bytea NOT NULL, parent bytea NOT NULL, time bigint NOT NULL,
    PRIMARY KEY (chain, number)) PARTITION BY LIST (chain);
  CREATE INDEX block_time ON block (chain, time, number);
  CREATE TABLE transfer (
    chain integer NOT NULL, block bigint NOT NULL, log integer NOT NULL, position integer NOT NULL,
    tx bytea NOT NULL, tx_index integer NOT NULL, token bytea NOT NULL, token_id bytea NOT NULL,
    standard smallint NOT NULL, sender bytea NOT NULL, recipient bytea NOT NULL, amount numeric NOT NULL,
    operator bytea, value numeric,
    PRIMARY KEY (chain, block, log, position)) PARTITION BY LIST (chain);
  CREATE INDEX transfer_sender ON transfer (chain, sender, block, log, position);
  CREATE INDEX transfer_recipient ON transfer (chain, recipient, block, log, position);
  CREATE INDEX transfer_token ON transfer (chain, token, block, log, position);
  CREATE INDEX transfer_token_id ON transfer (chain, token, token_id, block, log, position);
  CREATE TABLE owner (
    chain integer NOT NULL, token bytea NOT NULL, token_id bytea NOT NULL, several boolean NOT NULL,
    holder bytea NOT NULL, standard smallint NOT NULL, amount numeric NOT NULL,
    block bigint NOT NULL, log integer NOT NULL, position integer NOT NULL,
    PRIMARY KEY (chain, token, token_id, several, holder)) PARTITION BY LIST (chain);
  CREATE INDEX owner_wallet ON owner (chain, holder, block, log, position);
  CREATE INDEX owner_collection ON owner (chain, holder, token, block, log, position);
  CREATE INDEX owner_token ON owner (chain, token, block, log, position);
  CREATE TABLE nft (
    chain integer NOT NULL, token bytea NOT NULL, token_id bytea NOT NULL, minted bigint NOT NULL,
    PRIMARY KEY (chain, token, token_id)) PARTITION BY LIST (chain);
  CREATE TABLE mint (
    chain integer NOT NULL, block bigint NOT NULL, log integer NOT NULL, tx bytea NOT NULL, tx_index integer NOT NULL,
    token bytea NOT NULL, recipient bytea NOT NULL, amount numeric NOT NULL,
    PRIMARY KEY (chain, block, log)) PARTITION BY LIST (chain);
  CREATE INDEX mint_token ON mint (chain, token, block, log);
  CREATE INDEX mint_recipient ON mint (chain, recipient, block, log);
  CREATE TABLE trade (
    chain integer NOT NULL, block bigint NOT NULL, log integer NOT NULL, ordinal integer NOT NULL,
    tx bytea NOT NULL, token bytea NOT NULL, token_ids text NOT NULL, seller bytea NOT NULL, buyer bytea NOT NULL,
    marketplace bytea NOT NULL, price numeric NOT NULL,
    PRIMARY KEY (chain, block, log, ordinal)) PARTITION BY LIST (chain);
  CREATE INDEX trade_price ON trade (chain, token, price, block DESC);
  CREATE TABLE token (
    chain integer NOT NULL, address bytea NOT NULL, standard smallint NOT NULL, name bytea, symbol bytea,
    decimals smallint, seen bigint NOT NULL,
    PRIMARY KEY (chain, address)) PARTITION BY LIST (chain);
  `,
  // A sparse index is a chain of its own: what it is about, and the block from which on it has everything of that.
  `
  ALTER TABLE chain ADD COLUMN subject text NOT NULL DEFAULT '', ADD COLUMN covered_from bigint;
  ALTER TABLE chain DROP CONSTRAINT chain_chain_id_genesis_key;
  ALTER TABLE chain ADD CONSTRAINT chain_of UNIQUE (chain_id, genesis, subject);
  `,
];
