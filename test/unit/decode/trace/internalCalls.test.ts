import { expect, test } from 'vitest';
import type { SourceLocation } from '../../../../src/api/transactionStack.ts';
import type { TracedCall, TransactionTrace } from '../../../../src/api/transactionTrace.ts';
import { createAbiRegistry } from '../../../../src/decode/abiRegistry.ts';
import { formatTrace } from '../../../../src/decode/trace/formatTrace.ts';

test('the tree of calls has the functions that ran inside a contract, in the order of their steps', () => {
  const at = (line: number): SourceLocation => {
    const start = { line, character: 8 };
    return { source: 'src/Vault.sol', file: 'src/Vault.sol', isChanged: false, start, end: start };
  };
  const call = {
    ...{ status: 'success', haltReason: null, value: 0n, gasLimit: 9, gasUsed: 5, precompile: null, codeHash: null },
    ...{ logs: [], writes: [], selfDestructs: [], input: '0x', output: '0x' },
  };
  const trace = {
    ...{
      hash: '0x12',
      blockNumber: 3,
      gasUsed: 7n,
      by: 'replay',
      verified: true,
      steps: 40,
      omittedCalls: 0,
      failure: null,
    },
    calls: [
      { ...call, index: 0, parent: -1, depth: 0, kind: 'CALL', codeAddress: '0xa1', step: -1 },
      { ...call, index: 1, parent: 0, depth: 1, kind: 'CALL', codeAddress: '0xb2', step: 20 },
    ] as unknown as readonly TracedCall[],
  } as unknown as TransactionTrace;
  const run = { call: 0, contract: 'Vault', definition: at(1), callSite: at(11) };
  const internalCalls = [
    { ...run, depth: 1, step: 10, functionName: '_credit' },
    { ...run, depth: 2, step: 30, functionName: 'clamp', contract: null, callSite: null },
  ];
  const source = { stack: null, calls: [], internalCalls, unmatched: new Map(), lostSources: [] };
  expect(formatTrace({ trace, source }, createAbiRegistry(), true).split('\n').slice(3)).toEqual(
    [
      'CALL 0xa1 transfer [5 gas]',
      '  internal Vault._credit (src/Vault.sol:12:9)',
      '  CALL 0xb2 transfer [5 gas]',
      '    internal clamp',
    ].slice(0),
  );
});
