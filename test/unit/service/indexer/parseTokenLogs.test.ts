// Logs to rows: every form of token logs, and malformed ones, which are skipped.

import { encode, from as parametersFrom } from 'ox/AbiParameters';
import { describe, expect, it } from 'vitest';
import * as topic from '../../../../src/api/eventTopics.ts';
import { type Hex, ZERO_ADDRESS } from '../../../../src/base/hex.ts';
import type { ChainLog } from '../../../../src/service/indexer/chainLog.ts';
import { INDEXED_TOPICS } from '../../../../src/service/indexer/logFilters.ts';
import {
  findUndecidedContracts,
  MAX_CONSECUTIVE_IDS,
  parseTokenLogs,
  type TokenKind,
  UNKNOWN_TOKEN_KIND,
} from '../../../../src/service/indexer/parseTokenLogs.ts';
import { getEventTopic } from '../../../support/chain/contractAbis.ts';

const address = (byte: string): Hex => `0x${byte.repeat(20)}`;
const word = (value: bigint | number): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const asTopic = (value: Hex): Hex => `0x${value.slice(2).padStart(64, '0')}`;
const token = address('70');
const alice = address('a1');
const bob = address('b0');
const operator = address('0e');
const market = address('5e');
const zero = ZERO_ADDRESS;
const MAX = 2n ** 256n - 1n;

let nextIndex = 0;
function log(topics: readonly Hex[], data: Hex = '0x', more: Partial<ChainLog> = {}): ChainLog {
  const blockHash: Hex = `0x${'bb'.repeat(32)}`;
  const transactionHash: Hex = `0x${'77'.repeat(32)}`;
  const position = { blockNumber: 5, blockHash, transactionHash, transactionIndex: 2, place: nextIndex++ };
  return { ...position, address: token, topics, data, ...more };
}

const join = (...words: readonly Hex[]): Hex => `0x${words.map(part => part.slice(2)).join('')}`;
const decode = (logs: readonly ChainLog[], kind: TokenKind = UNKNOWN_TOKEN_KIND) => parseTokenLogs(logs, () => kind);
const moved = (logs: readonly ChainLog[], kind?: TokenKind) =>
  decode(logs, kind).transfers.map(({ standard, from, to, tokenId, amount }) => [standard, from, to, tokenId, amount]);

const erc20: TokenKind = { standard: 'ERC20', hasOwner: false, isPunks: false };
const erc721: TokenKind = { standard: 'ERC721', hasOwner: true, isPunks: false };
const punks: TokenKind = { standard: 'ERC20', hasOwner: false, isPunks: true };

const transfer = (from: Hex, to: Hex, id: bigint, more: Partial<ChainLog> = {}) =>
  log([topic.TRANSFER, asTopic(from), asTopic(to), word(id)], '0x', more);
const erc1155 = [topic.TRANSFER_SINGLE, asTopic(operator), asTopic(alice), asTopic(bob)];
const batchTopics = [topic.TRANSFER_BATCH, ...erc1155.slice(1)];
const batch = (ids: readonly bigint[], amounts: readonly bigint[]) =>
  encode(parametersFrom('uint256[], uint256[]'), [ids, amounts]);

describe('INDEXED_TOPICS', () => {
  it('are the hashes of the event signatures', () => {
    const items = '(uint8,address,uint256,uint256)[],(uint8,address,uint256,uint256,address)[]';
    expect(INDEXED_TOPICS).toEqual(
      [
        'Transfer(address,address,uint256)',
        'TransferSingle(address,address,address,uint256,uint256)',
        'TransferBatch(address,address,address,uint256[],uint256[])',
        'ConsecutiveTransfer(uint256,uint256,address,address)',
        'Assign(address,uint256)',
        'PunkTransfer(address,address,uint256)',
        'PunkBought(uint256,uint256,address,address)',
        `OrderFulfilled(bytes32,address,address,address,${items})`,
      ].map(getEventTopic),
    );
  });
});

describe('a Transfer', () => {
  it('with all arguments indexed is ERC-721, unless the contract is an ERC-20 without owners of ids', () => {
    const [row] = decode([transfer(alice, bob, MAX)]).transfers;
    expect(row).toMatchObject({
      ...{ blockNumber: 5, batchIndex: 0, transactionIndex: 2, tokenAddress: token, tokenId: MAX, standard: 'ERC721' },
      ...{ from: alice, to: bob, amount: 1n, operator: null, value: null },
    });
    expect(moved([transfer(alice, bob, 7n)], { ...erc20, hasOwner: true })).toEqual([['ERC721', alice, bob, 7n, 1n]]);
    const { transfers, erc20Transfers, tokens } = decode([transfer(alice, bob, 500n)], erc20);
    expect(transfers).toEqual([]);
    expect(erc20Transfers).toMatchObject([{ tokenAddress: token, from: alice, to: bob, amount: 500n }]);
    expect(tokens).toEqual(new Map([[token, 'ERC20']]));
  });

  it('with all arguments indexed has the id that its contract is called with', () => {
    const amount = log([topic.TRANSFER, asTopic(alice), asTopic(bob)], word(500));
    for (const logs of [
      [transfer(alice, bob, 7n), amount],
      [amount, transfer(alice, bob, 7n)],
    ])
      expect(findUndecidedContracts(logs)).toEqual(new Map([[token, { id: 7n, isIndexed: true }]]));
  });

  it('whose last argument is not indexed has the standard of its contract', () => {
    const old = log([topic.TRANSFER, asTopic(alice), asTopic(bob)], word(7));
    expect(findUndecidedContracts([old])).toEqual(new Map([[token, { id: 7n, isIndexed: false }]]));
    expect(moved([old], erc721)).toEqual([['ERC721', alice, bob, 7n, 1n]]);
    const moved20 = { transfers: [], erc20Transfers: [{ tokenAddress: token, from: alice, to: bob, amount: 7n }] };
    expect(decode([old], erc20)).toMatchObject(moved20);
    expect(decode([old])).toMatchObject(moved20);
  });

  it('of an ERC-20 is one of its transfers, mints included', () => {
    const mint = log([topic.TRANSFER, asTopic(zero), asTopic(bob)], word(MAX));
    for (const kind of [erc20, UNKNOWN_TOKEN_KIND, { standard: 'ERC1155', hasOwner: false, isPunks: false } as const]) {
      const { erc20Transfers, transfers, tokens } = decode([mint], kind);
      expect(erc20Transfers).toMatchObject([
        { tokenAddress: token, to: bob, amount: MAX, transactionIndex: 2, place: mint.place },
      ]);
      expect(transfers).toEqual([]);
      expect(tokens).toEqual(new Map([[token, 'ERC20']]));
    }
  });

  it('with nothing indexed is ERC-721 as for CryptoKitties, unless the contract has decimals', () => {
    const kitty = log([topic.TRANSFER], join(asTopic(zero), asTopic(alice), word(9)));
    expect(moved([kitty])).toEqual([['ERC721', zero, alice, 9n, 1n]]);
    expect(decode([kitty], erc20)).toMatchObject({ transfers: [], erc20Transfers: [{ to: alice, amount: 9n }] });
    expect(findUndecidedContracts([kitty])).toEqual(new Map([[token, { id: 9n, isIndexed: false }]]));
  });

  it('that is malformed is skipped', () => {
    const dirty: Hex = `0x${'ff'.repeat(12)}${alice.slice(2)}`;
    const strange = [
      log([topic.TRANSFER, dirty, asTopic(bob), word(1)]),
      log([topic.TRANSFER, asTopic(alice), asTopic(bob), word(1)], word(1)),
      log([topic.TRANSFER, asTopic(zero), asTopic(bob)], '0x'),
      log([topic.TRANSFER, asTopic(zero), asTopic(bob)], '0x01'),
      log([topic.TRANSFER, asTopic(zero), asTopic(bob)], join(word(1), word(2))),
      log([topic.TRANSFER, asTopic(zero)], word(1)),
      log([topic.TRANSFER], join(word(1), word(2))),
      log([topic.TRANSFER], join(dirty, asTopic(bob), word(2))),
      log([topic.TRANSFER]),
      log([]),
    ];
    const found = decode(strange, erc721);
    expect(found).toEqual({ transfers: [], erc20Transfers: [], trades: [], tokens: new Map(), skippedIdCount: 0n });
    expect(findUndecidedContracts(strange)).toEqual(new Map());
  });
});

describe('ERC-1155', () => {
  it('logs one id with its amount, even an amount of zero', () => {
    const [row] = decode([log(erc1155, join(word(3), word(40)))]).transfers;
    expect(row).toMatchObject({ standard: 'ERC1155', tokenId: 3n, amount: 40n, operator, from: alice, to: bob });
    expect(moved([log(erc1155, join(word(3), word(0)))])).toEqual([['ERC1155', alice, bob, 3n, 0n]]);
  });

  it('logs batches: one row per batch index, also for the same id twice', () => {
    const rows = decode([log(batchTopics, batch([2n, 3n, 3n], [5n, 6n, 7n]))]).transfers;
    expect(rows.map(row => [row.batchIndex, row.tokenId, row.amount])).toEqual([
      [0, 2n, 5n],
      [1, 3n, 6n],
      [2, 3n, 7n],
    ]);
    expect(moved([log(batchTopics, batch([], []))])).toEqual([]);
  });

  it('skips malformed batches', () => {
    const huge = word(2n ** 255n);
    const good = batch([1n], [2n]);
    const broken: readonly Hex[] = [
      batch([1n, 2n], [1n]),
      good.slice(0, -2) as Hex,
      good.slice(0, -64) as Hex,
      '0x',
      '0x1',
      join(huge, huge),
      join(word(64), word(64), huge),
      join(word(64), word(64), word(2 ** 32 - 1)),
      join(word(2 ** 32 - 1), word(64), word(0)),
    ];
    for (const data of broken) expect(moved([log(batchTopics, data)]), data).toEqual([]);
    expect(moved([log(erc1155, word(1))])).toEqual([]);
    expect(moved([log(erc1155, join(word(1), word(1), word(1)))])).toEqual([]);
    expect(moved([log(erc1155.slice(0, 3), join(word(1), word(1)))])).toEqual([]);
    // Both lists may be one and the same: odd, but whole.
    expect(moved([log(batchTopics, join(word(64), word(64), word(1), word(9)))])).toEqual([
      ['ERC1155', alice, bob, 9n, 9n],
    ]);
  });
});

describe('ERC-2309', () => {
  const run = (first: bigint, last: bigint, more: Partial<ChainLog> = {}) =>
    log([topic.CONSECUTIVE_TRANSFER, word(first), asTopic(zero), asTopic(alice)], word(last), more);

  it('mints consecutive ids with one log', () => {
    const rows = decode([run(5n, 8n)]).transfers;
    expect(rows.map(row => [row.standard, row.batchIndex, row.tokenId, row.to])).toEqual(
      [5n, 6n, 7n, 8n].map((id, position) => ['ERC721', position, id, alice]),
    );
    expect(moved([run(5n, 5n)])).toHaveLength(1);
    expect(moved([run(5n, 4n)])).toEqual([]);
  });

  it('is limited per block, and counts the skipped ids', () => {
    const both = decode([run(0n, MAX), run(0n, 9n)]);
    expect(both.transfers).toHaveLength(MAX_CONSECUTIVE_IDS);
    expect(both.skippedIdCount).toBe(MAX + 1n - BigInt(MAX_CONSECUTIVE_IDS) + 10n);
    const later = decode([run(0n, MAX), run(0n, 9n, { blockNumber: 6 })]);
    expect(later.transfers).toHaveLength(MAX_CONSECUTIVE_IDS + 10);
  });
});

describe('CryptoPunks', () => {
  const assign = log([topic.PUNK_ASSIGN, asTopic(alice)], word(12));
  const count = (from: Hex, to: Hex) => log([topic.TRANSFER, asTopic(from), asTopic(to)], word(1));
  const give = log([topic.PUNK_TRANSFER, asTopic(alice), asTopic(bob)], word(12));
  const bought = (to: Hex, value: bigint) => log([topic.PUNK_BOUGHT, word(12), asTopic(bob), asTopic(to)], word(value));

  it('are assigned, transferred and sold; the count in their Transfer is no token', () => {
    const sold = [count(bob, alice), bought(alice, 5n)];
    expect(moved([assign, count(alice, bob), give, ...sold], punks)).toEqual([
      ['CRYPTOPUNKS', zero, alice, 12n, 1n],
      ['CRYPTOPUNKS', alice, bob, 12n, 1n],
      ['CRYPTOPUNKS', bob, alice, 12n, 1n],
    ]);
  });

  it('go to the receiver of the Transfer before, when the log of an accepted bid lacks the buyer', () => {
    const operatorGets = count(bob, operator);
    expect(moved([operatorGets, bought(zero, 0n)], punks)).toEqual([['CRYPTOPUNKS', bob, operator, 12n, 1n]]);
    const elsewhere = { ...operatorGets, transactionHash: `0x${'78'.repeat(32)}` } as const;
    expect(moved([elsewhere, bought(zero, 0n)], punks)).toEqual([]);
  });

  it('are not every contract that emits Assign', () => {
    expect(moved([assign, give, bought(alice, 1n)])).toEqual([]);
    expect(findUndecidedContracts([give])).toEqual(new Map([[token, { id: 0n, isIndexed: false }]]));
    expect(moved([log([topic.PUNK_ASSIGN, asTopic(alice)], '0x')], punks)).toEqual([]);
    expect(moved([log([topic.PUNK_BOUGHT], word(1))], punks)).toEqual([]);
  });
});

describe('Seaport', () => {
  type Item = readonly [kind: number, token: Hex, id: bigint, amount: bigint];
  const order = (offer: readonly Item[], paid: readonly (readonly [...Item, Hex])[], recipient: Hex = bob) =>
    log(
      [topic.ORDER_FULFILLED, asTopic(alice), asTopic(zero)],
      encode(
        parametersFrom(
          'bytes32, address, (uint8, address, uint256, uint256)[], (uint8, address, uint256, uint256, address)[]',
        ),
        [word(1), recipient, offer, paid] as never,
      ),
      { address: market },
    );
  const nft = (id: bigint): Item => [2, token, id, 1n];
  const coins = (amount: bigint, to: Hex = alice) => [0, zero, 0n, amount, to] as const;

  it('has the whole price paid, fees and tips included, whatever the value of the transaction', () => {
    const sale = order([nft(4n)], [coins(975n), coins(25n, market), coins(100n, operator)]);
    const { trades } = decode([sale, transfer(alice, bob, 4n)]);
    expect(trades).toEqual([
      {
        ...{ blockNumber: 5, transactionIndex: 2, place: sale.place, transactionHash: sale.transactionHash },
        ...{ tokenAddress: token, tokenIds: [4n], seller: alice, buyer: bob, marketplace: market, price: 1_100n },
      },
    ]);
  });

  it('sells a bundle at one price, with one row per collection', () => {
    const other = address('71');
    const sale = order([nft(4n), nft(5n), [3, other, 1n, 6n]], [coins(9n)]);
    const moves = [
      transfer(alice, bob, 4n),
      transfer(alice, bob, 5n),
      log(erc1155, join(word(1), word(6)), { address: other }),
    ];
    expect(decode([sale, ...moves]).trades).toMatchObject([
      { tokenAddress: token, tokenIds: [4n, 5n], price: 9n },
      { tokenAddress: other, tokenIds: [1n], price: 9n },
    ]);
  });

  it('counts matched orders once, with the receiver of the NFT as buyer', () => {
    const prime = order([nft(4n)], [coins(7n)], zero);
    const mirror = order([[0, zero, 0n, 7n]], [[2, token, 4n, 1n, bob]], zero);
    expect(decode([prime, mirror, transfer(alice, bob, 4n)]).trades).toMatchObject([{ buyer: bob, price: 7n }]);
  });

  it('skips orders not paid in the native coin, and orders without a transfer', () => {
    const coin = address('c0');
    const move = transfer(alice, bob, 4n);
    const none = [
      order([[1, coin, 0n, 40n]], [[2, token, 4n, 1n, alice]]), // an accepted bid
      order([nft(4n)], [coins(1n), [1, coin, 0n, 5n, alice]]), // paid in both
      order([nft(4n)], [[2, token, 9n, 1n, alice]]), // a swap
      order([nft(4n), [1, coin, 0n, 5n]], [coins(1n)]), // an NFT with coins
      order([nft(4n)], []), // a gift
      order([nft(4n)], [coins(0n)]),
      order([nft(4n)], [coins(MAX), coins(1n)]), // more than there can be
      order([], [coins(5n)]),
      order([nft(8n)], [coins(1n)]), // 8 did not move: a log that anybody could have written
    ];
    for (const [index, sale] of none.entries()) expect(decode([sale, move]).trades, `${index}`).toEqual([]);
    const fake = order([nft(4n)], [coins(1n)]);
    const elsewhere = { ...move, transactionHash: `0x${'78'.repeat(32)}` } as const;
    expect(decode([fake, elsewhere]).trades).toEqual([]);
  });

  it('is not read beyond its data', () => {
    const huge = word(2 ** 32 - 1);
    for (const data of [
      '0x',
      join(word(1), asTopic(bob), huge, huge),
      join(word(1), asTopic(bob), word(128), word(128), huge),
      join(word(1), asTopic(bob), word(128), word(128), word(1), word(0)),
    ] as const)
      expect(decode([log([topic.ORDER_FULFILLED, asTopic(alice), asTopic(zero)], data)]).trades).toEqual([]);
  });
});
