// `hexlens serve` as a child process over a real chain: the operations as third-party clients request them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checksumAddress } from '../../src/base/checksumAddress.ts';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { MIN_BLOCKS } from '../support/chain/fillChain.ts';
import { startFilledAnvil } from '../support/chain/filledAnvil.ts';
import { mineBlock } from '../support/chain/mineBlock.ts';
import type { TestChain } from '../support/chain/testChain.ts';
import { type ServeProcess, startServe } from './cliProcess.ts';

interface Log {
  readonly block_number: number;
  readonly log_index: number;
  readonly transaction_hash: string;
  readonly topic0?: string;
}
interface Page {
  readonly result: readonly Log[];
  readonly cursor: string | null;
  readonly total: string | null;
}

let anvil: Anvil;
let chain: TestChain;
let cli: ServeProcess;

beforeAll(async () => {
  ({ anvil, chain } = await startFilledAnvil({ blocks: MIN_BLOCKS }));
  cli = await startServe(['--port', '0', '--key', 'k', '--node', `local=${anvil.url}`]);
});
afterAll(async () => {
  await cli?.stop();
  await anvil?.stop();
});

async function get(path: string, headers: Record<string, string> = { 'x-api-key': 'k' }) {
  const response = await fetch(`${cli.ready.url}${path}`, { headers });
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every operation are read here, as outside clients read them.
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

describe('block', () => {
  test('by number and by hash it is the same record, with the data of the node', async () => {
    const { number, hash, transactions } = chain.blocks.transfers;
    const byNumber = await get(`/api/v2/block/${number}`);
    const byHash = await get(`/api/v2.2/block/${hash}?chain=local`);
    expect(byNumber.status).toBe(200);
    expect(byHash.body).toEqual(byNumber.body);
    expect(byNumber.body).toMatchObject({ number, hash, transaction_count: String(transactions) });
    expect(byNumber.body.transactions).toHaveLength(transactions);
  });

  test('include=internal_transactions adds the internal transactions', async () => {
    const { body } = await get(`/api/v2/block/${chain.blocks.internal.number}?include=internal_transactions`);
    const inner = body.transactions.flatMap(
      (entry: { internal_transactions: unknown[] }) => entry.internal_transactions,
    );
    expect(inner.length).toBeGreaterThan(3);
  });

  test('an unknown one is a 404', async () => {
    const { status, body } = await get('/api/v2/block/99999999');
    expect([status, body.message]).toEqual([404, expect.stringContaining('Block not found')]);
  });
});

describe('transaction', () => {
  test('a failed one has status 0', async () => {
    const { status, body } = await get(`/api/v2/transaction/${chain.transactions.failed}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ hash: chain.transactions.failed, receipt_status: '0', logs: [] });
  });

  test('an unknown one is a 404', async () => {
    expect((await get(`/api/v2/transaction/0x${'0'.repeat(63)}1`)).status).toBe(404);
  });
});

describe('logs', () => {
  const query = () => `/api/v2/${chain.contracts.apes}/logs?chain=0x7a69`;

  test('all pages together are all logs of the contract, newest first', async () => {
    const wanted = await anvil.rpc<unknown[]>('eth_getLogs', [
      { address: chain.contracts.apes, fromBlock: '0x0', toBlock: 'latest' },
    ]);
    const found: Log[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: { status: number; body: Page } = await get(`${query()}&limit=3&cursor=${cursor}&disable_total=false`);
      expect(page.status).toBe(200);
      expect(page.body.total).toBe(String(wanted.length));
      found.push(...page.body.result);
      cursor = page.body.cursor;
    }
    expect(found).toHaveLength(wanted.length);
    const order = found.map(log => log.block_number * 1e6 + log.log_index);
    expect(order).toEqual([...order].sort((a, b) => b - a));
  });

  test('are found by topic and by one block', async () => {
    const { topics, blocks } = chain;
    const byTopic = await get(`${query()}&topic0=${topics.transfer}&to_block=${blocks.transfers.number}`);
    expect(byTopic.body.result.length).toBeGreaterThan(0);
    expect(new Set(byTopic.body.result.map((log: Log) => log.topic0))).toEqual(new Set([topics.transfer]));
    const byBlock = await get(`${query()}&block_number=${byTopic.body.result[0].block_number}&from_block=0`);
    expect(new Set(byBlock.body.result.map((log: Log) => log.block_number)).size).toBe(1);
  });

  test('a damaged cursor is a 400 with the reason', async () => {
    const { status, body } = await get(`${query()}&cursor=nonsense`);
    expect([status, body.message]).toEqual([400, expect.stringContaining('cursor is damaged')]);
  });
});

describe('balances', () => {
  test.each([
    ['literal brackets', (a: string, b: string) => `wallet_addresses[]=${a}&wallet_addresses[]=${b}`],
    ['encoded brackets', (a: string, b: string) => `wallet_addresses%5B%5D=${a}&wallet_addresses%5B%5D=${b}`],
    ['indexes', (a: string, b: string) => `wallet_addresses%5B0%5D=${a}&wallet_addresses%5B1%5D=${b}`],
    ['repeated keys', (a: string, b: string) => `wallet_addresses=${a}&wallet_addresses=${b}`],
  ])('of two wallets, requested with %s', async (_, query) => {
    const { alice, bob } = chain.accounts;
    const [a, b] = await Promise.all(
      [alice, bob].map(async account => BigInt(await anvil.rpc<string>('eth_getBalance', [account, 'latest']))),
    );
    const { status, body } = await get(`/api/v2/wallets/balances?chain=local&${query(alice, checksumAddress(bob))}`);
    expect(status).toBe(200);
    expect(body).toMatchObject([{ chain: 'local', chain_id: '0x7a69', total_balance: String((a ?? 0n) + (b ?? 0n)) }]);
    expect(body[0].wallet_balances.map((entry: { balance: string }) => entry.balance)).toEqual([String(a), String(b)]);
  });

  test('are read at an earlier block', async () => {
    const { body } = await get(`/api/v2/wallets/balances?wallet_addresses=${chain.accounts.alice}&to_block=0`);
    expect(body[0]).toMatchObject({ total_balance_formatted: '10000', block_number: '0' });
  });

  test('a block that was just mined is included at once', async () => {
    const path = `/api/v2/wallets/balances?wallet_addresses=${chain.vacant}`;
    const balance = async () => (await get(path)).body[0].total_balance;
    expect(await balance()).toBe('0');
    for (const expected of ['1', '2', '3']) {
      await mineBlock(anvil, [{ from: chain.accounts.idle, to: chain.vacant, value: 1n }]);
      expect(await balance()).toBe(expected);
    }
  });
});

describe('refusals', () => {
  test('come without a key, and with a wrong one', async () => {
    expect((await get('/api/v2/block/1', {})).status).toBe(401);
    expect((await get('/api/v2/block/1', { 'x-api-key': 'K' })).status).toBe(401);
    expect((await get('/api/v2/block/1', { authorization: 'Bearer k' })).status).toBe(200);
  });

  test('a chain that is not configured is a 400 with the fix', async () => {
    const { status, body } = await get('/api/v2/block/1?chain=polygon');
    expect([status, body.message]).toEqual([400, expect.stringContaining('Add one with --node "polygon=URL".')]);
    expect((await get('/api/v2/block/1?chain=nonsense')).body.message).toContain('is not a chain');
  });

  test('an Aptos network that is not configured is a 400 with the reason', async () => {
    const { status, body } = await get('/aptos/wallets/nfts?limit=1&owner_addresses=0x1&network=devnet');
    expect([status, body.message]).toEqual([400, [expect.stringContaining('devnet is not configured')]]);
  });
});

test('fifty concurrent clients get the same reply', async () => {
  const path = `/api/v2/block/${chain.blocks.busy.number}`;
  const answers = await Promise.all(Array.from({ length: 50 }, () => get(path)));
  expect(new Set(answers.map(answer => JSON.stringify(answer.body))).size).toBe(1);
  expect(answers[0]?.status).toBe(200);
});

test('the log has a line per incoming request and per request to the node, without keys and full hashes', async () => {
  const { hash } = chain.blocks.first;
  await get(`/api/v2/block/${hash}?chain=local`);
  // Lines of the log arrive after the response.
  await expect.poll(() => cli.stderr()).toMatch(/ info GET block 200 \d+ ms /);
  await expect.poll(() => cli.stderr()).toMatch(/ info POST 127\.0\.0\.1:\d+ eth_\w+/);
  expect(cli.stderr()).not.toContain(hash);
  expect(cli.stderr()).not.toMatch(/x-api-key/i);
});

test('another chain behind the same address is detected: no reply has data of the old one, and it is logged', async () => {
  const path = `/api/v2/block/${chain.blocks.first.hash}`;
  expect((await get(path)).status).toBe(200);
  await anvil.stop();
  const other = await startAnvil({ port: anvil.port, timestamp: 1_600_000_000 });
  try {
    await expect.poll(async () => (await get(path)).status).toBe(404);
    expect((await get('/api/v2/block/0')).body.timestamp).toBe('2020-09-13T12:26:40.000Z');
    await expect.poll(() => cli.stderr()).toContain('was reset');
  } finally {
    await other.stop();
  }
  const { status, body } = await get('/api/v2/block/0');
  expect(status).toBe(502);
  expect(body.message).toContain(`127.0.0.1:${anvil.port}`);
});
