// An index in PostgreSQL of an older version is emptied when it is opened, and read again.
import { Client } from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { createPostgresStoreOpener } from '../../../src/service/store/postgres/postgresStore.ts';
import { parsePostgresUrl } from '../../../src/service/store/postgres/postgresUrl.ts';
import { startPostgres } from '../../support/postgresServer.ts';
import { expectSameResults } from '../compareStores.ts';
import { createBatch, createNextBlocks } from '../generatedChain.ts';
import { createModelStore } from '../modelStore.ts';
import { info } from '../storeSuite.ts';

const server = await startPostgres();
afterAll(() => server?.stop());

/** As version 7 had them, as far as a later version meets them. */
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

describe.skipIf(server === null)('an index of an older version', () => {
  it('is empty when it is opened, retains used nonces, and accepts batches and rollbacks', async () => {
    const url = server?.createSchemaUrl() ?? '';
    const {
      urls: [plain],
      schema,
    } = parsePostgresUrl(url);
    const client = new Client({ connectionString: plain, options: `-c search_path=${schema}` });
    await client.connect();
    await client.query(`CREATE SCHEMA ${schema}; ${VERSION_7}`);

    const open = createPostgresStoreOpener({ url, log: silentLog });
    const [store, other] = await Promise.all([open(info), open(info)]);
    expect(await store.readHead()).toBeNull();
    const model = createModelStore(info);
    const batch = createBatch(createNextBlocks(null, 40));
    for (const target of [store, model]) await target.applyBatch(batch);
    await expectSameResults(store, model, 21, 30);
    for (const target of [store, model]) await target.rollBackTo(25);
    await expectSameResults(other, model, 23, 10);
    const nonces = await client.query<{ key: Buffer }>('SELECT key FROM siwe_nonce');
    expect(nonces.rows.map(({ key }) => key.toString())).toEqual(['used']);
    await client.end();
    await Promise.all([store.close(), other.close()]);
  });

  it('is refused when its version is newer', async () => {
    const url = server?.createSchemaUrl() ?? '';
    const open = createPostgresStoreOpener({ url, log: silentLog });
    await (await open(info)).close();
    const {
      urls: [plain],
      schema,
    } = parsePostgresUrl(url);
    const client = new Client({ connectionString: plain });
    await client.connect();
    await client.query(`INSERT INTO ${schema}.migration VALUES (1000)`);
    await client.end();
    await expect(open(info)).rejects.toMatchObject({
      message: 'The index in PostgreSQL was created by a newer HexLens (version 1000).',
    });
  });
});
