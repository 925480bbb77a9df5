// What a transaction moved, per account: by its logs, and by the calls inside it that were not undone.
import { describe, expect, test } from 'vitest';
import { getAssetMovements, getCoinTransfers } from '../../../src/decode/assetMovements.ts';

const address = (digit: string) => `0x${digit.repeat(40)}` as const;
const [alice, vault, inner, bob, weth] = ['a', '1', '2', 'b', 'e'].map(address) as [
  string,
  string,
  string,
  string,
  string,
];
const zero = address('0');
const pad = (text: string) => `0x${text.slice(2).padStart(64, '0')}`;
const amount = (value: number) => pad(`0x${value.toString(16)}`);

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const WITHDRAWAL = '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65';
const TRANSFER_SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62';
const TRANSFER_BATCH = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb';
const DEPOSIT = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c';

const own = { from: alice, to: vault, value: 5n, gas: 100_000n };
const call = (from: string, to: string, value: bigint, more: object = {}) => ({
  ...{ type: 'CALL', from, to, value, error: null, gas: null, gasUsed: null },
  ...more,
});
const coinsOf = (calls: Parameters<typeof getCoinTransfers>[1]) =>
  Object.fromEntries(
    getAssetMovements({ coins: getCoinTransfers(own, calls), logs: [] }).map(({ account, change }) => [
      account,
      change,
    ]),
  );

describe('coins', () => {
  test('are those of the transaction and of the calls inside it', () => {
    expect(coinsOf([call(vault, inner, 3n), call(inner, bob, 1n)])).toEqual({
      [alice]: -5n,
      [vault]: 2n,
      [inner]: 2n,
      [bob]: 1n,
    });
  });

  test('are not those of a call that failed, nor of what it had called', () => {
    const failed = { error: 'execution reverted' };
    expect(coinsOf([call(vault, inner, 3n, failed), call(inner, bob, 1n), call(vault, bob, 2n)])).toEqual({
      [alice]: -5n,
      [vault]: 3n,
      [bob]: 2n,
    });
  });

  test('are counted once where a call is delegated, and what the delegate calls is a call of the contract', () => {
    expect(
      coinsOf([
        call(vault, inner, 5n, { type: 'DELEGATECALL', error: 'execution reverted', gas: 90_000n, gasUsed: 60_000n }),
        // More gas than the contract has left after that: by the code of the delegate, undone with it
        call(vault, bob, 1n, { gas: 50_000n, gasUsed: 20_000n }),
      ]),
    ).toEqual({ [alice]: -5n, [vault]: 5n });
    expect(coinsOf([call(vault, inner, 5n, { type: 'DELEGATECALL' }), call(vault, bob, 1n)])).toEqual({
      [alice]: -5n,
      [vault]: 4n,
      [bob]: 1n,
    });
  });

  test('do not move in calls that only name a value', () => {
    for (const type of ['CALLCODE', 'STATICCALL', 'DELEGATECALL'])
      expect(coinsOf([call(vault, inner, 3n, { type })])).toEqual({ [alice]: -5n, [vault]: 5n });
  });

  test('are those of a contract after a call to itself that failed', () => {
    const paid = { [alice]: -5n, [vault]: 3n, [bob]: 2n };
    const failed = { error: 'execution reverted', gas: 80_000n };
    // It passed on too little, it used too little, or its gas does not tell.
    for (const [gasUsed, gas, used] of [
      [9_000n, 85_000n, 0n],
      [900n, 60_000n, 5_000n],
      [30_000n, 2_300n, 0n],
    ] as const)
      expect(
        coinsOf([call(vault, vault, 0n, { ...failed, gasUsed }), call(vault, bob, 2n, { gas, gasUsed: used })]),
      ).toEqual(paid);
  });

  test('go nowhere when a contract could not be created', () => {
    expect(coinsOf([call(vault, inner, 4n, { type: 'CREATE', to: null, error: 'execution reverted' })])).toEqual({
      [alice]: -5n,
      [vault]: 5n,
    });
  });
});

describe('wrapped coins', () => {
  const deposit = { address: weth, topics: [DEPOSIT, pad(alice)], data: amount(7) };
  const minted = { address: weth, topics: [TRANSFER, pad(zero), pad(alice)], data: amount(7) };
  const changeOf = (logs: Parameters<typeof getAssetMovements>[0]['logs']) =>
    getAssetMovements({ coins: [], logs }).map(({ account, change }) => [account, change]);

  test('are counted once, whether they are logged as Deposit, as a transfer, or as both', () => {
    for (const logs of [[deposit], [minted], [deposit, minted]]) expect(changeOf(logs)).toEqual([[alice, 7n]]);
  });

  test('are given away by a Withdrawal, and a log with more topics is another event', () => {
    const withdrawal = { address: weth, topics: [WITHDRAWAL, pad(alice)], data: amount(7) };
    expect(changeOf([withdrawal])).toEqual([[alice, -7n]]);
    expect(changeOf([{ ...withdrawal, topics: [...withdrawal.topics, pad(bob)] }])).toEqual([]);
  });
});

describe('tokens', () => {
  const movementsOf = (logs: Parameters<typeof getAssetMovements>[0]['logs']) =>
    getAssetMovements({ coins: [], logs }).map(({ account, kind, tokenId, change }) => [
      account,
      kind,
      tokenId,
      change,
    ]);
  const words = (...values: readonly number[]) => `0x${values.map(value => amount(value).slice(2)).join('')}`;

  test('are amounts or ids by the standard of the contract, where it is known, not by the form of the log', () => {
    const indexed = { address: vault, topics: [TRANSFER, pad(alice), pad(bob), amount(4)], data: '0x' };
    const plain = { address: vault, topics: [TRANSFER, pad(alice), pad(bob)], data: amount(4) };
    const moved = (logs: readonly (typeof plain)[], standard: 'ERC20' | 'ERC721' | null) =>
      getAssetMovements({ coins: [], logs, getStandard: () => standard })
        .filter(({ account }) => account === bob)
        .map(({ kind, tokenId, change }) => [kind, tokenId, change]);
    const [tokens, nft] = [
      ['token', null, 4n],
      ['nft', 4n, 1n],
    ] as const;
    expect([moved([indexed], 'ERC20'), moved([indexed], 'ERC721'), moved([indexed], null)]).toEqual([
      [tokens],
      [nft],
      [nft],
    ]);
    expect([moved([plain], 'ERC20'), moved([plain], 'ERC721'), moved([plain], null)]).toEqual([
      [tokens],
      [nft],
      [tokens],
    ]);
    // Of both standards: amounts and ids.
    expect(moved([plain, indexed], 'ERC20')).toEqual([tokens, nft]);
  });

  test('are amounts of ERC-20, one piece of ERC-721, and pieces of ERC-1155, one by one or in a batch', () => {
    expect(movementsOf([{ address: vault, topics: [TRANSFER, pad(alice), pad(bob)], data: amount(9) }])).toEqual([
      [alice, 'token', null, -9n],
      [bob, 'token', null, 9n],
    ]);
    const nft = { address: vault, topics: [TRANSFER, pad(alice), pad(bob), amount(4)], data: '0x' };
    expect(movementsOf([nft])).toEqual([
      [alice, 'nft', 4n, -1n],
      [bob, 'nft', 4n, 1n],
    ]);
    const topics = [TRANSFER_SINGLE, pad(inner), pad(zero), pad(bob)];
    expect(movementsOf([{ address: vault, topics, data: words(6, 2) }])).toEqual([[bob, 'nft', 6n, 2n]]);
    const batch = { address: vault, topics: [TRANSFER_BATCH, ...topics.slice(1)] };
    expect(movementsOf([{ ...batch, data: words(64, 160, 2, 6, 8, 2, 10, 1) }])).toEqual([
      [bob, 'nft', 6n, 10n],
      [bob, 'nft', 8n, 1n],
    ]);
  });

  test('that come back are no change', () => {
    const there = { address: vault, topics: [TRANSFER, pad(alice), pad(bob)], data: amount(9) };
    const back = { address: vault, topics: [TRANSFER, pad(bob), pad(alice)], data: amount(9) };
    expect(movementsOf([there, back])).toEqual([]);
  });

  test('of malformed logs are left out', () => {
    const batch = { address: vault, topics: [TRANSFER_BATCH, pad(inner), pad(zero), pad(bob)] };
    for (const data of [
      '0x',
      words(64),
      words(64, 160, 2, 6),
      words(64, 96, 0, 1, 5),
      words(63, 160, 2, 6, 8, 2, 10, 1),
    ])
      expect(movementsOf([{ ...batch, data }])).toEqual([]);
    expect(
      movementsOf([{ address: vault, topics: [TRANSFER, `0x1${'0'.repeat(63)}`, pad(bob)], data: amount(1) }]),
    ).toEqual([]);
  });
});
