// The command line of `hexlens serve`, bundled as it is shipped: ready line, keys, wrong use, ports in use, signals.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ScriptedNode, startScriptedNode } from '../unit/worker/scriptedNode.ts';
import { bundleCli, runCli, runCliHere, type ServeProcess, startServe } from './cliProcess.ts';

const WALLET = `0x${'ab'.repeat(20)}`;

let node: ScriptedNode;
const running: ServeProcess[] = [];

beforeAll(async () => {
  node = await startScriptedNode();
});
afterEach(async () => {
  node.release();
  for (const cli of running.splice(0)) {
    cli.child.kill('SIGKILL');
    await cli.ended;
  }
});
afterAll(async () => {
  await node.stop();
});

async function serve(args: readonly string[] = [], env: Record<string, string> = {}) {
  const cli = await startServe(['--port', '0', '--node', `local=${node.url}`, ...args], env);
  running.push(cli);
  return cli;
}

const balances = ({ ready }: ServeProcess, signal?: AbortSignal) =>
  fetch(`${ready.url}/api/v2/wallets/balances?wallet_addresses=${WALLET}`, {
    headers: { 'x-api-key': ready.key },
    signal: signal ?? null,
  });

describe('ready', () => {
  test('prints one line of JSON with the URL and a generated key', async () => {
    const [first, second] = await Promise.all([serve(), serve()]);
    expect(first.stdout()).toBe(`${JSON.stringify(first.ready)}\n`);
    expect(Object.keys(first.ready)).toEqual(['url', 'key']);
    expect(first.ready.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(first.ready.key).toMatch(/^[\w-]{32}$/);
    expect(second.ready.key).not.toBe(first.ready.key);
    expect((await balances(first)).status).toBe(200);
    expect(first.stderr()).not.toContain(first.ready.key);
  });

  test('the key of the flag overrides that of the environment', async () => {
    expect((await serve([], { HEXLENS_API_KEY: 'from-env' })).ready.key).toBe('from-env');
    expect((await serve(['--key', 'flag'], { HEXLENS_API_KEY: 'from-env' })).ready.key).toBe('flag');
  });

  test('several nodes; the first answers requests that name no chain', async () => {
    const cli = await serve(['--node', 'bsc testnet=http://127.0.0.1:1', '--node', '0xAA36A7=http://127.0.0.1:1']);
    expect((await balances(cli)).status).toBe(200);
    const reply = await fetch(`${cli.ready.url}/api/v2/block/1?chain=sepolia`, {
      headers: { 'x-api-key': cli.ready.key },
    });
    expect(reply.status).toBe(502);
  });

  test('listens on loopback only', async () => {
    const { ready } = await serve();
    const socket = connect(Number(new URL(ready.url).port), '127.0.0.2');
    const [error] = await once(socket, 'error');
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('a reader of the first line may close the pipe', async () => {
    const cli = await serve();
    cli.child.stdout?.destroy();
    cli.child.stderr?.destroy();
    expect((await balances(cli)).status).toBe(200);
    expect((await balances(cli)).status).toBe(200);
  });
});

test.skipIf(process.platform !== 'linux')('the process list shows neither key nor password', async () => {
  const store = 'postgres://user:a-password@127.0.0.1:1/none';
  const server = await startServe(['--port', '0', '--key', 'a-secret-key', '--store', store]);
  try {
    const shown = readFileSync(`/proc/${server.child.pid}/cmdline`, 'utf8');
    expect(shown).toContain('hexlens');
    expect(shown).not.toMatch(/a-secret-key|a-password/);
  } finally {
    await server.stop();
  }
});

describe('wrong use ends with code 2 and one sentence', () => {
  test.each([
    [[], 'Name a command'],
    [['server'], '"server" is not a command'],
    [['serve', 'now'], '"now" is not expected'],
    [['serve', '--port'], "Option '--port <value>' argument missing"],
    [['serve', '--port', 'abc'], '--port must be a number from 0 to 65535'],
    [['serve', '--port', '65536'], '--port must be a number from 0 to 65535'],
    [['serve', '--port=-1'], '--port must be a number from 0 to 65535'],
    [['serve', '--prot', '1'], "Unknown option '--prot'"],
    [['serve', '--help=yes'], "'-h, --help' does not take an argument"],
    [['serve', '--key', ''], '--key can not be sent'],
    [['serve', '--key', 'a b'], '--key can not be sent'],
    [['serve', '--key', 'schlüssel'], '--key can not be sent'],
    [['serve', '--node', 'http://127.0.0.1:8545'], '--node needs NAME=URL'],
    [['serve', '--node', '=http://127.0.0.1:8545'], '--node needs NAME=URL'],
    [['serve', '--node', 'nowhere=http://127.0.0.1:8545'], '"nowhere" is not a chain'],
    [['serve', '--node', 'local=ftp://127.0.0.1:8545'], 'must begin with http://, https://, ws:// or wss://'],
    [['serve', '--node', 'local=127.0.0.1:8545'], 'must begin with http://, https://, ws:// or wss://'],
    [['serve', '--node', 'eth=http://a.example', '--node', '0x1=http://b.example'], 'eth is given twice'],
  ])('names what is wrong in %j', async (args, text) => {
    const { code, stdout, stderr } = await runCliHere(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(text);
    expect(stderr).toMatch(/^hexlens: .*\.\n$/);
  });
});

test('a port in use ends with code 1 and the fix', async () => {
  const server: Server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { code, stdout, stderr } = await runCli(['serve', '--port', String(port)]);
  server.close();
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toBe(`hexlens: Port ${port} is already in use. Choose another port, or 0 for a free one.\n`);
});

test('help and version go to standard output, after a command the help of that command alone', async () => {
  const [help, serveHelp, traceHelp, version] = await Promise.all(
    [['--help'], ['serve', '-h'], ['trace', '--help'], ['-v']].map(args => runCliHere(args)),
  );
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help?.stdout).toContain('hexlens serve [--port PORT]');
  expect(help?.stdout).toContain('hexlens trace HASH');
  expect(serveHelp?.stdout).toMatch(/^Usage:\n {2}hexlens serve \[--port PORT\]/);
  expect(serveHelp?.stdout).not.toContain('hexlens trace');
  expect(traceHelp?.stdout).toMatch(/^Usage:\n {2}hexlens trace HASH[\s\S]*--calls prints[\s\S]* {2}--node NAME=URL/);
  expect(traceHelp?.stdout).not.toContain('hexlens serve');
  const listOptions = async (...args: readonly string[]) =>
    (await runCliHere([...args, '--help'])).stdout.match(/^ {2}--[\w-]+/gm)?.map(row => row.trim());
  for (const command of ['trace', 'simulate', 'diff'])
    expect(await listOptions(command)).toEqual(['--node', '--timeout', '--config']);
  expect(await listOptions('call', 'verifySignIn')).toContain('--domain');
  for (const id of ['block', 'aptosWalletNfts']) expect(await listOptions('call', id)).not.toContain('--domain');
  expect(await listOptions('call', 'block')).not.toContain('--aptos');
  expect(await listOptions('call', 'aptosWalletNfts')).not.toContain('--node');
  const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(version).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
});

describe('stop', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s ends the process with code 0 and frees the port', async signal => {
    const cli = await serve();
    await balances(cli); // leaves a keep-alive connection behind
    cli.child.kill(signal);
    expect((await cli.ended).code).toBe(0);
    expect(cli.stderr()).toContain(`${signal}: stopping.`);
    await expect(balances(cli)).rejects.toThrow();
  });

  test('a running request still gets its response', async () => {
    const cli = await serve();
    node.hold = 'eth_getBalance';
    const pending = balances(cli);
    await expect.poll(() => node.held()).toBe(1);
    cli.child.kill('SIGTERM');
    await expect.poll(() => cli.stderr()).toContain('stopping');
    node.release();
    expect((await pending).status).toBe(200);
    expect((await cli.ended).code).toBe(0);
  });

  test('a request that hangs in the node gets a 503 after the grace period', async () => {
    const cli = await serve();
    node.hold = 'eth_getBalance';
    const pending = balances(cli);
    await expect.poll(() => node.held()).toBe(1);
    cli.child.kill('SIGTERM');
    const reply = await pending;
    expect([reply.status, reply.headers.get('x-hexlens-fault')]).toEqual([503, 'backend-stopped']);
    expect((await cli.ended).code).toBe(0);
  });

  test('a second signal ends the process at once', async () => {
    const cli = await serve();
    node.hold = 'eth_getBalance';
    const pending = balances(cli).catch(() => 'cut');
    await expect.poll(() => node.held()).toBe(1);
    cli.child.kill('SIGINT');
    await expect.poll(() => cli.stderr()).toContain('stopping');
    cli.child.kill('SIGINT');
    expect((await cli.ended).code).toBe(130);
    expect(await pending).toBe('cut');
  });
});

test('a disconnecting client aborts the request to the node', async () => {
  const cli = await serve();
  node.hold = 'eth_getBalance';
  const controller = new AbortController();
  const pending = balances(cli, controller.signal).catch(() => 'left');
  await expect.poll(() => node.held()).toBe(1);
  controller.abort();
  expect(await pending).toBe('left');
  await expect.poll(() => node.held()).toBe(0);
});

test('an unusable data folder: clients get the reason, only the log has the path', async () => {
  const file = await bundleCli();
  const cli = await serve(['--data', file]);
  const reply = await fetch(`${cli.ready.url}/api/v2/nft/${WALLET}/transfers`, {
    headers: { 'x-api-key': cli.ready.key },
  });
  expect([reply.status, await reply.json()]).toEqual([
    500,
    { message: 'The index of the chain could not be opened. See the log of the service.' },
  ]);
  await expect.poll(() => cli.stderr()).toContain(`Check that ${file} is a folder`);
});
