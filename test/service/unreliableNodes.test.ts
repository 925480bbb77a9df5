// The fault catalog: a real node behind a gateway with named faults, and what the indexes promise of each of them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUNK_BOUGHT, TRANSFER } from '../../src/api/eventTopics.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { Hex } from '../../src/base/hex.ts';
import type { Store } from '../../src/service/store/store.ts';
import type { Anvil } from '../support/chain/anvil.ts';
import { mineBusyBlock } from '../support/chain/chainLoad.ts';
import { apesAbi, encodeData, tokenAbi } from '../support/chain/contractAbis.ts';
import { fillChain } from '../support/chain/fillChain.ts';
import { startFilledAnvil } from '../support/chain/filledAnvil.ts';
import { mineBlock } from '../support/chain/mineBlock.ts';
import { hastyClock } from '../support/fakeClock.ts';
import {
  type Fault,
  type FaultyNodeOptions,
  isLogsCall,
  refuse,
  startFaultyNode,
  stopAt,
} from '../support/faultyNode.ts';
import { isBehind, type ServiceOptions, type ServiceUnderTest, startService } from '../support/filledChain.ts';
import {
  createIndexFixture,
  lower,
  readStoreContent,
  type StoreContent,
  waitForHead,
  waitUntilRecovered,
  waitUntilSynced,
} from '../support/indexFixture.ts';
import { fetchSyncedPage, type PageOnWire } from '../support/nftPages.ts';
import { readUntil } from '../support/readUntil.ts';
import { forwardTo, type ScriptedExchange } from '../support/scriptedRpcNode.ts';
import { createTestLog } from '../support/testClock.ts';

const stage = createIndexFixture();

async function faulty(anvil: Anvil, options?: FaultyNodeOptions) {
  const node = await startFaultyNode(anvil.url, options);
  stage.atEnd(() => node.stop());
  return node;
}

/** Without faults, but behind the gateway too, which does not say that its node is Anvil: then traces are not indexed. */
const readFreshContent = async (anvil: Anvil): Promise<StoreContent> =>
  stage.readFreshContent((await faulty(anvil)).url);

const filledChain = async (): Promise<Anvil> => (await stage.filledAnvil({ chainId: 1, blocks: 24 })).anvil;

/** A filled chain with an NFT contract that mints one token per call. */
async function collection() {
  const { anvil, chain } = await stage.filledAnvil({ chainId: 1, blocks: 24 });
  const from = chain.accounts.alice;
  const apes = lower(chain.contracts.apes);
  let nextId = 900n;
  const mint = () => mineBlock(anvil, [{ from, to: apes, data: encodeData(apesAbi.mint, [from, nextId++]) }]);
  return { anvil, apes, mint };
}

/** The transfers of a contract, from an index that has come to this block. */
async function fetchUntil(service: ServiceUnderTest, address: Hex, block: number) {
  const { body } = await readUntil(
    () => service.send('contractNftTransfers', { address, toBlock: block }),
    reply => !isBehind(reply.headers) && (reply.body as PageOnWire).block_exists === true,
  );
  return body as PageOnWire;
}

/** The service over a public chain, which is indexed only as far as requests need. */
function serve(url: string, options: ServiceOptions = {}) {
  const service = startService({ eth: url }, options);
  stage.atEnd(() => service.stop());
  return service;
}

const word = (value: bigint | Hex) => BigInt(value).toString(16).padStart(64, '0');
/** EVM code that emits a log with these topics and one word of data. */
const emitLog = (topics: readonly (bigint | Hex)[], data: bigint) =>
  `7f${word(data)}5f52${[...topics]
    .reverse()
    .map(topic => `7f${word(topic)}`)
    .join('')}60205fa${topics.length}`;
/** Creation code that emits the logs and leaves a contract that returns the word 2 to every call. */
const emitter = (logs: readonly string[]): Hex =>
  `0x${logs.join('')}7f${'60025f5260205ff3'.padEnd(64, '0')}5f5260085ff3`;

type Log = Readonly<Record<string, unknown>>;
/** Changes the logs of the first `times` responses that have some. */
const changeLogs = (times: number, change: (logs: readonly Log[]) => readonly unknown[]): Fault => {
  let left = times;
  return async ({ method }, honest) => {
    const reply = await honest();
    if (method !== 'eth_getLogs' || !('result' in reply)) return reply;
    const logs = reply.result as readonly Log[];
    return logs.length > 0 && left-- > 0 ? { result: change(logs) } : reply;
  };
};
const onFirst =
  (times: number, act: (exchange: ScriptedExchange) => void | Promise<void>): FaultyNodeOptions['exchange'] =>
  async exchange => {
    // The first request identifies the node.
    if (exchange.number === 1 || exchange.number > times + 1) return false;
    await act(exchange);
    return true;
  };

describe('faults of a node that pass', () => {
  const passing: Readonly<Record<string, FaultyNodeOptions>> = {
    'status 429': { exchange: onFirst(2, ({ send }) => send({ error: 'slow down' }, 429, { 'retry-after': '0' })) },
    'status 500': { exchange: onFirst(2, ({ sendText }) => sendText('Internal Server Error', 500)) },
    'an HTML page with status 200': { exchange: onFirst(2, ({ sendText }) => sendText('<html>busy</html>')) },
    'half a body': {
      exchange: onFirst(2, async ({ honest, sendHalf }) => sendHalf(JSON.stringify(await honest()))),
    },
    'ids of other calls': {
      exchange: onFirst(2, async ({ honest, send }) => {
        const body = await honest();
        const change = (entry: unknown) => ({ ...(entry as object), id: 987_654 });
        send(Array.isArray(body) ? body.map(change) : change(body));
      }),
    },
    'responses in reverse': {
      exchange: async ({ honest, send }) => {
        const body = await honest();
        send(Array.isArray(body) ? body.reverse() : body);
        return true;
      },
    },
    'an empty list of logs': { fault: changeLogs(3, () => []) },
    'no logs of the last blocks': {
      fault: changeLogs(3, logs => logs.filter(log => Number(log['blockNumber']) < 4)),
    },
    'every log twice': { fault: changeLogs(Number.POSITIVE_INFINITY, logs => [...logs, ...logs]) },
    'logs in reverse': { fault: changeLogs(Number.POSITIVE_INFINITY, logs => logs.toReversed()) },
    'logs of other blocks': { fault: changeLogs(2, logs => logs.map(log => ({ ...log, blockNumber: '0xfffff' }))) },
    'logs without a block': { fault: changeLogs(2, logs => logs.map(log => ({ ...log, blockHash: null }))) },
    'logs that it took back': {
      fault: changeLogs(Number.POSITIVE_INFINITY, logs => [...logs, { ...logs[0], logIndex: '0x99', removed: true }]),
    },
    'a rate limit as an error': { fault: refuse('eth_getLogs', 2, 'rate limit exceeded', -32005) },
    'a range that is too wide': {
      fault: ({ method, params }) => {
        const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: Hex; toBlock?: Hex };
        return method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) >= 5
          ? { error: { code: -32005, message: 'block range too large, maximum is 5' } }
          : undefined;
      },
    },
    'headers that are missing at first': {
      fault: ({ method, params }, _honest, count) =>
        method === 'eth_getBlockByNumber' && params[0] === '0x9' && count < 40 ? { result: null } : undefined,
    },
  };
  let anvil: Anvil;
  let fresh: StoreContent;
  beforeAll(async () => {
    ({ anvil } = await startFilledAnvil({ chainId: 1, blocks: 24 }));
    fresh = await readFreshContent(anvil);
  });
  afterAll(() => anvil?.stop());

  it.each(Object.entries(passing))('leave the index as it would be without them: %s', async (_name, options) => {
    const node = await faulty(anvil, options);
    const index = await stage.index(node.url, { clock: hastyClock });
    // A request may fail; nothing wrong may be stored.
    expect(await readStoreContent(await waitUntilRecovered(index))).toEqual(fresh);
  });

  it('leave the index as it would be without them: two nodes of different height in turn', async () => {
    const node = await faulty(anvil);
    let turn = 0;
    const low = stopAt(12);
    node.setFault((call, honest, count) => (turn++ % 3 === 0 ? low(call, honest, count) : undefined));
    const index = await stage.index(node.url);
    for (let round = 0; round < 12; round++) await index.current().catch(() => {});
    node.setFault(null);
    expect(await readStoreContent(await waitUntilRecovered(index))).toEqual(fresh);
  });
});

it('two nodes of different forks in turn are never mixed', async () => {
  const options = { chainId: 1, timestamp: 1_700_000_000 };
  const [anvil, other] = await Promise.all([stage.anvil(options), stage.anvil(options)]);
  await other.rpc('anvil_setCoinbase', [`0x${'78'.repeat(20)}`]);
  await Promise.all([fillChain(anvil, { blocks: 20 }), fillChain(other, { blocks: 20 })]);
  const contents = await Promise.all([readFreshContent(anvil), readFreshContent(other)]);
  expect(contents[0]?.blocks.at(-1)?.hash, 'they have one genesis block').toBe(contents[1]?.blocks.at(-1)?.hash);
  const forward = forwardTo(other.url);
  let isOther = false;
  const node = await faulty(anvil, {
    fault: call => (isOther && call.method.startsWith('eth_') ? forward(call) : undefined),
    exchange: ({ number }) => {
      isOther = number % 3 === 0;
      return false;
    },
  });
  const index = await stage.index(node.url, { clock: hastyClock });
  for (let round = 0; round < 6; round++) {
    const position = await index.current().catch(() => null);
    if (position === null) continue;
    const { blocks } = await readStoreContent(position.store);
    for (const [above, block] of blocks.entries())
      if (above > 0) expect(blocks[above - 1]?.parentHash, 'its blocks are of one fork').toBe(block.hash);
  }
  node.setFault(null);
  expect(await readStoreContent(await waitUntilRecovered(index))).toEqual(contents[0]);
});

describe('what chains may hold', () => {
  it('a log index beyond 31 bits is stored', async () => {
    const { anvil, apes, mint } = await collection();
    await mint();
    const last = await heightOf(anvil);
    const shift: Fault = async ({ method }, honest) => {
      const reply = await honest();
      if (method !== 'eth_getLogs' || !('result' in reply)) return reply;
      const logs = reply.result as readonly Log[];
      return {
        result: logs.map(log => (Number(log['blockNumber']) === last ? { ...log, logIndex: '0xffffffe2' } : log)),
      };
    };
    const node = await faulty(anvil, { fault: shift });
    const { result } = await fetchSyncedPage(serve(node.url), 'contractNftTransfers', { address: apes });
    expect(result[0]).toMatchObject({ block_number: String(last), log_index: 4_294_967_266 });
  });

  it('10,000 logs in one block are stored', async () => {
    const anvil = await stage.anvil();
    const { contract, number } = await mineBusyBlock(anvil, 200, 10_000);
    const store = await waitUntilSynced(await stage.index(anvil.url));
    expect(await store.readHead()).toMatchObject({ number });
    const transfers = await store.countTransfers({ contract: lower(contract) });
    const mints = await store.countMints({});
    expect(transfers).toBeGreaterThan(5_000);
    expect(transfers + mints).toBeLessThanOrEqual(10_000);
  });

  it('empty blocks are stored', async () => {
    const anvil = await stage.anvil();
    await anvil.rpc('anvil_mine', ['0x3e8']);
    const store = await waitUntilSynced(await stage.index(anvil.url));
    expect(await store.readHead()).toMatchObject({ number: 1_000 });
    expect(await store.countTransfers({})).toBe(0);
  });
});

describe('a new block', () => {
  it('is in the next answer', async () => {
    const { anvil, apes, mint } = await collection();
    const service = startService({ local: anvil.url });
    stage.atEnd(() => service.stop());
    const before = (await fetchSyncedPage(service, 'contractNftTransfers', { address: apes })).result.length;
    for (let round = 1; round <= 5; round++) {
      await mint();
      const { result } = await fetchSyncedPage(service, 'contractNftTransfers', { address: apes });
      expect(result.length).toBe(before + round);
    }
  });
});

describe('calls of contracts', () => {
  it('that the node refuses for a moment are repeated', async () => {
    const anvil = await filledChain();
    const node = await faulty(anvil, { fault: refuse('eth_call', 20, 'header not found') });
    const store = await waitUntilSynced(await stage.index(node.url));
    expect(await readStoreContent(store)).toEqual(await readFreshContent(anvil));
  });

  it.each(['header not found', 'Internal error'])(
    'that the node refuses are no answer of the contract: %s',
    async message => {
      const anvil = await filledChain();
      const node = await faulty(anvil, { fault: refuse('eth_call', Number.POSITIVE_INFINITY, message, -32603) });
      const index = await stage.index(node.url);
      await expect(waitUntilSynced(index)).rejects.toMatchObject({ code: 'node-error' });
      node.setFault(null);
      expect(await readStoreContent(await waitUntilRecovered(index))).toEqual(await readFreshContent(anvil));
    },
  );
});

it('the index has the name and standard of a new contract that a node behind a load balancer lacks', async () => {
  const anvil = await filledChain();
  const [from = '0x'] = await anvil.rpc<readonly Hex[]>('eth_accounts', []);
  const { number } = await mineBlock(anvil, [{ from, data: emitter([emitLog([TRANSFER, 0n, from], 7n)]) }]);
  const node = await faulty(anvil, {
    async fault({ method, params }, honest, count) {
      if (method !== 'eth_call') return undefined;
      const [call, block] = params;
      if (block === 'latest') return honest({ method, params: [call, `0x${(number - 1).toString(16)}`] });
      return count <= 10 ? { error: { code: -32000, message: 'header not found' } } : undefined;
    },
  });
  const store = await waitUntilSynced(await stage.index(node.url));
  expect(await readStoreContent(store)).toEqual(await readFreshContent(anvil));
});

/** The system's clock, which can be put forward. */
function shiftableClock(): Clock & { advance(ms: number): void } {
  let shift = 0;
  return {
    ...systemClock,
    now: () => systemClock.now() + shift,
    advance(ms) {
      shift += ms;
    },
  };
}

const heightOf = async (anvil: Anvil) => Number(await anvil.rpc<Hex>('eth_blockNumber'));

describe('a node that is behind', () => {
  it('is waited for, however far behind: nothing is rolled back', async () => {
    const anvil = await filledChain();
    await anvil.rpc('anvil_mine', ['0xc8']);
    const node = await faulty(anvil);
    const log = createTestLog();
    const clock = shiftableClock();
    const index = await stage.index(node.url, { log, clock });
    const height = await heightOf(anvil);
    expect(await (await waitUntilSynced(index)).readHead()).toMatchObject({ number: height });
    node.setFault(stopAt(height - 150));
    clock.advance(120_000);
    const { store, head } = await waitForHead(index);
    expect(head.number).toBe(height);
    expect((await store.readHead())?.number).toBe(height);
    expect(JSON.stringify(log.lines)).toContain('150 blocks behind its index');
    expect(JSON.stringify(log.lines)).not.toMatch(/reorganized|reset/);
    node.setFault(null);
    await anvil.rpc('anvil_mine', ['0x1']);
    expect(await (await waitUntilSynced(index)).readHead()).toMatchObject({ number: height + 1 });
  });

  it('is distinguished from a reorg to a shorter chain', async () => {
    const anvil = await stage.anvil({ chainId: 1 });
    await fillChain(anvil, { blocks: 24 });
    const node = await faulty(anvil);
    const index = await stage.index(node.url);
    await waitUntilSynced(index);
    await anvil.rpc('anvil_setCoinbase', [`0x${'77'.repeat(20)}`]);
    await anvil.rpc('anvil_reorg', [8, []]);
    await anvil.rpc('anvil_rollback', [4]);
    expect(await readStoreContent(await waitUntilSynced(index))).toEqual(await readFreshContent(anvil));
  });
});

describe('a gateway whose logs lag behind its headers', () => {
  /** No logs of blocks from `above` on, however they are there already; by hash a block is known or not. */
  const logsUpTo =
    (above: number): Fault =>
    ({ method, params }, honest) => {
      if (method !== 'eth_getLogs') return undefined;
      const { toBlock, blockHash } = params[0] as { toBlock?: Hex; blockHash?: Hex };
      return blockHash === undefined && Number(toBlock) >= above ? { result: [] } : honest();
    };

  it('loses no transfer of the newest block', async () => {
    const { anvil, apes, mint } = await collection();
    const height = await heightOf(anvil);
    const node = await faulty(anvil, { fault: logsUpTo(height + 1) });
    const service = serve(node.url);
    const before = await fetchSyncedPage(service, 'contractNftTransfers', { address: apes });
    await mint();
    const after = await fetchUntil(service, apes, height + 1);
    expect(after.result.length).toBe(before.result.length + 1);
  });

  it.each(['by its hash', 'from its receipts'])(
    'loses no log of a contract in the newest block: read %s',
    async how => {
      const { anvil, apes, mint } = await collection();
      const height = await heightOf(anvil);
      const withoutLogs = logsUpTo(height + 1);
      const node = await faulty(anvil, {
        fault: (call, honest, count) =>
          how === 'from its receipts' && isLogsCall(call) && 'blockHash' in (call.params[0] as object)
            ? { error: { code: -32602, message: 'invalid params' } }
            : withoutLogs(call, honest, count),
      });
      const service = serve(node.url);
      await mint();
      for (const range of [{}, { blockNumber: height + 1 }, { fromBlock: 0, toBlock: height + 1 }]) {
        const { result } = await service.get('contractLogs', { address: apes, limit: 1, ...range });
        expect(result).toMatchObject([{ blockNumber: height + 1 }]);
      }
    },
  );

  it('loses no transfer in between: blocks are read again once they are final', async () => {
    const { anvil, apes, mint } = await collection();
    const height = await heightOf(anvil);
    const node = await faulty(anvil, { fault: logsUpTo(height + 1) });
    const clock = shiftableClock();
    const service = serve(node.url, { clock });
    const before = await fetchSyncedPage(service, 'contractNftTransfers', { address: apes });
    await anvil.rpc('anvil_mine', ['0x2']);
    await mint();
    await anvil.rpc('anvil_mine', ['0x2']);
    expect((await fetchUntil(service, apes, height + 5)).result.length).toBe(before.result.length);
    node.setFault(null);
    await anvil.rpc('anvil_mine', ['0x60']);
    clock.advance(120_000);
    await fetchUntil(service, apes, height + 5 + 0x60);
    clock.advance(120_000);
    await anvil.rpc('anvil_mine', ['0x1']);
    const after = await fetchUntil(service, apes, height + 6 + 0x60);
    expect(after.result.length).toBe(before.result.length + 1);
  });
});

it.each(['an NFT transfer', 'an ERC-20 transfer'])(
  'a node that leaves out %s of a block is read again once the block is final',
  async kind => {
    const { anvil, chain } = await stage.filledAnvil({ chainId: 1, blocks: 24 });
    const { accounts, contracts } = chain;
    const isErc20 = kind === 'an ERC-20 transfer';
    const from = accounts.deployer;
    const mints = isErc20
      ? [1n, 2n, 3n].map(amount => ({
          from,
          to: contracts.coin,
          data: encodeData(tokenAbi.mint, [accounts.alice, amount]),
        }))
      : [{ from, to: contracts.apes, data: encodeData(apesAbi.mintMany, [accounts.alice, 900n, 3n]) }];
    const { number } = await mineBlock(anvil, mints);
    const node = await faulty(anvil, {
      fault: changeLogs(Number.POSITIVE_INFINITY, all =>
        all.filter(log => Number(log['blockNumber']) !== number || Number(log['logIndex']) !== 1),
      ),
    });
    const clock = shiftableClock();
    const index = await stage.index(node.url, { clock });
    const countInBlock = async (store: Store) => {
      const { transfers, erc20Transfers } = await store.countRows(number, number);
      return isErc20 ? erc20Transfers : transfers;
    };
    expect(await countInBlock(await waitUntilSynced(index))).toBe(2);
    node.setFault(null);
    for (let round = 0; round < 2; round++) {
      await anvil.rpc('anvil_mine', ['0x60']);
      clock.advance(120_000);
      await waitUntilSynced(index);
    }
    expect(await readStoreContent(await waitUntilSynced(index))).toEqual(await readFreshContent(anvil));
  },
);

it('a node that does not have its first block for a moment is the same chain all the time', async () => {
  const anvil = await filledChain();
  const node = await faulty(anvil, {
    client: null,
    fault: ({ method, params }, _honest, count) =>
      method === 'eth_getBlockByNumber' && params[0] === '0x0' && count <= 3 ? { result: null } : undefined,
  });
  const index = await stage.index(node.url);
  expect(await readStoreContent(await waitUntilSynced(index))).toEqual(await stage.readFreshContent(anvil.url));
});

describe('many indexes', () => {
  it('stay open while they are read', async () => {
    const { anvil, apes } = await collection();
    const opened = Promise.withResolvers<void>();
    const node = await faulty(anvil, {
      fault: async ({ method }, honest) => {
        if (method === 'eth_getTransactionByHash') await opened.promise;
        return honest();
      },
    });
    const service = serve(node.url);
    await service.send('nftOwners', { address: apes, tokenId: 1n });
    const slow = service.send('contractNftTransfers', { address: apes });
    await expect.poll(() => node.countCalls('eth_getTransactionByHash')).toBeGreaterThan(0);
    for (let wallet = 1; wallet <= 26; wallet++)
      await fetchSyncedPage(service, 'walletNftTransfers', { address: `0x${wallet.toString(16).padStart(40, '0')}` });
    opened.resolve();
    expect((await slow).status).toBe(200);
  });
});

describe('the buyer of a CryptoPunk', () => {
  it('is found by wallet when the seller accepted a bid', async () => {
    const anvil = await stage.anvil({ chainId: 1 });
    const [seller = '0x' as Hex, buyer = '0x' as Hex] = await anvil.rpc<Hex[]>('eth_accounts');
    const logs = [emitLog([TRANSFER, seller, buyer], 1n), emitLog([PUNK_BOUGHT, 7n, seller, 0n], 0n)];
    await mineBlock(anvil, [{ from: seller, data: emitter(logs) }]);
    const node = await faulty(anvil);
    const { result } = await fetchSyncedPage(serve(node.url), 'walletNftTransfers', { address: lower(buyer) });
    expect(result).toMatchObject([{ from_address: lower(seller), to_address: lower(buyer), token_id: '7' }]);
  });
});
