// The store suite over a real PostgreSQL server, and several processes over one database.
import type { Socket } from 'node:net';
import type { Client, QueryResultRow } from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { ZERO_ADDRESS } from '../../../src/base/hex.ts';
import { silentLog } from '../../../src/base/log.ts';
import { openDatabase } from '../../../src/service/store/postgres/database.ts';
import { createLeases } from '../../../src/service/store/postgres/leases.ts';
import { createPostgresStoreOpener } from '../../../src/service/store/postgres/postgresStore.ts';
import { parsePostgresUrl } from '../../../src/service/store/postgres/postgresUrl.ts';
import type { BlockRow, TransferRow } from '../../../src/service/store/rows.ts';
import { LeadershipLostError } from '../../../src/service/store/store.ts';
import { sharePostgres } from '../../support/postgresServer.ts';
import { readUntil } from '../../support/readUntil.ts';
import { scaleRounds } from '../../support/rounds.ts';
import { expectSameResults } from '../compareStores.ts';
import { createBatch, createNextBlocks, genesis, NFTS, WALLETS } from '../generatedChain.ts';
import { createModelStore } from '../modelStore.ts';
import { describeStore, info } from '../storeSuite.ts';
import { connectToSchema, createEmptyOpeners, runSql } from './schemaClient.ts';

const server = await sharePostgres();
afterAll(() => server?.stop());

const createUrl = () => server?.createSchemaUrl() ?? '';

/** A session of another process that holds the lock of the chain. */
async function lockChain(url: string): Promise<{ readonly client: Client; readonly stream: Socket }> {
  const client = await connectToSchema(url);
  await client.query('BEGIN');
  await client.query('SELECT id FROM chain FOR UPDATE');
  return {
    client,
    stream: (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream,
  };
}

const open = (url: string) => createPostgresStoreOpener({ url, log: silentLog });

describe.skipIf(server === null)('a real server', () => {
  // Half of the histories of SQLite, whose statements are mostly the same: they take ten times as long here.
  describeStore('PostgreSQL', createEmptyOpeners(server), scaleRounds(5));

  describe('several processes over one database', () => {
    it('see the same rows, and one holds the leader lock until it is released', async () => {
      const url = createUrl();
      const first = await open(url)(info);
      const second = await open(url)(info);
      try {
        const release = await first.leaderLock?.tryAcquire();
        expect(release).toBeTypeOf('function');
        expect(await first.leaderLock?.tryAcquire()).toBeNull();
        expect(await second.leaderLock?.tryAcquire()).toBeNull();
        await release?.();
        await release?.();
        const again = await second.leaderLock?.tryAcquire();
        expect(await first.leaderLock?.tryAcquire()).toBeNull();
        await again?.();
        expect(await first.leaderLock?.tryAcquire()).toBeTypeOf('function');
        const batch = createBatch(createNextBlocks(null, 8));
        await first.applyBatch(batch);
        const model = createModelStore(info);
        await model.applyBatch(batch);
        await expectSameResults(second, model, 5);
        await first.close();
        expect(await second.leaderLock?.tryAcquire()).toBeTypeOf('function');
        await second.rollBackTo(3);
        await model.rollBackTo(3);
        await expectSameResults(second, model, 6);
      } finally {
        await first.close();
        await second.close();
      }
    });

    it('reject the blocks of a process that has released the leader lock', async () => {
      const store = await open(createUrl())(info);
      const blocks = createNextBlocks(null, 4);
      await (await store.leaderLock?.tryAcquire())?.();
      await expect(store.applyBatch(createBatch(blocks))).rejects.toBeInstanceOf(LeadershipLostError);
      await expect(store.rollBackTo(1)).rejects.toBeInstanceOf(LeadershipLostError);
      expect(await store.readHead()).toBeNull();
      await store.leaderLock?.tryAcquire();
      await store.applyBatch(createBatch(blocks));
      expect((await store.readHead())?.number).toBe(3);
      await store.close();
    });

    it('reject the writes of a leader that hung and was replaced', async () => {
      const url = createUrl();
      const [hung, next] = await Promise.all([open(url)(info), open(url)(info)]);
      await hung.leaderLock?.tryAcquire();
      const blocks = createNextBlocks(null, 8);
      await hung.applyBatch(createBatch(blocks.slice(0, 4)));
      await runSql(url, "UPDATE lease SET expires = '-infinity'");
      // An expired lease that no other process has taken over remains valid.
      await hung.applyBatch(createBatch(blocks.slice(4, 6)));
      // The fence as a takeover changes it: the first process, which does not really hang, can not renew its lease.
      await runSql(url, "UPDATE lease SET expires = '-infinity', fence = fence + 1");
      expect(await next.leaderLock?.tryAcquire()).toBeTypeOf('function');
      await expect(hung.applyBatch(createBatch(blocks.slice(6)))).rejects.toBeInstanceOf(LeadershipLostError);
      await expect(hung.rollBackTo(1)).rejects.toBeInstanceOf(LeadershipLostError);
      expect((await next.readHead())?.number).toBe(5);
      await next.applyBatch(createBatch(blocks.slice(6)));
      const model = createModelStore(info);
      await model.applyBatch(createBatch(blocks));
      await expectSameResults(next, model, 14, 1);
      await Promise.all([hung.close(), next.close()]);
    });

    it('end the session of a leader that hangs in the middle of a statement, and take over', async () => {
      const url = createUrl();
      const warnings: string[] = [];
      const log = { ...silentLog, warn: (message: string) => warnings.push(message) };
      const next = await createPostgresStoreOpener({ url, log })(info);
      const blocks = createNextBlocks(null, 8);
      await next.applyBatch(createBatch(blocks.slice(0, 4)));
      const { schema } = parsePostgresUrl(url);
      const { client, stream } = await lockChain(url);
      const ended = new Promise<void>(resolve => client.on('error', () => {}).on('end', () => resolve()));
      // A statement of which the rest never comes: neither statement_timeout nor the timeout of idle transactions ends it.
      const parse = Buffer.from('\0SELECT 1\0\0\0', 'latin1');
      const header = Buffer.from('P\0\0\0\0', 'latin1');
      header.writeInt32BE(parse.length + 4, 1);
      stream.write(Buffer.concat([header, parse]));
      await expect.poll(() => next.leaderLock?.tryAcquire()).toBeTypeOf('function');
      await ended;
      // A busy server takes its time to end it: then it is ended once more.
      expect([...new Set(warnings)]).toEqual([
        expect.stringMatching(`ended session \\d+, .* the index of chain ${info.chainId} in the schema "${schema}"`),
      ]);
      await next.applyBatch(createBatch(blocks.slice(4)));
      await next.close();
    });

    it('leave a session alone that runs a long statement, however long ago its lease expired', async () => {
      const url = createUrl();
      const warnings: string[] = [];
      const log = { ...silentLog, warn: (message: string) => warnings.push(message) };
      const next = await createPostgresStoreOpener({ url, log })(info);
      await (await next.leaderLock?.tryAcquire())?.();
      await runSql(url, "UPDATE lease SET expires = now() - interval '1 hour'");
      const { client } = await lockChain(url);
      let isRunning = true;
      const statement = client.query('SELECT pg_sleep(6)').finally(() => {
        isRunning = false;
      });
      const findSleeping = () => runSql(url, "SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
      await expect.poll(async () => !isRunning || (await findSleeping()).length > 0).toBe(true);
      // The lock is held until the end of the transaction.
      await readUntil(
        async () => expect(await next.leaderLock?.tryAcquire()).toBeNull(),
        () => !isRunning,
      );
      await statement;
      expect(warnings).toEqual([]);
      await client.end();
      await expect.poll(() => next.leaderLock?.tryAcquire()).toBeTypeOf('function');
      await next.close();
    });

    it('repeat a write that was undone because of another one, a limited number of times', async () => {
      const url = createUrl();
      const messages: string[] = [];
      const log = { ...silentLog, debug: (message: string) => messages.push(message) };
      const store = await createPostgresStoreOpener({ url, log })(info);
      // A sequence is not rolled back: the first transactions fail when they are nearly complete.
      await runSql(
        url,
        `CREATE SEQUENCE failures;
         CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN
           IF nextval('failures') % 2 = 1 THEN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01';
           ELSIF currval('failures') < 5 THEN RAISE EXCEPTION 'could not serialize' USING ERRCODE = '40001'; END IF;
           RETURN NULL;
         END $$;
         ALTER FUNCTION fail SET search_path FROM CURRENT;
         CREATE TRIGGER fail AFTER INSERT ON block FOR EACH STATEMENT EXECUTE FUNCTION fail()`,
      );
      const batch = createBatch(createNextBlocks(null, 5));
      await store.applyBatch(batch);
      expect(await runSql(url, 'SELECT last_value FROM failures')).toEqual([{ last_value: '6' }]);
      expect(messages.filter(message => message.includes('it is repeated'))).toHaveLength(5);
      const next = createBatch(createNextBlocks(batch.blocks.at(-1) ?? null, 1));
      await runSql(url, "SELECT setval('failures', 1); ALTER SEQUENCE failures INCREMENT 2");
      await expect(store.applyBatch(next)).rejects.toMatchObject({ code: 'internal', message: /undid a write/ });
      await runSql(url, 'DROP TRIGGER fail ON block');
      const model = createModelStore(info);
      await model.applyBatch(batch);
      await expectSameResults(store, model, 15, 1);
      await store.close();
    });

    it('renew a lease as long as its holder lives', async () => {
      const url = createUrl();
      const store = await open(url)(info);
      await store.leaderLock?.tryAcquire();
      const readExpiry = async () => (await runSql(url, 'SELECT expires::text FROM lease'))[0]?.['expires'];
      const first = await readExpiry();
      await expect.poll(readExpiry).not.toBe(first);
      await store.close();
      expect(await readExpiry()).toBe('-infinity');
    });

    it('do not renew a lease that was released while its renewal was on the way', async () => {
      const url = createUrl();
      const store = await open(url)(info);
      const database = await openDatabase({ ...parsePostgresUrl(url), log: silentLog });
      const [sent, released, done] = [1, 2, 3].map(() => Promise.withResolvers<void>());
      const leases = createLeases({
        schema: database.schema,
        log: silentLog,
        transaction: work => database.transaction(work),
        fetchReadOnlyReason: () => database.fetchReadOnlyReason(),
        async query<Row extends QueryResultRow>(sql: string, values?: readonly unknown[]) {
          const isRenewal = sql.startsWith('UPDATE @lease AS l SET expires = clock');
          if (isRenewal) sent?.resolve();
          if (isRenewal) await released?.promise;
          const rows = await database.query<Row>(sql, values);
          if (isRenewal) done?.resolve();
          return rows;
        },
      });
      const lease = await leases.tryAcquire(1);
      await sent?.promise;
      await lease?.release();
      released?.resolve();
      await done?.promise;
      expect(await runSql(url, 'SELECT expires::text FROM lease')).toEqual([{ expires: '-infinity' }]);
      await database.close();
      await store.close();
    });

    it('never write the same blocks twice', async () => {
      const url = createUrl();
      const stores = await Promise.all([1, 2, 3].map(() => open(url)(info)));
      const batch = createBatch(createNextBlocks(null, 5));
      const outcomes = await Promise.allSettled(stores.map(store => store.applyBatch(batch)));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'internal' });
      const model = createModelStore(info);
      await model.applyBatch(batch);
      for (const store of stores) await expectSameResults(store, model, 7, 1);
      await Promise.all(stores.map(store => store.close()));
    });

    it('build the indexes once, at the first read, while another one writes', async () => {
      const url = createUrl();
      const stores = await Promise.all([1, 2, 3].map(() => open(url)(info)));
      const [writer] = stores;
      const blocks = createNextBlocks(null, 12);
      const model = createModelStore(info);
      await writer?.applyBatch(createBatch(blocks.slice(0, 6)));
      await Promise.all([
        writer?.applyBatch(createBatch(blocks.slice(6))),
        ...stores.map(store => store.countTransfers({ wallet: WALLETS[0] })),
      ]);
      await model.applyBatch(createBatch(blocks));
      for (const store of stores) await expectSameResults(store, model, 12, 1);
      const indexes = await runSql(
        url,
        "SELECT count(*) AS n FROM pg_indexes WHERE schemaname = current_schema AND tablename = 'transfer_1'",
      );
      expect(indexes).toEqual([{ n: '5' }]);
      await Promise.all(stores.map(store => store.close()));
    });

    it('give an address one id', async () => {
      const url = createUrl();
      const chains = await Promise.all([1, 2, 3, 4].map(chainId => open(url)({ ...info, chainId })));
      const batch = createBatch(createNextBlocks(null, 10));
      await Promise.all(chains.map(store => store.applyBatch(batch)));
      const model = createModelStore({ ...info, chainId: 1 });
      await model.applyBatch(batch);
      for (const store of chains) await expectSameResults(store, model, 13, 1);
      await Promise.all(chains.map(store => store.close()));
    });

    it('create the schema once when all of them open at the same time', async () => {
      const url = createUrl();
      const stores = await Promise.all([1, 2, 3, 4].map(() => open(url)(info)));
      expect(await Promise.all(stores.map(store => store.readHead()))).toEqual([null, null, null, null]);
      await Promise.all(stores.map(store => store.close()));
    });
  });

  it('keeps chains separate', async () => {
    const opening = open(createUrl());
    const one = await opening(info);
    const other = await opening({ ...info, chainId: 2 ** 40 });
    const batch = createBatch(createNextBlocks(null, 6));
    await one.applyBatch(batch);
    expect(await other.readHead()).toBeNull();
    await expectSameResults(other, createModelStore({ ...info, chainId: 2 ** 40 }), 8);
    await other.applyBatch(batch);
    await one.rollBackTo(-1);
    const model = createModelStore(info);
    await model.applyBatch(batch);
    await expectSameResults(other, model, 9);
    await one.close();
    expect(await other.readHead()).toEqual(batch.blocks.at(-1));
    await other.close();
  });

  it.skipIf(server?.isExternal)(
    'looks the owners of a large batch up by their ids, however few it has stored',
    async () => {
      const url = createUrl();
      const store = await open(url)(info);
      const blocks = createNextBlocks(null, 3);
      let nextId = 0n;
      const mint = (block: BlockRow | undefined, count: number) => {
        if (block === undefined) throw new Error('There is no block.');
        const transfers = Array.from({ length: count }, (_, place): TransferRow => {
          const transaction = {
            blockNumber: block.number,
            transactionHash: block.hash,
            transactionIndex: 0,
            value: null,
          };
          const nft = { tokenAddress: NFTS[0] ?? '0x', tokenId: nextId++, standard: 'ERC721' } as const;
          const parties = { from: ZERO_ADDRESS, to: WALLETS[0] ?? '0x', amount: 1n, operator: null };
          return { ...transaction, ...nft, ...parties, place, batchIndex: 0 };
        });
        return store.applyBatch({ ...createBatch([]), blocks: [block], transfers });
      };
      const readScans = async () => {
        const [row] = await runSql(
          url,
          `SELECT idx_scan::int AS scans, idx_tup_read::int AS rows FROM pg_stat_user_indexes
         WHERE schemaname = current_schema AND indexrelname = 'owner_1_pkey'`,
        );
        return row as { readonly scans: number; readonly rows: number };
      };
      await mint(blocks[0], 10);
      await mint(blocks[1], 2_000);
      await mint(blocks[2], 8_000);
      await store.close(); // a session that ends reports its scans
      await expect.poll(async () => (await readScans()).scans).toBeGreaterThanOrEqual(8_000);
      expect((await readScans()).rows).toBeLessThan(2_000); // all ids are new: none is compared with the owners stored
      const again = await open(url)(info);
      expect(await again.countOwners({})).toBe(10_010);
      await again.close();
    },
  );

  it('creates no tables for a sparse index', async () => {
    const url = createUrl();
    const whole = await open(url)(info);
    const tables = () => runSql(url, 'SELECT tablename FROM pg_tables WHERE schemaname = current_schema ORDER BY 1');
    const before = await tables();
    const scopes = WALLETS.slice(0, 3).map(address => ({ kind: 'wallet', address }) as const);
    const stores = await Promise.all(scopes.map(scope => open(url)({ ...info, scope })));
    expect(await tables()).toEqual(before);
    const chains = await runSql(url, 'SELECT id FROM chain ORDER BY id');
    expect(chains.map(({ id }) => id)).toEqual([1, 2 ** 30, 2 ** 30 + 1, 2 ** 30 + 2]);
    await Promise.all([whole, ...stores].map(store => store.close()));
  });

  it('rejects a block number above the integer range, and accepts one in queries', async () => {
    const store = await open(createUrl())(info);
    const far = { ...genesis, number: 2 ** 31 };
    await expect(store.applyBatch({ ...createBatch([]), blocks: [far] })).rejects.toMatchObject({
      code: 'internal',
      message: /can not hold block 2147483648/,
    });
    await store.applyBatch(createBatch(createNextBlocks(null, 5)));
    expect(await store.readBlock(2 ** 40)).toBeNull();
    expect(await store.readBlocksDownFrom(2 ** 40, 9)).toHaveLength(5);
    expect(await store.countTransfers({ fromBlock: 2 ** 40 })).toBe(0);
    expect(await store.countTransfers({ toBlock: 2 ** 40 })).toBe(await store.countTransfers({}));
    await store.rollBackTo(2 ** 40);
    expect((await store.readHead())?.number).toBe(4);
    await store.close();
  });

  it('keeps its contents when it is opened again', async () => {
    const url = createUrl();
    const batch = createBatch(createNextBlocks(null, 4));
    const store = await open(url)(info);
    await store.applyBatch(batch);
    await store.close();
    const again = await open(url)(info);
    expect(await again.readHead()).toEqual(batch.blocks.at(-1));
    await again.applyBatch(createBatch(createNextBlocks(batch.blocks.at(-1) ?? null, 2)));
    await again.close();
  });

  it('rejects an index of a newer HexLens', async () => {
    const url = createUrl();
    await (await open(url)(info)).close();
    await runSql(url, 'INSERT INTO migration VALUES (99)');
    await expect(open(url)(info)).rejects.toMatchObject({
      code: 'internal',
      message: /newer HexLens/,
      fix: /\?schema=/,
    });
  });
});

describe('a database that can not be used', () => {
  it('reports a server that is not listening, without the password', async () => {
    const url = 'postgres://me:secret@127.0.0.1:1/db';
    const fault = await open(url)(info).catch((error: unknown) => error);
    expect(fault).toMatchObject({ code: 'store-unavailable', message: /can not be reached/, fix: /--store/ });
    expect(JSON.stringify(fault)).not.toContain('secret');
  });
  it.each(['', 'mysql://x/y', 'hexlens.sqlite', 'postgres:'])('parses only URLs of PostgreSQL: %j', text => {
    if (text === 'postgres:') expect(parsePostgresUrl(text).schema).toBe('hexlens');
    else expect(() => open(text)).toThrow(expect.objectContaining({ code: 'bad-input' }));
  });
});
