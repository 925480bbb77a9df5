// Raw signed transactions, as viem signs them.
import { keccak256, parseEther, serializeTransaction } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { parseRawTransaction } from '../../../../src/view/lookUp/rawTransaction.ts';
import { recoverSender } from '../../../../src/view/lookUp/recoverSender.ts';

/** The public key material of every Hardhat and Anvil node. */
const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' as const;
const shared = { nonce: 3, gas: 60_000n, to, value: parseEther('1.5'), data: '0xa1b2c3d4' } as const;
const fees = { maxFeePerGas: 7n * 10n ** 9n, maxPriorityFeePerGas: 1n };
const hash = `0x01${'5a'.repeat(31)}` as const;

describe('a raw signed transaction', () => {
  test.each([
    [0, { ...shared, type: 'legacy', chainId: 31337, gasPrice: 7n * 10n ** 9n }],
    [
      1,
      {
        ...shared,
        type: 'eip2930',
        chainId: 1,
        gasPrice: 7n * 10n ** 9n,
        accessList: [{ address: to, storageKeys: [hash] }],
      },
    ],
    [2, { ...shared, ...fees, type: 'eip1559', chainId: 8453 }],
    [3, { ...shared, ...fees, type: 'eip4844', chainId: 1, maxFeePerBlobGas: 1n, blobVersionedHashes: [hash] }],
    [4, { ...shared, ...fees, type: 'eip7702', chainId: 1, authorizationList: [] }],
  ] as const)('of type %i says who signed it, its hash and what it does', async (type, transaction) => {
    const raw = await account.signTransaction(transaction as never);
    const found = parseRawTransaction(raw);
    expect(found).toMatchObject({
      ...{ type, chainId: transaction.chainId, hash: keccak256(raw), nonce: 3n, gas: 60_000n },
      ...{ to: to.toLowerCase(), value: parseEther('1.5'), gasPrice: 7n * 10n ** 9n, data: '0xa1b2c3d4' },
    });
    expect(found && recoverSender(found)).toBe(account.address.toLowerCase());
  });

  test('is read for any chain, and as a creation', async () => {
    const { to: _, ...creation } = shared;
    const raw = await account.signTransaction({
      ...creation,
      type: 'legacy',
      gasPrice: 1n,
      data: `0x${'60'.repeat(300)}`,
    });
    const found = parseRawTransaction(raw);
    expect(found).toMatchObject({ chainId: null, to: null });
    expect(found && recoverSender(found)).toBe(account.address.toLowerCase());
  });

  test('is no unsigned one, and no other data', () => {
    expect(parseRawTransaction(serializeTransaction({ ...shared, ...fees, type: 'eip1559', chainId: 1 }))).toBeNull();
    expect(parseRawTransaction(`0x${'f8'.repeat(100)}`)).toBeNull();
    expect(parseRawTransaction(`0x02${'c0'.repeat(100)}`)).toBeNull();
    expect(parseRawTransaction(`0xd0e30db0${'00'.repeat(64)}`)).toBeNull();
  });
});
