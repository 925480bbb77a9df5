// Two `hexlens serve` processes over one PostgreSQL database and one chain: one is the leader, both serve, either may be killed.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parsePostgresUrl } from '../../src/service/store/postgres/postgresUrl.ts';
import type { Anvil } from '../support/chain/anvil.ts';
import { startFilledAnvil } from '../support/chain/filledAnvil.ts';
import type { TestChain } from '../support/chain/testChain.ts';
import { type PostgresServer, sharePostgres } from '../support/postgresServer.ts';
import { readUntil } from '../support/readUntil.ts';
import { runCliHere, type ServeProcess } from './cliProcess.ts';
import { createServices, page, readTransfers } from './severalServices.ts';

const postgres: PostgresServer | null = await sharePostgres();
afterAll(() => postgres?.stop());

describe.skipIf(postgres === null)('two processes over one database', () => {
  let anvil: Anvil;
  let chain: TestChain;
  let store: string;
  const services = createServices();
  const { running, kill } = services;

  beforeAll(async () => {
    ({ anvil, chain } = await startFilledAnvil());
    store = postgres?.createSchemaUrl() ?? '';
  });
  afterAll(async () => {
    await services.stop();
    await anvil?.stop();
  });

  const serve = () => services.serve(anvil.url, { HEXLENS_STORE: store });

  /** Stops the process that is seen writing new blocks: the holder of the lease. */
  async function stopLeader(servers: readonly ServeProcess[]): Promise<ServeProcess> {
    const client = new Client({ connectionString: postgres?.url ?? '' });
    await client.connect();
    let leader: ServeProcess | undefined;
    const working = (async () => {
      while (leader === undefined) {
        await anvil.rpc('anvil_mine', ['0x40']);
        const head = Number(await anvil.rpc('eth_blockNumber'));
        await Promise.race(servers.map(server => page(server, `/nft/transfers?limit=2&from_block=0&to_block=${head}`)));
      }
    })();
    try {
      while (leader === undefined) {
        const { rows } = await client.query<{ holder: string }>(
          `SELECT holder FROM ${parsePostgresUrl(store).schema}.lease WHERE expires > clock_timestamp()`,
        );
        leader = servers.find(({ child }) => rows[0]?.holder.startsWith(`${child.pid}@`));
      }
      leader.child.kill('SIGSTOP');
      return leader;
    } finally {
      await client.end();
      await working.catch(() => {});
    }
  }

  test('both give the same replies while they start together on an empty database', async () => {
    const [one, two] = await Promise.all([serve(), serve()]);
    const [first, second] = await Promise.all([readTransfers(one), readTransfers(two)]);
    expect(first).toEqual(second);
    expect(first.length).toBeGreaterThan(100);
  });

  test('when the leader is killed in the middle the other takes over, and nothing is missing or duplicated', async () => {
    store = postgres?.createSchemaUrl() ?? '';
    const [one, two] = await Promise.all([serve(), serve()]);
    await Promise.race([
      page(one, '/nft/transfers?limit=1&from_block=0'),
      page(two, '/nft/transfers?limit=1&from_block=0'),
    ]);
    await kill(one);
    const rest = await readTransfers(two);
    const three = await serve();
    expect(await readTransfers(three)).toEqual(rest);
    expect(rest.length).toBeGreaterThan(100);
    // Against a fresh index of one process.
    store = postgres?.createSchemaUrl() ?? '';
    expect(await readTransfers(await serve())).toEqual(rest);
  });

  test('when the leader hangs, its lease expires and another process takes over', async () => {
    store = postgres?.createSchemaUrl() ?? '';
    const servers = await Promise.all([serve(), serve()]);
    await Promise.all(servers.map(readTransfers));
    const leader = await stopLeader(servers);
    const other = servers.find(server => server !== leader) ?? leader;
    const head = Number(await anvil.rpc('eth_blockNumber'));
    let tried = 0;
    for (let behind = true; behind; ) {
      // Another page each time, so that none is cached.
      const { status, index_complete } = await page(
        other,
        `/nft/transfers?limit=3&from_block=0&to_block=${head + ++tried}`,
      );
      expect(status).toBe(200);
      behind = index_complete !== true;
    }
    leader.child.kill('SIGCONT');
    expect(await readTransfers(leader)).toEqual(await readTransfers(other));
  });

  test('owners are equal in all of them', async () => {
    const answers = await Promise.all(
      [...running].map(server => page(server, `/nft/${chain.contracts.apes}/1/owners?chain=local`)),
    );
    expect(answers.length).toBeGreaterThan(2);
    for (const answer of answers) expect(answer.result).toEqual(answers[0]?.result);
  });

  const fetchReady = async ({ ready }: ServeProcess) => {
    const response = await fetch(`${ready.url}/ready`);
    return { status: response.status, body: (await response.json()) as { readonly store?: string } };
  };

  test('an unreachable database is a warning at the start and a 503, without its password', async () => {
    const url = 'postgres://me:secret@127.0.0.1:1/none';
    const server = await services.serve(anvil.url, { HEXLENS_STORE: url });
    await expect
      .poll(() => server.stderr())
      .toMatch(/ warn .*can not be reached\. Check that it runs and that host and port/);
    expect(await fetchReady(server)).toMatchObject({
      status: 503,
      body: { status: 'not ready', store: 'store-unavailable' },
    });
    const answer = await fetch(`${server.ready.url}/api/v2/nft/transfers?from_block=0`, {
      headers: { 'x-api-key': 'k' },
    });
    expect([answer.status, answer.headers.get('x-hexlens-fault')]).toEqual([503, 'store-unavailable']);
    expect(await answer.json()).toEqual({
      message: expect.stringMatching(/^The PostgreSQL database of the index can not be reached\./),
    });
    expect(server.stderr() + server.stdout()).not.toContain('secret');
    const wrong = await runCliHere(['serve', '--store', 'mysql://me:secret@x/y']);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/--store needs the URL of a PostgreSQL database/);
    expect(wrong.stderr).not.toContain('secret');
  });

  test('is ready again, and answers, when its database can be reached again', async () => {
    const gateway = await startGateway(postgres?.port ?? 0);
    const url = (postgres?.createSchemaUrl() ?? '').replace(`:${postgres?.port}/`, `:${gateway.port}/`);
    const server = await services.serve(anvil.url, { HEXLENS_STORE: url });
    expect(await fetchReady(server)).toMatchObject({ status: 503, body: { store: 'store-unavailable' } });
    gateway.open();
    await readUntil(
      () => fetchReady(server),
      ({ body }) => body.store === 'ok',
    );
    await expect.poll(() => server.stderr()).toContain('can be used again');
    expect((await readTransfers(server)).length).toBeGreaterThan(100);
    await server.stop();
    await gateway.stop();
  });

  test('ends at once while it connects to a database that does not respond', async () => {
    const [first, second] = [await startSilentHost(), await startSilentHost()];
    const url = `postgres://me@127.0.0.1:${first.port},127.0.0.1:${second.port}/none`;
    const server = await services.serve(anvil.url, { HEXLENS_STORE: url });
    await expect.poll(() => first.connections).toBe(1);
    expect((await server.stop()).code).toBe(0);
    expect(second.connections).toBe(0); // it would be next when the first one had timed out
    await Promise.all([first.stop(), second.stop()]);
  });
});

/** A host that accepts connections and never says anything. */
async function startSilentHost() {
  const sockets = new Set<Socket>();
  const server = createServer(socket => sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return sockets.size;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** A port that ends every connection until it is opened, and then forwards to `target`. */
async function startGateway(target: number) {
  let isOpen = false;
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    if (!isOpen) return socket.destroy();
    const outgoing = connect(target, '127.0.0.1');
    for (const end of [socket, outgoing]) sockets.add(end.on('error', () => {}));
    socket.pipe(outgoing).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    open() {
      isOpen = true;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
