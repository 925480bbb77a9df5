// A process that indexes a contract, a wallet and sales of a public chain, killed repeatedly, with either database.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { createStoreOpener } from '../../src/service/indexer/openStore.ts';
import type { TradeRow } from '../../src/service/store/rows.ts';
import type { IndexScope, OpenStore } from '../../src/service/store/store.ts';
import { createDice } from '../store/generatedChain.ts';
import { computeOwners, toOwnerLine } from '../support/computeOwners.ts';
import { readStoreContent, type StoreContent } from '../support/indexFixture.ts';
import { endLeases, runIndexing } from '../support/indexingProcess.ts';
import { lower } from '../support/nftPages.ts';
import { type PostgresServer, sharePostgres } from '../support/postgresServer.ts';
import { type PublicChain, startPublicChain } from '../support/publicNode.ts';
import { sellApes } from '../support/seaportSales.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

const KILLS = 3;
/** Responses to `eth_getLogs` that a process gets before it is killed, at most. */
const MAX_RESPONSES = 24;

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

const listScopes = (): readonly IndexScope[] => {
  const { contracts, accounts } = world.chain;
  return [
    { kind: 'contract', address: lower(contracts.apes) },
    { kind: 'wallet', address: lower(accounts.alice) },
    { kind: 'trades', address: lower(contracts.apes) },
  ];
};

interface ScopeContent extends StoreContent {
  /** The cheapest sale of the contract. */
  readonly lowest: TradeRow | null;
}

/** What every index of the database holds. */
async function readIndexes(open: OpenStore): Promise<readonly ScopeContent[]> {
  const found: ScopeContent[] = [];
  for (const scope of listScopes()) {
    const store = await open({ chainId: 1, genesisHash: world.chain.genesisHash, scope });
    const lowest = await store.readLowestTrade({ contract: lower(world.chain.contracts.apes), fromTime: 0 });
    found.push({ ...(await readStoreContent(store)), lowest });
    await store.close();
  }
  return found;
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
  return all.map(index => {
    const named = new Set([...index.transfers, ...index.mints].map(({ blockNumber }) => blockNumber));
    const blocks = index.blocks.filter(({ number }, i) => i === 0 || named.has(number));
    return { ...index, blocks: blocks.map(({ number, hash, timestamp: time }) => ({ number, hash, time })) };
  });
}

const openStoreAt = (place: string): OpenStore =>
  createStoreOpener(place.startsWith('postgres:') ? { folder: null, url: place } : { folder: place }, silentLog);

async function expectSameAfterKills(createPlace: () => string): Promise<void> {
  const place = createPlace();
  const roll = createDice(29);
  let kills = 0;
  while (kills < KILLS) {
    if (await runIndexing(world, place, 1 + roll(MAX_RESPONSES))) break;
    kills++;
    expectSound(await readIndexes(openStoreAt(place)));
    await endLeases(place);
  }
  expect(kills).toBeGreaterThan(1);
  expect(await runIndexing(world, place)).toBe(true);
  const uninterrupted = createPlace();
  expect(await runIndexing(world, uninterrupted)).toBe(true);
  const expected = await readIndexes(openStoreAt(uninterrupted));
  expect(withoutEnds(await readIndexes(openStoreAt(place)))).toEqual(withoutEnds(expected));
  const [contract, wallet, trades] = expected;
  expect(contract?.transfers.length).toBeGreaterThan(50);
  expect(wallet?.owners.length).toBeGreaterThan(3);
  expect(trades?.lowest?.price).toBe(10n ** 16n);
}

describe('a scoped index that is killed at any moment is complete in the end', () => {
  it('in SQLite', () => expectSameAfterKills(() => createTemporaryFolder('hexlens-public-kill-')));
  it.skipIf(postgres === null)('in PostgreSQL', () => expectSameAfterKills(() => postgres?.createSchemaUrl() ?? ''));
});
