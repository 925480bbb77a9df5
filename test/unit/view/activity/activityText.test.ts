// What a transaction did, in one line, with hostile texts of the chain and of files.
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/base/hex.ts';
import { createAbiRegistry } from '../../../../src/decode/abiRegistry.ts';
import {
  describeActivity,
  describeBalanceChange,
  type TransactionRecords,
  toActivityRow,
  toFailureGroupRow,
} from '../../../../src/view/activity/activityText.ts';

const ALICE: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const BOB: Hex = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const TOKEN: Hex = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const HASH: Hex = `0x${'12'.repeat(32)}`;
const names: Readonly<Record<string, string>> = { [ALICE]: 'Alice', [BOB]: 'Bob', [TOKEN]: 'MyToken' };

const none: TransactionRecords = { transaction: null, erc20Transfers: [], nftTransfers: [], logs: [] };
type Transaction = NonNullable<TransactionRecords['transaction']>;
const transaction = (change: Partial<Transaction>) =>
  ({
    ...{ hash: HASH, fromAddress: ALICE, toAddress: BOB, receiptContractAddress: null, value: 0n, input: '0x' },
    ...{ receiptStatus: 1, blockNumber: 12, blockTimestamp: new Date(0), ...change },
  }) as unknown as Transaction;
const erc20 = (tokenSymbol: string, value = 12_000000n) =>
  ({
    ...{ address: TOKEN, fromAddress: ALICE, toAddress: BOB, value, tokenSymbol, tokenDecimals: 6 },
    ...{ transactionHash: HASH, blockNumber: 12, blockTimestamp: new Date(0) },
  }) as unknown as TransactionRecords['erc20Transfers'][number];
const nft = (tokenId: bigint, amount = 1n) =>
  ({
    ...{ tokenAddress: TOKEN, tokenId, amount, fromAddress: ALICE, toAddress: BOB },
  }) as unknown as TransactionRecords['nftTransfers'][number];
const log = (topic0: Hex | null, topics: readonly Hex[] = [], data: Hex = '0x') =>
  ({
    ...{ address: TOKEN, topic0, topic1: topics[0] ?? null, topic2: topics[1] ?? null, topic3: null, data },
    ...{ transactionHash: HASH },
  }) as unknown as TransactionRecords['logs'][number];

const getName = (address: string) => names[address.toLowerCase()] ?? null;

function show(records: Partial<TransactionRecords>, nameOf = getName) {
  const format = { registry: createAbiRegistry(), getName: nameOf };
  const text = describeActivity({ ...none, ...records }, { coin: 'ETH', decimals: 18, getName: nameOf, format });
  if (text === null) return null;
  const item = { ...text, chain: 'local', hash: HASH, blockNumber: 12, time: null };
  return toActivityRow(item, 'Local', nameOf, 0);
}
const line = (records: Partial<TransactionRecords>) => {
  const row = show(records);
  return row === null ? null : `${row.label} · ${row.description.replace(' · block 12', '')}`;
};

const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const pad = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`;
const CALL = `0xa9059cbb${pad(BOB).slice(2)}${'0'.repeat(63)}1` as Hex;

describe('one line', () => {
  test('tells of a payment', () => {
    expect(line({ transaction: transaction({ value: 1_500_000_000_000_000_000n }) })).toBe('1.5 ETH · Alice → Bob');
    expect(line({ transaction: transaction({}) })).toBe('0 ETH · Alice → Bob');
  });

  test('of a transfer, with the function that made it, before what was called', () => {
    const records = { transaction: transaction({ toAddress: TOKEN, input: CALL }), erc20Transfers: [erc20('MFT')] };
    expect(show(records)).toMatchObject({
      label: '12 MFT',
      description: 'Alice → Bob · transfer · block 12',
    });
  });

  test('of several transfers and of NFTs', () => {
    expect(line({ erc20Transfers: [erc20('MFT'), erc20('MFT')], nftTransfers: [nft(7n)] })).toBe(
      '12 MFT +2 · Alice → Bob',
    );
    expect(line({ nftTransfers: [nft(7n)] })).toBe('MyToken #7 · Alice → Bob');
    expect(line({ nftTransfers: [nft(7n, 3n)] })).toBe('3 × MyToken #7 · Alice → Bob');
  });

  test('of a call, known or not', () => {
    expect(line({ transaction: transaction({ toAddress: TOKEN, input: CALL }) })).toBe('transfer · Alice → MyToken');
    expect(line({ transaction: transaction({ toAddress: TOKEN, input: '0x12345678' }) })).toBe(
      '0x12345678 · Alice → MyToken',
    );
  });

  test('of a call to a contract that logged something has what it logged', () => {
    const call = transaction({ toAddress: TOKEN, input: CALL });
    const logs = [log(TRANSFER, [pad(ALICE), pad(BOB)], `0x${'0'.repeat(63)}5`), log(null)];
    expect(line({ transaction: call, logs })).toBe('Transfer 5 Alice → Bob +1 · Alice → MyToken · transfer');
    expect(line({ transaction: { ...call, receiptStatus: 0 }, logs })).toMatch(/^transfer · .*Alice → MyToken$/);
  });

  test('of a creation, also of one that failed', () => {
    const created = transaction({ toAddress: null, receiptContractAddress: TOKEN, input: '0x6080604052' });
    expect(line({ transaction: created })).toBe('creates a contract · Alice → MyToken');
    const failed = { ...created, receiptStatus: 0 } as Transaction; // nodes name the address in its receipt too
    expect(show({ transaction: failed })).toMatchObject({ description: 'failed · Alice · block 12' });
  });

  test('of a failed transaction says so', () => {
    const failed = transaction({ value: 5n, receiptStatus: 0 });
    expect(show({ transaction: failed })?.description).toBe('failed · Alice → Bob · block 12');
  });

  test('of a failed transaction says why and where as far as that is known, and its tooltip has the whole addresses', () => {
    const failed = transaction({ toAddress: TOKEN, input: CALL, receiptStatus: 0 });
    const format = { registry: createAbiRegistry(), getName };
    const text = describeActivity({ ...none, transaction: failed }, { coin: 'ETH', decimals: 18, getName, format });
    if (text === null) throw new Error('It is described.');
    const activity = {
      ...text,
      reason: 'Reverted: TooLate(by: 5)',
      place: 'src/Vault.sol:41',
      chain: 'local',
      hash: HASH,
      blockNumber: 12,
      time: null,
    };
    const row = toActivityRow(activity, 'Local', getName, 0);
    expect(`${row.label} · ${row.description}`).toBe(
      'transfer · Reverted: TooLate(by: 5) · src/Vault.sol:41 · Alice → MyToken · block 12',
    );
    const facts = Object.fromEntries(row.facts.map(({ name, value }) => [name, value]));
    expect(facts).toMatchObject({
      Failure: 'Reverted: TooLate(by: 5) · src/Vault.sol:41',
      From: 'Alice 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      To: 'MyToken 0x5FbDB2315678afecb367f032d93F642f64180aa3',
    });
    const item = { ...activity, watches: ['alice'], state: 'seen' } as const;
    expect(toFailureGroupRow([item, item], 'Local', getName, 0)).toMatchObject({
      label: 'transfer × 2',
      description: 'Reverted: TooLate · Alice → MyToken · block 12',
    });
    const group = toFailureGroupRow([item, { ...item, from: BOB }], 'Local', getName, 0);
    expect(group.description).toBe('Reverted: TooLate · 2 senders → MyToken · block 12');
    expect(Object.fromEntries(group.facts.map(({ name, value }) => [name, value]))).toEqual({
      Failure: 'Reverted: TooLate',
      From: 'Alice 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 · Bob 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      To: 'MyToken 0x5FbDB2315678afecb367f032d93F642f64180aa3',
      Method: 'transfer',
      Chain: 'Local',
    });
  });

  test('of several transfers has all of them in its tooltip', () => {
    const row = show({ erc20Transfers: [erc20('MFT'), erc20('ABC', 3_000000n)], nftTransfers: [nft(7n)] });
    expect(row?.label).toBe('12 MFT +2');
    expect(row?.facts).toContainEqual({ name: 'All', value: '12 MFT · 3 ABC · MyToken #7' });
  });

  test('of logs of a contract that another one called', () => {
    const amount = `0x${'0'.repeat(63)}5` as Hex;
    expect(line({ logs: [log(TRANSFER, [pad(ALICE), pad(BOB)], amount)] })).toBe('Transfer 5 Alice → Bob · MyToken');
    expect(line({ logs: [log(HASH), log(HASH)] })).toBe('0x1212…1212 +1 · MyToken');
    expect(line({ logs: [log(null)] })).toBe('Anonymous event · MyToken');
  });
});

test('no records give no text', () => {
  expect(show({})).toBeNull();
});

test('hostile symbols and names stay one line without hidden characters', () => {
  const symbol = '\u202e[x](command:a)\n<b>';
  const hostileName = () => `a\n\u202eb${'z'.repeat(500)}`;
  const row = show({ erc20Transfers: [erc20(symbol)] }, hostileName);
  for (const text of [row?.label, row?.description, ...(row?.facts ?? []).map(({ value }) => value)]) {
    expect(text).not.toMatch(/[\n\u202e]/);
    expect(text?.length).toBeLessThan(320);
  }
});

describe('a change of a balance', () => {
  const balances = { wallet: ALICE, before: 10n ** 18n, fromBlock: 12, toBlock: 13 };
  const paid = { value: 0n, gasPrice: 1n, receiptGasUsed: 21_000n, receiptFeeToken: null, receiptFeeIncomplete: null };
  const describe = (after: bigint, change: Partial<Transaction>) =>
    describeBalanceChange({ ...balances, after }, [transaction({ ...paid, ...change })], { coin: 'ETH', decimals: 18 });

  test('is explained by the whole fee, of which most may be for L1', () => {
    expect(describe(10n ** 18n - 10n ** 16n, { receiptFee: 10n ** 16n })).toBeNull();
  });

  test('is explained without a fee that was paid in a token', () => {
    expect(describe(10n ** 18n, { receiptFee: 5_000n, receiptFeeToken: TOKEN })).toBeNull();
  });

  test('may be a part of a fee that is not known, and is shown where all fees are known', () => {
    const after = 10n ** 18n - 10n ** 16n;
    expect(describe(after, { receiptFee: 21_000n, receiptFeeIncomplete: true })).toBeNull();
    expect(describe(after, { receiptFee: null })).toBeNull();
    expect(describe(after, { receiptFee: 5n * 10n ** 15n })?.what).toBe(
      'Balance changed by another -0.005 ETH between blocks 12 and 13',
    );
  });
});
