// Access to PostgreSQL: URLs, users and their privileges, and the faults when access is denied.
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Log } from '../../../src/base/log.ts';
import { silentLog } from '../../../src/base/log.ts';
import { openDatabase } from '../../../src/service/store/postgres/database.ts';
import { createPostgresStoreOpener } from '../../../src/service/store/postgres/postgresStore.ts';
import { isPostgresUrl, parsePostgresUrl } from '../../../src/service/store/postgres/postgresUrl.ts';
import { type PostgresServer, sharePostgres } from '../../support/postgresServer.ts';
import { createBatch, createNextBlocks } from '../generatedChain.ts';
import { info } from '../storeSuite.ts';

const server: PostgresServer | null = await sharePostgres();

const open = (url: string, log: Log = silentLog) => createPostgresStoreOpener({ url, log })(info);
const getFault = (url: string): Promise<unknown> =>
  open(url).then(
    () => null,
    (error: unknown) => error,
  );

describe('the URL of a store', () => {
  it('separates the parameters that the driver does not understand', () => {
    expect(
      parsePostgresUrl('postgres://u:p%40%2F@h:1/d?schema=mine&sslmode=disable&options=-c%20work_mem=9MB'),
    ).toEqual({
      urls: ['postgres://u:p%40%2F@h:1/d?sslmode=disable'],
      target: 'any',
      schema: 'mine',
      options: '-c work_mem=9MB',
    });
    expect(parsePostgresUrl('postgres://u@/d?host=/run/x').urls).toEqual(['postgres://u@localhost/d?host=%2Frun%2Fx']);
  });
  it('can name several hosts and the role of the one that is used', () => {
    expect(parsePostgresUrl('postgres://u:p@h1:1,h2,[::1]:3/d?target_session_attrs=read-write&schema=s')).toEqual({
      urls: ['postgres://u:p@h1:1/d', 'postgres://u:p@h2/d', 'postgres://u:p@[::1]:3/d'],
      target: 'read-write',
      schema: 's',
      options: '',
    });
    expect(isPostgresUrl('postgres://h1,h2/d?target_session_attrs=fastest')).toBe(false);
    expect(isPostgresUrl('postgres://h1:x,h2/d')).toBe(false);
  });
  it('is rejected when the schema is no plain name', () => {
    for (const text of ['postgres://h/d?schema=a"b', 'postgres://h/d?schema=Upper', 'mysql://h/d', 'x'])
      expect(isPostgresUrl(text)).toBe(false);
  });
});

if (server?.isExternal) console.warn('SKIPPED: users and privileges need a server of their own.');
describe.skipIf(server === null || server.isExternal)('a real database', () => {
  const url = server?.url ?? '';
  let owner: Client;
  const withUser = (user: string, more = '') => url.replace('hexlens@', `${user}@`) + more;
  const sql = (text: string) => owner.query(text);

  beforeAll(async () => {
    owner = new Client({ connectionString: url });
    await owner.connect();
  });
  afterAll(async () => {
    await owner.end();
    await server?.stop();
  });

  it('accepts both URL forms of a Unix socket', async () => {
    const { rows } = await sql('SHOW unix_socket_directories');
    const folder: string = rows[0].unix_socket_directories;
    const { port } = new URL(url);
    for (const [index, form] of [
      `postgres://hexlens@/postgres?host=${folder}&port=${port}&schema=socket_0`,
      `postgres://hexlens@${encodeURIComponent(folder)}:${port}/postgres?schema=socket_1`,
    ].entries()) {
      await (await open(form)).close();
      expect((await sql(`SELECT count(*)::int AS n FROM socket_${index}.chain`)).rows).toEqual([{ n: 1 }]);
    }
    const nowhere = `postgres://hexlens@/postgres?host=${dirname(folder)}/none`;
    expect(await getFault(nowhere)).toMatchObject({ message: /can not be reached/ });
  });

  it('keeps its schema when the URL sets search_path', async () => {
    const store = await open(`${url}?schema=settings&options=-c%20work_mem%3D9MB%20-c%20search_path%3Dpublic`);
    await store.applyBatch(createBatch(createNextBlocks(null, 3)));
    await store.close();
    expect((await sql("SELECT to_regclass('public.chain') AS found")).rows).toEqual([{ found: null }]);
    expect((await sql('SELECT count(*)::int AS n FROM settings.block')).rows).toEqual([{ n: 3 }]);
  });

  it.each([
    ['an unknown user', withUser('unknown_user'), /denies access/, /user, password/],
    ['an unknown database', url.replace(/postgres$/, 'none'), /denies access/, /database name/],
    ['a server without TLS', `${url}?sslmode=verify-full`, /no secure connection/, /sslmode=disable/],
    ['a missing certificate', `${url}?sslmode=verify-full&sslrootcert=/none.pem`, /secure/, /sslrootcert/],
  ])('reports %s with a fix', async (_, location, message, fix) => {
    expect(await getFault(location)).toMatchObject({ code: 'internal', message, fix });
  });

  it('reports a lock timeout with a fix', async () => {
    await (await open(`${url}?schema=slow`)).close();
    await sql('BEGIN; LOCK TABLE slow.chain IN ACCESS EXCLUSIVE MODE');
    const fault = await getFault(`${url}?schema=slow&options=-c%20lock_timeout%3D50`);
    await sql('ROLLBACK');
    expect(fault).toMatchObject({ message: /took too long/, fix: /lock_timeout/ });
  });

  it('needs no privilege to create schemas where the user owns the schema', async () => {
    await sql('CREATE ROLE limited LOGIN; CREATE SCHEMA limited AUTHORIZATION limited');
    const store = await open(withUser('limited', '?schema=limited'));
    await store.applyBatch(createBatch(createNextBlocks(null, 3)));
    expect(await store.countTransfers({})).toBeGreaterThanOrEqual(0);
    await store.close();
  });

  it('reports missing privileges with a fix', async () => {
    await sql('CREATE ROLE poor LOGIN');
    expect(await getFault(withUser('poor', '?schema=poor'))).toMatchObject({
      message: /lacks a privilege/,
      fix: /grant it USAGE/,
    });
  });

  it.each([
    ['a read-only user', 'reader', 'the user reader may only read'],
    ['a read-only database', 'frozen', 'takes no writes'],
  ])('%s can read what others store, and never gets the leader lock', async (_, user, why) => {
    const schema = `read_${user}`;
    const writer = await open(`${url}?schema=${schema}`);
    const batch = createBatch(createNextBlocks(null, 6));
    await writer.applyBatch(batch);
    await sql(`CREATE ROLE ${user} LOGIN; GRANT USAGE ON SCHEMA ${schema} TO ${user}`);
    const rights = user === 'frozen' ? 'ALL' : 'SELECT';
    await sql(`GRANT ${rights} ON ALL TABLES IN SCHEMA ${schema} TO ${user}`);
    if (user === 'frozen') await sql('ALTER ROLE frozen SET default_transaction_read_only = on');
    const warnings: string[] = [];
    const reader = await open(withUser(user, `?schema=${schema}`), { ...silentLog, warn: text => warnings.push(text) });
    expect(warnings).toEqual([expect.stringContaining(why)]);
    const page = { limit: 100 };
    const before = await reader.readTransfers({}, page); // without the indexes that it may not build
    expect(before).toEqual(await writer.readTransfers({}, page));
    expect(await reader.leaderLock?.tryAcquire()).toBeNull();
    await expect(
      reader.applyBatch(createBatch(createNextBlocks(batch.blocks.at(-1) ?? null, 1))),
    ).rejects.toMatchObject({
      code: 'internal',
    });
    expect(await reader.readHead()).toEqual(batch.blocks.at(-1));
    await Promise.all([reader.close(), writer.close()]);
  });

  it('says once which session of another role holds the index back, when this role may not end it', async () => {
    await sql('CREATE ROLE hung LOGIN; CREATE ROLE deputy LOGIN; CREATE SCHEMA held AUTHORIZATION hung');
    const holder = await open(withUser('hung', '?schema=held'));
    await holder.applyBatch(createBatch(createNextBlocks(null, 3)));
    await holder.close();
    await sql('GRANT USAGE, CREATE ON SCHEMA held TO deputy; GRANT ALL ON ALL TABLES IN SCHEMA held TO deputy');
    await sql('GRANT ALL ON ALL SEQUENCES IN SCHEMA held TO deputy');
    const client = new Client({ connectionString: withUser('hung') });
    await client.connect();
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    await client.query('BEGIN');
    await client.query('SELECT id FROM held.chain FOR UPDATE');

    const warnings: string[] = [];
    const deputy = await open(withUser('deputy', '?schema=held'), {
      ...silentLog,
      warn: message => void warnings.push(message),
    });
    await sql("INSERT INTO held.lease SELECT id, 1, 'test', clock_timestamp() - interval '9 seconds' FROM held.chain");
    expect(await deputy.leaderLock?.tryAcquire()).toBeNull();
    expect(warnings).toEqual([]);
    await sql("UPDATE held.lease SET expires = clock_timestamp() - interval '1 minute'");
    expect(await deputy.leaderLock?.tryAcquire()).toBeNull();
    expect(await deputy.leaderLock?.tryAcquire()).toBeNull();
    expect(warnings).toEqual([expect.stringContaining(`session ${rows[0].pid} of the role hung`)]);
    expect(warnings[0]).toContain('GRANT pg_signal_backend, pg_read_all_stats TO deputy');
    await client.end();
    await expect.poll(() => deputy.leaderLock?.tryAcquire()).toBeTypeOf('function');
    await deputy.close();
  });

  it('survives a connection that ends between two queries of a transaction', async () => {
    const database = await openDatabase({ ...parsePostgresUrl(`${url}?schema=broken`), log: silentLog });
    const broken = database.transaction(async queries => {
      const [mine] = await queries.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await sql(`SELECT pg_terminate_backend(${mine?.pid}, 10000)`);
      for (let turn = 0; turn < 100; turn++) await setImmediate(); // until the socket is closed here
      await queries.query('SELECT 1');
    });
    await expect(broken).rejects.toMatchObject({ message: /can not be reached/ });
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await database.close();
  });

  it('works with fewer connections than its pool size', async () => {
    await sql('CREATE ROLE few LOGIN CONNECTION LIMIT 2; CREATE SCHEMA few AUTHORIZATION few');
    const store = await open(withUser('few', '?schema=few'));
    await store.applyBatch(createBatch(createNextBlocks(null, 6)));
    const counts = await Promise.all(Array.from({ length: 12 }, () => store.countTransfers({})));
    expect(new Set(counts).size).toBe(1);
    await store.close();
  });

  it('reports a missing table with a fix', async () => {
    const store = await open(`${url}?schema=damaged`);
    await store.applyBatch(createBatch(createNextBlocks(null, 3)));
    await sql('DROP TABLE damaged.erc20_transfer');
    await expect(store.countMints({})).rejects.toMatchObject({
      message: /not as this program created/,
      fix: /DROP SCHEMA/,
    });
    expect((await store.readHead())?.number).toBe(2);
    await store.close();
  });
});
