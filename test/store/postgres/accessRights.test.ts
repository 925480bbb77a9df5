// The ways to a PostgreSQL database: its URL, whom it lets in, what a user may do there, and what is said when it is refused.
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Log } from '../../../src/base/log.ts';
import { silentLog } from '../../../src/base/log.ts';
import { openDatabase } from '../../../src/service/store/postgres/database.ts';
import { createPostgresStoreOpener } from '../../../src/service/store/postgres/postgresStore.ts';
import { isPostgresUrl, parsePostgresUrl } from '../../../src/service/store/postgres/postgresUrl.ts';
import { type PostgresServer, startPostgres } from '../../support/postgresServer.ts';
import { createBatch, createNextBlocks } from '../generatedChain.ts';
import { info } from '../storeSuite.ts';

const server: PostgresServer | null = await startPostgres();
if (server === null) console.warn('SKIPPED: no PostgreSQL on this machine (apt-get install postgresql).');

const open = (url: string, log: Log = silentLog) => createPostgresStoreOpener({ url, log })(info);
const faultOf = (url: string): Promise<unknown> =>
  open(url).then(
    () => null,
    (error: unknown) => error,
  );

describe('the URL of a store', () => {
  it('keeps what the driver understands, and takes out what it does not', () => {
    expect(
      parsePostgresUrl('postgres://u:p%40%2F@h:1/d?schema=mine&sslmode=disable&options=-c%20work_mem=9MB'),
    ).toEqual({
      url: 'postgres://u:p%40%2F@h:1/d?sslmode=disable',
      schema: 'mine',
      options: '-c work_mem=9MB',
    });
    expect(parsePostgresUrl('postgres://u@/d?host=/run/x').url).toBe('postgres://u@localhost/d?host=%2Frun%2Fx');
  });
  it('is refused where a schema would be SQL', () => {
    for (const text of ['postgres://h/d?schema=a"b', 'postgres://h/d?schema=Upper', 'mysql://h/d', 'x'])
      expect(isPostgresUrl(text)).toBe(false);
  });
});

describe.skipIf(server === null)('a real database', () => {
  const url = server?.url ?? '';
  let owner: Client;
  const as = (user: string, more = '') => url.replace('hexlens@', `${user}@`) + more;
  const sql = (text: string) => owner.query(text);

  beforeAll(async () => {
    owner = new Client({ connectionString: url });
    await owner.connect();
  });
  afterAll(async () => {
    await owner.end();
    await server?.stop();
  });

  it('is reached through a socket, in both forms that name its folder', async () => {
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
    expect(await faultOf(nowhere)).toMatchObject({ message: /can not be reached/ });
  });

  it('keeps to its schema, whatever settings the URL asks for', async () => {
    const store = await open(`${url}?schema=settings&options=-c%20work_mem%3D9MB%20-c%20search_path%3Dpublic`);
    await store.applyBatch(createBatch(createNextBlocks(null, 3)));
    await store.close();
    expect((await sql("SELECT to_regclass('public.chain') AS found")).rows).toEqual([{ found: null }]);
    expect((await sql('SELECT count(*)::int AS n FROM settings.block')).rows).toEqual([{ n: 3 }]);
  });

  it.each([
    ['a user that is not there', as('nobody1'), /denies access/, /user, password/],
    ['a database that is not there', url.replace(/postgres$/, 'none'), /denies access/, /database name/],
    ['a server without TLS', `${url}?sslmode=verify-full`, /no secure connection/, /sslmode=disable/],
    ['a certificate that is not there', `${url}?sslmode=verify-full&sslrootcert=/none.pem`, /secure/, /sslrootcert/],
  ])('%s is said, and what to do', async (_, place, message, fix) => {
    expect(await faultOf(place)).toMatchObject({ code: 'internal', message, fix });
  });

  it('a statement that waits longer than it may is said, and what to do', async () => {
    await (await open(`${url}?schema=slow`)).close();
    await sql('BEGIN; LOCK TABLE slow.chain IN ACCESS EXCLUSIVE MODE');
    const fault = await faultOf(`${url}?schema=slow&options=-c%20lock_timeout%3D50`);
    await sql('ROLLBACK');
    expect(fault).toMatchObject({ message: /took too long/, fix: /lock_timeout/ });
  });

  it('a user who owns the schema needs no right to make schemas', async () => {
    await sql('CREATE ROLE limited LOGIN; CREATE SCHEMA limited AUTHORIZATION limited');
    const store = await open(as('limited', '?schema=limited'));
    await store.applyBatch(createBatch(createNextBlocks(null, 3)));
    expect(await store.countTransfers({})).toBeGreaterThanOrEqual(0);
    await store.close();
  });

  it('a user who may do nothing is told what is missing', async () => {
    await sql('CREATE ROLE poor LOGIN');
    expect(await faultOf(as('poor', '?schema=poor'))).toMatchObject({
      message: /lacks a privilege/,
      fix: /grant it USAGE/,
    });
  });

  it.each([
    ['a user who may only read', 'reader', 'the user reader may only read'],
    ['a database that takes no writes', 'frozen', 'takes no writes'],
  ])('%s answers with what others store, and never leads', async (_, user, why) => {
    const schema = `read_${user}`;
    const writer = await open(`${url}?schema=${schema}`);
    const batch = createBatch(createNextBlocks(null, 6));
    await writer.applyBatch(batch);
    await sql(`CREATE ROLE ${user} LOGIN; GRANT USAGE ON SCHEMA ${schema} TO ${user}`);
    const rights = user === 'frozen' ? 'ALL' : 'SELECT';
    await sql(`GRANT ${rights} ON ALL TABLES IN SCHEMA ${schema} TO ${user}`);
    if (user === 'frozen') await sql('ALTER ROLE frozen SET default_transaction_read_only = on');
    const said: string[] = [];
    const reader = await open(as(user, `?schema=${schema}`), { ...silentLog, warn: text => said.push(text) });
    expect(said).toEqual([expect.stringContaining(why)]);
    const wanted = { limit: 100 };
    const before = await reader.queryTransfers({}, wanted); // without the indexes that it may not make
    expect(before).toEqual(await writer.queryTransfers({}, wanted));
    expect(await reader.leaderLock?.tryAcquire()).toBeNull();
    await expect(
      reader.applyBatch(createBatch(createNextBlocks(batch.blocks.at(-1) ?? null, 1))),
    ).rejects.toMatchObject({
      code: 'internal',
    });
    expect(await reader.readHead()).toEqual(batch.blocks.at(-1));
    await Promise.all([reader.close(), writer.close()]);
  });

  it('a connection that ends between two queries of a transaction ends nothing else', async () => {
    const database = await openDatabase({ ...parsePostgresUrl(`${url}?schema=broken`), log: silentLog });
    const broken = database.transaction(async queries => {
      const [mine] = await queries.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await sql(`SELECT pg_terminate_backend(${mine?.pid}, 10000)`);
      for (let turn = 0; turn < 100; turn++) await setImmediate(); // until the socket has told of its end
      await queries.query('SELECT 1');
    });
    await expect(broken).rejects.toMatchObject({ message: /can not be reached/ });
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await database.close();
  });

  it('makes do with the connections that it gets', async () => {
    await sql('CREATE ROLE few LOGIN CONNECTION LIMIT 2; CREATE SCHEMA few AUTHORIZATION few');
    const store = await open(as('few', '?schema=few'));
    await store.applyBatch(createBatch(createNextBlocks(null, 6)));
    const counts = await Promise.all(Array.from({ length: 12 }, () => store.countTransfers({})));
    expect(new Set(counts).size).toBe(1);
    await store.close();
  });

  it('a table that is missing is said to be, with what helps', async () => {
    const store = await open(`${url}?schema=damaged`);
    await store.applyBatch(createBatch(createNextBlocks(null, 3)));
    await sql('DROP TABLE damaged.mint');
    await expect(store.countMints({})).rejects.toMatchObject({
      message: /not as this program created/,
      fix: /DROP SCHEMA/,
    });
    expect((await store.readHead())?.number).toBe(2);
    await store.close();
  });
});
