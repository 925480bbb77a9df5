import { expect, test } from 'vitest';
import type { InternalCall, SourceLocation } from '../../../../src/api/transactionStack.ts';
import type { TransactionTrace } from '../../../../src/api/transactionTrace.ts';
import { createAbiRegistry } from '../../../../src/decode/abiRegistry.ts';
import { formatTrace, toTraceJson } from '../../../../src/decode/trace/formatTrace.ts';

const at = (line: number): SourceLocation => {
  const start = { line, character: 8 };
  return { source: 'src/Vault.sol', file: 'src/Vault.sol', isChanged: false, start, end: start };
};
const call = {
  ...{ status: 'success', haltReason: null, value: 0n, gasLimit: 9, gasUsed: 5, precompile: null, codeHash: null },
  ...{ logs: [], writes: [], selfDestructs: [], input: '0x', output: '0x', isUndone: false },
};
const run = { call: 0, contract: 'Vault', definition: at(1), callSite: at(11) };
const log = (step: number) => ({ step, address: '0xa1', topics: [`0x${step}`], data: '0x' });

const format = (calls: readonly object[], internalCalls: readonly InternalCall[]): readonly string[] => {
  const facts = { hash: '0x12', blockNumber: 3, gasUsed: 7n, by: 'replay', verified: true, steps: 40 };
  const trace = { ...facts, omittedCalls: 0, failure: null, calls } as unknown as TransactionTrace;
  const source = { stack: null, calls: [], internalCalls, unmatched: new Map(), lostSources: [] };
  return formatTrace({ trace, source }, createAbiRegistry(), true).split('\n').slice(3);
};

test('the tree of calls has the functions that ran inside a contract, in the order of their steps', () => {
  const calls = [
    { ...call, index: 0, parent: -1, depth: 0, kind: 'CALL', codeAddress: '0xa1', step: -1 },
    { ...call, index: 1, parent: 0, depth: 1, kind: 'CALL', codeAddress: '0xb2', step: 20 },
  ];
  const internalCalls = [
    { ...run, depth: 1, step: 10, endStep: 15, functionName: '_credit' },
    { ...run, depth: 1, step: 30, endStep: 35, functionName: 'clamp', contract: null, callSite: null },
  ];
  expect(format(calls, internalCalls)).toEqual([
    'CALL 0xa1 transfer [5 gas]',
    '  internal Vault._credit (src/Vault.sol:12:9)',
    '  CALL 0xb2 transfer [5 gas]',
    '  internal clamp',
  ]);
});

test('logs, storage writes and calls are below the function that made them', () => {
  const writes = [{ step: 24, isTransient: false, slot: '0x1', oldValue: '0x0', newValue: '0x5' }];
  const root = { index: 0, parent: -1, kind: 'CALL', codeAddress: '0xa1', step: -1, logs: [5, 22, 28, 50].map(log) };
  const calls = [
    { ...call, ...root, writes },
    { ...call, index: 1, parent: 0, kind: 'CALL', codeAddress: '0xb2', step: 23, logs: [log(23.5)] },
  ];
  const internalCalls = [
    { ...run, depth: 1, step: 10, endStep: 30, functionName: '_mint' },
    { ...run, depth: 2, step: 21, endStep: 26, functionName: '_update' },
  ];
  expect(format(calls, internalCalls)).toEqual([
    'CALL 0xa1 transfer [5 gas]',
    '  log 0x5',
    '  internal Vault._mint (src/Vault.sol:12:9)',
    '    internal Vault._update (src/Vault.sol:12:9)',
    '      log 0x22',
    '      CALL 0xb2 transfer [5 gas]',
    '        log 0x23.5',
    '      storage 0x1: 0x0 -> 0x5',
    '    log 0x28',
    '  log 0x50',
  ]);
});

test('what failed calls wrote, logged and called is marked as undone, what they did not do themselves is not', () => {
  const writes = [{ step: 12, isTransient: false, slot: '0x1', oldValue: '0x0', newValue: '0x5' }];
  const selfDestructs = [{ step: 31, beneficiary: '0xee', value: 1n }];
  const failed = { status: 'exceptional', haltReason: 'outOfGas', isUndone: true };
  const calls = [
    { ...call, index: 0, parent: -1, kind: 'CALL', codeAddress: '0xa1', step: -1, logs: [log(5)] },
    { ...call, ...failed, index: 1, parent: 0, kind: 'CALL', codeAddress: '0xb2', step: 10, writes, logs: [log(13)] },
    {
      ...call,
      isUndone: true,
      value: 7n,
      index: 2,
      parent: 1,
      kind: 'CALL',
      codeAddress: '0xc3',
      step: 30,
      selfDestructs,
    },
  ];
  expect(format(calls, [{ ...run, call: 2, depth: 1, step: 30.5, endStep: 33, functionName: '_leave' }])).toEqual([
    'CALL 0xa1 transfer [5 gas]',
    '  log 0x5',
    '  CALL 0xb2 transfer [5 gas] failed: Out of gas: the call had 9 gas',
    '    storage 0x1: 0x0 -> 0x5 [undone]',
    '    log 0x13 [undone]',
    '    CALL 0xc3 transfer value 7 [5 gas] [undone]',
    '      internal Vault._leave (src/Vault.sol:12:9)',
    '        selfdestruct to 0xee [undone]',
  ]);
});

test('the tree names the contract that was called, not the one that its function comes from', () => {
  const call = {
    ...{ status: 'success', haltReason: null, value: 0n, gasLimit: 9, gasUsed: 5, precompile: null, codeHash: '0x01' },
    ...{ logs: [], writes: [], selfDestructs: [], output: '0x', kind: 'DELEGATECALL' },
  };
  const trace = {
    ...{ hash: '0x12', blockNumber: 3, gasUsed: 7n, by: 'replay', verified: true, steps: 40, omittedCalls: 0 },
    ...{ failure: null, notes: [] },
    calls: [
      { ...call, index: 0, parent: -1, depth: 0, codeAddress: '0xa1', step: -1, input: '0xa9059cbb' },
      { ...call, index: 1, parent: 0, depth: 1, codeAddress: '0xb2', step: 20, input: '0x2f1ea8a7' },
      { ...call, index: 2, parent: 0, depth: 1, codeAddress: '0xc3', step: 30, input: '0x2f1ea8a8' },
    ],
  } as unknown as TransactionTrace;
  const place = { definition: null, callSite: null };
  const calls = [
    { ...place, call: 0, calledContract: 'Token', contract: 'ERC20', functionName: 'transfer' },
    { ...place, call: 1, calledContract: 'Rates', contract: 'Rates', functionName: 'at' },
    { ...place, call: 2, calledContract: 'Pool', contract: 'Pool', functionName: null },
  ];
  const source = { stack: null, calls, unmatched: new Map(), lostSources: [] };
  const registry = createAbiRegistry();
  expect(formatTrace({ trace, source }, registry, true).split('\n').slice(3)).toEqual([
    'DELEGATECALL 0xa1 Token.transfer 0xa9059cbb [5 gas]',
    '  DELEGATECALL 0xb2 Rates.at 0x2f1ea8a7 [5 gas]',
    '  DELEGATECALL 0xc3 Pool.0x2f1ea8a8 [5 gas]',
  ]);
  expect(toTraceJson({ trace: { ...trace, chain: { id: 1 } } as TransactionTrace, source }, registry)).toMatchObject({
    calls: [{ contract: 'Token', calls: [{ contract: 'Rates', call: 'at 0x2f1ea8a7' }, { call: '0x2f1ea8a8' }] }],
  });
});
