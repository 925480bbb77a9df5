// The index of a real chain, compared with the test scenario, with the chain's logs and with its contracts.
import { decodeResult, encodeData, from as functionFrom } from 'ox/AbiFunction';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hex, toQuantity, ZERO_ADDRESS } from '../../src/base/hex.ts';
import type { Store } from '../../src/service/store/store.ts';
import type { Anvil } from '../support/chain/anvil.ts';
import { emitLogs } from '../support/chain/chainLoad.ts';
import { HOSTILE_NAME, HOSTILE_SYMBOL, OLD_TOKEN_SUPPLY } from '../support/chain/deployContracts.ts';
import { startFilledAnvil } from '../support/chain/filledAnvil.ts';
import type { ContractName, TestChain, TopicName } from '../support/chain/testChain.ts';
import { measureAsyncCpuMs } from '../support/cpuTime.ts';
import { createIndexFixture, lower, readStoreContent, waitForHead, waitUntilSynced } from '../support/indexFixture.ts';

interface Log {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: Hex;
  readonly logIndex: Hex;
  readonly transactionHash: Hex;
}

const ALL = { limit: 100_000 } as const;
const stage = createIndexFixture();
let anvil: Anvil;
let chain: TestChain;
beforeAll(async () => {
  ({ anvil, chain } = await startFilledAnvil());
});
afterAll(() => anvil?.stop());

const at = (name: ContractName) => lower(chain.contracts[name]);
const storeOf = async () => waitUntilSynced(await stage.index(anvil.url));
const logsOf = (topic: TopicName, contracts: readonly ContractName[]) =>
  anvil.rpc<Log[]>('eth_getLogs', [
    { fromBlock: '0x0', toBlock: 'latest', address: contracts.map(at), topics: [chain.topics[topic]] },
  ]);
const words = (data: Hex) => data.slice(2).match(/.{64}/g) ?? [];
const addressIn = (topic: Hex | undefined) => `0x${topic?.slice(26)}`;

async function read<T>(contract: Hex, signature: string, args: readonly unknown[] = []): Promise<T> {
  const abi = functionFrom(signature as 'function name() view returns (string)');
  const data = encodeData(abi as never, args as never);
  const result = await anvil.rpc<Hex>('eth_call', [{ to: contract, data }, 'latest']);
  return decodeResult(abi, result) as T;
}

describe('an index of the test chain', () => {
  it('has the owners that the test scenario created', async () => {
    const store = await storeOf();
    for (const name of ['apes', 'art'] as const) {
      const rows = await store.readOwners({ contracts: [at(name)] }, ALL);
      const living = Object.entries(chain.holdings[name]).filter(([, owner]) => owner !== null);
      expect(new Map(rows.map(row => [String(row.tokenId), row.owner]))).toEqual(
        new Map(living.map(([id, owner]) => [id, lower(owner ?? '0x')])),
      );
      expect(rows.every(row => row.amount === 1n && row.standard === 'ERC721')).toBe(true);
    }
    const rows = await store.readOwners({ contracts: [at('items')] }, ALL);
    const held = Object.entries(chain.holdings.items).flatMap(([owner, kinds]) =>
      Object.entries(kinds).map(([id, amount]) => `${owner.toLowerCase()} ${id} ${amount}`),
    );
    expect(rows.map(row => `${row.owner} ${row.tokenId} ${row.amount}`).sort()).toEqual(held.sort());
    expect(rows.every(row => row.standard === 'ERC1155')).toBe(true);
    expect(await store.countOwners({})).toBe(await sumOfOwners(store));
  });

  const sumOfOwners = async (store: Store) => {
    let sum = 0;
    for (const name of ['apes', 'art', 'items'] as const) sum += await store.countOwners({ contracts: [at(name)] });
    return sum;
  };

  it('has the owners that the contracts return', async () => {
    const store = await storeOf();
    const rows = await store.readOwners({}, ALL);
    expect(rows.length).toBeGreaterThan(60);
    for (const row of rows) {
      const answer =
        row.standard === 'ERC721'
          ? await read<Hex>(row.tokenAddress, 'function ownerOf(uint256 id) view returns (address)', [row.tokenId])
          : await read<bigint>(
              row.tokenAddress,
              'function balanceOf(address owner, uint256 id) view returns (uint256)',
              [row.owner, row.tokenId],
            );
      expect(typeof answer === 'bigint' ? answer : lower(answer)).toBe(
        row.standard === 'ERC721' ? row.owner : row.amount,
      );
    }
  });

  it('has every transfer in chain order, with transaction values near the head', async () => {
    const store = await storeOf();
    const expected: string[] = [];
    const note = (log: Log, position: number, ...rest: readonly unknown[]) =>
      expected.push([Number(log.blockNumber), Number(log.logIndex), position, log.transactionHash, ...rest].join(' '));
    for (const log of await logsOf('transfer', ['apes', 'art']))
      note(
        log,
        0,
        'ERC721',
        addressIn(log.topics[1]),
        addressIn(log.topics[2]),
        BigInt(log.topics[3] ?? '0x'),
        1,
        null,
      );
    for (const log of await logsOf('transferSingle', ['items'])) {
      const [operator, from, to] = log.topics.slice(1).map(addressIn);
      const [id, amount] = words(log.data).map(word => BigInt(`0x${word}`));
      note(log, 0, 'ERC1155', from, to, id, amount, operator);
    }
    for (const log of await logsOf('transferBatch', ['items'])) {
      const [operator, from, to] = log.topics.slice(1).map(addressIn);
      const numbers = words(log.data).map(word => BigInt(`0x${word}`));
      const count = Number(numbers[2]);
      for (let index = 0; index < count; index++)
        note(log, index, 'ERC1155', from, to, numbers[3 + index], numbers[4 + count + index], operator);
    }
    const rows = await store.readTransfers({}, ALL);
    const toPosition = ({ blockNumber, place, batchIndex: position }: (typeof rows)[number]) => [
      blockNumber,
      place,
      position,
    ];
    const found = rows.map(row =>
      [
        ...toPosition(row),
        row.transactionHash,
        row.standard,
        row.from,
        row.to,
        row.tokenId,
        row.amount,
        row.operator,
      ].join(' '),
    );
    expect([...found].sort()).toEqual(expected.map(line => line.replace(/null$/, '')).sort());
    const inOrder = rows.toSorted(
      (a, b) => b.blockNumber - a.blockNumber || b.place - a.place || b.batchIndex - a.batchIndex,
    );
    expect(rows).toEqual(inOrder);
    for (const hash of new Set(rows.map(row => row.transactionHash))) {
      const { value, transactionIndex } = await anvil.rpc<{ value: Hex; transactionIndex: Hex }>(
        'eth_getTransactionByHash',
        [hash],
      );
      for (const row of rows.filter(row => row.transactionHash === hash)) {
        expect([BigInt(value), null]).toContain(row.value);
        expect(row.transactionIndex).toBe(Number(transactionIndex));
      }
    }
    const head = (await store.readHead())?.number ?? 0;
    const near = rows.filter(row => row.blockNumber > head - 32);
    expect(near.length).toBeGreaterThan(10);
    expect(near.map(row => row.value)).not.toContain(null);
  });

  it('has every ERC-20 mint and no other ERC-20 transfer', async () => {
    const store = await storeOf();
    const logs = await logsOf('transfer', ['coin', 'usdx', 'hostile', 'oldToken']);
    const mints = logs.filter(log => addressIn(log.topics[1]) === ZERO_ADDRESS);
    expect(mints.length).toBeLessThan(logs.length);
    const rows = await store.readMints({}, ALL);
    expect(
      rows.map(row => `${row.blockNumber} ${row.place} ${row.tokenAddress} ${row.to} ${row.amount}`).sort(),
    ).toEqual(
      mints
        .map(
          log =>
            `${Number(log.blockNumber)} ${Number(log.logIndex)} ${log.address} ${addressIn(log.topics[2])} ${BigInt(log.data)}`,
        )
        .sort(),
    );
    expect(rows.find(row => row.tokenAddress === at('oldToken'))?.amount).toBe(OLD_TOKEN_SUPPLY);
  });

  it('has the name, symbol and decimals of every token', async () => {
    const store = await storeOf();
    const names: readonly ContractName[] = ['apes', 'art', 'items', 'coin', 'usdx', 'hostile', 'oldToken'];
    const rows = await store.readTokens(names.map(at));
    const row = (name: ContractName) => rows.get(at(name));
    for (const name of ['apes', 'art', 'items', 'coin', 'usdx'] as const)
      expect(row(name)).toMatchObject({
        name: await read<string>(at(name), 'function name() view returns (string)'),
        symbol: await read<string>(at(name), 'function symbol() view returns (string)'),
      });
    expect(row('hostile')).toMatchObject({ name: HOSTILE_NAME, symbol: HOSTILE_SYMBOL, decimals: 18 });
    expect(row('oldToken')).toMatchObject({ name: 'Old Test Token', symbol: 'OLD', decimals: 9, standard: 'ERC20' });
    expect(names.map(name => row(name)?.standard)).toEqual([
      ...['ERC721', 'ERC721', 'ERC1155'],
      ...['ERC20', 'ERC20', 'ERC20', 'ERC20'],
    ]);
    expect(row('apes')?.decimals).toBe(null);
    expect(row('usdx')?.decimals).toBe(6);
  });

  it('has the sales for ether at the whole price paid', async () => {
    const store = await storeOf();
    const { sale, bundle } = chain.transactions;
    const { bob, dave, erin } = chain.accounts;
    const ether = 10n ** 18n;
    const shared = { seller: lower(bob), marketplace: at('seaport') };
    expect(await store.readLowestTrade({ contract: at('apes'), fromTime: 0 })).toMatchObject({
      ...{ ...shared, transactionHash: sale, tokenIds: [2n], buyer: lower(dave), price: ether },
    });
    expect(await store.readLowestTrade({ contract: at('art'), fromTime: 0 })).toMatchObject({
      ...{ ...shared, transactionHash: bundle, tokenIds: [1n], buyer: lower(erin), price: 3n * ether },
    });
    expect(await store.readLowestTrade({ contract: at('coin'), fromTime: 0 })).toBe(null);
  });

  it('has every block with its time', async () => {
    const store = await storeOf();
    const blocks = await store.readBlocksDownFrom(chain.head.number, 1_000);
    expect(blocks).toHaveLength(chain.head.number + 1);
    for (const block of blocks) {
      const { hash, parentHash, timestamp } = await anvil.rpc<Record<string, Hex>>('eth_getBlockByNumber', [
        toQuantity(block.number),
        false,
      ]);
      expect(block).toEqual({ number: block.number, hash, parentHash, timestamp: Number(timestamp) });
    }
  });
});

describe('a chain that grows', () => {
  it('is followed: a request sees every block that was mined before it', async () => {
    const own = await stage.anvil();
    const index = await stage.index(own.url);
    expect((await waitForHead(index)).head.number).toBe(0);
    for (let block = 1; block <= 5; block++) {
      await own.rpc('evm_mine');
      const answers = await Promise.all([waitForHead(index), waitForHead(index), waitForHead(index)]);
      expect(answers.map(({ head }) => head.number)).toEqual([block, block, block]);
    }
    await emitLogs(own, 600, { logsPerTransaction: 20, transactionsPerBlock: 5 });
    const { store, head } = await waitForHead(index);
    expect(head.number).toBe(12);
    expect(await store.countTransfers({})).toBe(400);
    const done = { fromBlock: 0, isRunning: false, isPaused: false, indexedBlock: 12, nodeHead: 12, fault: null };
    await expect.poll(() => index.progress()).toEqual(done);
    expect(await readStoreContent(store)).toEqual(await stage.readFreshContent(own.url));
  });

  it('is indexed whole and fast with twenty thousand logs', async () => {
    const own = await stage.anvil();
    await emitLogs(own, 20_000);
    const index = await stage.index(own.url);
    const milliseconds = await measureAsyncCpuMs(() => waitUntilSynced(index), 1);
    const store = await waitUntilSynced(index);
    expect(await store.countTransfers({})).toBe(13_333);
    const rows = await store.readTransfers({}, ALL);
    expect(new Set(rows.map(row => row.tokenId)).size).toBe(13_333);
    expect(rows.every(row => row.tokenId % 3n !== 1n)).toBe(true);
    expect(milliseconds).toBeLessThan(10_000); // about 800 on two cores
  });
});
