// `hexlens mcp` with input of a model that was misled: keys, wrong types, huge texts, names of prototypes, other chains.
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ScriptedRpcNode, startScriptedRpcNode } from '../support/scriptedRpcNode.ts';
import { startProcess } from '../support/startProcess.ts';
import { bundleCli, mcpEnvironment } from './cliProcess.ts';

const KEY = 'a3f1c2d4e5b60718293a4b5c6d7e8f90112233445566778899aabbccddeeff01';
/** The first account of Anvil and Hardhat. */
const DEVELOPMENT_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const ADDRESS = `0x${'ab'.repeat(20)}`;

const HEAD = {
  number: '0x10',
  hash: `0x${'12'.repeat(32)}`,
  parentHash: `0x${'34'.repeat(32)}`,
  timestamp: '0x65000000',
  transactions: [],
};
const REFUSAL = /Agents may not query/;

let node: ScriptedRpcNode;
let client: Client;

beforeAll(async () => {
  const results: Readonly<Record<string, unknown>> = {
    eth_chainId: '0x1',
    eth_blockNumber: HEAD.number,
    eth_getCode: '0x6001',
    eth_getLogs: [],
  };
  const getBlock = (block: unknown) => (String(block).startsWith('0x') ? { ...HEAD, number: block } : HEAD);
  node = await startScriptedRpcNode({
    answer: ({ method, params }) => ({
      result: method === 'eth_getBlockByNumber' ? getBlock(params[0]) : (results[method] ?? null),
    }),
  });
  client = new Client({ name: 'test', version: '1' });
  const foreign = 'sepolia=http://foreign.example:8545';
  const args = [await bundleCli(), 'mcp', '--node', `eth=${node.url}`, '--node', foreign];
  const env = mcpEnvironment();
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
});
afterAll(async () => {
  await client?.close();
  await node?.stop();
});

async function call(name: string, input: unknown): Promise<{ readonly isError: boolean; readonly text: string }> {
  const result = await client.callTool({ name, arguments: input as Record<string, unknown> });
  const [part] = result.content as readonly { readonly text: string }[];
  return { isError: result.isError === true, text: part?.text ?? '' };
}

const sentTexts = () => JSON.stringify(node.calls);

test('sends a topic that is no private key', async () => {
  const topic = `0x${'5c'.repeat(32)}`;
  await call('contract_logs', { address: ADDRESS, topic0: [topic], chain: 'eth' });
  expect(sentTexts()).toContain(topic);
});

test.each<[string, string, Record<string, unknown>]>([
  ['a named key', 'look_up', { text: `private key 0x${KEY}` }],
  ['an assignment', 'look_up', { text: `PRIVATE_KEY=0x${KEY}` }],
  ['a known key', 'look_up', { text: DEVELOPMENT_KEY }],
  ['a known key as hash', 'transaction', { hash: DEVELOPMENT_KEY }],
  ['a known key in a list', 'contract_logs', { address: ADDRESS, topic0: [DEVELOPMENT_KEY] }],
  ['a known key in a nested list', 'contract_logs', { address: ADDRESS, topic0: [[DEVELOPMENT_KEY]] }],
  [
    'a known key as argument',
    'read_contract',
    { address: ADDRESS, function: 'f(bytes32)', arguments: [DEVELOPMENT_KEY] },
  ],
  ['a named key in a name of a parameter', 'block', { [`private key 0x${KEY}`]: '1' }],
])('sends no private key to a node: %s', async (_, name, input) => {
  const { text } = await call(name, { ...input, chain: 'eth' });
  expect(sentTexts()).not.toContain(KEY);
  expect(sentTexts()).not.toContain(DEVELOPMENT_KEY.slice(2));
  expect(text).not.toContain(DEVELOPMENT_KEY.slice(2));
});

describe('wrong types and names of prototypes', () => {
  const values: readonly (readonly [string, unknown])[] = [
    ['null', null],
    ['a number', 1e308],
    ['true', true],
    ['an object', { toString: 1, valueOf: 1 }],
    ['a list of objects', [{}, [[]], null]],
    [
      'an object with a prototype',
      JSON.parse('{"__proto__":{"toString":"x"},"constructor":{"prototype":{"polluted":1}}}'),
    ],
    ['control characters', '\u0000\u001b[31m\u202e'],
    ['a lone surrogate', '\ud800'],
  ];
  const fields = [
    ['look_up', 'text'],
    ['block', 'block'],
    ['transaction', 'hash'],
    ['read_contract', 'function'],
    ['decode_call', 'data'],
    ['decode_log', 'topics'],
    ['what_moved', 'hash'],
    ['explain_transaction', 'hash'],
    ['simulate_call', 'data'],
    ['simulate_call', 'args'],
    ['simulate_call', 'overrides'],
    ['search_address_book', 'query'],
    ['contract_logs', '__proto__'],
    ['block', 'constructor'],
    ['list_chains', 'hasOwnProperty'],
    ['block', 'chain'],
  ] as const;

  test.each(fields)('%s with a strange "%s" fails in one sentence or succeeds', async (name, field) => {
    for (const [, value] of values) {
      const input = JSON.parse(
        JSON.stringify({ address: ADDRESS, PLACE: value }).replace('"PLACE"', JSON.stringify(field)),
      );
      const { isError, text } = await call(name, input);
      expect(text.length).toBeLessThan(20_000);
      if (!isError) continue;
      expect(text).toMatch(/^Failed: /);
      // A mistake of the program, not of the input.
      expect(text).not.toMatch(/TypeError|undefined is not|Cannot (?:convert|read)|is not a function|internal/i);
      for (const character of ['\u0000', '\u001b', '\u202e']) expect(text).not.toContain(character);
    }
  });

  test.each(['__proto__', 'constructor', 'toString', '', 'x'.repeat(100_000)])('there is no tool %j', async name => {
    const { isError, text } = await call(name, {});
    expect([isError, text.length < 1_000]).toEqual([true, true]);
    expect(text).toContain('is not a tool');
  });

  test('nothing is added to the prototype of later requests', async () => {
    const { text } = await call('block', JSON.parse('{"__proto__":{"chain":"sepolia"},"block":"1"}'));
    expect(text).not.toMatch(REFUSAL);
    expect((await call('block', { block: '1' })).text).not.toMatch(REFUSAL);
    expect((await call('search_address_book', {})).isError).toBe(false);
  });
});

test('rejects texts of megabytes, and still responds', async () => {
  const long = `0x${'ab'.repeat(32)} `.repeat(60_000);
  for (const [name, field] of [
    ['look_up', 'text'],
    ['transaction', 'hash'],
    ['decode_call', 'data'],
    ['read_contract', 'function'],
    ['search_address_book', 'query'],
    ['block', 'chain'],
  ] as const) {
    const { isError, text } = await call(name, { [field]: long, address: ADDRESS });
    expect([name, isError]).toEqual([name, true]);
    expect(text.length).toBeLessThan(1_000);
  }
  expect((await call('search_address_book', {})).isError).toBe(false);
});

/** Sends lines that no client would write, and resolves with the responses by id, once that to `ping` is there. */
async function exchange(lines: readonly string[]): Promise<ReadonlyMap<unknown, unknown>> {
  const child = await startProcess(process.execPath, [await bundleCli(), 'mcp'], {
    env: mcpEnvironment(),
    stdin: 'pipe',
  });
  const clientInfo = { name: 'test', version: '1' };
  const initialize = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo };
  const toLine = (message: object) => JSON.stringify({ jsonrpc: '2.0', ...message });
  const first = [toLine({ id: 'init', method: 'initialize', params: initialize })];
  first.push(toLine({ method: 'notifications/initialized' }));
  child.stdin?.write(`${[...first, ...lines, toLine({ id: 'ping', method: 'ping' })].join('\n')}\n`);
  const responses = new Map<unknown, unknown>();
  for await (const line of createInterface({ input: child.stdout })) {
    const { id, ...response } = JSON.parse(line) as { readonly id: unknown };
    responses.set(id, response);
    if (id === 'ping') break;
  }
  child.kill('SIGTERM');
  return responses;
}

const toCall = (block: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"block","arguments":{"block":${block}}}}`;

test.each([
  ['lists', '[', ']'],
  ['objects', '{"a":', '}'],
])('names an argument of %s that is nested 20,000 levels deep', async (_, open, close) => {
  const responses = await exchange([toCall(`${open.repeat(20_000)}1${close.repeat(20_000)}`)]);
  expect(JSON.stringify(responses.get(1))).toContain('block is nested more than 100 levels deep');
  expect(responses.get('ping')).toEqual({ jsonrpc: '2.0', result: {} });
});

test('answers a request of more than 8 MiB with an error, wherever its id is, and the next one as before', async () => {
  const long = '1'.repeat(11_000_000);
  const responses = await exchange([
    toCall(`"${long}"`),
    `{"method":"ping","params":{"long":"${long}"},"jsonrpc":"2.0","id":"last"}`,
  ]);
  const refusal = { jsonrpc: '2.0', error: { code: -32600, message: 'The message has more than 8388608 bytes.' } };
  expect(responses.get(1)).toEqual(refusal);
  expect(responses.get('last')).toEqual(refusal);
  expect(responses.get('ping')).toEqual({ jsonrpc: '2.0', result: {} });
});

test.each(['sepolia', '0xaa36a7', 'Sepolia', ' sepolia '])(
  'does not query a chain of another host: %j',
  async chain => {
    for (const [name, input] of [
      ['look_up', { text: ADDRESS }],
      ['block', { block: '1' }],
      ['read_contract', { address: ADDRESS, function: 'f() view returns (uint256)' }],
      ['what_moved', { hash: `0x${'ab'.repeat(32)}` }],
      ['simulate_call', { from: ADDRESS, to: ADDRESS }],
    ] as const) {
      const { isError, text } = await call(name, { ...input, chain });
      expect([name, isError]).toEqual([name, true]);
      expect(text).toMatch(REFUSAL);
    }
  },
);

test.each(['file:///etc/passwd', 'hexlens://reference/../../etc/passwd', 'hexlens://', 'http://127.0.0.1/'])(
  'reads no resource besides its own: %s',
  async uri => {
    await expect(client.readResource({ uri })).rejects.toThrow();
  },
);
