// Owners, NFTs and collections of wallets on a real Anvil: every page compared with what the contracts return.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Hex, ZERO_ADDRESS } from '../../src/base/hex.ts';
import { encodeData, itemsAbi } from '../support/chain/contractAbis.ts';
import { HOSTILE_NAME, HOSTILE_SYMBOL } from '../support/chain/deployContracts.ts';
import type { TestTransaction } from '../support/chain/mineBlock.ts';
import {
  allPages,
  fetchSyncedPage,
  lower,
  mineTransactions,
  mintApeTransaction,
  moveApeTransaction,
  tokenNames,
  toRecords,
  withSnapshot,
} from '../support/nftPages.ts';
import { type OwnerOnWire, readChain, type Witness, withHexIds } from '../support/nftWitness.ts';
import { useFilledChain } from '../support/useFilledChain.ts';

const world = useFilledChain();
let witness: Witness;
const read = () => {
  const hostile = { name: HOSTILE_NAME, symbol: HOSTILE_SYMBOL, decimals: 18, spam: true };
  return readChain(world.anvil, tokenNames(world.chain, hostile));
};
beforeAll(async () => {
  witness = await read();
});

const wallets = () => [...Object.values(world.chain.accounts), ...Object.values(world.chain.contracts)].map(lower);
const ownedBy = (wallet: Hex, of: Witness = witness) => of.owners.filter(owner => owner.owner_of === wallet);
/** A wallet's collections in the order of their newest record. */
const collectionsOf = (owned: readonly OwnerOnWire[]) =>
  [...new Map([...owned].reverse().map(owner => [owner.token_address, owner])).values()]
    .sort(
      (a, b) =>
        owned.findIndex(o => o.token_address === a.token_address) -
        owned.findIndex(o => o.token_address === b.token_address),
    )
    .map(({ token_address, contract_type, name, symbol, possible_spam, verified_collection }) => ({
      token_address,
      contract_type,
      name,
      symbol,
      possible_spam,
      verified_collection,
    }));

describe('all pages', () => {
  it('the independent reading agrees with the test scenario', () => {
    const { holdings, contracts } = world.chain;
    const apes = witness.owners.filter(owner => owner.token_address === lower(contracts.apes));
    expect(Object.fromEntries(apes.map(owner => [owner.token_id, owner.owner_of]))).toEqual(
      Object.fromEntries(
        Object.entries(holdings.apes).flatMap(([id, owner]) => (owner === null ? [] : [[id, lower(owner)]])),
      ),
    );
    const items = witness.owners.filter(owner => owner.token_address === lower(contracts.items));
    const meant = Object.entries(holdings.items).flatMap(([owner, kinds]) =>
      Object.entries(kinds).map(([id, amount]) => `${lower(owner as Hex)} ${id} ${amount}`),
    );
    expect(items.map(item => `${item.owner_of} ${item.token_id} ${String(item['amount'])}`).sort()).toEqual(
      meant.sort(),
    );
  });

  it('contractNftOwners: every token of a contract with its owners', async () => {
    for (const address of [lower(world.chain.contracts.apes), lower(world.chain.contracts.items)]) {
      const pages = await allPages(world.service, 'contractNftOwners', { address, limit: 7 });
      expect(toRecords(pages), address).toEqual(witness.owners.filter(owner => owner.token_address === address));
    }
  });

  it('nftOwners: of every token, burned tokens and unknown tokens', async () => {
    const tokens = new Map(witness.transfers.map(entry => [`${entry.token_address} ${entry.token_id}`, entry]));
    for (const { token_address: address, token_id } of tokens.values()) {
      const pages = await allPages(world.service, 'nftOwners', { address, tokenId: BigInt(token_id), limit: 2 });
      expect(toRecords(pages), `${address} ${token_id}`).toEqual(
        witness.owners.filter(owner => owner.token_address === address && owner.token_id === token_id),
      );
      expect(pages.every(page => page.status === 'SYNCED')).toBe(true);
    }
    const { apes, coin } = world.chain.contracts;
    for (const [address, tokenId] of [
      [apes, 6n],
      [apes, 2n ** 256n - 1n],
      [coin, 0n],
      [ZERO_ADDRESS, 1n],
    ] as const)
      expect(
        await fetchSyncedPage(world.service, 'nftOwners', { address, tokenId, disableTotal: false }),
      ).toMatchObject({
        result: [],
        total: '0',
        cursor: null,
      });
  });

  it('walletNfts: of every account and contract, whatever the page size', async () => {
    expect(witness.owners.length).toBeGreaterThan(60);
    for (const address of wallets()) {
      for (const limit of [3, 100]) {
        const pages = await allPages(world.service, 'walletNfts', { address, limit });
        expect(toRecords(pages), address).toEqual(ownedBy(address));
      }
    }
    const { alice } = world.chain.accounts;
    const one = await allPages(world.service, 'walletNfts', { address: alice, limit: 1 });
    expect(toRecords(one)).toEqual(ownedBy(lower(alice)));
  });

  it('walletNfts: of some contracts, with hex ids and totals', async () => {
    const { contracts, accounts } = world.chain;
    const { apes, art, items, coin } = contracts;
    for (const address of [accounts.alice, accounts.bob, accounts.carol, accounts.idle]) {
      for (const tokenAddresses of [[apes], [items, art], [apes, apes], [coin], [apes, art, items]]) {
        const wanted = ownedBy(lower(address)).filter(owner => tokenAddresses.map(lower).includes(owner.token_address));
        const input = { address, tokenAddresses, limit: 4, disableTotal: false, format: 'hex' } as const;
        const pages = await allPages(world.service, 'walletNfts', input);
        expect(toRecords(pages)).toEqual(withHexIds(wanted));
        expect(new Set(pages.map(page => page.total))).toEqual(new Set([String(wanted.length)]));
      }
    }
  });

  it('walletNftCollections: of every account and contract, with totals', async () => {
    for (const address of wallets()) {
      const wanted = collectionsOf(ownedBy(address));
      const pages = await allPages(world.service, 'walletNftCollections', { address, limit: 1, disableTotal: false });
      expect(toRecords(pages), address).toEqual(wanted);
      expect(new Set(pages.map(page => page.total))).toEqual(new Set([String(wanted.length)]));
      expect(pages.every(page => page.status === 'SYNCED')).toBe(true);
    }
  });
});

describe('while blocks arrive', () => {
  const moveItem = (from: Hex, to: Hex, id: bigint, amount: bigint): TestTransaction => ({
    from,
    to: world.chain.contracts.items,
    data: encodeData(itemsAbi.transfer, [from, to, id, amount, '0x']),
  });
  /** Every further page sees a few more of them; a wallet loses, gets, gets back, and passes on in turn. */
  const changes = (): (() => Promise<unknown>)[] => {
    const { alice, bob, carol } = world.chain.accounts;
    const apes = ownedBy(lower(bob)).filter(owner => owner.token_address === lower(world.chain.contracts.apes));
    const [oldest, older] = apes.toReversed().map(owner => BigInt(owner.token_id));
    if (oldest === undefined || older === undefined) throw new Error('Bob should own two apes.');
    return [
      () =>
        mineTransactions(world, [
          moveApeTransaction(world, bob, alice, oldest),
          mintApeTransaction(world, bob, 910_001n),
        ]),
      () =>
        mineTransactions(world, [
          moveApeTransaction(world, alice, bob, oldest),
          moveApeTransaction(world, bob, bob, older),
          moveItem(bob, carol, 1n, 1n),
        ]),
      () =>
        mineTransactions(world, [
          moveApeTransaction(world, bob, carol, older),
          moveApeTransaction(world, bob, carol, 910_001n),
        ]),
      () => mineTransactions(world, [moveItem(carol, bob, 1n, 1n), mintApeTransaction(world, bob, 910_002n)]),
    ];
  };
  const inTurn = (list: readonly (() => Promise<unknown>)[]) => {
    let next = 0;
    return async () => list[next++]?.();
  };

  it('all pages of a wallet’s NFTs are as of the first page; a new request sees the new ones', async () => {
    const { bob } = world.chain.accounts;
    for (const limit of [1, 5, 10]) {
      await withSnapshot(world, async () => {
        const input = { address: bob, limit, disableTotal: false };
        const pages = await allPages(world.service, 'walletNfts', input, inTurn(changes()));
        expect(toRecords(pages), `limit ${limit}`).toEqual(ownedBy(lower(bob)));
        expect(new Set(pages.map(page => page.total)).size).toBe(1);
        expect(toRecords(await allPages(world.service, 'walletNfts', { address: bob }))).toEqual(
          ownedBy(lower(bob), await read()),
        );
      });
    }
    expect(toRecords(await allPages(world.service, 'walletNfts', { address: bob }))).toEqual(ownedBy(lower(bob)));
  });

  it('the same holds for the owners of a token and a wallet’s collections', async () => {
    const { items } = world.chain.contracts;
    const { bob } = world.chain.accounts;
    await withSnapshot(world, async () => {
      const input = { address: items, tokenId: 1n, limit: 1 };
      const pages = await allPages(world.service, 'nftOwners', input, inTurn(changes()));
      expect(toRecords(pages)).toEqual(
        witness.owners.filter(owner => owner.token_address === lower(items) && owner.token_id === '1'),
      );
    });
    await withSnapshot(world, async () => {
      const input = { address: bob, limit: 1 };
      const pages = await allPages(world.service, 'walletNftCollections', input, inTurn(changes()));
      expect(toRecords(pages)).toEqual(collectionsOf(ownedBy(lower(bob))));
    });
  });

  it('a token burned meanwhile is still listed, with its mint block', async () => {
    const { bob, carol } = world.chain.accounts;
    await withSnapshot(world, async () => {
      await mineTransactions(world, [mintApeTransaction(world, carol, 920_000n)]);
      const before = await read();
      const wanted = ownedBy(lower(carol), before);
      const burn = (id: bigint): TestTransaction => ({
        from: carol,
        to: world.chain.contracts.apes,
        data: `0x42966c68${id.toString(16).padStart(64, '0')}`,
      });
      const ids = wanted
        .filter(owner => owner.token_address === lower(world.chain.contracts.apes))
        .map(owner => BigInt(owner.token_id));
      const pages = await allPages(
        world.service,
        'walletNfts',
        { address: carol, limit: 2 },
        inTurn([
          () => mineTransactions(world, ids.map(burn)),
          () => mineTransactions(world, [mintApeTransaction(world, bob, 920_001n)]),
        ]),
      );
      expect(toRecords(pages)).toEqual(wanted);
    });
  });
});

describe('wrong input', () => {
  const wallet = `0x${'ab'.repeat(20)}`;
  const tokens = (count: number): [string, string][] =>
    Array.from({ length: count }, () => ['token_addresses', wallet]);
  const cases: [string, [string, string][], RegExp][] = [
    [`/${wallet}/nft`, tokens(101), /^token_addresses must contain not more than 100 elements: it has 101$/],
    [`/${wallet}/nft`, [['token_addresses', 'apes']], /^token_addresses is not a valid hex address: "apes"/],
    [`/${wallet}/nft`, [['exclude_spam', 'maybe']], /^exclude_spam must be true or false, not "maybe"$/],
    [`/${wallet}/nft`, [['normalizeMetadata', '7']], /^normalizeMetadata must be true or false, not "7"$/],
    [`/${wallet}/nft`, [['cursor', 'x']], /^cursor is damaged/],
    [`/${wallet}/nft/collections`, [['limit', '-1']], /^limit must not be less than 1$/],
    [`/nft/${wallet}/zero/owners`, [], /^token_id is not a token id/],
  ];
  it.each(cases)('is rejected: %s %j', async (path, query, message) => {
    const reply = await world.service.handle({
      operation: 'walletNfts',
      group: 'evm',
      method: 'GET',
      path,
      query,
      body: null,
    });
    expect(reply).toMatchObject({ status: 400, headers: { 'x-hexlens-fault': 'bad-input' } });
    expect((reply.body as { message: string }).message).toMatch(message);
  });
});
