// The PostgreSQL store: the suite over a real server, and what only a shared database has.
import { afterAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { openPostgresStore } from '../../../src/service/store/postgres/postgresStore.ts';
import { readStoreUrl } from '../../../src/service/store/postgres/postgresUrl.ts';
import { PARTITION_BLOCKS } from '../../../src/service/store/postgres/schema.ts';
import { startPostgres } from '../../support/postgresServer.ts';
import { expectSame } from '../compareStores.ts';
import { batchOf, blockBehind, blocksBehind, genesis, WALLETS } from '../generatedChain.ts';
import { createModel } from '../modelStore.ts';
import { describeStore, info } from '../storeSuite.ts';

const server = await startPostgres();
if (server === null) console.warn('SKIPPED: no PostgreSQL on this machine (apt-get install postgresql).');
afterAll(() => server?.stop());

const fresh = () => server?.fresh() ?? '';
const open = (url: string) => openPostgresStore({ url, log: silentLog });

describe.skipIf(server === null)('a real server', () => {
  describeStore('PostgreSQL', async () => open(fresh()));

  describe('several processes over one database', () => {
    it('see the same, and only one leads until it leaves', async () => {
      const url = fresh();
      const first = await open(url)(info);
      const second = await open(url)(info);
      try {
        const leave = await first.lead?.();
        expect(leave).toBeTypeOf('function');
        expect(await first.lead?.()).toBeNull();
        expect(await second.lead?.()).toBeNull();
        await leave?.();
        await leave?.();
        const again = await second.lead?.();
        expect(await first.lead?.()).toBeNull();
        await again?.();
        expect(await first.lead?.()).toBeTypeOf('function');
        const batch = batchOf(blocksBehind(null, 8));
        await first.apply(batch);
        const model = createModel(info);
        await model.apply(batch);
        await expectSame(second, model, 5);
        await first.close();
        while (!(await second.lead?.())); // the server ends the session in its own time
        await second.rollback(3);
        await model.rollback(3);
        await expectSame(second, model, 6);
      } finally {
        await first.close();
        await second.close();
      }
    });

    it('never write the same blocks twice, whoever is first', async () => {
      const url = fresh();
      const stores = await Promise.all([1, 2, 3].map(() => open(url)(info)));
      const batch = batchOf(blocksBehind(null, 5));
      const outcomes = await Promise.allSettled(stores.map(store => store.apply(batch)));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'internal' });
      const model = createModel(info);
      await model.apply(batch);
      for (const store of stores) await expectSame(store, model, 7, 1);
      await Promise.all(stores.map(store => store.close()));
    });

    it('make the indexes once, at the first read, while another one writes', async () => {
      const url = fresh();
      const stores = await Promise.all([1, 2, 3].map(() => open(url)(info)));
      const [writer] = stores;
      const blocks = blocksBehind(null, 12);
      const model = createModel(info);
      await writer?.apply(batchOf(blocks.slice(0, 6)));
      await Promise.all([
        writer?.apply(batchOf(blocks.slice(6))),
        ...stores.map(store => store.countTransfers({ wallet: WALLETS[0] })),
      ]);
      await model.apply(batchOf(blocks));
      for (const store of stores) await expectSame(store, model, 12, 1);
      const { url: plain, schema } = readStoreUrl(url);
      const { Client } = await import('pg');
      const client = new Client({ connectionString: plain });
      await client.connect();
      // Blocks that are far away come into a partition that has them from the beginning.
      await writer?.rollback(-1);
      await writer?.apply({ ...batchOf([]), blocks: [{ ...genesis, number: 3 * PARTITION_BLOCKS }] });
      const { rows } = await client.query<{ tablename: string; n: string }>(
        "SELECT tablename, count(*) AS n FROM pg_indexes WHERE schemaname = $1 AND tablename ~ '^transfer_1_' GROUP BY 1 ORDER BY 1",
        [schema],
      );
      await client.end();
      expect(rows).toEqual([
        { tablename: 'transfer_1_0', n: '5' },
        { tablename: 'transfer_1_3', n: '5' },
      ]);
      await Promise.all(stores.map(store => store.close()));
    });

    it('give an address one number, whoever meets it first', async () => {
      const url = fresh();
      const chains = await Promise.all([1, 2, 3, 4].map(chainId => open(url)({ ...info, chainId })));
      const batch = batchOf(blocksBehind(null, 10));
      await Promise.all(chains.map(store => store.apply(batch)));
      const model = createModel({ ...info, chainId: 1 });
      await model.apply(batch);
      for (const store of chains) await expectSame(store, model, 13, 1);
      await Promise.all(chains.map(store => store.close()));
    });

    it('make the schema once when all of them begin together', async () => {
      const url = fresh();
      const stores = await Promise.all([1, 2, 3, 4].map(() => open(url)(info)));
      expect(await Promise.all(stores.map(store => store.head()))).toEqual([null, null, null, null]);
      await Promise.all(stores.map(store => store.close()));
    });
  });

  it('keeps chains apart', async () => {
    const opening = open(fresh());
    const one = await opening(info);
    const other = await opening({ ...info, chainId: 1 });
    const batch = batchOf(blocksBehind(null, 6));
    await one.apply(batch);
    expect(await other.head()).toBeNull();
    await expectSame(other, createModel({ ...info, chainId: 1 }), 8);
    await other.apply(batch);
    await one.rollback(-1);
    const model = createModel(info);
    await model.apply(batch);
    await expectSame(other, model, 9);
    await one.close();
    expect(await other.head()).toEqual(batch.blocks.at(-1));
    await other.close();
  });

  it('goes on over the border of a partition', async () => {
    const store = await open(fresh())(info);
    const model = createModel(info);
    let before = { ...genesis, number: PARTITION_BLOCKS - 3 };
    const blocks = Array.from({ length: 6 }, () => {
      before = blockBehind(before);
      return before;
    });
    for (const target of [store, model]) await target.apply(batchOf(blocks));
    await expectSame(store, model, 10);
    await store.rollback(PARTITION_BLOCKS - 1);
    await model.rollback(PARTITION_BLOCKS - 1);
    await expectSame(store, model, 11);
    await store.close();
  });

  it('refuses a block that no integer of PostgreSQL can name, and is asked about one without a fault', async () => {
    const store = await open(fresh())(info);
    const far = { ...genesis, number: 2 ** 31 };
    await expect(store.apply({ ...batchOf([]), blocks: [far] })).rejects.toMatchObject({
      code: 'internal',
      message: /can not hold block 2147483648/,
    });
    await store.apply(batchOf(blocksBehind(null, 5)));
    expect(await store.block(2 ** 40)).toBeNull();
    expect(await store.blocksDown(2 ** 40, 9)).toHaveLength(5);
    expect(await store.countTransfers({ fromBlock: 2 ** 40 })).toBe(0);
    expect(await store.countTransfers({ toBlock: 2 ** 40 })).toBe(await store.countTransfers({}));
    await store.rollback(2 ** 40);
    expect((await store.head())?.number).toBe(4);
    await store.close();
  });

  it('what it wrote is there when it is opened again', async () => {
    const url = fresh();
    const batch = batchOf(blocksBehind(null, 4));
    const store = await open(url)(info);
    await store.apply(batch);
    await store.close();
    const again = await open(url)(info);
    expect(await again.head()).toEqual(batch.blocks.at(-1));
    await again.apply(batchOf(blocksBehind(batch.blocks.at(-1) ?? null, 2)));
    await again.close();
  });

  it('an index of a newer HexLens is left alone', async () => {
    const url = fresh();
    await (await open(url)(info)).close();
    const { Client } = await import('pg');
    const { url: plain, schema } = readStoreUrl(url);
    const client = new Client({ connectionString: plain });
    await client.connect();
    await client.query(`INSERT INTO ${schema}.migration VALUES (99)`);
    await client.end();
    await expect(open(url)(info)).rejects.toMatchObject({
      code: 'internal',
      message: /newer HexLens/,
      fix: /\?schema=/,
    });
  });
});

describe('a database that can not be used', () => {
  it('nobody listens there', async () => {
    const url = 'postgres://me:secret@127.0.0.1:1/db';
    const fault = await open(url)(info).catch((error: unknown) => error);
    expect(fault).toMatchObject({ code: 'internal', message: /can not be reached/, fix: /--store/ });
    expect(JSON.stringify(fault)).not.toContain('secret');
  });
  it.each(['', 'mysql://x/y', 'hexlens.sqlite', 'postgres:'])('%j is no URL of one', text => {
    if (text === 'postgres:') expect(readStoreUrl(text).schema).toBe('hexlens');
    else expect(() => open(text)).toThrow(expect.objectContaining({ code: 'bad-input' }));
  });
});
