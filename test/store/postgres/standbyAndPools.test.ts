// A real standby that is promoted, a real pgbouncer in both modes, and connections that break without a sign.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { WATCH_INTERVAL_MS } from '../../../src/service/indexer/chainFollower.ts';
import { openDatabase } from '../../../src/service/store/postgres/database.ts';
import { LEASE_SECONDS } from '../../../src/service/store/postgres/leases.ts';
import { createPostgresStoreOpener } from '../../../src/service/store/postgres/postgresStore.ts';
import { parsePostgresUrl } from '../../../src/service/store/postgres/postgresUrl.ts';
import type { Store } from '../../../src/service/store/store.ts';
import { type PostgresServer, sharePostgres, startPgbouncer, startPostgres } from '../../support/postgresServer.ts';
import { readUntil } from '../../support/readUntil.ts';
import { scaleRounds } from '../../support/rounds.ts';
import { expectSameResults } from '../compareStores.ts';
import { createBatch, createNextBlocks } from '../generatedChain.ts';
import { createModelStore } from '../modelStore.ts';
import { describeStore, info } from '../storeSuite.ts';
import { createEmptyOpeners } from './schemaClient.ts';

const server = await sharePostgres();
afterAll(() => server?.stop());

const open = (url: string) => createPostgresStoreOpener({ url, log: silentLog })(info);

/** Repeats what rejects while servers change their roles. */
const untilDone = <T>(work: () => Promise<T | null | undefined>): Promise<NonNullable<T>> =>
  readUntil(
    () => work().catch(() => null),
    (result): result is NonNullable<Awaited<T>> => result !== null && result !== undefined,
  );

const readHeadNumber = async (store: Store) => (await store.readHead())?.number;

/** Seconds until the lease of the leader expires if it is not renewed. */
async function readLeaseSeconds(url: string): Promise<number> {
  const { schema, ...settings } = parsePostgresUrl(url);
  const database = await openDatabase({ ...settings, schema, log: silentLog });
  try {
    const [row] = await database.query(
      `SELECT extract(epoch FROM expires - clock_timestamp())::float8 AS seconds FROM "${schema}".lease`,
    );
    return Number(row?.['seconds']);
  } finally {
    await database.close();
  }
}

const isOwnServer = server !== null && !server.isExternal;
if (!isOwnServer) console.warn('SKIPPED: standby and pgbouncer need a server of their own.');

describe.skipIf(!isOwnServer)('a standby', () => {
  it('answers, and leads the index after it is promoted; a URL with both hosts changes over to it', async () => {
    const primary = (await startPostgres()) as PostgresServer;
    const url = primary.createSchemaUrl();
    const leader = await open(url);
    const blocks = createNextBlocks(null, 12);
    const model = createModelStore(info);
    await leader.leaderLock?.tryAcquire();
    await leader.applyBatch(createBatch(blocks.slice(0, 6)));
    await leader.countTransfers({}); // builds the indexes
    const standby = await primary.startStandby();
    const standbyUrl = url.replace(`:${primary.port}/`, `:${standby.port}/`);
    const both = `${url.replace(`:${primary.port}/`, `:${standby.port},127.0.0.1:${primary.port}/`)}&target_session_attrs=read-write`;
    const follower = await open(standbyUrl);
    const switching = await open(both);
    try {
      await leader.applyBatch(createBatch(blocks.slice(6, 9)));
      await expect.poll(() => readHeadNumber(follower)).toBe(8);
      await model.applyBatch(createBatch(blocks.slice(0, 9)));
      await expectSameResults(follower, model, 15, 1);
      expect(await follower.leaderLock?.tryAcquire()).toBeNull();
      await expect(follower.applyBatch(createBatch(blocks.slice(9)))).rejects.toMatchObject({ code: 'internal' });
      expect(await readHeadNumber(switching)).toBe(8); // the standby is first in its URL, but takes no writes
      // The lease of a leader that is gone ends so soon, and the others look so often, that one of them leads within 5 s.
      expect(await readLeaseSeconds(url)).toBeLessThanOrEqual(LEASE_SECONDS);
      expect(LEASE_SECONDS * 1_000 + WATCH_INTERVAL_MS).toBeLessThan(5_000);
      await primary.crash();
      standby.promote();
      const release = await untilDone(async () => follower.leaderLock?.tryAcquire());
      await follower.applyBatch(createBatch(blocks.slice(9)));
      await model.applyBatch(createBatch(blocks.slice(9)));
      await expectSameResults(follower, model, 16, 1);
      expect(await untilDone(() => readHeadNumber(switching))).toBe(11);
      expect(await switching.leaderLock?.tryAcquire()).toBeNull();
      await release();
      expect(await switching.leaderLock?.tryAcquire()).toBeTypeOf('function');
      await switching.rollBackTo(10);
      expect(await readHeadNumber(follower)).toBe(10);
    } finally {
      await Promise.all([leader, follower, switching].map(store => store.close()));
      await standby.stop();
      await primary.stop();
    }
  });
});

/** Of the ones that are compared over the server itself: here only the connections differ. */
const HISTORIES = scaleRounds(3);
const transactionPooler = isOwnServer ? await startPgbouncer(server, 'transaction') : null;
const sessionPooler = isOwnServer ? await startPgbouncer(server, 'session') : null;
afterAll(async () => {
  await transactionPooler?.stop();
  await sessionPooler?.stop();
});
if (isOwnServer && transactionPooler === null) console.warn('SKIPPED: no pgbouncer on this machine.');

describe.skipIf(transactionPooler === null)('behind pgbouncer', () => {
  // In session mode a store has its connections to itself, as without a pooler.
  describeStore(
    'PostgreSQL in transaction mode',
    createEmptyOpeners(server, url => transactionPooler?.pooled(url) ?? ''),
    HISTORIES,
  );

  it.each([
    ['transaction', transactionPooler],
    ['session', sessionPooler],
  ])('in %s mode one process leads, and all tables are in the schema of the URL', async (_mode, pooler) => {
    const direct = server?.createSchemaUrl() ?? '';
    const url = pooler?.pooled(direct) ?? '';
    const [one, two] = await Promise.all([open(url), open(url)]);
    const releases = await Promise.all([one, two].map(store => store.leaderLock?.tryAcquire()));
    expect(releases.filter(release => typeof release === 'function')).toHaveLength(1);
    await one.applyBatch(createBatch(createNextBlocks(null, 4))).catch(() => {});
    const database = await openDatabase({ ...parsePostgresUrl(direct), log: silentLog });
    const { schema } = parsePostgresUrl(direct);
    expect(
      await database.query(
        "SELECT DISTINCT schemaname FROM pg_tables WHERE tablename IN ('chain', 'lease') AND schemaname IN ($1, 'public')",
        [schema],
      ),
    ).toEqual([{ schemaname: schema }]);
    await database.close();
    await Promise.all([one.close(), two.close()]);
  });

  it('that refuses the settings of a session is reported with the line that it needs', async () => {
    const pooler = server && (await startPgbouncer(server, 'transaction', ''));
    try {
      await expect(open(pooler?.pooled(server?.createSchemaUrl() ?? '') ?? '')).rejects.toMatchObject({
        code: 'internal',
        message: /connection pooler .* refuses/,
        fix: /ignore_startup_parameters = extra_float_digits, options/,
      });
    } finally {
      await pooler?.stop();
    }
  });
});

/** Forwards connections to a port until they are frozen: open, but without a byte in either direction. */
async function startFreezingProxy(port: number) {
  let isFrozen = false;
  const sockets = new Set<Socket>();
  const proxy = createServer(client => {
    const upstream = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', chunk => {
        if (!isFrozen) to.write(chunk);
      });
      from.on('close', () => to.destroy());
      from.on('error', () => to.destroy());
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as AddressInfo).port,
    freeze(frozen: boolean) {
      isFrozen = frozen;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

it.skipIf(!isOwnServer)(
  'gives up a statement on a connection that broke without a sign, and uses another one',
  async () => {
    const proxy = await startFreezingProxy(server?.port ?? 0);
    const url = (server?.createSchemaUrl() ?? '').replace(`:${server?.port}/`, `:${proxy.port}/`);
    await (await open(url)).close(); // creates the tables, without the short timeout
    const settings = { ...parsePostgresUrl(url), log: silentLog, queryTimeoutMs: 2_000 };
    const database = await untilDone(() => openDatabase(settings));
    try {
      // A busy machine may also take too long for what comes before the statement, or after it.
      const fault = await untilDone(async () => {
        let isFrozen = false;
        try {
          await database.transaction(async queries => {
            isFrozen = true;
            proxy.freeze(true);
            await queries.query('SELECT 1');
          });
          return new Error('It was answered.');
        } catch (error) {
          return isFrozen ? (error as Error) : null;
        } finally {
          proxy.freeze(false);
        }
      });
      expect(fault.message).toMatch(/can not be reached/);
      expect(await untilDone(() => database.query('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
    } finally {
      proxy.freeze(false);
      await proxy.stop();
      await database.close();
    }
  },
);

it.skipIf(!isOwnServer)('health checks of a connection that broke without a sign are one check', async () => {
  const proxy = await startFreezingProxy(server?.port ?? 0);
  const url = (server?.createSchemaUrl() ?? '').replace(`:${server?.port}/`, `:${proxy.port}/`);
  const opening = createPostgresStoreOpener({ url, log: silentLog });
  await opening.check?.();
  proxy.freeze(true);
  try {
    const check = opening.check?.();
    const rejected = expect(check).rejects.toMatchObject({ code: 'store-unavailable' });
    expect(opening.check?.()).toBe(check);
    await proxy.stop();
    await rejected;
  } finally {
    await proxy.stop();
    await opening.close?.();
  }
});
