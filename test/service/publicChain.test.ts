// Collections and wallets of a public chain, indexed when they are first asked for, beside a second reading of the chain.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Hex, ZERO_ADDRESS } from '../../src/base/hex.ts';
import type { Input } from '../../src/contract/operations/index.ts';
import { HOSTILE_NAME, HOSTILE_SYMBOL } from '../chain/deploy.ts';
import { allPages, type ListId, lower, pageOf, recordsOf, tokenNames } from './nftPages.ts';
import { type OwnerOnWire, readChain, type TransferOnWire, type Witness } from './nftWitness.ts';
import { type PublicChain, type PublicNodeOptions, startPublicChain, startPublicNode } from './publicNode.ts';
import { type Options, type ServiceUnderTest, startService } from './world.ts';

const HEIGHT = 700;
let world: PublicChain;
let witness: Witness;
beforeAll(async () => {
  world = await startPublicChain(HEIGHT);
  const hostile = { name: HOSTILE_NAME, symbol: HOSTILE_SYMBOL, decimals: 18, spam: true };
  witness = await readChain(world.anvil, tokenNames(world.chain, hostile));
});
afterAll(() => world?.anvil.stop());

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function serve(node: PublicNodeOptions, options: Options = {}) {
  const front = await startPublicNode(world.anvil.url, node);
  stops.push(() => front.stop());
  const service = startService({ eth: front.url }, options);
  stops.push(() => service.stop());
  return { front, service };
}

/** Asks until the answer is whole: work goes on in the background meanwhile. */
async function whenWhole<Id extends ListId>(service: ServiceUnderTest, id: Id, input: Input<Id>): Promise<void> {
  for (;;) {
    const page = await pageOf(service, id, input);
    if (page.index_complete ?? page.status === 'SYNCED') return;
  }
}

const PROVIDERS: Readonly<Record<string, PublicNodeOptions>> = {
  'with everything': {},
  'that caps ranges, has little old state and limits requests': {
    range: { blocks: 100, message: blocks => `exceed maximum block range: ${blocks}` },
    states: 128,
    limitEvery: 9,
  },
  'that caps ranges without a number and results too, and sends no times': {
    range: { blocks: 64, message: () => 'block range is too wide' },
    results: 20,
    untimed: true,
  },
};

const accounts = () => Object.values(world.chain.accounts).map(lower);
const contracts = () => Object.values(world.chain.contracts).map(lower);

for (const [what, provider] of Object.entries(PROVIDERS))
  describe(`a node ${what}`, () => {
    it('contracts: every transfer, of each token too, and every owner', async () => {
      const { service } = await serve(provider);
      for (const address of contracts()) {
        await whenWhole(service, 'contractNftTransfers', { address });
        const wanted = witness.transfers.filter(entry => entry.token_address === address);
        const pages = await allPages(service, 'contractNftTransfers', { address, limit: 31 });
        expect(recordsOf(pages), address).toEqual(wanted);
        expect(pages.every(page => page.block_exists === true && page.index_complete === true)).toBe(true);
        for (const token_id of new Set(wanted.map(entry => entry.token_id))) {
          const token = { address, tokenId: BigInt(token_id) };
          const moves = await allPages(service, 'tokenNftTransfers', { ...token, limit: 3 });
          expect(recordsOf(moves)).toEqual(wanted.filter(entry => entry.token_id === token_id));
          const owners = await allPages(service, 'nftOwners', token);
          expect(owners[0]?.status).toBe('SYNCED');
          expect(recordsOf(owners)).toEqual(
            witness.owners.filter(owner => owner.token_address === address && owner.token_id === token_id),
          );
        }
      }
    });

    it('wallets: every transfer in every direction, what they own, and the collections of that', async () => {
      const { service } = await serve(provider);
      for (const address of [...accounts(), lower(world.chain.vacant)]) {
        await whenWhole(service, 'walletNfts', { address });
        for (const direction of ['both', 'from', 'to'] as const) {
          const sides = ({ from_address, to_address }: TransferOnWire) =>
            (direction !== 'to' && from_address === address) || (direction !== 'from' && to_address === address);
          const pages = await allPages(service, 'walletNftTransfers', { address, direction, limit: 13 });
          expect(recordsOf(pages), `${address} ${direction}`).toEqual(witness.transfers.filter(sides));
        }
        const owned = witness.owners.filter(owner => owner.owner_of === address);
        const pages = await allPages(service, 'walletNfts', { address, limit: 17 });
        expect(pages.every(page => page.status === 'SYNCED')).toBe(true);
        // Mints to others are not in the wallet's own history.
        const mintedHere = ({ token_address, token_id, contract_type }: OwnerOnWire) =>
          contract_type === 'ERC721' &&
          witness.transfers.some(
            entry =>
              entry.token_address === token_address &&
              entry.token_id === token_id &&
              entry.from_address === ZERO_ADDRESS &&
              entry.to_address === address,
          );
        expect(recordsOf(pages)).toEqual(
          owned.map(owner => (mintedHere(owner) ? owner : { ...owner, block_number_minted: null })),
        );
        const collections = recordsOf(await allPages(service, 'walletNftCollections', { address, limit: 2 }));
        expect(collections.map(record => record['token_address'])).toEqual([
          ...new Set(owned.map(owner => owner.token_address)),
        ]);
      }
    });

    it('dates and blocks of a range, as on a chain that is indexed whole', async () => {
      const { service } = await serve(provider);
      const address = lower(world.chain.contracts.apes) as Hex;
      const { number, timestamp } = world.chain.blocks.transfers;
      await whenWhole(service, 'contractNftTransfers', { address });
      const of = witness.transfers.filter(entry => entry.token_address === address);
      const day = (seconds: number) => new Date(seconds * 1000);
      const cases: [Input<'contractNftTransfers'>, (block: number) => boolean][] = [
        [{ address, fromBlock: number, toBlock: number }, block => block === number],
        [{ address, toBlock: number - 1 }, block => block < number],
        [{ address, fromDate: day(timestamp), toDate: day(timestamp) }, block => block === number],
        [{ address, fromDate: day(timestamp + 1) }, block => block > number],
        [{ address, toDate: day(timestamp - 1) }, block => block < number],
        [{ address, fromBlock: HEIGHT + 1 }, () => false],
      ];
      for (const [input, inside] of cases)
        expect(recordsOf(await allPages(service, 'contractNftTransfers', input)), JSON.stringify(input)).toEqual(
          of.filter(entry => inside(Number(entry.block_number))),
        );
      const ahead = await pageOf(service, 'contractNftTransfers', { address, fromBlock: HEIGHT + 1 });
      expect(ahead).toMatchObject({ block_exists: false, index_complete: true });
    });

    it('all of the chain: transfers and ERC-20 mints page by page, without an index', async () => {
      const { service } = await serve(provider);
      const { number, timestamp } = world.chain.blocks.transfers;
      const pagesOf = async <Id extends 'nftTransfers' | 'erc20Mints'>(id: Id, input: Input<Id>) => {
        const records: unknown[] = [];
        for (let cursor: string | undefined; ; ) {
          const page = await pageOf(service, id, { ...input, cursor });
          records.push(...page.result);
          expect(page.total).toBeNull();
          if (page.cursor === null) return records;
          cursor = page.cursor;
        }
      };
      for (const limit of [7, 100])
        expect(await pagesOf('nftTransfers', { limit }), `limit ${limit}`).toEqual(witness.transfers);
      const day = new Date(timestamp * 1000);
      expect(await pagesOf('nftTransfers', { fromDate: day, toDate: day })).toEqual(
        witness.transfers.filter(entry => Number(entry.block_number) === number),
      );
      expect(await pagesOf('nftTransfers', { fromBlock: HEIGHT + 5 })).toEqual([]);
      const { coin, usdx, oldToken } = world.chain.contracts;
      const { alice, bob } = world.chain.accounts;
      const cases: [Input<'erc20Mints'>, (mint: Witness['mints'][number]) => boolean][] = [
        [{}, () => true],
        [{ limit: 3 }, () => true],
        [{ contractAddresses: [coin, usdx] }, mint => [coin, usdx].map(lower).includes(mint.contract_address)],
        [{ walletAddresses: [alice, bob] }, mint => [alice, bob].map(lower).includes(mint.to_wallet)],
        [{ excludeContracts: [coin] }, mint => mint.contract_address !== lower(coin)],
        [{ excludeWallets: [alice] }, mint => mint.to_wallet !== lower(alice)],
        [
          { contractAddresses: [oldToken, coin], walletAddresses: [alice], limit: 2 },
          mint => [oldToken, coin].map(lower).includes(mint.contract_address) && mint.to_wallet === lower(alice),
        ],
      ];
      for (const [input, holds] of cases)
        expect(await pagesOf('erc20Mints', input), JSON.stringify(input)).toEqual(witness.mints.filter(holds));
    });

    /** A refusal says in words that it is of an index that is behind. */
    const isBehind = (body: unknown) => JSON.stringify(body).includes('the index is at block');

    it('lowest prices, as an index of the whole chain has them', async () => {
      const { service } = await serve(provider);
      const whole = startService({ eth: world.anvil.url });
      stops.push(() => whole.stop());
      let found = 0;
      for (const address of contracts())
        for (;;) {
          const { status, body, headers } = await service.send('nftLowestPrice', { address });
          if (headers['x-hexlens-index'] !== undefined || isBehind(body)) continue;
          const wanted = await whole.send('nftLowestPrice', { address });
          if (wanted.headers['x-hexlens-index'] !== undefined || isBehind(wanted.body)) continue;
          expect({ status, body }).toEqual({ status: wanted.status, body: wanted.body });
          if (status === 200) found++;
          break;
        }
      expect(found).toBeGreaterThan(1);
    });
  });

describe('the sales of some days', () => {
  it('are those of as many days as are asked for, also when more are asked for later', async () => {
    const { anvil, chain } = world;
    const snapshot = await anvil.rpc('evm_snapshot');
    stops.push(() => anvil.rpc('evm_revert', [snapshot]));
    const { timestamp } = await anvil.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', ['latest', false]);
    await anvil.rpc('evm_setNextBlockTimestamp', [Number(timestamp) + 4 * 86_400]);
    await anvil.rpc('evm_mine');
    const { service } = await serve({});
    const { apes } = chain.contracts;
    const of = async (days: number) => {
      for (;;) {
        const reply = await service.send('nftLowestPrice', { address: apes, days });
        if (reply.status === 404 && /so far/.test((reply.body as { message: string }).message)) continue;
        return reply;
      }
    };
    expect((await of(3)).status).toBe(404);
    const week = await of(7);
    expect(week.status).toBe(200);
    expect((await of(3)).status).toBe(404);
    expect((await of(5)).body).toEqual(week.body);
  });
});
