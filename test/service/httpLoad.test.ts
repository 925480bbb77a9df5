// The service as a process under load: killed in the middle it loses nothing; thousands of silent connections block no client.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { encodeData, itemsAbi } from '../support/chain/contractAbis.ts';
import { mineBlock } from '../support/chain/mineBlock.ts';
import { readUntil } from '../support/readUntil.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import { useFilledChain } from '../support/useFilledChain.ts';
import { type ServeProcess, startServe } from './cliProcess.ts';

const KEY = 'a-key-under-load';

const world = useFilledChain();
const folder = createTemporaryFolder('hexlens-load-');

const serve = (args: readonly string[] = []) =>
  startServe(['--port', '0', '--key', KEY, '--node', `local=${world.anvil.url}`, ...args]);
const get = ({ ready }: ServeProcess, path: string) => fetch(`${ready.url}${path}`, { headers: { 'x-api-key': KEY } });

/** On a busy machine the first answers are those of an index that is still being made. */
const getSynced = (server: ServeProcess, path: string) =>
  readUntil(
    () => get(server, path),
    ({ headers }) => !headers.has('x-hexlens-index'),
  );

interface Page {
  readonly cursor: string | null;
  readonly result: readonly unknown[];
}

async function all(server: ServeProcess, path: string): Promise<readonly unknown[]> {
  const records: unknown[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const response = await getSynced(server, `${path}&limit=100&cursor=${cursor}`);
    const body = (await response.json()) as Page;
    expect(response.status, JSON.stringify(body)).toBe(200);
    records.push(...body.result);
    cursor = body.cursor;
  }
  return records;
}

/** All data of the index, over HTTP. */
async function everything(server: ServeProcess): Promise<unknown> {
  const { accounts, contracts } = world.chain;
  return {
    transfers: await all(server, '/api/v2/nft/transfers?chain=local&from_block=0'),
    mints: await all(server, '/api/v2/erc20/mints?chain=local'),
    owners: await all(server, `/api/v2/nft/${contracts.items}/1/owners?chain=local`),
    wallets: await Promise.all(
      [accounts.alice, accounts.bob, accounts.carol].map(wallet => all(server, `/api/v2/${wallet}/nft?chain=local`)),
    ),
  };
}

describe('kill -9 in the middle of load and of new blocks', () => {
  test('loses nothing: the next process gives the same replies as a fresh one', async () => {
    const data = ['--data', join(folder, 'index')];
    const { accounts, contracts } = world.chain;
    let minted = 0;
    const mint = () => {
      const arguments_ = [minted++ % 2 === 0 ? accounts.alice : accounts.bob, BigInt(1 + (minted % 7)), 3n] as const;
      return { from: accounts.deployer, to: contracts.items, data: encodeData(itemsAbi.mint, arguments_) };
    };
    for (let round = 0; round < 2; round++) {
      const server = await serve(data);
      let answered = 0;
      let going = true;
      const client = async () => {
        while (going) {
          const response = await get(server, `/api/v2/nft/transfers?chain=local&limit=20`).catch(() => null);
          if (response === null) return; // it is gone
          await response.text().then(
            () => answered++,
            () => {},
          );
        }
      };
      const clients = Array.from({ length: 12 }, client);
      // In turn with answers: Anvil once stopped responding while it mined without a break.
      const mine = async () => {
        for (let next = 0; going; next = answered + 5) {
          await readUntil(
            async () => answered >= next || !going,
            isTurn => isTurn,
          );
          if (going) await mineBlock(world.anvil, [mint(), mint()]);
        }
      };
      const miner = mine();
      const before = minted;
      await expect.poll(() => answered).toBeGreaterThan(60);
      await expect.poll(() => minted).toBeGreaterThan(before + 4);
      server.child.kill('SIGKILL');
      await server.ended;
      going = false;
      await Promise.all([...clients, miner]);
    }
    expect(minted).toBeGreaterThan(10);
    const [after, fresh] = [await serve(data), await serve()];
    try {
      expect(await everything(after)).toEqual(await everything(fresh));
    } finally {
      await Promise.all([after.stop(), fresh.stop()]);
    }
  });
});

describe('many connections', () => {
  /** At most as many as one process may open on this machine, besides those that it needs itself. */
  async function openAtMost(wanted: number): Promise<number> {
    const limits = await readFile('/proc/self/limits', 'utf8');
    const soft = Number(/Max open files\s+(\d+)/.exec(limits)?.[1] ?? 1_024);
    return Math.min(wanted, soft - 500);
  }

  const CONNECTIONS = 4_000;

  test('thousands of idle connections block no client, and the service closes them', async context => {
    const wanted = await openAtMost(CONNECTIONS);
    if (wanted < CONNECTIONS)
      console.warn(`This machine lets a process open ${wanted} connections only: so many are tried.`);
    if (wanted < 500) return context.skip();
    const server = await serve();
    const port = Number(new URL(server.ready.url).port);
    const sockets: Socket[] = [];
    let open = 0;
    let most = 0;
    try {
      for (let batch = 0; batch < wanted; batch += 500) {
        const opened = Array.from({ length: Math.min(500, wanted - batch) }, async () => {
          const socket = connect(port, '127.0.0.1');
          sockets.push(socket);
          socket.on('error', () => {});
          socket.on('close', () => open--);
          await once(socket, 'connect');
          most = Math.max(most, ++open);
          socket.resume();
        });
        await Promise.all(opened);
        expect((await get(server, '/api/v2/block/1?chain=local')).status).toBe(200);
      }
      expect(sockets).toHaveLength(wanted);
      expect(most).toBeGreaterThan(Math.min(wanted, 2_000));
      await expect.poll(() => open).toBe(0);
      expect((await get(server, '/api/v2/block/1?chain=local')).status).toBe(200);
    } finally {
      for (const socket of sockets) socket.destroy();
      expect((await server.stop()).code).toBe(0);
    }
  });
});

describe('bursts of requests', () => {
  test.skipIf(process.platform !== 'linux')('take no more memory than docs/service.md says', async () => {
    const guide = await readFile(new URL('../../docs/service.md', import.meta.url), 'utf8');
    const limitMb = Number(/takes a constant (\d+) MB/.exec(guide)?.[1]);
    const server = await serve();
    try {
      const { accounts, contracts } = world.chain;
      const paths = [
        '/api/v2/nft/transfers?chain=local&from_block=0&limit=100',
        '/api/v2/erc20/mints?chain=local&limit=100',
        `/api/v2/nft/${contracts.items}/1/owners?chain=local&limit=100`,
        `/api/v2/${accounts.alice}/nft?chain=local&limit=100`,
      ];
      for (let burst = 0; burst < 5; burst++)
        await Promise.all(
          Array.from({ length: 400 }, async (_, index) => {
            const response = await get(server, paths[index % paths.length] ?? '');
            expect(response.status).toBe(200);
            await response.text();
          }),
        );
      const status = await readFile(`/proc/${server.child.pid}/status`, 'utf8');
      const peakMb = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1000;
      expect(peakMb).toBeGreaterThan(0);
      // Most of it is what V8 reserves, which depends on the machine.
      expect(peakMb).toBeLessThanOrEqual(limitMb * 1.5);
    } finally {
      await server.stop();
    }
  });
});

describe('service pages of the process', () => {
  test('/ready follows the node; /metrics counts requests; the log has one JSON object per line, without secrets', async () => {
    const server = await serve(['--log', 'json']);
    try {
      const readReady = async () => (await get(server, '/ready')).json();
      // A busy machine may take longer than the limit of the check.
      await expect.poll(readReady).toEqual({
        ...{ status: 'ready', chains: { local: 'ok' }, aptos: {} },
      });
      const hash = world.chain.blocks.sales.hash;
      for (let i = 0; i < 3; i++) expect((await get(server, `/api/v2/block/${hash}?chain=local`)).status).toBe(200);
      expect((await get(server, '/api/v2/block/999999?chain=local')).status).toBe(404);
      const list = '/api/v2/nft/transfers?chain=local&from_block=0';
      await getSynced(server, list);
      const metrics = await (await get(server, '/metrics')).text();
      expect(metrics).toContain('hexlens_requests_total{operation="block",status="200",key="default"} 3');
      expect(metrics).toContain('hexlens_requests_total{operation="block",status="404",key="default"} 1');
      expect(metrics).toMatch(/hexlens_request_seconds_count\{operation="block"\} 4/);
      const value = (name: string) => Number(new RegExp(`^${name}\\{chain="local"\\} (\\d+)$`, 'm').exec(metrics)?.[1]);
      expect(value('hexlens_index_block')).toBe(value('hexlens_chain_head'));
      expect(value('hexlens_index_synced')).toBe(1);
      expect(metrics).toContain('process_resident_memory_bytes');
      await server.stop();
      const lines = server
        .stderr()
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line) as Record<string, unknown>);
      const requests = lines.filter(({ operation }) => operation === 'block');
      expect(requests).toHaveLength(4);
      expect(requests[0]).toMatchObject({
        level: 'info',
        method: 'GET',
        status: 200,
        key: 'default',
        ms: expect.any(Number),
      });
      for (const { time } of lines) expect(String(time)).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      expect(server.stderr()).not.toContain(KEY);
      expect(server.stderr()).not.toContain(hash);
    } finally {
      await server.stop();
    }
  });

  test('/ready is 503 while the node is down, and the service keeps running', async () => {
    const server = await startServe(['--port', '0', '--key', KEY, '--node', 'local=http://127.0.0.1:1']);
    try {
      const readReady = async () => {
        const ready = await get(server, '/ready');
        return [ready.status, await ready.json()];
      };
      // A busy machine may take longer than the limit of the check.
      await expect
        .poll(readReady)
        .toEqual([503, { status: 'not ready', chains: { local: 'node-unreachable' }, aptos: {} }]);
      expect((await get(server, '/health')).status).toBe(200);
    } finally {
      await server.stop();
    }
  });
});

describe('open to other machines', () => {
  test.each<[readonly string[], string]>([
    [['--host', '0.0.0.0'], 'it needs a key of yours'],
    [['--host', '0.0.0.0', '--key', 'short'], 'the key is too short for that. Use 16 characters or more.'],
    [['--host', '203.0.113.7', '--key', 'long-enough-for-it'], '203.0.113.7 is not an address of this machine'],
  ])('%j is rejected', async (args, text) => {
    const running = startServe(['--port', '0', ...args]);
    await expect(running).rejects.toThrow(text);
  });

  test('with an address and a key of the user it accepts that address and the given names as host, and no others', async () => {
    const names = ['--host', '0.0.0.0', '--host-name', 'data.example'];
    const server = await startServe(['--port', '0', '--key', 'long-enough-for-it', ...names]);
    try {
      await expect.poll(() => server.stderr()).toContain('nothing is encrypted');
      const port = Number(new URL(server.ready.url).port);
      const status = async (host: string) => {
        const socket = connect(port, '127.0.0.2');
        socket.end(`GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
        let text = '';
        for await (const chunk of socket.setEncoding('utf8')) text += String(chunk);
        return text.slice(9, 12);
      };
      expect(await Promise.all(['127.0.0.2', `10.1.2.3:${port}`, 'data.example', 'evil.example'].map(status))).toEqual([
        ...['200', '200', '200', '400'],
      ]);
    } finally {
      await server.stop();
    }
  });
});
