// Transactions of a wallet on a real Anvil, from each source that a node may have, compared with all blocks of the chain.
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Input } from '../../src/api/operations/operations.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { Hex } from '../../src/base/hex.ts';
import { silentLog } from '../../src/base/log.ts';
import { createStoreOpener } from '../../src/service/indexer/openStore.ts';
import { MAX_FIRST_ROUND_MS } from '../../src/service/queries/completeInternalRecipients.ts';
import type { Store, StoreInfo } from '../../src/service/store/store.ts';
import { encodeData, vaultAbi } from '../support/chain/contractAbis.ts';
import { mineBlock } from '../support/chain/mineBlock.ts';
import {
  isBehind,
  type ServiceOptions,
  type ServiceUnderTest,
  startFilledChain,
  startService,
} from '../support/filledChain.ts';
import { lower } from '../support/nftPages.ts';
import { startPublicNode } from '../support/publicNode.ts';
import { readUntil } from '../support/readUntil.ts';
import {
  forwardTo,
  notFound,
  type ScriptedCall,
  type ScriptedReply,
  startScriptedRpcNode,
} from '../support/scriptedRpcNode.ts';
import { createTestClock } from '../support/testClock.ts';
import {
  type RawTransaction,
  readTransactions,
  type TransactionWitness,
  traceRecipients,
} from '../support/transactionWitness.ts';
import { useFilledChain } from '../support/useFilledChain.ts';

const world = useFilledChain();
/** Every transaction of the chain, oldest first. */
let all: readonly RawTransaction[];
let witness: TransactionWitness;
let recipients: ReadonlyMap<Hex, ReadonlySet<string>>;
beforeAll(async () => {
  // Only on a development chain, a contract may send a transaction.
  const { apes } = world.chain.contracts;
  await world.anvil.rpc('anvil_impersonateAccount', [apes]);
  await world.anvil.rpc('anvil_setBalance', [apes, '0xde0b6b3a7640000']);
  await world.anvil.rpc('eth_sendTransaction', [{ from: apes, to: world.chain.accounts.bob, value: '0x1' }]);
  await world.anvil.rpc('evm_mine');
  witness = await readTransactions(world.anvil);
  ({ all } = witness);
  recipients = await traceRecipients(world.anvil, all);
});

/** Without those that only paid or created the address by a call inside them, as a node without traces sees it. */
const hashesOf = (address: Hex) => witness.direct(address);

const allHashesOf = (address: Hex, { all: transactions, direct } = witness, inside = recipients) => {
  const own = new Set(direct(address));
  return transactions.map(({ hash }) => hash).filter(hash => own.has(hash) || inside.get(hash)?.has(lower(address)));
};

/** All pages of the list, and the headers of the first. */
async function list(service: ServiceUnderTest, input: Input<'walletTransactions'>) {
  const records: Readonly<Record<string, unknown>>[] = [];
  let first: Readonly<Record<string, string>> | undefined;
  for (let cursor: string | undefined; ; ) {
    // On a busy machine not all is read yet.
    const { status, headers, body } = await readUntil(
      () => service.send('walletTransactions', { ...input, cursor }),
      reply => !isBehind(reply.headers) && !reply.headers['x-hexlens-partial']?.includes('being read'),
    );
    expect(status, JSON.stringify(body)).toBe(200);
    first ??= headers;
    const page = body as { result: typeof records; cursor: string | null };
    records.push(...page.result);
    if (page.cursor === null) return { hashes: records.map(record => record['hash']), records, headers: first };
    cursor = page.cursor;
  }
}

describe('on a development chain', () => {
  it('lists what an address sent, received, was paid or created by, in both orders and any page size', async () => {
    const { accounts, contracts, transactions } = world.chain;
    for (const [address, limits] of [
      [accounts.alice, [7, 100]],
      [accounts.deployer, [100]],
      [accounts.erin, [1, 100]],
      ...[accounts.frank, accounts.idle, ...Object.values(contracts)].map(one => [one, [100]] as const),
    ] as const) {
      const expected = allHashesOf(address);
      for (const limit of limits) {
        const newestFirst = await list(world.service, { address, limit });
        expect(newestFirst.hashes, `${address} ${limit}`).toEqual(expected.toReversed());
        expect((await list(world.service, { address, limit, order: 'asc' })).hashes).toEqual(expected);
      }
    }
    // Paid through four contracts, and what a destroyed contract held; the payment that was refused is none.
    expect(allHashesOf(accounts.erin)).toContain(transactions.internal);
    expect(hashesOf(accounts.erin)).not.toContain(transactions.internal);
    expect(allHashesOf(accounts.frank)).toContain(transactions.internalCreate);
    expect(allHashesOf(contracts.picky)).not.toContain(transactions.internal);
    const selfTransfer = all.find(({ hash }) => hash === transactions.selfTransfer);
    expect(selfTransfer?.from).toBe(selfTransfer?.to);
    expect(allHashesOf(selfTransfer?.from ?? '0x').filter(hash => hash === transactions.selfTransfer)).toHaveLength(1);
    expect(all.map(({ hash }) => hash)).toContain(transactions.failedCreation);
  });

  it('names its source, and lists a range of blocks', async () => {
    const address = world.chain.accounts.alice;
    const { headers } = await list(world.service, { address });
    expect(headers).toMatchObject({ 'x-hexlens-source': 'index' });
    expect(headers['x-hexlens-partial']).toBeUndefined();
    const [fromBlock, toBlock] = [5, 30];
    const expected = all.filter(
      ({ blockNumber }) => Number(blockNumber) >= fromBlock && Number(blockNumber) <= toBlock,
    );
    const wanted = allHashesOf(address).filter(hash => expected.some(one => one.hash === hash));
    expect((await list(world.service, { address, fromBlock, toBlock })).hashes).toEqual(wanted.toReversed());
  });

  it('returns the fields of a transaction without logs, with the calls inside it on request', async () => {
    const { transactions, contracts } = world.chain;
    const address = contracts.vault;
    const plain = await list(world.service, { address });
    const traced = await list(world.service, { address, include: 'internal_transactions' });
    expect(traced.hashes).toEqual(plain.hashes);
    for (const [index, record] of plain.records.entries()) {
      const whole = await world.service.send('transaction', { hash: record['hash'] as Hex });
      const { logs, internal_transactions: _internal, ...fields } = whole.body as Record<string, unknown>;
      expect(Array.isArray(logs)).toBe(true);
      expect(record).toEqual({ ...fields, receipt_root: null });
      const inside = await world.service.send('transaction', {
        hash: record['hash'] as Hex,
        include: 'internal_transactions',
      });
      const calls = (inside.body as Record<string, unknown>)['internal_transactions'];
      expect(traced.records[index]?.['internal_transactions']).toEqual(calls);
    }
    expect(Object.keys(transactions).length).toBeGreaterThan(0);
  });

  it('rejects a cursor of another wallet', async () => {
    const { alice, bob } = world.chain.accounts;
    const { body } = await world.service.send('walletTransactions', { address: alice, limit: 1 });
    const { cursor } = body as { cursor: string };
    expect((await world.service.getFault('walletTransactions', { address: bob, limit: 1, cursor })).status).toBe(400);
  });
});

describe('on a development chain of its own', () => {
  const stops: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });

  it('follows a reorg, and rejects a cursor of before', async () => {
    const { anvil, chain, service, stop } = await startFilledChain();
    stops.push(stop);
    const { alice, bob, erin, idle } = chain.accounts;
    const { vault } = chain.contracts;
    const pay = (to: Hex) => ({ from: alice, to: vault, data: encodeData(vaultAbi.pay, [to, 3n]) });
    const compare = async () => {
      const found = await readTransactions(anvil);
      const inside = await traceRecipients(anvil, found.all);
      for (const address of [alice, bob, erin, idle, vault])
        expect((await list(service, { address, limit: 50 })).hashes, address).toEqual(
          allHashesOf(address, found, inside).toReversed(),
        );
    };
    await mineBlock(anvil, [{ from: bob, to: vault, value: 1_000_000n }]);
    await mineBlock(anvil, [pay(idle), { from: alice, to: alice, value: 1n }]);
    await compare();
    const { body } = await service.send('walletTransactions', { address: alice, limit: 1 });
    const { cursor, result } = body as { cursor: string; result: { hash: Hex }[] };
    expect((await list(service, { address: idle })).hashes).toHaveLength(1);
    await anvil.rpc('anvil_reorg', [2, []]);
    await compare();
    expect((await list(service, { address: idle })).hashes).toEqual([]);
    expect((await list(service, { address: alice })).hashes).not.toContain(result[0]?.hash);
    expect((await service.getFault('walletTransactions', { address: alice, limit: 1, cursor })).code).toBe(
      'chain-changed',
    );
    await mineBlock(anvil, [pay(erin), pay(idle)]);
    await compare();
    await anvil.rpc('anvil_rollback', [1]);
    await compare();
  });

  interface Options extends ServiceOptions {
    /** A reply instead of the chain's. */
    readonly override?: (call: ScriptedCall) => ScriptedReply | undefined | Promise<ScriptedReply | undefined>;
  }
  const isBlockTrace = ({ method }: ScriptedCall) => /^trace_|^debug_traceBlock/.test(method);
  const TRACE = 'debug_traceTransaction';
  const OTHER_CLIENT = 'HardhatNetwork/3.0.0';

  /** The traces of this chain, which does not change: the node executes the whole block again for each. */
  const traces = new Map<string, Promise<ScriptedReply>>();
  const traceOnce = (call: ScriptedCall, read: () => Promise<ScriptedReply>): Promise<ScriptedReply> => {
    const key = JSON.stringify(call.params);
    const known = traces.get(key) ?? read();
    traces.set(key, known);
    return known;
  };

  /** The service over the same chain behind a node that lacks some methods. */
  async function behindNodeWithout(
    missing: (call: ScriptedCall) => boolean,
    client?: string,
    { override, ...options }: Options = {},
  ) {
    const forward = forwardTo(world.anvil.url);
    const node = await startScriptedRpcNode({
      answer: async call =>
        missing(call)
          ? notFound
          : client !== undefined && call.method === 'web3_clientVersion'
            ? { result: client }
            : ((await override?.(call)) ??
              (call.method === TRACE ? traceOnce(call, () => forward(call)) : forward(call))),
    });
    stops.push(() => node.stop());
    const service = startService({ local: node.url }, options);
    stops.push(() => service.stop());
    return { node, service };
  }

  it('reads calls inside transactions for pages where the node has no traces of whole blocks', async () => {
    const { node, service } = await behindNodeWithout(isBlockTrace, OTHER_CLIENT);
    const { accounts, contracts } = world.chain;
    for (const address of [accounts.erin, accounts.frank, accounts.alice, contracts.vault, contracts.picky]) {
      const { hashes, headers } = await list(service, { address, limit: 9 });
      expect(hashes, address).toEqual(allHashesOf(address).toReversed());
      expect(headers['x-hexlens-partial']).toBeUndefined();
      expect((await list(service, { address, limit: 9, order: 'asc' })).hashes).toEqual(allHashesOf(address));
    }
    const calls = node.countCalls('debug_traceTransaction');
    expect(calls).toBeGreaterThan(0);
    await list(service, { address: accounts.bob });
    expect(node.countCalls('debug_traceTransaction'), 'they are stored').toBe(calls);
  });

  it.each(['desc', 'asc'] as const)(
    'ends a page where calls are still to be read, and continues there, without caching it: %s',
    async order => {
      let late = 0;
      // Each trace takes longer than a page waits.
      const clock = { ...systemClock, now: () => systemClock.now() + late };
      const override = ({ method }: ScriptedCall) => {
        if (method === TRACE) late += 10_000;
        return undefined;
      };
      const { service } = await behindNodeWithout(isBlockTrace, OTHER_CLIENT, { clock, override });
      const { erin } = world.chain.accounts;
      const hashes: unknown[] = [];
      let cuts = 0;
      for (let cursor: string | undefined; ; ) {
        const input = { address: erin, limit: 3, order, cursor } as const;
        const { status, headers, body, freshness } = await readUntil(
          () => service.send('walletTransactions', input),
          reply => !isBehind(reply.headers),
        );
        expect(status, JSON.stringify(body)).toBe(200);
        const page = body as { result: { hash: Hex }[]; cursor: string | null };
        hashes.push(...page.result.map(({ hash }) => hash));
        if (headers['x-hexlens-scan'] !== undefined) {
          cuts++;
          expect(headers['x-hexlens-partial']).toMatch(/are still being read: request the page again/);
          expect(freshness, 'the same page has more in a moment').toBeUndefined();
        }
        if (page.cursor === null) break;
        cursor = page.cursor;
      }
      expect(cuts).toBeGreaterThan(1);
      expect(hashes).toEqual(order === 'asc' ? allHashesOf(erin) : allHashesOf(erin).toReversed());
    },
  );

  it.each([
    ['of a type that uses no gas', { gasUsed: '0x0' }, { type: '0x6a' }],
    ['before refunds were limited', { gasUsed: '0x5208', baseFeePerGas: undefined }, {}],
  ])('reads the calls inside a transaction %s', async (_name, header, fields) => {
    const { transactions, accounts } = world.chain;
    const forward = forwardTo(world.anvil.url);
    const override = async (call: ScriptedCall): Promise<ScriptedReply | undefined> => {
      if (!call.method.startsWith('eth_getBlockBy')) return undefined;
      const reply = await forward(call);
      const block = 'result' in reply ? (reply.result as { readonly transactions: readonly unknown[] } | null) : null;
      if (!JSON.stringify(block).includes(transactions.internal)) return reply;
      const list = block?.transactions.map(one => (typeof one === 'object' ? { ...one, ...fields } : one));
      return { result: { ...block, ...header, transactions: list } };
    };
    const { service } = await behindNodeWithout(isBlockTrace, OTHER_CLIENT, { override });
    expect((await list(service, { address: accounts.erin })).hashes).toContain(transactions.internal);
  });

  it('says that calls could not be stored, and reads no others for that page', async () => {
    const open = createStoreOpener({ folder: null }, silentLog);
    const openStore = async (info: StoreInfo): Promise<Store> => ({
      ...(await open(info)),
      writeInternalRecipients: () => Promise.reject(new Error('the disk is full')),
    });
    const { node, service } = await behindNodeWithout(isBlockTrace, OTHER_CLIENT, { openStore });
    const { erin } = world.chain.accounts;
    const { hashes, headers } = await list(service, { address: erin });
    expect(hashes).toEqual(hashesOf(erin).toReversed());
    expect(headers['x-hexlens-partial']).toMatch(/may be missing: the calls inside them could not be stored\.$/);
    const blocks = new Set(all.map(({ blockNumber }) => blockNumber));
    expect(node.countCalls('debug_traceTransaction')).toBeLessThan(blocks.size);
  });

  /** Without the state before its blocks, a transaction cannot be run again. */
  const isStateRead = ({ method }: ScriptedCall) =>
    ['eth_getBalance', 'eth_getStorageAt', 'eth_getTransactionCount'].includes(method);

  it('leaves out a transaction that the node can neither trace nor give the state of, and does not ask for it again at once', async () => {
    const { transactions, accounts } = world.chain;
    const refused = transactions.internal;
    const isRefused = ({ method, params }: ScriptedCall) => method === TRACE && params[0] === refused;
    const override = (call: ScriptedCall) =>
      isRefused(call) || isStateRead(call) ? { error: { code: -32000, message: 'no state of that block' } } : undefined;
    const { node, service } = await behindNodeWithout(isBlockTrace, OTHER_CLIENT, { override });
    const countTraces = () => node.calls.filter(isRefused);
    const { hashes, headers } = await list(service, { address: accounts.erin });
    expect(hashes).toEqual(
      allHashesOf(accounts.erin)
        .filter(hash => hash !== refused)
        .toReversed(),
    );
    expect(headers['x-hexlens-partial']).toMatch(/may be missing: .*no state of that block/);
    const { length } = countTraces();
    expect(length).toBeGreaterThan(0);
    const other = await list(service, { address: accounts.frank });
    expect(other.hashes).toEqual(allHashesOf(accounts.frank).toReversed());
    expect(other.headers['x-hexlens-partial']).toMatch(/no state of that block/);
    expect(countTraces()).toHaveLength(length);
  });

  it('does not wait for a node that never ends to trace', async () => {
    const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: isOver, resolve: end } = Promise.withResolvers<undefined>();
    stops.push(async () => end(undefined));
    const override = ({ method }: ScriptedCall) => {
      if (method !== TRACE) return undefined;
      ask();
      return isOver;
    };
    // The time is up as soon as the node traces.
    const clock = {
      ...systemClock,
      sleep: (ms: number, signal?: AbortSignal) =>
        ms === MAX_FIRST_ROUND_MS ? isAsked : systemClock.sleep(ms, signal),
    };
    const { service } = await behindNodeWithout(isBlockTrace, OTHER_CLIENT, { clock, override });
    const { status, headers } = await readUntil(
      () => service.send('walletTransactions', { address: world.chain.accounts.erin }),
      reply => !isBehind(reply.headers),
    );
    expect(status).toBe(200);
    expect(headers['x-hexlens-partial']).toMatch(/block \d+ takes too long to trace/);
  });

  it('reads the page again when another request has met an old head of the node, and shortened the index by it', async () => {
    const forward = forwardTo(world.anvil.url);
    const { alice, erin } = world.chain.accounts;
    const OLD_HEAD = 2;
    const running: { service?: ServiceUnderTest } = {};
    let isOld = false;
    let isFirst = true;
    const override = async (call: ScriptedCall): Promise<ScriptedReply | undefined> => {
      const [block, ...rest] = call.params;
      if (isOld && call.method === 'eth_getBlockByNumber') {
        if (block === 'latest') return forward({ ...call, params: [`0x${OLD_HEAD}`, ...rest] });
        if (Number(block) > OLD_HEAD) return { result: null };
      }
      if (call.method !== TRACE || !isFirst) return undefined;
      isFirst = false;
      isOld = true;
      await running.service?.send('walletTransactions', { address: alice });
      isOld = false;
      return undefined;
    };
    const { service } = await behindNodeWithout(isBlockTrace, OTHER_CLIENT, { override });
    await readUntil(
      () => service.send('nftTransfers', {}),
      reply => !isBehind(reply.headers),
    );
    running.service = service;
    const { hashes } = await list(service, { address: erin });
    expect(isFirst).toBe(false);
    expect(hashes).toEqual(allHashesOf(erin).toReversed());
  });

  it('says of a block that the node does not have at the moment that calls inside it may be missing', async () => {
    const { transactions, accounts } = world.chain;
    const block = all.find(({ hash }) => hash === transactions.internal)?.blockNumber;
    let isGone = false;
    const override = async ({ method, params: [number, isFull] }: ScriptedCall): Promise<ScriptedReply | undefined> =>
      isGone && method === 'eth_getBlockByNumber' && isFull === true && Number(number) === Number(block)
        ? { result: null }
        : undefined;
    const { service } = await behindNodeWithout(isBlockTrace, OTHER_CLIENT, { override });
    await readUntil(
      () => service.send('nftTransfers', {}),
      reply => !isBehind(reply.headers),
    );
    isGone = true;
    const { hashes, headers } = await list(service, { address: accounts.erin });
    expect(hashes).not.toContain(transactions.internal);
    expect(headers['x-hexlens-partial']).toMatch(
      /may be missing: the node .* does not have block \d+ at the moment\.$/,
    );
    isGone = false;
    expect((await list(service, { address: accounts.erin })).hashes).toContain(transactions.internal);
  });

  it('runs a block again that the node of this machine has the state of, but does not trace', async () => {
    const { service } = await behindNodeWithout(({ method }) => /trace/.test(method), OTHER_CLIENT);
    const { erin } = world.chain.accounts;
    const { hashes, headers } = await list(service, { address: erin });
    expect(hashes).toEqual(allHashesOf(erin).toReversed());
    expect(headers['x-hexlens-partial']).toBeUndefined();
  });

  it.each([
    ['Anvil', undefined],
    ['another client', 'Geth/v1.16.0'],
  ])('says what is missing where the node neither traces nor has the state: %s', async (_name, client) => {
    const { service } = await behindNodeWithout(call => /trace/.test(call.method) || isStateRead(call), client);
    const { alice, erin } = world.chain.accounts;
    for (const address of [alice, erin]) {
      const { hashes, headers } = await list(service, { address });
      expect(hashes).toEqual(hashesOf(address).toReversed());
      expect(headers['x-hexlens-partial']).toMatch(
        /by a call inside them may be missing: the node of Local dev chain (does not|has neither) .*trace/,
      );
    }
  });
});

type Answer = (call: ScriptedCall) => Promise<ScriptedReply> | undefined;

/** The service over the same chain behind a node of a public chain that has some methods more. */
async function withPublicNode(answer: Answer, work: (service: ServiceUnderTest) => Promise<void>): Promise<void> {
  const front = await startPublicNode(world.anvil.url, {
    override: call => (call.method === 'eth_chainId' ? Promise.resolve({ result: '0x1' }) : answer(call)),
  });
  const service = startService({ eth: front.url }, { clock: createTestClock() });
  try {
    await work(service);
  } finally {
    await service.stop();
    await front.stop();
  }
}

describe('on a public chain', () => {
  it('uses the index of a node with Otterscan methods', async () => {
    const forward = forwardTo(world.anvil.url);
    const answer: Answer = call => (call.method.startsWith('ots_') ? forward(call) : undefined);
    await withPublicNode(answer, async service => {
      for (const address of [world.chain.accounts.alice, world.chain.accounts.bob]) {
        const expected = hashesOf(address);
        for (const limit of [7, 100]) {
          const newestFirst = await list(service, { address, chain: 'eth', limit });
          expect(newestFirst.headers['x-hexlens-source']).toBe('ots_searchTransactionsBefore');
          expect(newestFirst.hashes).toEqual(expected.toReversed());
          expect((await list(service, { address, chain: 'eth', limit, order: 'asc' })).hashes).toEqual(expected);
        }
      }
    });
  });

  it('uses the transfers that a provider lists, and says what they lack', async () => {
    const answer: Answer = ({ method, params }) =>
      method === 'alchemy_getAssetTransfers' ? Promise.resolve({ result: listTransfers(params[0]) }) : undefined;
    await withPublicNode(answer, async service => {
      const address = world.chain.accounts.alice;
      for (const limit of [7, 100]) {
        const { hashes, headers } = await list(service, { address, chain: 'eth', limit });
        expect(hashes).toEqual(hashesOf(address).toReversed());
        expect(headers['x-hexlens-source']).toBe('alchemy_getAssetTransfers');
        expect(headers['x-hexlens-partial']).toMatch(/created the address/);
        expect((await list(service, { address, chain: 'eth', limit, order: 'asc' })).hashes).toEqual(hashesOf(address));
      }
    });
  });

  it('uses the traces of a client that has an index of them', async () => {
    const forward = forwardTo(world.anvil.url);
    const answer: Answer = call =>
      call.method === 'web3_clientVersion'
        ? Promise.resolve({ result: 'erigon/3.0.4/linux-amd64/go1.24.2' })
        : call.method === 'trace_filter'
          ? forward(call)
          : undefined;
    await withPublicNode(answer, async service => {
      const { accounts, contracts } = world.chain;
      for (const [address, limits] of [
        [accounts.alice, [7, 100]],
        [accounts.idle, [100]],
        [contracts.apes, [100]],
      ] as const) {
        const expected = hashesOf(address);
        for (const limit of limits) {
          const { hashes, headers } = await list(service, { address, chain: 'eth', limit });
          expect(hashes).toEqual(expected.toReversed());
          expect(headers['x-hexlens-source']).toBe('trace_filter');
          expect(headers['x-hexlens-partial']).toBeUndefined();
          expect((await list(service, { address, chain: 'eth', limit, order: 'asc' })).hashes).toEqual(expected);
        }
      }
    });
  });

  it('does not ask a client to trace where it has no index for it', async () => {
    const answer: Answer = ({ method }) => {
      if (method === 'trace_filter') throw new Error('It would execute every block again.');
      return undefined;
    };
    await withPublicNode(answer, async service => {
      const { headers } = await list(service, { address: world.chain.accounts.alice, chain: 'eth', limit: 7 });
      expect(headers['x-hexlens-source']).toBe('eth_getTransactionCount');
    });
  });

  it('finds what the wallet sent by its nonce where the node has no index, and says so', async () => {
    await withPublicNode(
      () => undefined,
      async service => {
        const { alice, deployer, idle } = world.chain.accounts;
        for (const [address, limits] of [
          [alice, [7, 100]],
          [deployer, [100]],
          [idle, [100]],
        ] as const) {
          const sent = all.filter(({ from }) => lower(from) === lower(address)).map(({ hash }) => hash);
          for (const limit of limits) {
            const { hashes, headers } = await list(service, { address, chain: 'eth', limit });
            expect(hashes).toEqual(sent.toReversed());
            expect(headers['x-hexlens-source']).toBe('eth_getTransactionCount');
            expect(headers['x-hexlens-partial']).toMatch(/only transactions that the address sent/);
            expect((await list(service, { address, chain: 'eth', limit, order: 'asc' })).hashes).toEqual(sent);
          }
        }
      },
    );
  });
});

it('a block that a node behind a load balancer lacks is requested again, and then a fault', async () => {
  const { alice } = world.chain.accounts;
  const newest = all.findLast(({ from }) => lower(from) === lower(alice))?.blockNumber;
  let lackingCount = 1;
  const answer: Answer = ({ method, params }) =>
    method === 'eth_getBlockByNumber' && params[0] === newest && params[1] === true && lackingCount-- > 0
      ? Promise.resolve({ result: null })
      : undefined;
  await withPublicNode(answer, async service => {
    const request = { address: alice, chain: 'eth', limit: 5 } as const;
    const { body } = await service.send('walletTransactions', request);
    expect(body).toMatchObject({ result: { 0: { block_number: String(Number(newest)) } } });
    lackingCount = Number.POSITIVE_INFINITY;
  });
  await withPublicNode(answer, async service => {
    const request = { address: alice, chain: 'eth', limit: 5 } as const;
    expect(await service.getFault('walletTransactions', request)).toMatchObject({
      ...{ status: 502, code: 'node-answer' },
      message: expect.stringContaining('It may be behind'),
    });
  });
});

it('of several blocks that a node lacks, the fault names the lowest', async () => {
  const requested = new Set<number>();
  const answer: Answer = ({ method, params }) => {
    if (method !== 'eth_getBlockByNumber' || params[1] !== true) return undefined;
    requested.add(Number(params[0]));
    return Promise.resolve({ result: null });
  };
  await withPublicNode(answer, async service => {
    const request = { address: world.chain.accounts.alice, chain: 'eth', limit: 5 } as const;
    const { message } = await service.getFault('walletTransactions', request);
    expect(requested.size).toBeGreaterThan(1);
    expect(message).toContain(` block ${Math.min(...requested)}`);
  });
});

it('a contract, whose nonce counts what it created, has one page on a node without an index', async () => {
  const address = world.chain.contracts.apes;
  const answer: Answer = ({ method, params }) =>
    method === 'eth_getTransactionCount' && lower(params[0] as Hex) === lower(address)
      ? Promise.resolve({ result: params[1] }) // one more in each block
      : undefined;
  await withPublicNode(answer, async service => {
    const { body, headers } = await service.send('walletTransactions', { address, chain: 'eth', limit: 5 });
    expect(body).toMatchObject({ result: [], cursor: null });
    expect(headers['x-hexlens-partial']).toMatch(/only transactions that the address sent/);
  });
});

/** What such a provider returns: pages of external transfers of one side. */
function listTransfers(request: unknown) {
  const { fromAddress, toAddress, fromBlock, toBlock, order, maxCount, pageKey } = request as Record<string, string>;
  const rows = all.filter(
    ({ from, to, blockNumber }) =>
      Number(blockNumber) >= Number(fromBlock) &&
      Number(blockNumber) <= Number(toBlock) &&
      (fromAddress === undefined || lower(from) === lower(fromAddress as Hex)) &&
      (toAddress === undefined || (to !== null && lower(to) === lower(toAddress as Hex))),
  );
  const ordered = order === 'desc' ? rows.toReversed() : rows;
  const start = Number(pageKey ?? 0);
  const end = start + Number(maxCount);
  return {
    transfers: ordered.slice(start, end).map(({ hash, blockNumber }) => ({ hash, blockNum: blockNumber })),
    ...(end < ordered.length && { pageKey: String(end) }),
  };
}
