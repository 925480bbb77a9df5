// The four operations of NFT transfers on a real Anvil: every page compared with an independent reading of the chain.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Input } from '../../src/api/operations/operations.ts';
import { type Hex, ZERO_ADDRESS } from '../../src/base/hex.ts';
import { HOSTILE_NAME, HOSTILE_SYMBOL } from '../support/chain/deployContracts.ts';
import { startService } from '../support/filledChain.ts';
import {
  allPages,
  fetchSyncedPage,
  lower,
  mineTransactions,
  mintApeTransaction,
  tokenNames,
  toRecords,
  withSnapshot,
} from '../support/nftPages.ts';
import { readChain, type TransferOnWire, type Witness, withHexIds } from '../support/nftWitness.ts';
import { useFilledChain } from '../support/useFilledChain.ts';

const world = useFilledChain();
let witness: Witness;
beforeAll(async () => {
  const hostile = { name: HOSTILE_NAME, symbol: HOSTILE_SYMBOL, decimals: 18, spam: true };
  witness = await readChain(world.anvil, tokenNames(world.chain, hostile));
});

const between = (from: number, to: number) =>
  witness.transfers.filter(({ block_number }) => Number(block_number) >= from && Number(block_number) <= to);
const addresses = () => [...Object.values(world.chain.accounts), ...Object.values(world.chain.contracts)].map(lower);
const sides = (direction: 'both' | 'from' | 'to', wallet: Hex) => (transfer: TransferOnWire) =>
  (direction !== 'to' && transfer.from_address === wallet) || (direction !== 'from' && transfer.to_address === wallet);

describe('all pages', () => {
  it('nftTransfers: every field of every transfer of the chain, whatever the page size', async () => {
    expect(witness.transfers.length).toBeGreaterThan(120);
    for (const limit of [1, 7, 99, 100]) {
      const pages = await allPages(world.service, 'nftTransfers', { limit });
      expect(toRecords(pages), `limit ${limit}`).toEqual(witness.transfers);
      expect(pages.every(page => page.block_exists === true && page.index_complete === true)).toBe(true);
      expect(pages.every(page => page.total === null)).toBe(true);
    }
  });

  it('walletNftTransfers: of every account and contract, in every direction', async () => {
    for (const address of [...addresses(), ZERO_ADDRESS, lower(world.chain.vacant)]) {
      for (const direction of [undefined, 'both', 'from', 'to'] as const) {
        const pages = await allPages(world.service, 'walletNftTransfers', { address, direction, limit: 13 });
        expect(toRecords(pages), `${address} ${direction}`).toEqual(
          witness.transfers.filter(sides(direction ?? 'both', address)),
        );
      }
    }
  });

  it('from the oldest on, in each of the four operations', async () => {
    const [first] = witness.transfers;
    const { token_address: address, token_id } = first as TransferOnWire;
    const tokenId = BigInt(token_id);
    const order = 'asc';
    for (const [pages, isListed] of [
      [await allPages(world.service, 'nftTransfers', { limit: 17, order }), () => true],
      [
        await allPages(world.service, 'contractNftTransfers', { address: address as Hex, limit: 17, order }),
        (row: TransferOnWire) => row.token_address === address,
      ],
      [
        await allPages(world.service, 'tokenNftTransfers', { address: address as Hex, tokenId, limit: 1, order }),
        (row: TransferOnWire) => row.token_address === address && row.token_id === token_id,
      ],
    ] as const)
      expect(toRecords(pages)).toEqual(witness.transfers.filter(isListed).toReversed());
  });

  it('walletNftTransfers: of some contracts only, from both ends', async () => {
    const address = lower(world.chain.accounts.alice);
    const own = witness.transfers.filter(sides('both', address));
    const contractAddresses = [...new Set(own.map(row => row.token_address as Hex))].slice(0, 1);
    const expected = own.filter(row => contractAddresses.includes(row.token_address as Hex));
    expect(expected.length).toBeLessThan(own.length);
    const input = { address, contractAddresses, limit: 3 };
    expect(toRecords(await allPages(world.service, 'walletNftTransfers', input))).toEqual(expected);
    const oldestFirst = await allPages(world.service, 'walletNftTransfers', { ...input, order: 'asc' });
    expect(toRecords(oldestFirst)).toEqual(expected.toReversed());
  });

  it('walletNftCollections: with the number of NFTs that the wallet owns of each', async () => {
    const address = lower(world.chain.accounts.alice);
    const owned = await allPages(world.service, 'walletNfts', { address, limit: 100 });
    const rows = toRecords(owned);
    const pages = await allPages(world.service, 'walletNftCollections', { address, limit: 2, tokenCounts: true });
    const collections = toRecords(pages);
    expect(collections.length).toBeGreaterThan(1);
    for (const { token_address: collection, count } of collections)
      expect(count).toBe(rows.filter(row => row['token_address'] === collection).length);
    const [plain] = toRecords(await allPages(world.service, 'walletNftCollections', { address, limit: 2 }));
    expect(plain).not.toHaveProperty('count');
  });

  it('contractNftTransfers: of every contract', async () => {
    for (const address of addresses()) {
      const pages = await allPages(world.service, 'contractNftTransfers', { address, limit: 31 });
      expect(toRecords(pages), address).toEqual(witness.transfers.filter(entry => entry.token_address === address));
    }
  });

  it('tokenNftTransfers: of every token, and of unknown tokens', async () => {
    const tokens = new Map(witness.transfers.map(entry => [`${entry.token_address} ${entry.token_id}`, entry]));
    expect(tokens.size).toBeGreaterThan(40);
    for (const { token_address: address, token_id } of tokens.values()) {
      const pages = await allPages(world.service, 'tokenNftTransfers', {
        address,
        tokenId: BigInt(token_id),
        limit: 2,
      });
      expect(toRecords(pages)).toEqual(
        witness.transfers.filter(entry => entry.token_address === address && entry.token_id === token_id),
      );
    }
    const { apes, coin } = world.chain.contracts;
    for (const [address, tokenId] of [
      [apes, 2n ** 256n - 1n],
      [coin, 1n],
    ] as const)
      expect(await fetchSyncedPage(world.service, 'tokenNftTransfers', { address, tokenId })).toMatchObject({
        result: [],
      });
  });
});

describe('filters and formats', () => {
  it('ranges of blocks and dates, both ends inclusive; a block overrides a date', async () => {
    const { number, timestamp } = world.chain.blocks.transfers;
    const { head } = witness;
    const day = (seconds: number) => new Date(seconds * 1000);
    const cases: [Input<'nftTransfers'>, [number, number]][] = [
      [{ fromBlock: number, toBlock: number }, [number, number]],
      [{ fromBlock: number }, [number, head]],
      [{ toBlock: number }, [0, number]],
      [{ toBlock: 1_000_000 }, [0, head]],
      [{ fromBlock: 1_000_000 }, [1, 0]],
      [{ fromDate: day(timestamp), toDate: day(timestamp) }, [number, number]],
      [{ fromDate: day(timestamp - 11), toDate: day(timestamp + 11) }, [number, number]],
      [{ fromDate: day(timestamp + 1) }, [number + 1, head]],
      [{ toDate: day(timestamp - 1) }, [0, number - 1]],
      [{ fromDate: day(timestamp + 0.5), toDate: day(timestamp + 12.5) }, [number + 1, number + 1]],
      [{ fromDate: day(-5), toDate: day(4e9) }, [0, head]],
      [{ fromDate: day(4e9) }, [1, 0]],
      [{ toDate: day(1_000) }, [1, 0]],
      [{ toBlock: number, toDate: day(timestamp + 99), fromDate: day(timestamp) }, [number, number]],
    ];
    for (const [input, [from, to]] of cases) {
      const pages = await allPages(world.service, 'nftTransfers', { ...input, limit: 50 });
      expect(toRecords(pages), JSON.stringify(input)).toEqual(between(from, to));
    }
    const { alice } = world.chain.accounts;
    const { apes } = world.chain.contracts;
    const wallet = await allPages(world.service, 'walletNftTransfers', {
      address: alice,
      fromBlock: 5,
      toBlock: number,
    });
    expect(toRecords(wallet)).toEqual(between(5, number).filter(sides('both', lower(alice))));
    const contract = await allPages(world.service, 'contractNftTransfers', { address: apes, toDate: day(timestamp) });
    expect(toRecords(contract)).toEqual(between(0, number).filter(entry => entry.token_address === lower(apes)));
  });

  it('hex ids of 256 bits, as parameter and in the response', async () => {
    const { apes } = world.chain.contracts;
    const pages = await allPages(world.service, 'nftTransfers', { format: 'hex' });
    expect(toRecords(pages)).toEqual(withHexIds(witness.transfers));
    const request = { operation: 'tokenNftTransfers', group: 'evm', method: 'GET', body: null } as const;
    const id = 2n ** 255n + 7n;
    for (const [text, format, shown] of [
      [`0x${id.toString(16).toUpperCase()}`, 'decimal', id.toString()],
      [id.toString(), 'hex', `0x${id.toString(16)}`],
    ] as const) {
      const path = `/nft/${apes}/${text}/transfers`;
      const { body } = await world.service.handle({ ...request, path, query: [['format', format]] });
      expect((body as { result: { token_id: string }[] }).result.map(record => record.token_id)).toContain(shown);
    }
  });

  it('returns the same total on every page when it is requested', async () => {
    const { alice } = world.chain.accounts;
    const { apes } = world.chain.contracts;
    const of = (test: (entry: TransferOnWire) => boolean) => String(witness.transfers.filter(test).length);
    const totals = async (pages: ReturnType<typeof allPages>) => [...new Set((await pages).map(page => page.total))];
    const asked = { disableTotal: false, limit: 20 };
    const { service } = world;
    expect(await totals(allPages(service, 'nftTransfers', asked))).toEqual([of(() => true)]);
    expect(
      await totals(allPages(service, 'walletNftTransfers', { ...asked, address: alice, direction: 'to' })),
    ).toEqual([of(sides('to', lower(alice)))]);
    expect(await totals(allPages(service, 'contractNftTransfers', { ...asked, address: apes }))).toEqual([
      of(entry => entry.token_address === lower(apes)),
    ]);
    expect(await totals(allPages(service, 'tokenNftTransfers', { ...asked, address: apes, tokenId: 1n }))).toEqual([
      of(entry => entry.token_address === lower(apes) && entry.token_id === '1'),
    ]);
    expect(await totals(allPages(service, 'nftTransfers', { ...asked, fromBlock: 1_000_000 }))).toEqual(['0']);
  });

  it('returns the total from a later page on when it is first requested there', async () => {
    const { cursor } = await fetchSyncedPage(world.service, 'nftTransfers', { limit: 20 });
    const counted = { limit: 20, disableTotal: false, cursor: cursor ?? '' };
    const { total, page } = await fetchSyncedPage(world.service, 'nftTransfers', counted);
    expect([total, page]).toEqual([BigInt(witness.transfers.length), 1n].map(String));
  });

  it('says whether the chain has the requested blocks', async () => {
    const { head } = witness;
    const cases: [Input<'nftTransfers'>, boolean][] = [
      [{}, true],
      [{ fromBlock: head, toBlock: head }, true],
      [{ fromBlock: head + 1 }, false],
      [{ toBlock: head + 1 }, false],
      [{ fromDate: new Date(4e12) }, false],
      [{ toDate: new Date(4e12) }, true],
    ];
    for (const [input, exists] of cases)
      expect(
        await fetchSyncedPage(world.service, 'nftTransfers', { ...input, limit: 1 }),
        JSON.stringify(input),
      ).toMatchObject({
        block_exists: exists,
        index_complete: true,
      });
  });

  it('labels addresses from the address book, and follows the user’s trust in collections', async () => {
    const { accounts, contracts } = world.chain;
    const service = startService(
      { local: world.anvil.url },
      {
        addressBook: {
          [lower(accounts.alice)]: [{ name: 'Alice', chains: [] }],
          [lower(contracts.apes)]: [{ name: 'Apes', chains: ['local'], trust: 'verified' }],
          [lower(contracts.items)]: [{ name: 'Items', chains: [], trust: 'spam' }],
        },
      },
    );
    try {
      const records = toRecords(await allPages(service, 'nftTransfers', {}));
      expect(records).toEqual(
        witness.transfers.map(transfer => ({
          ...transfer,
          from_address_label: transfer.from_address === lower(accounts.alice) ? 'Alice' : null,
          to_address_label: transfer.to_address === lower(accounts.alice) ? 'Alice' : null,
          verified_collection: String(transfer.token_address === lower(contracts.apes)),
          possible_spam: String(transfer.token_address === lower(contracts.items)),
        })),
      );
    } finally {
      await service.stop();
    }
  });
});

describe('cursors', () => {
  it('return stable pages while blocks are added and removed', async () => {
    await withSnapshot(world, async () => {
      const { bob } = world.chain.accounts;
      let id = 900_000n;
      const grow = () => mineTransactions(world, [mintApeTransaction(world, bob, id++)]);
      const during = await allPages(world.service, 'nftTransfers', { limit: 40, disableTotal: false }, grow);
      expect(toRecords(during)).toEqual(witness.transfers);
      expect(new Set(during.map(page => page.total))).toEqual(new Set([String(witness.transfers.length)]));
      const newest = await fetchSyncedPage(world.service, 'nftTransfers', { limit: 1 });
      expect(newest.result[0]).toMatchObject({
        token_id: String(id - 1n),
        block_number: String(witness.head + during.length - 1),
      });
    });
    const shrunk = await allPages(world.service, 'nftTransfers', { limit: 40 });
    expect(toRecords(shrunk)).toEqual(witness.transfers);
  });

  it('are valid for any page size and format, but not for other filters, operations or chains', async () => {
    const { apes, items } = world.chain.contracts;
    const { service } = world;
    const { cursor } = await fetchSyncedPage(service, 'contractNftTransfers', { address: apes, limit: 5 });
    const given = cursor ?? '';
    const wanted = witness.transfers.filter(entry => entry.token_address === lower(apes)).slice(5, 8);
    const other = await fetchSyncedPage(service, 'contractNftTransfers', {
      address: apes,
      limit: 3,
      format: 'hex',
      cursor: given,
    });
    expect(other).toMatchObject({ page: '1', page_size: '3', result: withHexIds(wanted) });
    const refused: [Promise<{ status: number; code: string; message: string }>, RegExp][] = [
      [service.getFault('contractNftTransfers', { address: items, cursor: given }), /^cursor belongs to other filters/],
      [
        service.getFault('contractNftTransfers', { address: apes, fromBlock: 1, cursor: given }),
        /^cursor belongs to other/,
      ],
      [service.getFault('nftTransfers', { cursor: given }), /^cursor belongs to other filters/],
      [service.getFault('contractNftTransfers', { address: apes, cursor: `${given}x` }), /^cursor is damaged/],
      [service.getFault('contractNftTransfers', { address: apes, cursor: 'nonsense' }), /^cursor is damaged/],
    ];
    for (const [refusal, message] of refused) {
      expect(await refusal).toMatchObject({ status: 400, code: 'bad-input' });
      expect((await refusal).message).toMatch(message);
    }
  });
});

describe('wrong input', () => {
  const cases: [string, [string, string][], string][] = [
    ['/nft/transfers', [['limit', '101']], 'limit must not be greater than 100'],
    ['/nft/transfers', [['limit', '0']], 'limit must not be less than 1'],
    ['/nft/transfers', [['format', 'binary']], 'format must be one of decimal, hex, not "binary"'],
    [
      '/nft/transfers',
      [
        ['from_block', '9'],
        ['to_block', '3'],
      ],
      'from_block 9 is greater than to_block 3',
    ],
    [
      '/nft/transfers',
      [
        ['from_date', '2024-01-02'],
        ['to_date', '2024-01-01'],
      ],
      'from_date is later than to_date',
    ],
    ['/0x12/nft/transfers', [], 'address is not a valid hex address: it has 2 digits, 40 are needed'],
    [`/${ZERO_ADDRESS}/nft/transfers`, [['direction', 'up']], 'direction must be one of both, from, to, not "up"'],
    [`/nft/${ZERO_ADDRESS}/-1/transfers`, [], 'token_id is not a token id (decimal or 0x and hex digits): "-1"'],
    [`/nft/${ZERO_ADDRESS}/${2n ** 256n}/transfers`, [], 'token_id is larger than 2^256 - 1'],
  ];
  it.each(cases)('is rejected: %s %j', async (path, query, message) => {
    const reply = await world.service.handle({
      operation: 'nftTransfers',
      group: 'evm',
      method: 'GET',
      path,
      query,
      body: null,
    });
    expect(reply).toMatchObject({ status: 400, headers: { 'x-hexlens-fault': 'bad-input' }, body: { message } });
  });
});
