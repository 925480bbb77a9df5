// The sample workspace: its recorded chain answers as a node does, without one, and its build is that of its contracts.
import { readdirSync, readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultConfiguration } from '../../src/api/configuration.ts';
import type { Simulation } from '../../src/api/traceTarget.ts';
import { encodeRequest } from '../../src/api/wire/request.ts';
import type { Hex } from '../../src/base/hex.ts';
import { silentLog } from '../../src/base/log.ts';
import { createSampleNode } from '../../src/service/sample/sampleNode.ts';
import type { Backend } from '../../src/worker/backend.ts';
import { createNodeBackend } from '../../src/worker/nodeBackend.ts';
import { assemble } from '../support/assemble.ts';
import { runCliHere } from './cliProcess.ts';

const SAMPLE = new URL('../../media/sample/', import.meta.url);
const NODE = 'http://sample-chain.localhost';
const readText = (path: string): string => readFileSync(new URL(path, SAMPLE), 'utf8');
const readJson = (path: string): unknown => JSON.parse(readText(path));

let backend: Backend;
beforeAll(() => {
  backend = createNodeBackend({ log: silentLog });
  backend.configure({ ...defaultConfiguration, nodes: { local: NODE } });
});
afterAll(() => backend.stop());

const [failed = '0x', deposited = '0x'] = (readText('START-HERE.md').match(/\b0x[0-9a-f]{64}\b/g) ?? []) as Hex[];
const { token, vaultProxy, vaultImplementation, users } = readJson('deployments.json') as {
  readonly token: Hex;
  readonly vaultProxy: Hex;
  readonly vaultImplementation: Hex;
  readonly users: { readonly alice: Hex; readonly bob: Hex };
};

const toWord = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const node = createSampleNode();
const ask = async (method: string, ...params: unknown[]): Promise<unknown> => {
  const { result, error } = (await node.respond({ jsonrpc: '2.0', id: 1, method, params })) as {
    readonly result?: unknown;
    readonly error?: unknown;
  };
  return error ?? result;
};

test('the failed transaction of the guide has the line of Solidity', async () => {
  const project = SAMPLE.pathname;
  const { code, stdout } = await runCliHere(['trace', failed, '--node', `local=${NODE}`, '--project', project]);
  expect([code, stdout.split('\n').slice(0, 5)]).toEqual([
    1,
    [
      'Failed: InsufficientPosition(account: 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc, amount: 75,000,000,000,000,000,000, needed: 90,000,000,000,000,000,000)',
      '    at Positions.decrease (contracts/Positions.sol:24:13)',
      '    at HarborVault._take (contracts/HarborVault.sol:60:9)',
      '    at HarborVault.withdraw (contracts/HarborVault.sol:44:9)',
      '    at HarborProxy.fallback (contracts/HarborProxy.sol:28:33)',
    ],
  ]);
});

test('storage has the slot of the proxy’s implementation', async () => {
  const slot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
  const input = { chain: 'local', address: vaultProxy, slots: [slot, '0x0'] as const };
  const { words } = await backend.lookup('storageWords', input);
  expect(words).toEqual([BigInt(vaultImplementation), BigInt(token)]);
  expect((await backend.lookup('storageWords', { ...input, block: 1 })).words).toEqual([0n, 0n]);
});

test.each([
  ['code in place of the chain’s', '42 0 MSTORE 32 0 RETURN', {}],
  ['a value of storage in place of the chain’s', '1 SLOAD 0 MSTORE 32 0 RETURN', { [toWord(1n)]: toWord(7n) }],
  ['the block that the call would be in', 'TIMESTAMP NUMBER ADD 0 MSTORE 32 0 RETURN', {}],
])('confirms a simulated call with %s', async (_, source, stateDiff) => {
  const simulation = {
    ...{ from: users.alice, to: token, data: '0x' },
    overrides: { [token]: { code: `0x${assemble(source)}`, stateDiff } },
  } as Simulation;
  const trace = await backend.lookup('transactionTrace', { chain: 'local', simulation });
  expect(trace).toMatchObject({ kind: 'trace', status: 'success', verified: true, notes: [] });
});

test('says what the transactions of some blocks did together', async () => {
  const project = SAMPLE.pathname;
  const args = ['diff', '--from', '7', '--to', '12', '--node', `local=${NODE}`, '--project', project];
  const { code, stdout } = await runCliHere(args);
  const lines = stdout.split('\n');
  expect([code, lines.slice(0, 5)]).toEqual([
    0,
    [
      'Blocks 8 to 12: 5 transactions, 1 failed',
      `    2 × success  deposit(uint256)  ${vaultProxy.toLowerCase()} HarborVault`,
      `    1 × success  withdraw(uint256)  ${vaultProxy.toLowerCase()} HarborVault`,
      `    1 × success  transfer(address,uint256)  ${token.toLowerCase()} HarborToken`,
      `    1 × FAILED  withdraw(uint256)  ${vaultProxy.toLowerCase()} HarborVault`,
    ],
  ]);
  expect(stdout).toContain('    total: 0 → 175,000,000,000,000,000,000 (contracts/HarborVault.sol:61:9)');
  expect(stdout).toContain('    at Positions.decrease (contracts/Positions.sol:24:13)');
  expect(stdout).not.toContain('Created');
  const json = JSON.parse((await runCliHere([...args, '--json'])).stdout) as {
    readonly transactions: number;
    readonly stateChanges: { readonly accounts: readonly { readonly contract: string | null }[] };
  };
  expect(json.transactions).toBe(5);
  expect(json.stateChanges.accounts.map(({ contract }) => contract)).toContain('HarborVault');
  const wrong = await runCliHere(['diff', '--from', 'x', '--node', `local=${NODE}`]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--from is the number of a block.')]);
});

test('every transaction of the chain runs again as it was recorded', async () => {
  const runs: unknown[] = [];
  for (let number = 1; number <= 14; number++) {
    const { transactions } = (await ask('eth_getBlockByNumber', `0x${number.toString(16)}`, false)) as {
      readonly transactions: readonly [Hex];
    };
    const trace = await backend.lookup('transactionTrace', { chain: 'local', hash: transactions[0] });
    runs.push(trace.kind === 'trace' ? [number, trace.by, trace.verified, trace.status] : trace);
  }
  const failures = [12, 14];
  expect(runs).toEqual(
    Array.from({ length: 14 }, (_, index) => {
      const number = index + 1;
      return [number, 'replay', true, failures.includes(number) ? 'failed' : 'success'];
    }),
  );
});

test('the proxy of the guide is a proxy, and the token has its balances', async () => {
  const proxy = await backend.lookup('addressSummary', { chain: 'local', address: vaultProxy });
  expect(inspect(proxy, { depth: 9 })).toContain(vaultImplementation.toLowerCase());
  const reply = await backend.call(encodeRequest('walletErc20Balances', { address: users.alice, chain: 'local' }));
  expect(JSON.stringify(reply)).toContain(token.toLowerCase());
});

describe('the recorded node', () => {
  const balanceOf = (account: Hex) => ({
    to: token,
    data: `0x70a08231${account.slice(2).toLowerCase().padStart(64, '0')}`,
  });

  test('runs calls on the state of any block', async () => {
    const units = async (account: Hex, block: string) =>
      BigInt(String(await ask('eth_call', balanceOf(account), block))) / 10n ** 18n;
    expect([
      await units(users.alice, '0x3'),
      await units(users.alice, '0x4'),
      await units(users.alice, 'latest'),
    ]).toEqual([0n, 500n, 370n]);
  });

  test('returns the data of a call that reverts', async () => {
    const { input } = (await ask('eth_getTransactionByHash', failed)) as { readonly input: Hex };
    expect(await ask('eth_call', { from: users.bob, to: vaultProxy, data: input }, '0xb')).toMatchObject({
      code: 3,
      message: 'execution reverted',
      data: expect.stringMatching(/^0x[0-9a-f]{200}$/),
    });
  });

  test('filters logs by address, topics and range', async () => {
    const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
    const count = async (filter: object) => ((await ask('eth_getLogs', filter)) as unknown[]).length;
    expect([
      await count({ fromBlock: '0x0', toBlock: 'latest' }),
      await count({ fromBlock: '0x0', address: token, topics: [transfer] }),
      await count({ fromBlock: '0x8', toBlock: '0x9', topics: [transfer] }),
      await count({
        topics: [null, null, `0x${users.bob.slice(2).toLowerCase().padStart(64, '0')}`],
        fromBlock: '0x0',
      }),
    ]).toEqual([13, 6, 2, 2]);
  });

  test.each([
    ['eth_getTransactionByHash', [`0x${'1'.repeat(64)}`], null],
    ['eth_getBlockByNumber', ['0x63', false], null],
    ['eth_getCode', [users.alice, 'latest'], '0x'],
    ['debug_traceTransaction', [failed], { code: -32601, message: expect.stringContaining('Method not found') }],
    ['eth_sendRawTransaction', ['0x00'], { code: -32601, message: expect.stringContaining('Method not found') }],
    ['eth_getBalance', ['0x12', 'latest'], { code: -32602, message: 'invalid address' }],
  ])('%s(%j) is answered as by a node', async (method, params, expected) => {
    expect(await ask(method, ...params)).toEqual(expected);
  });
});

test('the artifacts are of the contracts beside them', () => {
  const { input } = readJson('artifacts/build-info/sample.json') as {
    readonly input: { readonly sources: Readonly<Record<string, { readonly content: string }>> };
  };
  const names = readdirSync(new URL('contracts/', SAMPLE));
  expect(Object.keys(input.sources)).toEqual(names.map(name => `contracts/${name}`));
  for (const name of names) expect(input.sources[`contracts/${name}`]?.content).toBe(readText(`contracts/${name}`));
});

test('the other transaction of the guide succeeded', async () => {
  expect(await ask('eth_getTransactionReceipt', deposited)).toMatchObject({
    status: '0x1',
    to: vaultProxy.toLowerCase(),
  });
});

test('each variable of a packed struct has the line that wrote it', async () => {
  const project = SAMPLE.pathname;
  const { stdout } = await runCliHere(['trace', deposited, '--node', `local=${NODE}`, '--project', project, '--state']);
  const lineOf = (name: string) =>
    /\(([^()]*)\)\s*$/.exec(stdout.split('\n').find(line => line.includes(name)) ?? '')?.[1];
  expect([lineOf('.openedAt'), lineOf('.amount')]).toEqual([
    'contracts/Positions.sol:16:35',
    'contracts/Positions.sol:17:9',
  ]);
});
