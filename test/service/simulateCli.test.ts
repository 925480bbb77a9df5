// `hexlens simulate` over a real chain: what a call would return, move and change, and why it would fail.
import { expect, test } from 'vitest';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import { useFilledChain } from '../support/useFilledChain.ts';
import { runCliHere } from './cliProcess.ts';

const world = useFilledChain();
const folder = createTemporaryFolder('hexlens-simulate-');

const simulate = (args: readonly string[]) =>
  runCliHere(['simulate', '--node', `local=${world.anvil.url}`, ...args], {}, folder);
const TRANSFER = ['--function', 'transfer(address,uint256) returns (bool)'];
const lower = (text: string) => text.toLowerCase();

test('a call that would succeed prints what it returns, moves and changes, and sends nothing', async () => {
  const { coin } = world.chain.contracts;
  const [alice, bob] = [world.chain.accounts.alice, world.chain.accounts.bob].map(lower);
  const head = await world.anvil.rpc('eth_blockNumber');
  const call = ['--from', String(alice), '--to', coin, ...TRANSFER, '--args', String(bob), '1500000000000000000'];
  const { code, stdout, stderr } = await simulate([...call, '--state', '--calls']);
  expect([code, stderr]).toEqual([0, '']);
  const lines = stdout.split('\n');
  expect(lines[0]).toBe('Success');
  expect(lines[1]).toMatch(/^Simulated in block \d+: \d+ steps, [\d,]+ gas \(with the result of the node\)$/);
  expect(lines).toContain('Returned true');
  expect(lines).toContain(`${alice} -1.5 TEST of ${lower(coin)}`);
  expect(lines).toContain(`${bob} +1.5 TEST of ${lower(coin)}`);
  expect(lines).toContain('State changes');
  expect(await world.anvil.rpc('eth_blockNumber')).toBe(head);
  expect(await world.anvil.rpc('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' });
});

test('a call that would fail has the error and exit code 1, also as JSON', async () => {
  const { vault } = world.chain.contracts;
  const { bob } = world.chain.accounts;
  const call = ['--from', bob, '--to', vault, '--function', 'pay(address,uint256)', '--args', bob, String(10n ** 30n)];
  const { code, stdout } = await simulate([...call, '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    transaction: null,
    simulation: { from: lower(bob), to: lower(vault), context: {} },
    status: 'failed',
    error: { data: expect.stringMatching(/^0x6073b21f/) },
    returned: null,
    movements: [],
    verified: true,
    notes: [],
  });
});

test('a transaction of the chain is simulated with another sender, and with other state', async () => {
  const { transferCoin } = world.chain.transactions;
  const poor = '0x00000000000000000000000000000000000a11ce';
  const same = await simulate(['--transaction', transferCoin]);
  expect([same.code, same.stdout.split('\n')[0]]).toEqual([0, 'Success']);
  const other = await simulate(['--transaction', transferCoin, '--from', poor]);
  expect([other.code, other.stdout.startsWith('Failed: ')]).toEqual([1, true]);
  const code = '0x602a5f5260205ff3'; // returns 42
  const { stdout } = await simulate([
    '--transaction',
    transferCoin,
    '--override',
    `${world.chain.contracts.coin}.code=${code}`,
  ]);
  expect(stdout).toContain(`0x${'2a'.padStart(64, '0')}`);
});

test.each([
  [
    ['--to', '0x12'],
    ['from is required', '0x and 40 hex digits'],
  ],
  [
    ['--from', '0x'.padEnd(42, '1'), '--to', '0x'.padEnd(42, '2'), '--function', 'transfer'],
    ['declaration with types'],
  ],
  [
    ['--from', '0x'.padEnd(42, '1'), '--to', '0x'.padEnd(42, '2'), ...TRANSFER, '--args', '5'],
    ['args must hold 2 values'],
  ],
  [['--from', '0x'.padEnd(42, '1'), '--to', '0x'.padEnd(42, '2'), '--value', '1 coin'], ['value must be an amount']],
  [['--from', '0x'.padEnd(42, '1'), '--to', '0x'.padEnd(42, '2'), '--override', 'balance=1'], ['is no override']],
])('has exit code 2 and says what is wrong for %j', async (args, expected) => {
  const { code, stdout, stderr } = await simulate(args);
  expect([code, stdout]).toEqual([2, '']);
  for (const text of expected) expect(stderr).toContain(text);
});

test('sends no private key: neither as argument nor in code that replaces another', async () => {
  const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'; // of Anvil
  const calls = [
    ['--function', 'f(bytes32)', '--args', key],
    ['--override', `${world.chain.accounts.bob}.code=0x7f${key.slice(2)}50`],
  ];
  for (const call of calls) {
    const { code, stderr } = await simulate([
      '--from',
      world.chain.accounts.alice,
      '--to',
      world.chain.contracts.coin,
      ...call,
    ]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('A private key is never looked up')]);
  }
});
