// An index in PostgreSQL of an older version is emptied when it is opened, and read again.
import { afterAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { createPostgresStoreOpener } from '../../../src/service/store/postgres/postgresStore.ts';
import { parsePostgresUrl } from '../../../src/service/store/postgres/postgresUrl.ts';
import { sharePostgres } from '../../support/postgresServer.ts';
import { expectSameResults } from '../compareStores.ts';
import { createBatch, createNextBlocks } from '../generatedChain.ts';
import { createModelStore } from '../modelStore.ts';
import { info } from '../storeSuite.ts';
import { runSql } from './schemaClient.ts';

const server = await sharePostgres();
afterAll(() => server?.stop());

/** The tables of version 1, the first one, with the index of a chain. */
const VERSION_1 = `
  CREATE TABLE migration (version integer PRIMARY KEY);
  INSERT INTO migration VALUES (1);
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
  INSERT INTO chain (chain_id, genesis) VALUES (1, '\\x11');
  CREATE TABLE block_1 PARTITION OF block FOR VALUES IN (1);
  CREATE TABLE transfer_1 PARTITION OF transfer FOR VALUES IN (1);
  CREATE TABLE owner_1 PARTITION OF owner FOR VALUES IN (1);
  CREATE TABLE nft_1 PARTITION OF nft FOR VALUES IN (1);
  INSERT INTO block VALUES (1, 7, '\\x77', '\\x66', 1700000000);
  INSERT INTO transfer VALUES (1, 7, 0, 0, '\\x99', 0, '\\xaa', '\\x0101', 0, '\\x00', '\\xbb', 1, NULL, NULL);
  INSERT INTO owner VALUES (1, '\\xaa', '\\x0101', false, '\\xbb', 0, 1, 7, 0, 0);
  INSERT INTO nft VALUES (1, '\\xaa', '\\x0101', 7);
`;

/** The tables of version 4, that of HexLens 0.1.0, with the indexes of a whole chain and of one contract. */
const VERSION_4 = `
  CREATE TABLE migration (version integer PRIMARY KEY);
  INSERT INTO migration SELECT generate_series(1, 4);
  CREATE TABLE chain (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, chain_id bigint NOT NULL, genesis bytea NOT NULL,
    subject text NOT NULL DEFAULT '', covered_from bigint, indexed boolean NOT NULL DEFAULT false,
    CONSTRAINT chain_of UNIQUE (chain_id, genesis, subject));
  CREATE TABLE address (
    id integer GENERATED BY DEFAULT AS IDENTITY (START WITH 2) PRIMARY KEY, bytes bytea NOT NULL UNIQUE);
  INSERT INTO address (id, bytes) VALUES (1, decode(repeat('00', 20), 'hex'));
  CREATE TABLE block (
    time bigint NOT NULL, chain integer NOT NULL, number integer NOT NULL, hash bytea NOT NULL, parent bytea NOT NULL,
    PRIMARY KEY (chain, number) WITH (fillfactor = 100)) PARTITION BY LIST (chain);
  CREATE TABLE transfer (
    chain integer NOT NULL, block integer NOT NULL, log integer NOT NULL, position integer NOT NULL,
    tx_index integer NOT NULL, token integer NOT NULL, sender integer NOT NULL, recipient integer NOT NULL,
    operator integer NOT NULL, standard smallint NOT NULL, tx bytea NOT NULL, token_id bytea NOT NULL,
    amount bytea NOT NULL, value bytea,
    PRIMARY KEY (chain, block, log, position) WITH (fillfactor = 100)) PARTITION BY LIST (chain);
  CREATE TABLE owner (
    chain integer NOT NULL, token integer NOT NULL, slot integer NOT NULL, holder integer NOT NULL,
    block integer NOT NULL, log integer NOT NULL, position integer NOT NULL, minted integer NOT NULL,
    standard smallint NOT NULL, token_id bytea NOT NULL, amount bytea NOT NULL,
    PRIMARY KEY (chain, token, token_id, slot)) PARTITION BY LIST (chain);
  CREATE TABLE mint (
    chain integer NOT NULL, block integer NOT NULL, log integer NOT NULL, tx_index integer NOT NULL,
    token integer NOT NULL, recipient integer NOT NULL, tx bytea NOT NULL, amount bytea NOT NULL,
    PRIMARY KEY (chain, block, log) WITH (fillfactor = 100)) PARTITION BY LIST (chain);
  CREATE TABLE trade (
    chain integer NOT NULL, block integer NOT NULL, log integer NOT NULL, ordinal integer NOT NULL,
    token integer NOT NULL, seller integer NOT NULL, buyer integer NOT NULL, marketplace integer NOT NULL,
    tx bytea NOT NULL, token_ids text NOT NULL, price bytea NOT NULL,
    PRIMARY KEY (chain, block, log, ordinal) WITH (fillfactor = 100)) PARTITION BY LIST (chain);
  CREATE TABLE token (
    chain integer NOT NULL, address integer NOT NULL, seen integer NOT NULL, standard smallint NOT NULL,
    decimals smallint, name bytea, symbol bytea,
    PRIMARY KEY (chain, address)) PARTITION BY LIST (chain);

  CREATE TABLE metadata_sync (
    chain integer NOT NULL, token bytea NOT NULL, token_id bytea NOT NULL, token_uri bigint, metadata bigint,
    PRIMARY KEY (chain, token, token_id));
  INSERT INTO chain (chain_id, genesis, subject, covered_from, indexed) VALUES
    (1, decode(repeat('11', 32), 'hex'), '', NULL, true), (1, decode(repeat('11', 32), 'hex'), 'contract-0xaa', 0, false);
  DO $$
    DECLARE name text; range text;
    BEGIN
      FOREACH name IN ARRAY ARRAY['owner', 'token'] LOOP
        EXECUTE format('CREATE TABLE %s_1 PARTITION OF %1$s FOR VALUES IN (1)', name);
        EXECUTE format('CREATE TABLE %s_2 PARTITION OF %1$s FOR VALUES IN (2)', name);
      END LOOP;
      FOREACH name IN ARRAY ARRAY['block', 'transfer', 'mint', 'trade'] LOOP
        range := CASE WHEN name = 'block' THEN 'number' ELSE 'block' END;
        EXECUTE format('CREATE TABLE %s_1 PARTITION OF %1$s FOR VALUES IN (1) PARTITION BY RANGE (%s)', name, range);
        EXECUTE format('CREATE TABLE %s_1_0 PARTITION OF %1$s_1 FOR VALUES FROM (0) TO (1000000)', name);
        EXECUTE format('CREATE TABLE %s_2 PARTITION OF %1$s FOR VALUES IN (2)', name);
      END LOOP;
    END $$;
  CREATE INDEX block_time_1 ON block_1 (time, number);
  CREATE INDEX transfer_sender_1 ON transfer_1 (sender, block);
  CREATE INDEX owner_wallet_1 ON owner_1 (holder, block) WHERE holder <> 1;
  CREATE INDEX mint_token_1 ON mint_1 (token, block);
  CREATE INDEX trade_price_1 ON trade_1 (token, price, block DESC);
  INSERT INTO address (bytes) VALUES (decode(repeat('aa', 20), 'hex')), (decode(repeat('bb', 20), 'hex'));
  INSERT INTO block VALUES (1700000000, 1, 7, decode(repeat('77', 32), 'hex'), decode(repeat('66', 32), 'hex'));
  INSERT INTO transfer (chain, block, log, position, tx_index, token, sender, recipient, operator, standard, tx, token_id, amount)
    VALUES (1, 7, 0, 0, 0, 2, 1, 3, 0, 0, '\\x99', '\\x0101', '');
  INSERT INTO owner VALUES (1, 2, 0, 3, 7, 0, 0, 7, 0, '\\x0101', '');
  INSERT INTO mint VALUES (2, 7, 1, 0, 2, 3, '\\x99', '\\x0105');
  INSERT INTO token VALUES (1, 2, 7, 0, NULL, 'Apes', 'APE');
  INSERT INTO metadata_sync VALUES (1, decode(repeat('aa', 20), 'hex'), '\\x0101', 1700000100000, NULL);
`;

/** The tables of version 7, as far as a later version meets them. */
const VERSION_7 = `
  CREATE TABLE migration (version integer PRIMARY KEY);
  INSERT INTO migration SELECT generate_series(1, 7);
  CREATE TABLE chain (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, chain_id bigint NOT NULL, genesis bytea NOT NULL,
    subject text NOT NULL DEFAULT '', covered_from bigint, indexed boolean NOT NULL DEFAULT false);
  INSERT INTO chain (chain_id, genesis) VALUES (1, 'x');
  CREATE TABLE block (chain integer NOT NULL, number integer NOT NULL, PRIMARY KEY (chain, number)) PARTITION BY LIST (chain);
  CREATE TABLE block_1 PARTITION OF block FOR VALUES IN (1) PARTITION BY RANGE (number);
  CREATE TABLE block_1_0 PARTITION OF block_1 FOR VALUES FROM (0) TO (1000000);
  CREATE INDEX block_time_1 ON block_1 (number);
  INSERT INTO block VALUES (1, 7);
  CREATE TABLE mint (chain integer NOT NULL, block integer NOT NULL) PARTITION BY LIST (chain);
  CREATE TABLE siwe_nonce (key bytea PRIMARY KEY, expires bigint);
  INSERT INTO siwe_nonce VALUES ('used', null);
`;

/** Versions up to 4 stored no nonces. */
const versions = [
  { version: 1, sql: VERSION_1, nonces: [] },
  { version: 4, sql: VERSION_4, nonces: [] },
  { version: 7, sql: VERSION_7, nonces: ['used'] },
];

describe.skipIf(server === null)('an index of an older version', () => {
  it.each(versions)(
    'of version $version is empty when it is opened, retains used nonces, and accepts batches and rollbacks',
    async ({ sql, nonces: used }) => {
      const url = server?.createSchemaUrl() ?? '';
      await runSql(url, `CREATE SCHEMA ${parsePostgresUrl(url).schema}; ${sql}`);

      const open = createPostgresStoreOpener({ url, log: silentLog });
      const [store, other] = await Promise.all([open(info), open(info)]);
      expect(await store.readHead()).toBeNull();
      const model = createModelStore(info);
      const batch = createBatch(createNextBlocks(null, 40));
      for (const target of [store, model]) await target.applyBatch(batch);
      await expectSameResults(store, model, 21, 30);
      for (const target of [store, model]) await target.rollBackTo(25);
      await expectSameResults(other, model, 23, 10);
      const nonces = await runSql(url, 'SELECT key FROM siwe_nonce');
      expect(nonces.map(({ key }) => String(key))).toEqual(used);
      await Promise.all([store.close(), other.close()]);
    },
  );

  it('is emptied too when it has all tables of the present version', async () => {
    const url = server?.createSchemaUrl() ?? '';
    const open = createPostgresStoreOpener({ url, log: silentLog });
    const before = await open(info);
    await before.applyBatch(createBatch(createNextBlocks(null, 4)));
    await before.close();
    await runSql(url, 'UPDATE migration SET version = version - 1');
    const store = await open(info);
    expect(await store.readHead()).toBeNull();
    await store.close();
  });

  it('is refused when its version is newer', async () => {
    const url = server?.createSchemaUrl() ?? '';
    const open = createPostgresStoreOpener({ url, log: silentLog });
    await (await open(info)).close();
    await runSql(url, 'INSERT INTO migration VALUES (1000)');
    await expect(open(info)).rejects.toMatchObject({
      message: 'The index in PostgreSQL was created by a newer HexLens (version 1000).',
    });
  });
});
