// ERC-20 balances and transfers on a real Anvil, compared with `eth_call` and `eth_getLogs` of the node.
import { from as functionFrom } from 'ox/AbiFunction';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Input } from '../../src/api/operations/operations.ts';
import { type Hex, toQuantity, ZERO_ADDRESS } from '../../src/base/hex.ts';
import { compileContracts } from '../support/chain/compileContracts.ts';
import { encodeData, topics } from '../support/chain/contractAbis.ts';
import { startService } from '../support/filledChain.ts';
import { allPages, fetchSyncedPage, lower, mineTransactions, toRecords, withSnapshot } from '../support/nftPages.ts';
import { startPublicNode } from '../support/publicNode.ts';
import { readUntil } from '../support/readUntil.ts';
import { useFilledChain } from '../support/useFilledChain.ts';

const mint = functionFrom('function mint(address to, uint256 amount)');
const transfer = functionFrom('function transfer(address to, uint256 amount)');
const rebase = functionFrom('function rebase(uint256 next)');
const press = functionFrom('function press(address holder, uint256 more)');
const deposit: Hex = '0xd0e30db0'; // deposit()
const balanceOf = functionFrom('function balanceOf(address holder)');
const MULTICALL3: Hex = '0xca11bde05977b3631167028862be2a173976ca11';
const SMALL_TOKENS = 2_000;
const TOKENS_PER_TRANSACTION = 100;

const world = useFilledChain();
const tokens: Record<'rebasing' | 'fee' | 'hungry' | 'press' | 'aggregator', Hex> = {
  rebasing: ZERO_ADDRESS,
  fee: ZERO_ADDRESS,
  hungry: ZERO_ADDRESS,
  press: ZERO_ADDRESS,
  aggregator: ZERO_ADDRESS,
};

beforeAll(async () => {
  const compiled = await compileContracts();
  const { deployer, alice, bob, dave } = world.chain.accounts;
  const names = { rebasing: 'RebasingToken', fee: 'FeeToken', hungry: 'HungryToken', press: 'TokenPress' };
  const creations = Object.entries({ ...names, aggregator: 'Aggregator' });
  const first = Number(await world.anvil.rpc<Hex>('eth_getTransactionCount', [deployer, 'latest']));
  const { receipts } = await mineTransactions(
    world,
    creations.map(([, name], index) => ({
      from: deployer,
      data: compiled[name]?.bytecode ?? '0x',
      nonce: first + index,
    })),
  );
  for (const [index, [key]] of creations.entries())
    tokens[key as keyof typeof tokens] = lower(receipts[index]?.contractAddress ?? ZERO_ADDRESS);
  await send(deployer, tokens.rebasing, encodeData(mint, [alice, 1_000n]));
  await send(deployer, tokens.hungry, encodeData(mint, [alice, 5n]));
  await send(deployer, tokens.fee, encodeData(mint, [alice, 1_000n]));
  await send(alice, tokens.fee, encodeData(transfer, [bob, 100n]));
  await send(alice, tokens.fee, encodeData(transfer, [alice, 10n]));
  await send(deployer, tokens.rebasing, encodeData(rebase, [1_500_000_000_000_000_000n]));
  for (let count = 0; count < SMALL_TOKENS; count += TOKENS_PER_TRANSACTION)
    await send(deployer, tokens.press, encodeData(press, [dave, BigInt(TOKENS_PER_TRANSACTION)]), 29_000_000);
});

const send = (from: Hex, to: Hex, data: Hex, gas = 400_000) => mineTransactions(world, [{ from, to, data, gas }]);

interface RawLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: Hex;
  readonly blockHash: Hex;
  readonly logIndex: Hex;
  readonly transactionHash: Hex;
}

/** Every ERC-20 transfer of the chain by the node's own logs, oldest first; those of NFTs have a topic more. */
async function readLogs(filter: object = {}): Promise<readonly RawLog[]> {
  const logs = await world.anvil.rpc<readonly RawLog[]>('eth_getLogs', [
    { fromBlock: '0x0', toBlock: 'latest', topics: [topics.transfer], ...filter },
  ]);
  return logs.filter(log => log.topics.length === 3 && log.data.length === 66);
}

const addressIn = (topic: Hex | undefined) => `0x${topic?.slice(26)}`;
const keyOf = (log: RawLog) => [
  log.transactionHash,
  Number(log.logIndex),
  lower(log.address),
  BigInt(log.data).toString(),
];
const recordKey = (record: Readonly<Record<string, unknown>>) => [
  record['transaction_hash'],
  record['log_index'],
  record['address'],
  record['value'],
];
const concerns = (wallet: Hex) => (log: RawLog) =>
  log.topics.slice(1).some(topic => addressIn(topic) === lower(wallet));

/** What each token says of the wallet's balance; tokens that fail or hold nothing are left out. */
async function readBalances(wallet: Hex, block: Hex | 'latest' = 'latest'): Promise<ReadonlyMap<Hex, bigint>> {
  const candidates = [...new Set((await readLogs()).filter(concerns(wallet)).map(log => lower(log.address)))];
  const results = await Promise.all(
    candidates
      .filter(token => token !== tokens.hungry)
      .map(async token => {
        const call = { to: token, data: encodeData(balanceOf, [wallet]) };
        return [token, BigInt(await world.anvil.rpc<Hex>('eth_call', [call, block]))] as const;
      }),
  );
  return new Map(results.filter(([, balance]) => balance > 0n));
}

/** The balances of an index that has come to the head of its chain. */
async function fetchBalances(input: Input<'walletErc20Balances'>, service = world.service) {
  const { status, body } = await readUntil(
    () => service.send('walletErc20Balances', input),
    reply => reply.headers['x-hexlens-index'] === undefined,
  );
  expect(status, JSON.stringify(body)).toBe(200);
  return body as readonly Readonly<Record<string, unknown>>[];
}

const toBalances = (records: readonly Readonly<Record<string, unknown>>[]) =>
  new Map(records.map(record => [record['token_address'], BigInt(String(record['balance']))]));

describe('walletErc20Balances', () => {
  it('reads what the contracts say, of rebasing tokens and those with a fee too', async () => {
    const { alice, bob, carol, idle } = world.chain.accounts;
    for (const wallet of [alice, bob, carol, idle])
      expect(toBalances(await fetchBalances({ address: wallet }))).toEqual(await readBalances(wallet));
    const records = await fetchBalances({ address: alice });
    expect(records.find(record => record['token_address'] === tokens.rebasing)).toEqual({
      ...{ token_address: tokens.rebasing, name: 'Rebasing Test Token', symbol: 'RBS', decimals: 18, balance: '1500' },
      ...{ logo: null, thumbnail: null, possible_spam: false, verified_contract: false },
    });
    const ofBob = await fetchBalances({ address: bob });
    expect(ofBob.find(record => record['token_address'] === tokens.fee)?.['balance']).toBe('90');
  });

  it('has the coins that a wallet wrapped, which are logged without a transfer', async () => {
    const { erin, deployer } = world.chain.accounts;
    await withSnapshot(world, async () => {
      const { WrappedCoin } = await compileContracts();
      const creation = await mineTransactions(world, [{ from: deployer, data: WrappedCoin?.bytecode ?? '0x' }]);
      const token = lower(creation.receipts[0]?.contractAddress ?? ZERO_ADDRESS);
      const ofToken = async (input: object = {}) =>
        (await fetchBalances({ address: erin, ...input })).filter(record => record['token_address'] === token);
      expect(await ofToken()).toEqual([]);
      const { number } = await mineTransactions(world, [{ from: erin, to: token, data: deposit, value: 5n }]);
      expect(await ofToken()).toMatchObject([{ symbol: 'WTC', decimals: 18, balance: '5', possible_spam: false }]);
      expect(await ofToken({ toBlock: number - 1 })).toEqual([]);
      expect(await ofToken({ tokenAddresses: [tokens.fee] })).toEqual([]);
    });
  });

  it('reads the balances of an earlier block', async () => {
    const { alice } = world.chain.accounts;
    const head = Number(await world.anvil.rpc<Hex>('eth_blockNumber'));
    const toBlock = head - SMALL_TOKENS / TOKENS_PER_TRANSACTION - 3;
    expect(toBalances(await fetchBalances({ address: alice, toBlock }))).toEqual(
      await readBalances(alice, toQuantity(toBlock)),
    );
    expect((await world.service.send('walletErc20Balances', { address: alice, toBlock: head + 9 })).status).toBe(404);
  });

  it('reads only the tokens of `token_addresses`, and no contracts of NFTs', async () => {
    const { accounts, contracts } = world.chain;
    const only = await fetchBalances({
      address: accounts.alice,
      tokenAddresses: [tokens.fee, contracts.apes, accounts.bob, contracts.coin],
    });
    const all = await readBalances(accounts.alice);
    const wanted = [tokens.fee, lower(contracts.coin)].filter(token => all.has(token));
    expect(new Map([...toBalances(only)])).toEqual(new Map(wanted.map(token => [token, all.get(token)])));
  });

  it('marks tokens that look like spam, and leaves them out on request', async () => {
    const { accounts, contracts } = world.chain;
    const holder = [accounts.alice, accounts.bob, accounts.carol, accounts.dave, accounts.erin].find(Boolean) as Hex;
    const records = await fetchBalances({ address: holder });
    const spam = records.filter(record => record['possible_spam'] === true).map(record => record['token_address']);
    expect(spam.filter(token => token !== lower(contracts.hostile))).toEqual([]);
    const clean = await fetchBalances({ address: holder, excludeSpam: true });
    expect(clean.map(record => record['token_address'])).toEqual(
      records.map(record => record['token_address']).filter(token => !spam.includes(token)),
    );
  });

  it('reads 2,000 tokens, one by one and by Multicall3, with one that burns all gas among them', async () => {
    const { dave, deployer } = world.chain.accounts;
    await withSnapshot(world, async () => {
      await send(deployer, tokens.hungry, encodeData(mint, [dave, 1n]));
      const expected = await readBalances(dave);
      expect(expected.size).toBeGreaterThanOrEqual(SMALL_TOKENS);
      expect(toBalances(await fetchBalances({ address: dave }))).toEqual(expected);
      const code = await world.anvil.rpc<Hex>('eth_getCode', [tokens.aggregator, 'latest']);
      await world.anvil.rpc('anvil_setCode', [MULTICALL3, code]);
      expect(toBalances(await fetchBalances({ address: dave }))).toEqual(expected);
    });
  });
});

describe('walletErc20Transfers and contractErc20Transfers', () => {
  it('list every transfer of a wallet, in pages, newest or oldest first', async () => {
    const { alice, bob, idle } = world.chain.accounts;
    const logs = await readLogs();
    for (const address of [alice, bob, idle]) {
      const expected = logs.filter(concerns(address)).map(keyOf);
      for (const limit of [3, 100]) {
        const newestFirst = toRecords(await allPages(world.service, 'walletErc20Transfers', { address, limit }));
        expect(newestFirst.map(recordKey)).toEqual(expected.toReversed());
        const input = { address, limit, order: 'asc' } as const;
        expect(toRecords(await allPages(world.service, 'walletErc20Transfers', input)).map(recordKey)).toEqual(
          expected,
        );
      }
    }
  });

  it('return every field', async () => {
    const [log] = (await readLogs({ address: tokens.fee })).slice(1);
    const { result } = await fetchSyncedPage(world.service, 'contractErc20Transfers', { address: tokens.fee });
    const block = await world.anvil.rpc<{ timestamp: Hex }>('eth_getBlockByHash', [log?.blockHash, false]);
    expect(result[1]).toEqual({
      ...{ token_name: 'Fee Test Token', token_symbol: 'FEE', token_logo: null, token_decimals: '2' },
      ...{ transaction_hash: log?.transactionHash, address: tokens.fee, block_hash: log?.blockHash },
      block_timestamp: new Date(Number(block.timestamp) * 1_000).toISOString(),
      block_number: String(Number(log?.blockNumber)),
      ...{ from_address: lower(world.chain.accounts.alice), from_address_label: null },
      ...{ to_address: lower(world.chain.accounts.bob), to_address_label: null },
      ...{ value: '100', value_decimal: '1', transaction_index: 0, log_index: 0 },
      ...{ possible_spam: false, verified_contract: false },
    });
  });

  it('return only transfers of the requested token, block and contract', async () => {
    const { accounts, contracts } = world.chain;
    const address = lower(accounts.alice);
    const logs = await readLogs();
    const contractAddresses = [tokens.fee, lower(contracts.coin)];
    const ofTokens = logs.filter(concerns(address)).filter(log => contractAddresses.includes(lower(log.address)));
    const list = async (input: Omit<Input<'walletErc20Transfers'>, 'address'>) =>
      toRecords(await allPages(world.service, 'walletErc20Transfers', { address, ...input })).map(recordKey);
    expect(await list({ contractAddresses, limit: 2 })).toEqual(ofTokens.map(keyOf).toReversed());
    const [fromBlock, toBlock] = [Number(ofTokens[1]?.blockNumber), Number(ofTokens.at(-2)?.blockNumber)];
    const inRange = (log: RawLog) => Number(log.blockNumber) >= fromBlock && Number(log.blockNumber) <= toBlock;
    const expected = logs.filter(concerns(address)).filter(inRange).map(keyOf);
    expect(await list({ fromBlock, toBlock })).toEqual(expected.toReversed());
    for (const contract of [contracts.coin, contracts.apes, tokens.rebasing]) {
      const input = { address: contract, limit: 4 };
      const found = toRecords(await allPages(world.service, 'contractErc20Transfers', input)).map(recordKey);
      expect(found).toEqual((await readLogs({ address: contract })).map(keyOf).toReversed());
    }
  });
});

describe('a public chain', () => {
  it('indexes a wallet and a contract on demand, with the same results', async () => {
    const { chain, anvil } = world;
    const front = await startPublicNode(anvil.url, {
      range: { blocks: 20, message: blocks => `limit is ${blocks} blocks` },
      override: ({ method }) => (method === 'eth_chainId' ? Promise.resolve({ result: '0x1' }) : undefined),
    });
    const service = startService({ eth: front.url });
    try {
      const address = lower(chain.accounts.alice);
      const wallet = await allPages(service, 'walletErc20Transfers', { address, chain: 'eth', limit: 5 });
      expect(toRecords(wallet).map(recordKey)).toEqual(
        (await readLogs()).filter(concerns(address)).map(keyOf).toReversed(),
      );
      const contract = await allPages(service, 'contractErc20Transfers', { address: tokens.fee, chain: 'eth' });
      expect(toRecords(contract).map(recordKey)).toEqual(
        (await readLogs({ address: tokens.fee })).map(keyOf).toReversed(),
      );
      expect(toBalances(await fetchBalances({ address, chain: 'eth' }, service))).toEqual(await readBalances(address));
      await withSnapshot(world, async () => {
        const { WrappedCoin } = await compileContracts();
        const from = chain.accounts.deployer;
        const creation = await mineTransactions(world, [{ from, data: WrappedCoin?.bytecode ?? '0x' }]);
        const code = await anvil.rpc('eth_getCode', [creation.receipts[0]?.contractAddress, 'latest']);
        const weth: Hex = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
        await anvil.rpc('anvil_setCode', [weth, code]);
        await mineTransactions(world, [{ from: chain.accounts.alice, to: weth, data: deposit, value: 7n }]);
        expect(toBalances(await fetchBalances({ address, chain: 'eth' }, service)).get(weth)).toBe(7n);
      });
    } finally {
      await service.stop();
      await front.stop();
    }
  });
});
