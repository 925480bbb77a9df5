import { describe, expect, test } from 'vitest';
import { operationIds } from '../../../src/api/operations/operations.ts';
import { getOperationsByCategory } from '../../../src/view/operations/operationCategories.ts';

describe('categories of operations', () => {
  const picked = getOperationsByCategory();

  test('every operation is in one of them', () => {
    expect(picked.map(({ id }) => id).sort()).toEqual([...operationIds].sort());
  });

  test('operations of a category stand together', () => {
    const runs = picked.map(({ category }) => category).filter((category, index, all) => category !== all[index - 1]);
    expect(runs).toEqual([...new Set(runs)]);
  });

  test.each([
    ['block', 'Blocks, Transactions and Logs'],
    ['contractLogs', 'Blocks, Transactions and Logs'],
    ['erc20Mints', 'Balances and Tokens'],
    ['walletBalances', 'Balances and Tokens'],
    ['nftLowestPrice', 'NFTs'],
    ['walletNfts', 'NFTs'],
    ['aptosWalletNfts', 'Aptos'],
    ['verifySignIn', 'Sign-In'],
  ] as const)('%s is in %s', (id, category) => {
    expect(picked.find(entry => entry.id === id)?.category).toBe(category);
  });
});
