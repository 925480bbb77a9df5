// `npm run soak`: random faults, reorgs and restarts for an hour, or `--minutes N`; afterwards each index must equal a clean one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import type { Input, OperationId } from '../src/api/operations/operations.ts';
import { type Clock, systemClock } from '../src/base/clock.ts';
import { type Hex, toQuantity } from '../src/base/hex.ts';
import type { Log } from '../src/base/log.ts';
import { createStoreOpener } from '../src/service/indexer/openStore.ts';
import { type Anvil, startAnvil } from './support/chain/anvil.ts';
import { apesAbi, encodeData, itemsAbi, tokenAbi } from './support/chain/contractAbis.ts';
import { fillChain } from './support/chain/fillChain.ts';
import { mineBlock, type TestTransaction } from './support/chain/mineBlock.ts';
import type { TestChain } from './support/chain/testChain.ts';
import { type FaultyNode, startFaultyNode } from './support/faultyNode.ts';
import { isBehind, type ServiceUnderTest, startService } from './support/filledChain.ts';
import { type PostgresServer, startPostgres } from './support/postgresServer.ts';
import { createRandomFaults, type Random } from './support/randomFaults.ts';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    verbose: { type: 'boolean', default: false },
  },
});

/** Mulberry32: the same numbers for the same seed. */
function createRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  const nextBelow = (limit: number) => Math.floor(next() * limit);
  return {
    chance: probability => next() < probability,
    nextBelow,
    pick: list => list[nextBelow(list.length)] as (typeof list)[number], // in range
  };
}

interface Round {
  readonly seed: number;
  readonly store: 'SQLite' | 'PostgreSQL';
  /** A public chain is indexed only as far as requests need; all of a development chain is. */
  readonly isPublic: boolean;
  /** Otherwise the chain only changes, and no request may fail. */
  readonly hasFaults: boolean;
}

const FILLED_BLOCKS = 24;
const LOWEST_HEAD = FILLED_BLOCKS + 4;
const STEPS_PER_ROUND = 40;
/** More than a node needs to call a block final. */
const FINAL_BLOCKS = 0x80;

const heightOf = async (anvil: Anvil) => Number(await anvil.rpc<Hex>('eth_blockNumber'));

/** Waits are short, and time can be put forward. */
function createSoakClock(): Clock & { advance(ms: number): void } {
  let shift = 0;
  return {
    now: () => systemClock.now() + shift,
    sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 50), signal),
    advance(ms) {
      shift += ms;
    },
  };
}

/** One change of the chain per call: it grows, is reorganized or becomes shorter. Two at once are too much for Anvil. */
function createChainChanges(anvil: Anvil, { accounts, contracts }: TestChain, random: Random): () => Promise<void> {
  const people = [accounts.alice, accounts.bob, accounts.carol, accounts.dave];
  let nextId = 500_000n;
  let nextMiner = 0x1000;
  const call = (to: Hex, data: Hex): TestTransaction => ({ from: accounts.deployer, to, data });
  const transactions = [
    () => call(contracts.apes, encodeData(apesAbi.mint, [random.pick(people), nextId++])),
    () => call(contracts.items, encodeData(itemsAbi.mint, [random.pick(people), BigInt(random.nextBelow(5)), 3n])),
    () => call(contracts.coin, encodeData(tokenAbi.mint, [random.pick(people), 5n])),
  ];
  return async () => {
    const depth = Math.min(1 + random.nextBelow(random.chance(0.2) ? 12 : 3), (await heightOf(anvil)) - LOWEST_HEAD);
    if (depth < 1 || random.chance(0.6)) {
      await mineBlock(
        anvil,
        Array.from({ length: random.nextBelow(4) }, () => random.pick(transactions)()),
      );
      return;
    }
    // Blocks of another miner have other hashes, also when they are empty.
    await anvil.rpc('anvil_setCoinbase', [`0x${(nextMiner++).toString(16).padStart(40, '0')}`]);
    if (random.chance(0.7)) await anvil.rpc('anvil_reorg', [depth, []]);
    else await anvil.rpc('anvil_rollback', [depth]);
  };
}

type Send = (service: ServiceUnderTest) => ReturnType<ServiceUnderTest['handle']>;

/** Requests of every operation that reads the chain. */
function createRequests(round: Round, { accounts, contracts, transactions }: TestChain, random: Random): () => Send {
  const chain = round.isPublic ? 'eth' : 'local';
  const collections = [contracts.apes, contracts.items, contracts.art];
  const people = [accounts.alice, accounts.bob, accounts.carol];
  const block = () => LOWEST_HEAD + random.nextBelow(12);
  const requests: readonly (() => Send)[] = [
    () => service => service.send('contractNftTransfers', { chain, address: random.pick(collections) }),
    () => service => service.send('contractNftTransfers', { chain, address: contracts.apes, fromBlock: block() }),
    () => service => service.send('walletNftTransfers', { chain, address: random.pick(people), limit: 5 }),
    () => service => service.send('nftTransfers', { chain, limit: 20 }),
    () => service => service.send('erc20Mints', { chain, limit: 20 }),
    () => service => service.send('walletNfts', { chain, address: random.pick(people) }),
    () => service => service.send('walletNftCollections', { chain, address: random.pick(people) }),
    () => service => service.send('nftOwners', { chain, address: contracts.items, tokenId: 3n }),
    () => service => service.send('tokenNftTransfers', { chain, address: contracts.items, tokenId: 3n }),
    () => service => service.send('nftLowestPrice', { chain, address: contracts.apes }),
    () => service => service.send('contractLogs', { chain, address: random.pick(collections), limit: 10 }),
    () => service => service.send('contractLogs', { chain, address: contracts.apes, fromBlock: block() }),
    () => service => service.send('block', { chain, block: block() }),
    () => service => service.send('block', { chain, block: block(), include: 'internal_transactions' }),
    () => service => service.send('transaction', { chain, hash: transactions.mintCoin }),
    () => service => service.send('walletBalances', { chain, walletAddresses: people }),
    () => service => service.send('walletBalances', { chain, walletAddresses: people, toBlock: block() }),
    () => service => service.send('walletTransactions', { chain, address: random.pick(people), limit: 10 }),
    () => service => service.send('walletErc20Transfers', { chain, address: random.pick(people), limit: 10 }),
    () => service => service.send('contractErc20Transfers', { chain, address: contracts.coin, limit: 10 }),
    () => service => service.send('walletErc20Balances', { chain, address: random.pick(people) }),
  ];
  return () => random.pick(requests)();
}

/** What a reorg may be answered with: the page's block is another one, or the block is gone. */
const ALLOWED_IN_REORGS: readonly number[] = [200, 404, 409];

/** Requests while the chain changes. */
async function runRequests(
  round: Round,
  start: () => ServiceUnderTest,
  next: () => Send,
  change: () => Promise<void>,
  random: Random,
) {
  let service = start();
  const statuses = new Map<number, number>();
  for (let step = 0; step < STEPS_PER_ROUND; step++) {
    if (random.chance(0.05)) {
      await service.stop();
      service = start();
    }
    const changes = (async () => {
      for (let left = 1 + random.nextBelow(3); left > 0; left--) await change();
    })();
    const sends = Array.from({ length: 1 + random.nextBelow(4) }, next);
    const replies = await Promise.all(sends.map(send => send(service)));
    await changes;
    for (const { status, headers, body } of replies) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 500 || (!round.hasFaults && !ALLOWED_IN_REORGS.includes(status)))
        throw new Error(`a request failed with ${status} ${headers['x-hexlens-fault']}: ${JSON.stringify(body)}`);
    }
  }
  return { service, statuses };
}

type List = readonly [name: string, id: OperationId, input: Readonly<Record<string, unknown>>];

function getLists({ accounts, contracts }: TestChain, isWhole: boolean): readonly List[] {
  const collections = [contracts.apes, contracts.items, contracts.art];
  const people = [accounts.alice, accounts.bob, accounts.carol, accounts.dave];
  return [
    ...collections.map((address): List => [`transfers of ${address}`, 'contractNftTransfers', { address }]),
    ...people.map((address): List => [`transfers of ${address}`, 'walletNftTransfers', { address }]),
    ...people.map((address): List => [`NFTs of ${address}`, 'walletNfts', { address }]),
    ...people.map((address): List => [`collections of ${address}`, 'walletNftCollections', { address }]),
    ...people.map((address): List => [`ERC-20 transfers of ${address}`, 'walletErc20Transfers', { address }]),
    [`ERC-20 transfers of ${contracts.coin}`, 'contractErc20Transfers', { address: contracts.coin }],
    ...people.map((address): List => [`transactions of ${address}`, 'walletTransactions', { address }]),
    ...(isWhole
      ? ([
          ['all transfers', 'nftTransfers', {}],
          ['all mints', 'erc20Mints', {}],
        ] as const)
      : []),
  ];
}

/** A busy machine is no fault of the node. */
const NODE_TIMEOUT_MS = 600_000;
const MAX_FAILURES = 20;
const MAX_PRINTED_LINES = 30;

/** All records of the lists, from an index at the head of the chain. Errors of a run that began before are tried over. */
async function readLists(service: ServiceUnderTest, chain: string, lists: readonly List[]) {
  const contents = new Map<string, readonly unknown[]>();
  for (const [name, id, input] of lists) {
    const records: unknown[] = [];
    let cursor: string | null | undefined;
    let failures = 0;
    while (cursor !== null) {
      const query = { ...input, chain, ...(cursor !== undefined && { cursor }) };
      const { status, headers, body } = await service.send(id, query as unknown as Input<OperationId>);
      if (status !== 200 && ++failures > MAX_FAILURES)
        throw new Error(`${name} fail without faults: ${status} ${JSON.stringify(body)}`);
      if (status !== 200 || isBehind(headers)) continue;
      const page = body as { readonly result: readonly unknown[]; readonly cursor: string | null };
      records.push(...page.result);
      cursor = page.cursor;
    }
    contents.set(name, records);
  }
  return contents;
}

function compare(found: ReadonlyMap<string, readonly unknown[]>, clean: ReadonlyMap<string, readonly unknown[]>): void {
  for (const [name, expected] of clean) {
    const records = found.get(name) ?? [];
    const at = expected.findIndex((record, index) => !isDeepStrictEqual(record, records[index]));
    if (at < 0 && records.length === expected.length) continue;
    throw new Error(
      `${name} differ from a clean index: ${records.length} records, not ${expected.length}; record ${at}:\n` +
        `${JSON.stringify(records[at])}\ninstead of\n${JSON.stringify(expected[at])}`,
    );
  }
}

async function runRound(round: Round, postgres: PostgresServer | null): Promise<string> {
  const random = createRandom(round.seed);
  const cleanups: (() => unknown)[] = [];
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const log: Log = { debug: write, info: write, warn: write, error: write };
  try {
    const anvil = await startAnvil(round.isPublic ? { chainId: 1 } : {});
    cleanups.push(() => anvil.stop());
    const chain = await fillChain(anvil, { blocks: FILLED_BLOCKS });
    await anvil.rpc('anvil_mine', [toQuantity(8)]);
    const faults = createRandomFaults(createRandom(round.seed + 1), () => heightOf(anvil));
    const startNode = async (isFaulty: boolean): Promise<FaultyNode> => {
      const node = await startFaultyNode(anvil.url, {
        ...(isFaulty && faults),
        ...(!round.isPublic && { client: null }),
      });
      cleanups.push(() => node.stop());
      return node;
    };
    const lists = getLists(chain, !round.isPublic);
    const selector = round.isPublic ? 'eth' : 'local';
    const node = await startNode(round.hasFaults);
    const clock = createSoakClock();
    const folder = mkdtempSync(join(tmpdir(), 'hexlens-soak-'));
    cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
    const location =
      round.store === 'PostgreSQL' && postgres !== null
        ? { folder: null, url: postgres.createSchemaUrl() }
        : { folder };
    const start = () => {
      const openStore = createStoreOpener(location, log);
      const service = startService({ [selector]: node.url }, { clock, openStore, log, timeoutMs: NODE_TIMEOUT_MS });
      cleanups.push(() => service.stop());
      return service;
    };
    const change = createChainChanges(anvil, chain, createRandom(round.seed + 2));
    const { service, statuses } = await runRequests(round, start, createRequests(round, chain, random), change, random);
    faults.stop();
    // Twice: what is final is read again by the first sync after it.
    for (let step = 0; round.isPublic && step < 2; step++) {
      await anvil.rpc('anvil_mine', [toQuantity(FINAL_BLOCKS)]);
      clock.advance(120_000);
      await readLists(service, selector, lists);
    }
    const clean = startService({ [selector]: (await startNode(false)).url });
    cleanups.push(() => clean.stop());
    compare(await readLists(service, selector, lists), await readLists(clean, selector, lists));
    return [...statuses].map(([status, count]) => `${count}x ${status}`).join(', ');
  } catch (error) {
    console.error(lines.slice(-MAX_PRINTED_LINES).join('\n'));
    throw error;
  } finally {
    for (const cleanUp of cleanups.reverse()) await cleanUp();
  }
}

const firstSeed = Number(options.seed);
console.log(`Soaking for ${options.minutes} minutes, seed ${firstSeed}.`);
const postgres = await startPostgres();
const endMs = performance.now() + Number(options.minutes) * 60_000;
let rounds = 0;
try {
  for (; performance.now() < endMs; rounds++) {
    const seed = firstSeed + rounds;
    const store = seed % 2 === 0 || postgres === null ? 'SQLite' : 'PostgreSQL';
    const round: Round = { seed, store, isPublic: seed % 4 < 2, hasFaults: seed % 8 < 4 };
    const what = `${round.isPublic ? 'public' : 'development'} chain, ${store}, ${round.hasFaults ? 'faults' : 'reorgs only'}`;
    try {
      const statuses = await runRound(round, postgres);
      if (options.verbose) console.log(`${seed}: ${what}: ${statuses}`);
    } catch (error) {
      console.error(`Failed: node test/soak.ts --minutes 0.01 --seed ${seed} (${what})`);
      console.error(error);
      process.exitCode = 1;
      break;
    }
  }
} finally {
  await postgres?.stop();
}
console.log(`${rounds} rounds without a difference from a clean index.`);
