// A node's URL with a key in its user, path and query: nothing that `hexlens` prints, logs or replies shows the key.
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import { useFilledChain } from '../support/useFilledChain.ts';
import { bundleCli, mcpEnvironment, runCliHere, type ServeProcess, startServe } from './cliProcess.ts';

/** Each part of the URL has its own, so that a failure tells where the text came from. */
const SECRETS = ['c4a9e2d7user', 'c4a9e2d7password', 'c4a9e2d7path', 'c4a9e2d7query'] as const;
const [USER, PASSWORD, PATH, QUERY] = SECRETS;

/** What the node does with a request. */
type Mode = 'honest' | 'status' | 'html' | 'error' | 'redirect' | 'break';
const BROKEN: readonly Mode[] = ['status', 'html', 'error', 'redirect', 'break'];

const world = useFilledChain();
const folder = createTemporaryFolder('hexlens-secrets-');
let node: Server;
let mode: Mode = 'honest';
let url: string;

const withSecrets = (port: number) => `http://${USER}:${PASSWORD}@127.0.0.1:${port}/v3/${PATH}?apikey=${QUERY}`;
/** No server listens there. */
const closedUrl = withSecrets(1);

beforeAll(async () => {
  node = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const error = { code: -32000, message: `denied: http://127.0.0.1${request.url}`, data: request.url };
    switch (mode) {
      case 'honest': {
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(world.anvil.url, { method: 'POST', headers, body: Buffer.concat(chunks) });
        return void response.end(await answer.text());
      }
      case 'status':
        return void response.writeHead(401).end(JSON.stringify({ error: `key of ${request.url} is wrong` }));
      case 'html':
        return void response.end(`<h1>${request.url}</h1>`);
      case 'error': {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as { id: number } | { id: number }[];
        const reply = (call: { id: number }) => ({ jsonrpc: '2.0', id: call.id, error });
        return void response.end(JSON.stringify(Array.isArray(body) ? body.map(reply) : reply(body)));
      }
      case 'redirect':
        return void response.writeHead(302, { location: `http://127.0.0.1:1${request.url}` }).end();
      case 'break':
        return void response.destroy();
    }
  });
  await once(node.listen(0, '127.0.0.1'), 'listening');
  url = withSecrets((node.address() as AddressInfo).port);
});
afterAll(async () => {
  node?.closeAllConnections();
  node?.close();
});

function expectNoSecret(text: string): void {
  expect(SECRETS.filter(secret => text.includes(secret) || text.includes(encodeURIComponent(secret)))).toEqual([]);
  expect(text).not.toContain(Buffer.from(`${USER}:${PASSWORD}`).toString('base64'));
}

describe('hexlens call', () => {
  const call = (nodeUrl: string, ...args: string[]) =>
    runCliHere(['call', 'block', '--block', '1', '--chain', 'local', '--node', `local=${nodeUrl}`, ...args]);

  test('prints a block of the node', async () => {
    mode = 'honest';
    const { code, stdout, stderr } = await call(url);
    expect(code).toBe(0);
    expectNoSecret(stdout + stderr);
  });

  test('prints a block that contains parts of the URL, which might be keys, as the node has it', async () => {
    mode = 'honest';
    const { port } = node.address() as AddressInfo;
    const plain = await call(world.anvil.url);
    const { hash, miner, transactions } = JSON.parse(plain.stdout) as Record<string, string> & {
      transactions: readonly { readonly from_address: string }[];
    };
    const path = `v3/${hash}/${miner}/${transactions[0]?.from_address}`;
    const { code, stdout } = await call(`http://127.0.0.1:${port}/${path}?key=${hash?.slice(2)}`);
    expect(code).toBe(0);
    expect(stdout).toBe(plain.stdout);
  });

  test.each([...BROKEN, 'refused'] as const)('fails without the key in its sentence: %s', async fault => {
    if (fault !== 'refused') mode = fault;
    const { code, stdout, stderr } = await call(fault === 'refused' ? closedUrl : url);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/^hexlens: /);
    expectNoSecret(stdout + stderr);
  });

  test.each([
    ['scheme', `ftp://${USER}:${PASSWORD}@host.example/${PATH}?k=${QUERY}`],
    ['port', `http://${USER}:${PASSWORD}@host.example:99999/${PATH}?k=${QUERY}`],
    ['form', `${PATH}?k=${QUERY}`],
  ])('rejects a URL with a wrong %s without repeating it', async (_, wrong) => {
    const byFlag = await call(wrong);
    const file = join(folder, 'hexlens.json');
    await writeFile(file, JSON.stringify({ nodes: { local: wrong } }));
    const byFile = await runCliHere(['call', 'block', '--block', '1', '--chain', 'local', '--config', file]);
    for (const { code, stdout, stderr } of [byFlag, byFile]) {
      expect(code).toBe(2);
      expectNoSecret(stdout + stderr);
    }
  });
});

describe('hexlens serve', () => {
  let server: ServeProcess;
  const data = () => join(folder, 'data');
  beforeAll(async () => {
    mode = 'honest';
    server = await startServe(['--port', '0', '--key', 'k', '--node', `local=${url}`, '--data', data()]);
  });
  afterAll(() => server?.stop());

  const paths = (wallet: string) => [
    '/api/v2/block/1?chain=local',
    '/ready',
    '/health',
    '/metrics',
    '/openapi.json',
    `/api/v2/${wallet}/nft/transfers?chain=local`,
    `/api/v2/wallets/balances?chain=local&wallet_addresses=${wallet}`,
    `/api/v2/block/1?chain=${encodeURIComponent(url)}`,
  ];

  test.each(['honest', ...BROKEN] as const)('neither replies nor logs the key: %s', async fault => {
    mode = fault;
    const replies = await Promise.all(
      paths(world.chain.accounts.alice).map(async path => {
        const reply = await fetch(`${server.ready.url}${path}`, { headers: { 'x-api-key': 'k' } });
        return `${reply.status} ${JSON.stringify([...reply.headers])} ${await reply.text()}`;
      }),
    );
    // The client's own text may be repeated to it, the key of the node may not.
    expectNoSecret(replies.slice(0, -1).join('\n'));
    const [block] = replies;
    expect(block).toMatch(fault === 'honest' ? /^200 / : /^5/);
    expectNoSecret(server.stdout() + server.stderr());
  });

  test('stores no key in the folder of its index', async () => {
    // While it runs, files may be removed between listing and reading.
    await server.stop();
    const files = (await readdir(data(), { recursive: true, withFileTypes: true })).filter(file => file.isFile());
    expect(files.length).toBeGreaterThan(0);
    for (const { parentPath, name } of files)
      expectNoSecret(`${name}${await readFile(join(parentPath, name), 'latin1')}`);
  });
});

describe('hexlens mcp', () => {
  test.each(['honest', ...BROKEN, 'remote'] as const)('tells an agent nothing of the key: %s', async fault => {
    if (fault !== 'remote') mode = fault;
    const host = `https://${USER}:${PASSWORD}@host.example/v3/${PATH}?apikey=${QUERY}`;
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [await bundleCli(), 'mcp', '--node', `local=${url}`, '--node', `eth=${host}`],
      env: mcpEnvironment(),
      cwd: folder,
      stderr: 'pipe',
    });
    let log = '';
    transport.stderr?.on('data', chunk => {
      log += chunk;
    });
    await client.connect(transport);
    try {
      const chain = fault === 'remote' ? 'eth' : 'local';
      const progress: unknown[] = [];
      const onprogress = (event: unknown) => progress.push(event);
      const results = [
        await client.callTool({ name: 'list_chains', arguments: {} }),
        await client.callTool({ name: 'look_up', arguments: { text: world.chain.accounts.alice, chain } }),
        await client.callTool({ name: 'block', arguments: { block: '1', chain } }),
        await client.callTool(
          { name: 'wallet_nft_transfers', arguments: { address: world.chain.accounts.alice, chain } },
          undefined,
          { onprogress },
        ),
        await client.listTools(),
        await client.listResources(),
      ];
      expectNoSecret(JSON.stringify(results));
      expectNoSecret(JSON.stringify(progress) + log);
    } finally {
      await client.close();
    }
  });
});
