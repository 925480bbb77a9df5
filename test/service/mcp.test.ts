// `hexlens mcp` as an agent uses it: the SDK's own client over standard input and output, against a real chain.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as AbiFunction from 'ox/AbiFunction';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { operationIds } from '../../src/api/operations/operations.ts';
import { toWireName } from '../../src/api/wire/wireName.ts';
import { type ScriptedRpcNode, startScriptedRpcNode } from '../support/scriptedRpcNode.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import { useFilledChain } from '../support/useFilledChain.ts';
import { bundleCli, mcpEnvironment, runCliHere } from './cliProcess.ts';

/** Of Anvil's first account. */
const DEVELOPMENT_KEY = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

const world = useFilledChain();
let script: string;
const folder = createTemporaryFolder('hexlens-mcp-');
let silentNode: ScriptedRpcNode;
const clients: Client[] = [];

beforeAll(async () => {
  [script, silentNode] = await Promise.all([
    bundleCli(),
    startScriptedRpcNode({ answer: () => undefined, exchange: () => true }),
  ]);
  const abi = [
    { type: 'error', name: 'TooMuch', inputs: ['asked', 'available'].map(name => ({ name, type: 'uint256' })) },
  ];
  await mkdir(join(folder, 'out/Vault.sol'), { recursive: true });
  await writeFile(join(folder, 'out/Vault.sol/Vault.json'), JSON.stringify({ abi }));
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
afterAll(async () => {
  await (await shared)?.client.close();
  await silentNode?.stop();
});

/** One process for the tests that need no options of their own. */
let shared: ReturnType<typeof start> | undefined;

function connectToChain() {
  shared ??= start(['--node', `local=${world.anvil.url}`]);
  return shared;
}

async function connect(args: readonly string[], env: Record<string, string> = {}) {
  const started = await start(args, env);
  clients.push(started.client);
  return started;
}

async function start(args: readonly string[], env: Record<string, string> = {}) {
  const client = new Client({ name: 'test', version: '1' });
  const command = { command: process.execPath, args: [script, 'mcp', ...args], cwd: folder };
  const transport = new StdioClientTransport({
    ...command,
    env: { ...env, ...mcpEnvironment() },
    stderr: 'pipe',
  });
  await client.connect(transport);
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name, arguments: input });
    const [part] = result.content as readonly { readonly text: string }[];
    const text = part?.text ?? '';
    const json = text.slice(text.indexOf('\n') + 1);
    return { isError: result.isError === true, text, value: result.isError === true ? null : JSON.parse(json) };
  };
  return { client, transport, call };
}

describe('hexlens mcp', () => {
  test('decodes with the ABI of the contract that the data belongs to', async () => {
    const declare = (name: string) =>
      JSON.stringify([{ type: 'function', name: 'set', inputs: [{ name, type: 'uint256' }], outputs: [] }]);
    const [general, own] = [join(folder, 'general.json'), join(folder, 'own.json')];
    await Promise.all([writeFile(general, declare('size')), writeFile(own, declare('limit'))]);
    const address = `0x${'Ab'.repeat(20)}`;
    const { call } = await connect(['--abi', general, '--abi', `${address}=own.json`]);
    const data = AbiFunction.encodeData(AbiFunction.from('function set(uint256)'), [7n]);
    const nameOf = async (input: object) =>
      Object.keys((await call('decode_call', { data, ...input })).value[0].arguments);
    expect(await nameOf({})).toEqual(['size']);
    expect(await nameOf({ address })).toEqual(['limit']);
    expect(await nameOf({ address: `0x${'cd'.repeat(20)}` })).toEqual(['size']);
  });

  test('names members of enums by the build, beside the number', async () => {
    const project = join(folder, 'lots');
    const text = 'contract Lot { enum Status { Open, Sold } function move(Status to) external returns (Status) {} }';
    const status = { type: 'uint8', internalType: 'enum Lot.Status' };
    const move = {
      type: 'function',
      name: 'move',
      inputs: [{ name: 'to', ...status }],
      outputs: [{ name: '', ...status }],
    };
    const files: Readonly<Record<string, object>> = {
      'contracts/Lot.sol/Lot.json': { contractName: 'Lot', sourceName: 'contracts/Lot.sol', abi: [move] },
      'contracts/Lot.sol/Lot.dbg.json': { buildInfo: '../../build-info/b1.json' },
      'build-info/b1.json': {
        input: { sources: { 'contracts/Lot.sol': { content: text } } },
        output: {
          sources: { 'contracts/Lot.sol': { id: 0 } },
          contracts: { 'contracts/Lot.sol': { Lot: { evm: { deployedBytecode: { sourceMap: '1:2:0' } } } } },
        },
      },
    };
    for (const [path, content] of Object.entries(files)) {
      const file = join(project, 'artifacts', path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, JSON.stringify(content));
    }
    const { call } = await connect(['--abi', join(project, 'artifacts')]);
    const data = AbiFunction.encodeData(AbiFunction.from('function move(uint8)'), [1]);
    expect((await call('decode_call', { data })).value[0].arguments).toEqual({
      to: { value: '1', member: '«Status.Sold»' },
    });
  });

  test.each([
    [['0x12=out'], /--abi needs 0x and 40 hex digits before =, not "0x12=out"/],
    [[`${'ab'.repeat(20)}=own.json`], /--abi needs 0x and 40 hex digits/],
    [[`0x${'ab'.repeat(20)}=missing.json`], /--abi: there is no file .*missing\.json for the ABI of 0xabab/],
    [[`0x${'ab'.repeat(20)}=out`], /Name the file that has it; a folder is given without an address/],
  ])('refuses to start with --abi %s', async (paths, message) => {
    const { code, stderr } = await runCliHere(['mcp', '--abi', ...paths], {}, folder);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  test('refuses an address of a decoder that is none', async () => {
    const { call } = await connectToChain();
    const { isError, text } = await call('decode_call', { data: '0x12345678', address: '0x1234' });
    expect([isError, text]).toEqual([true, expect.stringContaining('address must be 20 bytes in 0x hex')]);
  });

  test('offers look-ups, decoders and every operation as read-only tools', async () => {
    const { client } = await connectToChain();
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(operationIds.map(toWireName)));
    expect(names).toEqual(
      expect.arrayContaining([
        'look_up',
        'list_chains',
        'read_contract',
        'decode_call',
        'decode_log',
        'decode_error',
        'what_moved',
        'explain_transaction',
        'simulate_call',
      ]),
    );
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    const chainSchemas = tools.flatMap(({ inputSchema }) => inputSchema.properties?.['chain'] ?? []);
    expect(chainSchemas.length).toBeGreaterThan(10);
    expect(chainSchemas.filter(schema => 'pattern' in schema)).toEqual([]); // 8453 and baseSepolia are chains too
    const describeChain = (tool: string) =>
      tools.find(({ name }) => name === tool)?.inputSchema.properties?.['chain'] as { readonly description?: string };
    expect(describeChain('look_up').description).toContain('When absent: all whose nodes are on this machine');
    expect(describeChain('what_moved').description).toContain(
      'When absent: the first one whose node is on this machine',
    );
    expect(describeChain('block').description).toContain('When absent: eth if it is configured, else the first');
    expect(client.getInstructions()).toContain('read-only');
  });

  test('looks up an address, a hash and a block, and runs an operation', async () => {
    const { call } = await connectToChain();
    const { contracts, transactions, blocks } = world.chain;
    const [coin] = (await call('look_up', { text: contracts.coin })).value;
    expect(coin).toMatchObject({ kind: '«address»', token: { standard: '«ERC20»', symbol: '«TEST»' } });
    const [transaction] = (await call('look_up', { text: transactions.failed })).value;
    expect(transaction).toMatchObject({ kind: '«transaction»', status: '«failed»' });
    const block = await call('block', { block: blocks.sales.number });
    expect(block.value.hash).toBe(blocks.sales.hash);
    const wrong = await call('block', { block: 'x' });
    expect([wrong.isError, wrong.text]).toEqual([true, expect.stringContaining('block is neither a block number')]);
    expect((await call('look_up', { text: 'nothing' })).value.problem).toContain('not an address');
  });

  test('marks text of the chain as data', async () => {
    const { call } = await connectToChain();
    const { text } = await call('look_up', { text: world.chain.contracts.hostile });
    expect(text).toContain('written by strangers');
    expect(text).toMatch(/"symbol":"«[^»]+»"/);
  });

  test('reads a contract, with arguments by type, and decodes its errors with the ABIs of the folder', async () => {
    const { call } = await connectToChain();
    const { contracts, accounts, holdings } = world.chain;
    const balance = await call('read_contract', {
      address: contracts.coin,
      function: 'balanceOf(address owner) view returns (uint256 balance)',
      args: [accounts.bob],
    });
    expect(balance.value.result).toEqual({
      balance: holdings.coin[accounts.bob] ?? holdings.coin[accounts.bob.toLowerCase() as `0x${string}`],
    });
    const wrong = await call('read_contract', {
      address: contracts.coin,
      function: 'balanceOf(address owner) view returns (uint256)',
      args: ['bob'],
    });
    expect(wrong.text).toContain('owner must be an address');
    const reverted = await call('read_contract', {
      address: contracts.apes,
      function: 'ownerOf(uint256) view returns (address)',
      args: ['999'],
    });
    expect(reverted.value.reverted).toBe(true);
    const data = AbiFunction.encodeData(AbiFunction.from('function TooMuch(uint256 asked, uint256 available)'), [
      9n,
      4n,
    ]);
    const [decoded] = (await call('decode_error', { data })).value;
    expect(decoded).toMatchObject({ isFromWorkspace: true, arguments: { asked: '9', available: '4' } });
  });

  test('explains why a transaction failed, with the calls as they ran', async () => {
    const { call } = await connectToChain();
    const { transactions, contracts } = world.chain;
    const { value } = await call('explain_transaction', { hash: transactions.failed });
    expect(value).toMatchObject({ status: '«failed»', by: '«replay»', verified: true, stack: [], omittedCalls: 0 });
    expect(value.error).toMatchObject({ kind: '«revert»', text: expect.stringContaining('TooMuch') });
    expect(value.calls).toMatchObject([{ address: contracts.vault.toLowerCase(), status: '«reverted»' }]);
  });

  test('simulates a call, with what it returns, moves and changes', async () => {
    const { call } = await connectToChain();
    const { contracts, accounts } = world.chain;
    const transfer = { to: contracts.coin, function: 'transfer(address,uint256) returns (bool)' };
    const args = [accounts.bob, '2500000000000000000'];
    const { value } = await call('simulate_call', { ...transfer, from: accounts.alice, args });
    expect(value).toMatchObject({ transaction: null, status: '«success»', verified: true, notes: [] });
    expect(value.returned.values).toEqual([true]);
    expect(value.movements).toMatchObject([
      { account: accounts.alice.toLowerCase(), change: '-2.5' },
      { account: accounts.bob.toLowerCase(), change: '2.5' },
    ]);
    expect(value.stateChanges.accounts.length).toBeGreaterThan(0);
    const wrong = await call('simulate_call', { ...transfer, from: accounts.alice, args: ['5'] });
    expect(wrong.text).toContain('args must hold 2 values');
    const hash = world.chain.transactions.transferCoin;
    const other = await call('simulate_call', { hash, from: contracts.vault });
    expect(other.value).toMatchObject({ status: '«failed»', returned: null, movements: [] });
  });

  test.each([
    ['after the selector of the data', { data: `0xa9059cbb${DEVELOPMENT_KEY}` }],
    ['after another word of the data', { data: `0xa9059cbb${'0'.repeat(64)}${DEVELOPMENT_KEY}` }],
    ['as data without a selector', { data: `0x${DEVELOPMENT_KEY}` }],
    ['as an argument', { function: 'set(bytes32)', args: [`0x${DEVELOPMENT_KEY}`] }],
  ])('simulates no call with a well-known private key %s', async (_, call) => {
    const { contracts, accounts } = world.chain;
    const { call: run } = await connectToChain();
    const { text } = await run('simulate_call', { to: contracts.coin, from: accounts.alice, ...call });
    expect(text).toContain('private key');
  });

  test('says what a transaction moved', async () => {
    const { call } = await connectToChain();
    const { transactions, contracts, accounts } = world.chain;
    const { value } = await call('what_moved', { hash: transactions.transferCoin });
    const token = contracts.coin.toLowerCase();
    expect(value.movements).toMatchObject([
      { account: accounts.alice.toLowerCase(), token, change: '-12.5' },
      { account: accounts.bob.toLowerCase(), token, change: '12.5' },
    ]);
    const sale = (await call('what_moved', { hash: transactions.sale })).value.movements;
    expect(sale).toContainEqual(
      expect.objectContaining({ account: accounts.dave.toLowerCase(), asset: '«NFT»', tokenId: '2', change: '1' }),
    );
    const sum = (sale as readonly { asset: string; smallestUnits?: string }[])
      .filter(({ asset }) => asset === '«native coin»')
      .reduce((total, { smallestUnits }) => total + BigInt(smallestUnits ?? 0), 0n);
    expect(sum).toBe(0n);
  });

  test('queries no host besides this machine until it is allowed', async () => {
    const remote = ['--node', 'eth=https://node.example:8443/v3/secret-key'];
    const { call } = await connect(remote);
    const refused = await call('block', { block: 1, chain: '1' });
    expect(refused.text).toContain('node.example:8443');
    expect(refused.text).toContain('--allow-host');
    expect(refused.text).not.toContain('secret-key');
    expect((await call('list_chains')).value).toMatchObject({ chains: [], refusedChains: [{ selector: '«eth»' }] });
    const allowed = await connect([...remote, '--allow-host', 'node.example:8443']);
    // 32 bytes may be a private key: nothing here says that they are a hash.
    const [bare] = (
      await allowed.call('look_up', {
        text: '0x1f8cd6a2b07e94533c0de19875ab6f24c1e05d9b7a38f26140bd9c57e3821f66',
        chain: 'eth',
      })
    ).value;
    expect(bare.kind).toBe('«refused»');
  });

  test('searches the names that the extension passes, and offers them and the reference as resources', async () => {
    const { alice } = world.chain.accounts;
    const { call, client } = await connect([], {
      HEXLENS_MCP_CONFIGURATION: JSON.stringify({
        nodes: { local: world.anvil.url },
        groups: Object.fromEntries(['auth', 'evm', 'aptos'].map(group => [group, { mode: 'embedded', baseUrl: '' }])),
        keys: {},
        proxy: {
          support: 'off',
          url: null,
          noProxy: [],
          strictSsl: true,
          systemCertificates: false,
          authorization: null,
        },
        timeoutMs: 20_000,
        addressBook: {
          [alice.toLowerCase()]: [
            { name: 'Alice on Ethereum', chains: ['eth'] },
            { name: 'Alice', chains: ['local'] },
          ],
        },
      }),
    });
    expect((await call('search_address_book', { query: 'ali' })).value).toEqual({
      entries: [
        { address: alice.toLowerCase(), name: '«Alice on Ethereum»', chains: ['«eth»'] },
        { address: alice.toLowerCase(), name: '«Alice»', chains: ['«local»'] },
      ],
      total: 2,
    });
    expect((await call('look_up', { text: alice })).value[0]).toMatchObject({ nameInAddressBook: '«Alice»' });
    const { contents } = await client.readResource({ uri: 'hexlens://reference' });
    expect(JSON.stringify(contents[0])).toContain('/block/');
    const book = await client.readResource({ uri: 'hexlens://address-book' });
    expect(JSON.stringify(book.contents[0])).toContain('Alice');
  });

  test('ends a request that the client cancels, and itself when the client leaves', async () => {
    const { client, transport } = await connect(['--node', `local=${silentNode.url}`]);
    const controller = new AbortController();
    const pending = client.callTool({ name: 'block', arguments: { block: 1 } }, undefined, {
      signal: controller.signal,
    });
    controller.abort();
    await expect(pending).rejects.toThrow();
    const { pid } = transport;
    await client.close();
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});

function isRunning(pid: number | null): boolean {
  try {
    return pid !== null && process.kill(pid, 0);
  } catch {
    return false;
  }
}
