// The tables of what a node says of a transaction beside its record.
import { expect, test } from 'vitest';
import { toNodeTransactionTables } from '../../../src/extension/inspector/nodeTransactionTables.ts';

const ETHER = { symbol: 'ETH', decimals: 18 };
const r = `0x${'1a'.repeat(32)}`;
const s = `0x${'2b'.repeat(32)}`;

/** Each table by its name, its rows as texts by the labels of their columns. */
function getTables(transaction: Record<string, unknown>, receipt: Record<string, unknown> = {}) {
  const tables = toNodeTransactionTables({ kind: 'nodeTransaction', transaction, receipt }, ETHER);
  return Object.fromEntries(
    tables.map(({ name, columns, rows }) => [
      name,
      rows.map(row =>
        Object.fromEntries(
          columns.map(({ label, unit }, index) => [label, [row[index], unit].filter(Boolean).join(' ')]),
        ),
      ),
    ]),
  );
}

test('fees per gas, the type and the signature of a transaction are named', () => {
  const transaction = {
    type: '0x2',
    maxFeePerGas: '0x77359400',
    maxPriorityFeePerGas: '0x3b9aca00',
    r,
    s,
    yParity: '0x1',
  };
  expect(getTables(transaction, { effectiveGasPrice: '0x4a817c80' })).toEqual({
    details: [
      {
        Type: '2 (EIP-1559)',
        'Paid per gas': '1250000000 gwei',
        'Max fee per gas': '2000000000 gwei',
        'Max priority fee per gas': '1000000000 gwei',
        'Signature r': r,
        'Signature s': s,
        'Signature y parity': '1',
      },
    ],
  });
});

test('the access list of a transaction has its slots, and an empty one is not shown', () => {
  const address = `0x${'c0'.repeat(20)}`;
  const accessList = [
    { address, storageKeys: [r, s] },
    { address, storageKeys: [] },
  ];
  expect(getTables({ type: '0x1', accessList })['accessList']).toEqual([
    { Address: address, 'Storage slots': `${r}\n${s}` },
    { Address: address, 'Storage slots': '' },
  ]);
  expect(Object.keys(getTables({ type: '0x1', accessList: [] }))).toEqual(['details']);
});

test('authorizations of EIP-7702 say where an account delegates to', () => {
  const address = `0x${'de'.repeat(20)}`;
  const authorizationList = [{ address, chainId: '0x7a69', nonce: '0x5', r, s, yParity: '0x0' }];
  expect(getTables({ type: '0x4', authorizationList })).toMatchObject({
    details: [{ Type: '4 (EIP-7702)' }],
    authorizations: [{ 'Delegates to': address, 'Chain ID': '31337', Nonce: '5', 'Signature y parity': '0' }],
  });
});

test('blobs have their hashes and what was paid for them', () => {
  const blobVersionedHashes = [`0x01${'11'.repeat(31)}`, `0x01${'22'.repeat(31)}`];
  expect(
    getTables(
      { type: '0x3', blobVersionedHashes, maxFeePerBlobGas: '0x3' },
      { blobGasUsed: '0x40000', blobGasPrice: '0x1' },
    ),
  ).toMatchObject({
    details: [
      {
        Type: '3 (EIP-4844)',
        Blobs: blobVersionedHashes.join('\n'),
        'Blob gas used': '262144',
        'Paid per blob gas': '1 gwei',
      },
    ],
  });
});

test('a transaction without blobs pays nothing for them, whatever price its node gives', () => {
  for (const receipt of [{ blobGasPrice: '0x1' }, { blobGasPrice: '0x1', blobGasUsed: '0x0' }])
    expect(getTables({ type: '0x2' }, receipt)['details']?.[0]).not.toHaveProperty('Paid per blob gas');
});

test('what a node writes in another form is left out, and a type without a name is its number', () => {
  expect(
    getTables({ type: '0x2a', maxFeePerGas: 12, r: 'none', accessList: 'no', authorizationList: [null, 1] }),
  ).toEqual({
    details: [{ Type: '42' }],
  });
  expect(toNodeTransactionTables({ kind: 'nodeTransaction', transaction: null, receipt: null }, ETHER)).toEqual([]);
});
