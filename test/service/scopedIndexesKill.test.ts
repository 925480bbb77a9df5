// A process that indexes a contract, a wallet and sales of a public chain, killed repeatedly, with either database.
import { once } from 'node:events';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Hex } from '../../src/base/hex.ts';
import { silentLog } from '../../src/base/log.ts';
import { createStoreOpener } from '../../src/service/indexer/openStore.ts';
import { parsePostgresUrl } from '../../src/service/store/postgres/postgresUrl.ts';
import type { TradeRow } from '../../src/service/store/rows.ts';
import type { IndexScope, OpenStore } from '../../src/service/store/store.ts';
import { createDice } from '../store/generatedChain.ts';
import { bundleProgram } from '../support/bundle.ts';
import { computeOwners, toOwnerLine } from '../support/computeOwners.ts';
import { readStoreContent, type StoreContent } from '../support/indexFixture.ts';
import { lower } from '../support/nftPages.ts';
import { type PostgresServer, sharePostgres } from '../support/postgresServer.ts';
import { type PublicChain, startPublicChain, startPublicNode } from '../support/publicNode.ts';
import { sellApes } from '../support/seaportSales.ts';
import { startProcess } from '../support/startProcess.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

const CHILD = 'test/service/scopedIndexesChild.ts';
const KILLS = 3;
/** Answers to `eth_getLogs` that a process gets before it is killed, at most. */
const MAX_ANSWERS = 24;

const postgres: PostgresServer | null = await sharePostgres();

let world: PublicChain;
beforeAll(async () => {
  world = await startPublicChain(200);
  await sellApes(world.anvil, world.chain);
});
afterAll(async () => {
  await world?.anvil.stop();
  await postgres?.stop();
});

const newFolder = () => createTemporaryFolder('hexlens-public-kill-');

const subjects = (): readonly IndexScope[] => {
  const { contracts, accounts } = world.chain;
  return [
    { kind: 'contract', address: lower(contracts.apes) },
    { kind: 'wallet', address: lower(accounts.alice) },
    { kind: 'trades', address: lower(contracts.apes) },
  ];
};

interface Held extends StoreContent {
  /** The cheapest sale of the contract. */
  readonly lowest: TradeRow | null;
}

/** What every index of the database holds. */
async function contents(open: OpenStore): Promise<readonly Held[]> {
  const found: Held[] = [];
  for (const subject of subjects()) {
    const store = await open({ chainId: 1, genesisHash: world.chain.genesisHash, scope: subject });
    const lowest = await store.readLowestTrade({ contract: lower(world.chain.contracts.apes), fromTime: 0 });
    found.push({ ...(await readStoreContent(store)), lowest });
    await store.close();
  }
  return found;
}

/** Runs the process to its end, or to the answer with this number; true when it got there. */
async function run(store: string, killedAt: number): Promise<boolean> {
  const killed = Promise.withResolvers<void>();
  let answers = 0;
  const front = await startPublicNode(world.anvil.url, {
    range: { blocks: 8, message: blocks => `exceed maximum block range: ${blocks}` },
    override({ method, params }, honest) {
      const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: Hex; toBlock?: Hex };
      if (method !== 'eth_getLogs' || Number(toBlock) - Number(fromBlock) >= 8) return undefined;
      if (++answers === killedAt) killed.resolve();
      return honest();
    },
  });
  const { contracts, accounts } = world.chain;
  const args = [await bundleProgram(CHILD), front.url, store, contracts.apes, accounts.alice];
  const child = await startProcess(process.execPath, args);
  child.stderr.pipe(process.stderr);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text;
  });
  const ended = once(child, 'close');
  void killed.promise.then(async () => {
    await new Promise(resolve => setTimeout(resolve, (killedAt * 7) % 30)); // anywhere in what it does with the answer
    child.kill('SIGKILL');
  });
  await ended;
  await front.stop();
  return output.endsWith('there\n');
}

/** Every index is one that can be: owners follow from the transfers, and no row lies above the newest block. */
function expectSound(all: readonly StoreContent[]): void {
  for (const { blocks, transfers, owners } of all) {
    expect(owners.map(toOwnerLine).sort()).toEqual(computeOwners(transfers));
    const head = blocks[0]?.number ?? -1;
    for (const row of transfers) expect(row.blockNumber).toBeLessThanOrEqual(head);
  }
}

/**
 * Where ranges ended depends on where a process began: blocks that hold nothing, between those that do, may differ, and
 * so may `parentHash`, which only ends of ranges have.
 */
function withoutEnds<Of extends StoreContent>(all: readonly Of[]): readonly Of[] {
  return all.map(held => {
    const named = new Set([...held.transfers, ...held.mints].map(({ blockNumber }) => blockNumber));
    const blocks = held.blocks.filter(({ number }, at) => at === 0 || named.has(number));
    return { ...held, blocks: blocks.map(({ number, hash, timestamp: time }) => ({ number, hash, time })) };
  });
}

/** In PostgreSQL the next process would wait for seconds until those of the killed one expire. */
async function endLeases(store: string): Promise<void> {
  if (!store.startsWith('postgres:')) return;
  const client = new Client({ connectionString: store });
  await client.connect();
  await client.query(`UPDATE "${parsePostgresUrl(store).schema}".lease SET expires = '-infinity'`);
  await client.end();
}

async function killedAndNot(fresh: () => string): Promise<void> {
  const placeOf = (store: string) =>
    createStoreOpener(store.startsWith('postgres:') ? { folder: null, url: store } : { folder: store }, silentLog);
  const store = fresh();
  const roll = createDice(29);
  let kills = 0;
  while (kills < KILLS) {
    if (await run(store, 1 + roll(MAX_ANSWERS))) break;
    kills++;
    expectSound(await contents(placeOf(store)));
    await endLeases(store);
  }
  expect(kills).toBeGreaterThan(1);
  expect(await run(store, Number.NaN)).toBe(true);
  const calm = fresh();
  expect(await run(calm, Number.NaN)).toBe(true);
  const wanted = await contents(placeOf(calm));
  expect(withoutEnds(await contents(placeOf(store)))).toEqual(withoutEnds(wanted));
  const [contract, wallet, trades] = wanted;
  expect(contract?.transfers.length).toBeGreaterThan(50);
  expect(wallet?.owners.length).toBeGreaterThan(3);
  expect(trades?.lowest?.price).toBe(10n ** 16n);
}

describe('a scoped index that is killed at any moment is complete in the end', () => {
  it('in SQLite', () => killedAndNot(newFolder));
  it.skipIf(postgres === null)('in PostgreSQL', () => killedAndNot(() => postgres?.createSchemaUrl() ?? ''));
});
