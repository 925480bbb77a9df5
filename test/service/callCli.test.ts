// `hexlens call` as scripts use it: embedded and against a service over a real chain, pages as lines, exit codes, completion.
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationIds } from '../../src/api/operations/operations.ts';
import { lower } from '../support/nftPages.ts';
import { readChain, type TransferOnWire } from '../support/nftWitness.ts';
import { readUntil } from '../support/readUntil.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import { useFilledChain } from '../support/useFilledChain.ts';
import { bundleCli, runCli, runCliHere, type ServeProcess, startServe } from './cliProcess.ts';

const world = useFilledChain();
let server: ServeProcess;
const folder = createTemporaryFolder('hexlens-call-');

beforeAll(async () => {
  server = await startServe(['--port', '0', '--key', 'k', '--node', `local=${world.anvil.url}`]);
});
afterAll(() => server?.stop());

const call = (args: readonly string[], env: Record<string, string> = {}) => runCliHere(['call', ...args], env);
const embedded = () => ['--node', `local=${world.anvil.url}`];
const remote = () => ['--url', server.ready.url, '--key', 'k'];
const lines = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));

describe.each([
  ['embedded', embedded],
  ['against a service', remote],
])('%s', (_, place) => {
  test('a block, by flags', async () => {
    const { number, hash } = world.chain.blocks.sales;
    const args = ['call', 'block', '--block', String(number), '--chain', 'local', ...place()];
    const { code, stdout, stderr } = await runCli(args);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toHaveLength(2);
    expect(JSON.parse(stdout)).toMatchObject({ hash, transactions: expect.any(Array) });
  });

  test('--all prints the records of every page, one per line', async () => {
    const { alice } = world.chain.accounts;
    const args = ['wallet-nft-transfers', '--address', alice, '--chain', 'local', ...place()];
    // On a very busy machine it gives up an index that makes no progress for a while, and says so.
    const { stdout, code } = await readUntil(
      () => call([...args, '--limit', '3', '--all']),
      ({ stderr }) => !stderr.includes('makes no progress'),
    );
    const { transfers } = await readChain(world.anvil, new Map());
    const ofAlice = transfers.filter(transfer => [transfer.from_address, transfer.to_address].includes(lower(alice)));
    expect(ofAlice.length).toBeGreaterThan(6);
    // Not compared with one page of everything: on a busy machine that ends before its range.
    const getPosition = ({ transaction_hash, log_index, token_id }: TransferOnWire) => [
      transaction_hash,
      log_index,
      token_id,
    ];
    expect((lines(stdout) as TransferOnWire[]).map(getPosition)).toEqual(ofAlice.map(getPosition));
    expect(code).toBe(0);
  });

  test('--all works for an operation without pages', async () => {
    const wallets = ['--wallet-addresses', world.chain.accounts.idle, '--wallet-addresses', world.chain.vacant];
    const { stdout } = await call(['walletBalances', '--chain', 'local', ...wallets, '--all', ...place()]);
    const balances = ['10000000000000000000000', '0'].map(balance => expect.objectContaining({ balance }));
    expect(lines(stdout)).toEqual([expect.objectContaining({ wallet_balances: balances })]);
  });

  test('something unknown ends with code 3', async () => {
    const { code, stdout, stderr } = await call(['block', '--block', '999999', '--chain', 'local', ...place()]);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/^hexlens: Block not found.*\n$/);
  });
});

test('--pretty prints the same over several lines', async () => {
  const { stdout } = await call(['block', '--block', '1', '--chain', 'local', '--pretty', ...embedded()]);
  expect(stdout).toMatch(/^\{\n {2}"timestamp"/);
});

test('the URL of the service can be an environment variable', async () => {
  const env = { HEXLENS_URL: server.ready.url, HEXLENS_API_KEY: 'k' };
  expect((await call(['block', '--block', '1', '--chain', 'local'], env)).code).toBe(0);
  const wrong = await call(['block', '--block', '1', '--chain', 'local'], { ...env, HEXLENS_API_KEY: 'wrong' });
  expect(wrong.code).toBe(4);
  expect(wrong.stderr).toMatch(/does not accept the API key\. Give the key .* with --key or HEXLENS_API_KEY\.\n$/);
  expect(wrong.stderr).not.toContain('wrong');
});

test('the nodes can be in a configuration file', async () => {
  const path = join(folder, 'hexlens.json');
  await writeFile(path, JSON.stringify({ port: 1, nodes: { local: world.anvil.url }, data: 'index' }));
  const { code, stdout } = await call([
    'nftTransfers',
    '--chain',
    'local',
    '--from-block',
    '0',
    '--to-block',
    '99999',
    '--limit',
    '1',
    '--config',
    path,
  ]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ index_complete: true });
});

test.each<[string, readonly string[], number, string]>([
  ['no node', ['block', '--block', '1', '--node', 'local=http://127.0.0.1:1', '--chain', 'local'], 1, 'node'],
  ['no such chain', ['block', '--block', '1', '--chain', 'bsc'], 2, '--node'],
  ['no operation', ['blocks', '--block', '1'], 2, '"blocks" is not an operation. hexlens operations lists them.'],
  ['half an operation', ['wallet'], 2, 'Did you mean walletNftTransfers'],
  ['no name', [], 2, 'Name an operation'],
  ['every wrong parameter', ['contractLogs', '--limit', 'x', '--topic0', 'y'], 2, '--address is required'],
  ['a parameter of two words', ['walletBalances'], 2, '--wallet-addresses is required'],
  ['no such parameter', ['block', '--blok', '1'], 2, 'See hexlens call block --help.'],
  ['no service', ['block', '--block', '1', '--url', 'http://127.0.0.1:1', '--key', 'k'], 1, 'or correct --url.'],
])('%s ends with a code and one sentence', async (_, args, expected, text) => {
  const { code, stdout, stderr } = await call(args);
  expect([code, stdout]).toEqual([expected, '']);
  expect(stderr).toContain(text);
  expect(stderr).toMatch(/^hexlens: .*\n$/);
});

test('the example in the error for a missing operation works', async () => {
  const { stderr } = await call([]);
  const example = /: hexlens call ([^.]+)\./.exec(stderr)?.[1] ?? '';
  expect(await call([...example.split(' '), ...embedded()])).toMatchObject({ code: 0, stderr: '' });
});

test('a reader that closes the pipe ends it without an error', async () => {
  const args = [
    'call',
    'nftTransfers',
    '--chain',
    'local',
    '--from-block',
    '0',
    '--limit',
    '1',
    '--all',
    ...embedded(),
  ];
  const quoted = [process.execPath, await bundleCli(), ...args].map(arg => `'${arg}'`).join(' ');
  const { stdout, stderr } = spawnSync('bash', ['-c', `${quoted} | head -n 2; echo "\${PIPESTATUS[0]}"`], {
    encoding: 'utf8',
  });
  expect(stderr.replace(/hexlens: Waiting for the index of the chain .*\n/g, ''), 'else than on a busy machine').toBe(
    '',
  );
  expect(stdout.trimEnd().split('\n')).toHaveLength(3);
  expect(stdout.trimEnd().split('\n')[2]).toBe('0');
});

test('every operation is listed and has its own help', async () => {
  const { stdout } = await runCliHere(['operations']);
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map(line => line.split(' ')[0]),
  ).toEqual(operationIds);
  const help = await call(['contract-logs', '--help']);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toContain('hexlens call contractLogs --address VALUE');
  expect(help.stdout).toContain('--from-block VALUE');
});

describe('completion', () => {
  let script: string;
  beforeAll(async () => {
    ({ stdout: script } = await runCliHere(['completion', 'bash']));
  });
  const complete = async (words: readonly string[]) => {
    const line = `COMP_WORDS=(hexlens ${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _hexlens; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', `${script}\n${line}`], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.trimEnd().split('\n');
  };

  test('bash completes commands, operations and their flags', async () => {
    expect(await complete(['s'])).toEqual(['serve', 'simulate']);
    expect(await complete(['call', 'block'])).toEqual(['block']);
    expect(await complete(['call', 'walletNfts', '--token'])).toEqual(['--token-addresses']);
    expect(await complete(['serve', '--ho'])).toEqual(['--host', '--host-name']);
    expect(await complete(['completion', ''])).toEqual(['bash', 'zsh', 'fish']);
    // The shell's own completion of files and folders applies.
    expect(await complete(['serve', '--data', ''])).toEqual(['']);
    expect(await complete(['call', 'block', '--config', ''])).toEqual(['']);
  });

  test('the other shells complete every operation too, and an unknown shell is rejected', async () => {
    for (const shell of ['zsh', 'fish']) {
      const { stdout } = await runCliHere(['completion', shell]);
      for (const id of operationIds) expect(stdout).toContain(id);
      expect(stdout).toMatch(
        shell === 'fish' ? /from serve" -l data -r -F\n/ : /--data\|(--[a-z-]+\|)*--config[^)]*\) COMPREPLY=\(\)/,
      );
    }
    expect(await runCliHere(['completion', 'cmd'])).toMatchObject({ code: 2, stdout: '' });
  });
});
