// `hexlens trace` as a project's CI uses it: text, JSON and exit codes, over a real chain.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import { useFilledChain } from '../support/useFilledChain.ts';
import { runCliHere } from './cliProcess.ts';

const world = useFilledChain();
const folder = createTemporaryFolder('hexlens-trace-');
const projects = createTemporaryFolder('hexlens-projects-');

/** What the project's compiler says of the contract. */
const ARTIFACT = {
  contractName: 'Vault',
  abi: [
    { type: 'error', name: 'TooMuch', inputs: ['asked', 'available'].map(name => ({ name, type: 'uint256' })) },
    {
      type: 'function',
      name: 'pay',
      stateMutability: 'nonpayable',
      inputs: [
        { name: 'to', type: 'address' },
        { name: 'amount', type: 'uint256' },
      ],
      outputs: [],
    },
  ],
};
const node = () => ['--node', `local=${world.anvil.url}`];
const trace = (args: readonly string[]) => runCliHere(['trace', ...node(), ...args], {}, folder);

test('a failed transaction has the error, the call that threw, and exit code 1', async () => {
  const { failed } = world.chain.transactions;
  const { code, stdout, stderr } = await trace([failed]);
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    'Failed: custom error 0x6073b21f',
    `    at 0xc4076876 of ${world.chain.contracts.vault.toLowerCase()}`,
  ]);
  expect(stdout).toContain(`${failed} in block 11: 127 steps, 22,580 gas (replay, as on the chain)`);
});

test('the builds of --project name its errors and functions', async () => {
  const project = join(projects, 'vaults');
  await mkdir(join(project, 'out', 'Vault.sol'), { recursive: true });
  await writeFile(join(project, 'out', 'Vault.sol', 'Vault.json'), JSON.stringify(ARTIFACT));
  const { stdout } = await trace([world.chain.transactions.failed, '--project', relative(folder, project)]);
  const bob = world.chain.accounts.bob.toLowerCase();
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    'Failed: TooMuch(asked: 1,000,000,000,000,000,000,000,000, available: 10,000,000,000,000,000,000)',
    `    at pay(to: ${bob}, amount: 1,000,000,000,000,000,000,000,000) of ${world.chain.contracts.vault.toLowerCase()}`,
  ]);
});

test('says what to do where no build of --project has the code that was called', async () => {
  const { failed, ethTransfer } = world.chain.transactions;
  const project = join(projects, 'others');
  await mkdir(join(project, 'out', 'Other.sol'), { recursive: true });
  const other = { abi: [], bytecode: { object: '0x6001' }, deployedBytecode: { object: '0x600160005500' } };
  const noBuild = `There is no build in ${project}: build the project for names and lines.`;
  const otherBuild = `No build in ${project} has the code that was called: build the project as it was deployed, or name another folder by --project.`;
  expect((await trace([failed, '--project', project])).stderr).toBe(`hexlens: ${noBuild}\n`);
  await writeFile(join(project, 'out', 'Other.sol', 'Other.json'), JSON.stringify(other));
  expect((await trace([failed, '--project', project])).stderr).toBe(`hexlens: ${otherBuild}\n`);
  expect(JSON.parse((await trace([failed, '--project', project, '--json'])).stdout).notes).toEqual([otherBuild]);
  expect((await trace([ethTransfer, '--project', project])).stderr).toBe('');
});

test('--json has the failure, the calls and what may be claimed of them', async () => {
  const { code, stdout } = await trace([world.chain.transactions.failedOutOfGas, '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    transaction: world.chain.transactions.failedOutOfGas,
    status: 'failed',
    gasUsed: '200000',
    error: { kind: 'outOfGas', text: 'Out of gas: the call had 178,936 gas', data: '0x' },
    stack: [],
    calls: [{ kind: 'CALL', status: 'exceptional', haltReason: 'outOfGas', gasUsed: 178936, calls: [] }],
    by: 'replay',
    verified: true,
    notes: [],
  });
});

test('--calls prints a successful transaction as a tree, with failed calls, logs and plain transfers', async () => {
  const { code, stdout } = await trace([world.chain.transactions.internal, '--calls']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Success\n/);
  const tree = stdout.trimEnd().split('\n').slice(3);
  expect(tree.map(line => /^ */.exec(line)?.[0].length)).toEqual([0, 2, 2, 2, 4, 6, 8, 8, 6, 4]);
  expect(tree[1]).toMatch(/^ {2}CALL 0x[0-9a-f]{40} receive value 1 \[118 gas\] failed: custom error 0x581b0e71$/);
  expect(tree[6]).toMatch(/^ {8}CALL 0x[0-9a-f]{40} transfer value 2000000000000000000 \[0 gas\]$/);
});

test.each([
  ['an unknown transaction', [`0x${'12'.repeat(32)}`], 'hexlens: Transaction not found on Local dev chain\n'],
  [
    'an unknown transaction, of several chains',
    [`0x${'12'.repeat(32)}`, '--node', 'eth=http://127.0.0.1:9'],
    'hexlens: Transaction not found on Local dev chain. Other chains were not queried: choose one by --chain eth.\n',
  ],
  ['no hash', ['0x12'], 'hexlens: Name a transaction by its hash: hexlens trace 0x…. See hexlens --help.\n'],
])('has exit code 2 for %s', async (_, args, expected) => {
  const { code, stdout, stderr } = await trace(args);
  expect([code, stdout, stderr]).toEqual([2, '', expected]);
});

test('--state prints what a transaction changed, with the word of a slot where no build names it', async () => {
  const { code, stdout } = await trace([world.chain.transactions.internal, '--state']);
  expect(code).toBe(0);
  const lines = stdout.split('\n');
  const state = lines.slice(lines.indexOf('State changes'));
  const sender = world.chain.accounts.alice.toLowerCase();
  expect(state).toContain(sender);
  expect(state.filter(line => /^ {4}nonce: \d+ → \d+$/.test(line)).length).toBeGreaterThan(0);
  const json = JSON.parse((await trace([world.chain.transactions.internal, '--state', '--json'])).stdout);
  const account = json.stateChanges.accounts.find((each: { address: string }) => each.address === sender);
  expect(Number(account.nonce.after) - Number(account.nonce.before)).toBe(1);
});

test.each([
  ['trace'],
  ['simulate', '--transaction'],
  ['call', 'transaction', '--chain', 'local', '--transaction-hash'],
])('%s queries no private key that is typed as a hash', async (...command) => {
  const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'; // of Anvil
  const { code, stdout, stderr } = await runCliHere([...command, key, ...node()], {}, folder);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('A private key is never looked up')]);
  expect(stderr).not.toContain(key);
});
