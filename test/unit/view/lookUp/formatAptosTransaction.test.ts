import { expect, test } from 'vitest';
import type { AptosTransactionSummary } from '../../../../src/api/lookups.ts';
import { formatAptosTransaction } from '../../../../src/view/lookUp/formatAptosTransaction.ts';

const HASH = `0x${'1b'.repeat(32)}` as const;
const failed: AptosTransactionSummary = {
  ...{ kind: 'aptosTransaction', network: 'mainnet', hash: HASH, status: 'failed', vmStatus: 'Out of\u202egas' },
  ...{ version: 371_523_890n, type: 'user_transaction', sender: '0x5', sequenceNumber: 1n, gasUsed: 3n },
  ...{ entryFunction: '0x1::coin::transfer', gasUnitPrice: 100n, time: new Date(0), blockHeight: 7n, events: 1 },
};

test('says status, sender, function, version and block, without characters that turn text around', () => {
  expect(formatAptosTransaction(failed, 'mainnet')).toEqual([
    'Failed · Out of·gas',
    'by 0x5 · calls 0x1::coin::transfer',
    'Version 371,523,890 · block 7 · 1970-01-01T00:00:00.000Z',
    HASH,
  ]);
});

test('says on which network nothing was found', () => {
  expect(formatAptosTransaction({ kind: 'aptosNothing', network: 'testnet' }, 'testnet')).toEqual([
    'Not found on Aptos testnet',
  ]);
});
