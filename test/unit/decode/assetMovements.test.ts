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
});
