// Scoped indexes of a public chain, compared with an independent reading of the chain: the same
// requests with every node and database.
import { afterEach, describe, expect, it } from 'vitest';
import { LOWEST_PRICE_DAYS } from '../../src/api/decisions.ts';
import type { Input } from '../../src/api/operations/operations.ts';
import { type Hex, ZERO_ADDRESS } from '../../src/base/hex.ts';
import { HOSTILE_NAME, HOSTILE_SYMBOL } from '../support/chain/deployContracts.ts';
import type { TestChain } from '../support/chain/testChain.ts';
import type { TestNode } from '../support/chain/testNode.ts';
import { hastyClock } from '../support/fakeClock.ts';
import { type ServiceOptions, type ServiceUnderTest, startService } from '../support/filledChain.ts';
import { allPages, fetchSyncedPage, type ListId, lower, tokenNames, toRecords } from '../support/nftPages.ts';
import { type OwnerOnWire, readChain, type TransferOnWire, type Witness } from '../support/nftWitness.ts';
import { type PublicNodeOptions, startPublicNode } from '../support/publicNode.ts';
import { readUntil } from '../support/readUntil.ts';
import { findLowestSale, readSales, type SaleOnWire } from '../support/seaportSales.ts';

/** A chain, and what it holds by a reading of its own. */
export interface ChainWitness {
  readonly node: TestNode;
  readonly chain: TestChain;
  readonly witness: Witness;
  readonly sales: readonly SaleOnWire[];
}

export async function readChainWitness(node: TestNode, chain: TestChain): Promise<ChainWitness> {
  const hostile = { name: HOSTILE_NAME, symbol: HOSTILE_SYMBOL, decimals: 18, spam: true };
  return { node, chain, witness: await readChain(node, tokenNames(chain, hostile)), sales: await readSales(node) };
}

/** Repeats the request until the response is complete: the index is built in the background meanwhile. */
export async function waitUntilIndexed<Id extends ListId>(
  service: ServiceUnderTest,
  id: Id,
  input: Input<Id>,
): Promise<void> {
  await readUntil(
    () => fetchSyncedPage(service, id, input),
    page => page.index_complete ?? page.status === 'SYNCED',
  );
}

export interface ScopedIndexesSuite {
  /** Of a new service each time. */
  readonly options?: () => ServiceOptions;
  /** Whether every account and contract of the chain is queried; default some of each kind. */
  readonly everything?: boolean;
}

/** The chain is there once tests run. */
export function describeScopedIndexes(
  what: string,
  world: () => ChainWitness,
  provider: PublicNodeOptions,
  { options = () => ({}), everything = false }: ScopedIndexesSuite = {},
): void {
  describe(what, () => {
    const stops: (() => Promise<unknown>)[] = [];
    afterEach(async () => {
      for (const stop of stops.splice(0).reverse()) await stop();
    });
    const serve = async () => {
      const front = await startPublicNode(world().node.url, provider);
      stops.push(() => front.stop());
      const service = startService({ eth: front.url }, { clock: hastyClock, ...options() });
      stops.push(() => service.stop());
      return service;
    };
    const accounts = () => {
      const { accounts: all } = world().chain;
      return (everything ? Object.values(all) : [all.alice, all.bob]).map(lower);
    };
    const contracts = () => {
      const { contracts: all } = world().chain;
      return (everything ? Object.values(all) : [all.apes, all.art, all.items, all.coin]).map(lower);
    };

    it('contracts: every transfer, every transfer of each token, and every owner', async () => {
      const service = await serve();
      const { witness } = world();
      for (const address of contracts()) {
        await waitUntilIndexed(service, 'contractNftTransfers', { address });
        const wanted = witness.transfers.filter(entry => entry.token_address === address);
        const pages = await allPages(service, 'contractNftTransfers', { address, limit: 31 });
        expect(toRecords(pages), address).toEqual(wanted);
        expect(pages.every(page => page.block_exists === true && page.index_complete === true)).toBe(true);
        for (const token_id of new Set(wanted.map(entry => entry.token_id))) {
          const token = { address, tokenId: BigInt(token_id) };
          const moves = await allPages(service, 'tokenNftTransfers', { ...token, limit: 3 });
          expect(toRecords(moves)).toEqual(wanted.filter(entry => entry.token_id === token_id));
          const owners = await allPages(service, 'nftOwners', token);
          expect(owners[0]?.status).toBe('SYNCED');
          expect(toRecords(owners)).toEqual(
            witness.owners.filter(owner => owner.token_address === address && owner.token_id === token_id),
          );
        }
      }
    });

    it('wallets: every transfer in every direction, every NFT and every collection', async () => {
      const service = await serve();
      const { chain, witness } = world();
      for (const address of [...accounts(), lower(chain.vacant)]) {
        await waitUntilIndexed(service, 'walletNfts', { address });
        for (const direction of ['both', 'from', 'to'] as const) {
          const sides = ({ from_address, to_address }: TransferOnWire) =>
            (direction !== 'to' && from_address === address) || (direction !== 'from' && to_address === address);
          const pages = await allPages(service, 'walletNftTransfers', { address, direction, limit: 13 });
          expect(toRecords(pages), `${address} ${direction}`).toEqual(witness.transfers.filter(sides));
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
        expect(toRecords(pages)).toEqual(
          owned.map(owner => (mintedHere(owner) ? owner : { ...owner, block_number_minted: null })),
        );
        const collections = toRecords(await allPages(service, 'walletNftCollections', { address, limit: 2 }));
        expect(collections.map(record => record['token_address'])).toEqual([
          ...new Set(owned.map(owner => owner.token_address)),
        ]);
      }
    });

    it('ranges of dates and blocks, as on a chain that is indexed whole', async () => {
      const service = await serve();
      const { chain, witness } = world();
      const address = lower(chain.contracts.apes) as Hex;
      const { number, timestamp } = chain.blocks.transfers;
      await waitUntilIndexed(service, 'contractNftTransfers', { address });
      const of = witness.transfers.filter(entry => entry.token_address === address);
      const day = (seconds: number) => new Date(seconds * 1000);
      const cases: [Input<'contractNftTransfers'>, (block: number) => boolean][] = [
        [{ address, fromBlock: number, toBlock: number }, block => block === number],
        [{ address, toBlock: number - 1 }, block => block < number],
        [{ address, fromDate: day(timestamp), toDate: day(timestamp) }, block => block === number],
        [{ address, fromDate: day(timestamp + 1) }, block => block > number],
        [{ address, toDate: day(timestamp - 1) }, block => block < number],
        [{ address, fromBlock: witness.head + 1 }, () => false],
      ];
      for (const [input, inside] of cases)
        expect(toRecords(await allPages(service, 'contractNftTransfers', input)), JSON.stringify(input)).toEqual(
          of.filter(entry => inside(Number(entry.block_number))),
        );
      const ahead = await fetchSyncedPage(service, 'contractNftTransfers', { address, fromBlock: witness.head + 1 });
      expect(ahead).toMatchObject({ block_exists: false, index_complete: true });
    });

    it('the whole chain: transfers and ERC-20 mints in scanned pages', async () => {
      const service = await serve();
      const { chain, witness } = world();
      const { number, timestamp } = chain.blocks.transfers;
      const pagesOf = async <Id extends 'nftTransfers' | 'erc20Mints'>(id: Id, input: Input<Id>) => {
        const records: unknown[] = [];
        for (let cursor: string | undefined; ; ) {
          const page = await fetchSyncedPage(service, id, { ...input, cursor });
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
      expect(await pagesOf('nftTransfers', { fromBlock: witness.head + 5 })).toEqual([]);
      const { coin, usdx, oldToken } = chain.contracts;
      const { alice, bob } = chain.accounts;
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

    it('lowest prices of the last days', async () => {
      const service = await serve();
      const { node, sales } = world();
      const { timestamp } = await node.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', ['latest', false]);
      let found = 0;
      for (const days of [0, 2, undefined, 3_650])
        for (const address of contracts()) {
          const { status, body } = await readUntil(
            () => service.send('nftLowestPrice', { address, days }),
            ({ headers }) => headers['x-hexlens-index'] === undefined,
          );
          const since = Number(timestamp) - (days ?? LOWEST_PRICE_DAYS.default) * 86_400;
          const wanted = findLowestSale(sales, address, since);
          expect(status === 404 ? null : body, `${address}, ${days} days`).toEqual(wanted);
          if (status === 200) found++;
        }
      expect(found).toBeGreaterThan(4);
    });
  });
}
