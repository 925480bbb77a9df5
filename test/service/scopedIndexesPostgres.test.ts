// Scoped indexes of a public chain in PostgreSQL: all in one schema, also by two services at once.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { createStoreOpener } from '../../src/service/indexer/openStore.ts';
import { startService } from '../support/filledChain.ts';
import { allPages, lower, toRecords } from '../support/nftPages.ts';
import { sharePostgres } from '../support/postgresServer.ts';
import { type PublicChain, startPublicChain, startPublicNode } from '../support/publicNode.ts';
import { sellApes } from '../support/seaportSales.ts';
import { type ChainWitness, describeScopedIndexes, readChainWitness, waitUntilIndexed } from './scopedIndexesSuite.ts';

const postgres = await sharePostgres();
afterAll(() => postgres?.stop());

const HEIGHT = 300;
const RANGE = { blocks: 40, message: (blocks: number) => `exceed maximum block range: ${blocks}` };

describe.skipIf(postgres === null)('over PostgreSQL', () => {
  let world: PublicChain;
  let known: ChainWitness;
  beforeAll(async () => {
    world = await startPublicChain(HEIGHT);
    await sellApes(world.anvil, world.chain);
    known = await readChainWitness(world.anvil, world.chain);
  });
  afterAll(() => world?.anvil.stop());
  const stops: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });
  const open = (url: string) => createStoreOpener({ folder: null, url }, silentLog);

  describeScopedIndexes(
    'a node that caps ranges and has little old state',
    () => known,
    { range: RANGE, states: 128, limitEvery: 9 },
    { options: () => ({ openStore: open(postgres?.createSchemaUrl() ?? '') }) },
  );

  it('two services fill the same indexes of one database, and a third one reads nothing again', async () => {
    const url = postgres?.createSchemaUrl() ?? '';
    const front = await startPublicNode(world.anvil.url, { range: RANGE });
    stops.push(() => front.stop());
    const serve = () => {
      const service = startService({ eth: front.url }, { openStore: open(url) });
      stops.push(() => service.stop());
      return service;
    };
    const { chain, witness } = known;
    const [apes, alice] = [lower(chain.contracts.apes), lower(chain.accounts.alice)];
    const both = [serve(), serve()];
    const answers = async (service: ReturnType<typeof serve>) => {
      await waitUntilIndexed(service, 'contractNftTransfers', { address: apes });
      await waitUntilIndexed(service, 'walletNftTransfers', { address: alice });
      return [
        toRecords(await allPages(service, 'contractNftTransfers', { address: apes, limit: 40 })),
        toRecords(await allPages(service, 'walletNftTransfers', { address: alice, limit: 40 })),
      ];
    };
    const wanted = [
      witness.transfers.filter(entry => entry.token_address === apes),
      witness.transfers.filter(entry => [entry.from_address, entry.to_address].includes(alice)),
    ];
    expect(await Promise.all(both.map(answers))).toEqual([wanted, wanted]);
    const before = front.countCalls('eth_getLogs');
    expect(await answers(serve())).toEqual(wanted);
    expect(front.countCalls('eth_getLogs')).toBe(before);
  });
});
