// ERC-20 mints and lowest prices on a real Anvil with real Seaport sales, compared with an independent reading of the chain.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Input } from '../../src/api/operations/operations.ts';
import { type Hex, ZERO_ADDRESS } from '../../src/base/hex.ts';
import { encodeData, tokenAbi } from '../support/chain/contractAbis.ts';
import { HOSTILE_NAME, HOSTILE_SYMBOL } from '../support/chain/deployContracts.ts';
import { isBehind } from '../support/filledChain.ts';
import {
  allPages,
  fetchSyncedPage,
  lower,
  mineTransactions,
  tokenNames,
  toRecords,
  withSnapshot,
} from '../support/nftPages.ts';
import { type MintOnWire, readChain, type Witness } from '../support/nftWitness.ts';
import { readUntil } from '../support/readUntil.ts';
import { sellApe } from '../support/seaportSales.ts';
import { useFilledChain } from '../support/useFilledChain.ts';

const world = useFilledChain();
let witness: Witness;
beforeAll(async () => {
  const hostile = { name: HOSTILE_NAME, symbol: HOSTILE_SYMBOL, decimals: 18, spam: true };
  witness = await readChain(world.anvil, tokenNames(world.chain, hostile));
});

const ETHER = 10n ** 18n;
const DAY = 86_400;

describe('erc20Mints', () => {
  const all = async (input: Input<'erc20Mints'>) => toRecords(await allPages(world.service, 'erc20Mints', input));

  it('returns every field of every mint, newest first, in pages, and no NFT', async () => {
    expect(witness.mints.length).toBeGreaterThan(10);
    for (const limit of [1, 4, 100]) expect(await all({ limit }), `limit ${limit}`).toEqual(witness.mints);
    const page = await fetchSyncedPage(world.service, 'erc20Mints', {});
    expect(page).toMatchObject({ total: null, page: '1', cursor: null });
    const counted = await allPages(world.service, 'erc20Mints', { disableTotal: false, limit: 4 });
    expect(new Set(counted.map(({ total }) => total))).toEqual(new Set([String(witness.mints.length)]));
    const tokens = new Set(witness.mints.map(mint => mint.contract_address));
    const { coin, usdx, hostile, oldToken } = world.chain.contracts;
    expect([...tokens].sort()).toEqual([coin, usdx, hostile, oldToken].map(lower).sort());
  });

  it('filters by included and excluded tokens and wallets in any combination', async () => {
    const { contracts, accounts } = world.chain;
    const { coin, usdx, hostile, apes } = contracts;
    const { alice, bob, carol, idle } = accounts;
    const cases: [Input<'erc20Mints'>, (mint: MintOnWire) => boolean][] = [
      [{ contractAddresses: [coin] }, mint => mint.contract_address === lower(coin)],
      [
        { contractAddresses: [coin, hostile, coin] },
        mint => [coin, hostile].map(lower).includes(mint.contract_address),
      ],
      [{ contractAddresses: [apes] }, () => false],
      [{ excludeContracts: [coin, hostile] }, mint => ![coin, hostile].map(lower).includes(mint.contract_address)],
      [{ contractAddresses: [coin, usdx], excludeContracts: [coin] }, mint => mint.contract_address === lower(usdx)],
      [{ contractAddresses: [coin], excludeContracts: [coin] }, () => false],
      [{ walletAddresses: [alice, bob] }, mint => [alice, bob].map(lower).includes(mint.to_wallet)],
      [{ walletAddresses: [idle] }, () => false],
      [{ excludeWallets: [alice, bob] }, mint => ![alice, bob].map(lower).includes(mint.to_wallet)],
      [
        { contractAddresses: [usdx], walletAddresses: [alice, carol], excludeWallets: [alice] },
        mint => mint.contract_address === lower(usdx) && mint.to_wallet === lower(carol),
      ],
      [
        { fromBlock: 2, toBlock: 4, excludeWallets: [bob] },
        mint => mint.block_number >= 2 && mint.block_number <= 4 && mint.to_wallet !== lower(bob),
      ],
      [{ fromBlock: 1_000_000 }, () => false],
      [{ toBlock: 0 }, () => false],
    ];
    for (const [input, wanted] of cases)
      expect(await all({ ...input, limit: 3 }), JSON.stringify(input)).toEqual(witness.mints.filter(wanted));
    const many = Array.from({ length: 100 }, (_, n): Hex => `0x${(n + 1).toString(16).padStart(40, '0')}`);
    const lists = { excludeContracts: many, excludeWallets: many };
    expect(await all({ ...lists, limit: 7 })).toEqual(witness.mints);
    expect(
      await all({ contractAddresses: [...many.slice(1), coin], walletAddresses: [...many.slice(1), bob] }),
    ).toEqual(witness.mints.filter(mint => mint.contract_address === lower(coin) && mint.to_wallet === lower(bob)));
  });

  it('returns stable pages while blocks arrive, and exact 256-bit amounts', async () => {
    const { accounts, contracts } = world.chain;
    const most = 2n ** 256n - 1n;
    await withSnapshot(world, async () => {
      const mint = (to: Hex, amount: bigint, token = contracts.coin) => ({
        from: accounts.deployer,
        to: token,
        data: encodeData(tokenAbi.mint, [to, amount]),
      });
      const pages = await allPages(world.service, 'erc20Mints', { limit: 5 }, () =>
        mineTransactions(world, [mint(accounts.grace, 1n)]),
      );
      expect(toRecords(pages)).toEqual(witness.mints);
      await mineTransactions(world, [mint(accounts.grace, most - 7n * ETHER, contracts.hostile)]);
      const [largest, smallest] = (await fetchSyncedPage(world.service, 'erc20Mints', { limit: 2 })).result;
      expect(largest).toMatchObject({
        value: (most - 7n * ETHER).toString(),
        value_decimal: `${(most - 7n * ETHER) / ETHER}.${((most - 7n * ETHER) % ETHER).toString().padStart(18, '0')}`,
        possible_spam: 'true',
      });
      expect(smallest).toMatchObject({ value: '1', value_decimal: '0.000000000000000001' });
    });
  });

  it.each<[string, [string, string][], RegExp]>([
    ['a bad address', [['contract_addresses', 'oops']], /^contract_addresses is not a valid hex address: "oops"/],
    [
      '101 wallets',
      Array.from({ length: 101 }, () => ['exclude_wallets', ZERO_ADDRESS]),
      /^exclude_wallets must contain not more than 100 elements: it has 101$/,
    ],
    [
      'a reversed range',
      [
        ['from_block', '2'],
        ['to_block', '1'],
      ],
      /^from_block 2 is greater than to_block 1$/,
    ],
    ['a foreign cursor', [['cursor', 'abc']], /^cursor is damaged/],
  ])('rejects %s', async (_name, query, message) => {
    const request = { operation: 'erc20Mints', group: 'evm', method: 'GET', path: '/erc20/mints', body: null } as const;
    const reply = await world.service.handle({ ...request, query });
    expect(reply.status).toBe(400);
    expect((reply.body as { message: string }).message).toMatch(message);
  });
});

describe('nftLowestPrice', () => {
  const lowest = async (input: Input<'nftLowestPrice'>) => {
    const { status, body } = await readUntil(
      () => world.service.send('nftLowestPrice', input),
      ({ headers }) => !isBehind(headers),
    );
    return status === 200 ? (body as Record<string, unknown>) : { status, ...(body as object) };
  };
  const sell = (seller: Hex, buyer: Hex, id: bigint, price: bigint, salt: bigint) =>
    sellApe(world.anvil, world.chain, { seller, buyer, id, price, salt });

  it('returns the cheapest sale in the native coin, fees included, with its block, seller and buyer', async () => {
    const { contracts, accounts, transactions, blocks } = world.chain;
    const sale = {
      transaction_hash: transactions.sale,
      token_ids: ['2'],
      seller_address: lower(accounts.bob),
      buyer_address: lower(accounts.dave),
      token_address: lower(contracts.apes),
      marketplace_address: lower(contracts.seaport),
      price: ETHER.toString(),
      block_timestamp: new Date(blocks.sales.timestamp * 1000).toISOString(),
      block_number: String(blocks.sales.number),
      block_hash: blocks.sales.hash,
    };
    expect(await lowest({ address: contracts.apes })).toEqual(sale);
    expect(await lowest({ address: contracts.apes, marketplace: 'opensea' })).toEqual(sale);
    expect(await lowest({ address: contracts.apes, format: 'hex' })).toEqual({ ...sale, token_ids: ['0x2'] });
    // A bundle counts for each of its collections, at its whole price.
    expect(await lowest({ address: contracts.art })).toMatchObject({
      transaction_hash: transactions.bundle,
      token_ids: ['1'],
      price: (3n * ETHER).toString(),
      buyer_address: lower(accounts.erin),
    });
  });

  it('counts days back from the newest block, and returns the latest of equal prices', async () => {
    const { contracts, accounts } = world.chain;
    const apesOf = (wallet: Hex) =>
      witness.owners
        .filter(owner => owner.owner_of === lower(wallet) && owner.token_address === lower(contracts.apes))
        .map(owner => BigInt(owner.token_id));
    const [first = 0n, second = 0n, third = 0n] = apesOf(accounts.bob);
    await withSnapshot(world, async () => {
      const cheap = await sell(accounts.bob, accounts.grace, first, ETHER / 100n, 901n);
      const equal = await sell(accounts.bob, accounts.frank, second, ETHER / 100n, 902n);
      expect(await lowest({ address: contracts.apes, days: 0 })).toMatchObject({
        transaction_hash: equal.receipts[0]?.transactionHash,
        buyer_address: lower(accounts.frank),
        price: (ETHER / 100n).toString(),
      });
      expect(cheap.number).toBeLessThan(equal.number);
      await world.anvil.rpc('evm_setNextBlockTimestamp', [equal.timestamp + 2 * DAY]);
      await sell(accounts.bob, accounts.grace, third, ETHER * 50n, 903n);
      expect(await lowest({ address: contracts.apes, days: 1 })).toMatchObject({ price: (ETHER * 50n).toString() });
      expect(await lowest({ address: contracts.apes, days: 2 })).toMatchObject({ price: (ETHER / 100n).toString() });
      await world.anvil.rpc('evm_setNextBlockTimestamp', [equal.timestamp + 30 * DAY]);
      await mineTransactions(world, []);
      expect(await lowest({ address: contracts.apes })).toMatchObject({
        status: 404,
        message: 'No trade of this collection in the native coin within the last 7 days. Use more days.',
      });
      expect(await lowest({ address: contracts.apes, days: 30 })).toMatchObject({ price: (ETHER / 100n).toString() });
    });
  });

  it('returns 404 for a collection that was never sold for the native coin', async () => {
    const { items, coin } = world.chain.contracts;
    for (const address of [coin, world.chain.vacant])
      expect(await lowest({ address, days: 3650 })).toMatchObject({ status: 404 });
    expect(
      await world.service.getFault('nftLowestPrice', { address: items, days: 3650 }).catch(() => null),
    ).toMatchObject({
      status: 404,
      code: 'not-found',
    });
  });

  it.each<[[string, string][], string]>([
    [[['days', '-1']], 'days must not be less than 0'],
    [[['days', 'week']], 'days must be a whole number, not "week"'],
    [[['marketplace', 'blur']], 'marketplace must be opensea, not "blur"'],
  ])('rejects %j', async (query, message) => {
    const path = `/nft/${ZERO_ADDRESS}/lowestprice`;
    const request = { operation: 'nftLowestPrice', group: 'evm', method: 'GET', body: null } as const;
    expect(await world.service.handle({ ...request, path, query })).toMatchObject({ status: 400, body: { message } });
  });
});
