// The page of a simulated call: it says that it is one, and shows what it returned, would move and notes.

// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { ok } from './connectedPanel.ts';
import { textOf } from './dom.ts';
import { createPageFixture, shows } from './openPage.ts';

const { open } = createPageFixture();
const FROM = '0x1111111111111111111111111111111111111111';
const TO = '0x2222222222222222222222222222222222222222';
const HASH = `0x${'ab'.repeat(32)}` as const;
const context = {
  parentHash: HASH,
  time: 1_700_000_000,
  gasLimit: '0x1c9c380',
  feeRecipient: FROM,
  prevRandao: HASH,
} as const;
const simulation = { from: FROM, to: TO, data: '0x12345678', block: 63, context } as const;
const chain = { id: 31_337, name: 'Local', coin: 'ETH', decimals: 18 };
const call = {
  ...{ index: 0, parent: -1, depth: 0, kind: 'CALL', caller: FROM, address: TO, codeAddress: TO, codeHash: HASH },
  ...{
    value: 5n * 10n ** 17n,
    gasLimit: 1e6,
    gasUsed: 100,
    input: '0x12345678',
    inputSize: 4,
    output: '0x2a',
    outputSize: 1,
  },
  ...{
    status: 'success',
    haltReason: null,
    isUndone: false,
    precompile: null,
    step: -1,
    logs: [],
    writes: [],
    selfDestructs: [],
  },
};
const transaction = {
  ...{ hash: HASH, nonce: 0n, transactionIndex: 0, fromAddress: FROM, toAddress: TO, fromAddressLabel: null },
  ...{ toAddressLabel: null, value: 5n * 10n ** 17n, gas: 1_000_000n, gasPrice: 0n, input: '0x12345678' },
  ...{ receiptCumulativeGasUsed: null, receiptGasUsed: 21_100n, receiptContractAddress: null, receiptStatus: 1 },
  ...{ receiptFee: 0n, receiptFeeToken: null, receiptFeeIncomplete: null, blockTimestamp: new Date(1_700_000_000_000) },
  ...{ blockNumber: 64, blockHash: HASH, logs: [], internalTransactions: [] },
};

const trace = {
  ...{ kind: 'trace', chain, hash: null, simulation, blockNumber: 64, blockHash: null, status: 'success' },
  ...{ gasUsed: 21_100n, by: 'replay', verified: false, steps: 10, calls: [call], omittedCalls: 0 },
  ...{ failure: null, notes: [] },
};
const simulated = {
  ...{ kind: 'simulatedTransaction', transaction, simulation, isConfirmed: false },
  notes: ['The node’s own eth_call failed in another way than this simulation.'],
};

test('says that it is simulated, what it returned and would move, and where the node differs', async () => {
  await open({
    target: { kind: 'simulation', chain: 'local', simulation },
    reply: () => ok({}),
    lookup: id => (id === 'simulatedTransaction' ? simulated : id === 'transactionTrace' ? trace : undefined),
  });
  await shows('was never signed or sent');
  await shows('failed in another way than this simulation');
  await shows('Returned');
  await shows('+0.5');
  const text = textOf(document.body);
  expect(text).toContain('Simulated call');
  expect(text).not.toContain(HASH.slice(0, 12));
});
