// Which function emitted each log of a transaction.
import { encodeFunctionData, parseAbi } from 'viem';
import { describe, expect, test } from 'vitest';
import { MAX_INTERNAL_CALLS } from '../../../src/api/transactionStack.ts';
import type { TransactionTrace } from '../../../src/api/transactionTrace.ts';
import type { Hex } from '../../../src/base/hex.ts';
import { readAbi } from '../../../src/decode/abiItem.ts';
import { createAbiRegistry } from '../../../src/decode/abiRegistry.ts';
import { fetchLogEmitters } from '../../../src/extension/inspector/logEmitters.ts';

const cooper = `0x${'c0'.repeat(20)}` as const;
const cellar = `0x${'ce'.repeat(20)}` as const;
const abi = parseAbi(['function deliver(uint256 amount)', 'function store(uint256 amount)']);
const registry = createAbiRegistry();
registry.set({ id: 'Cellar', items: readAbi(abi, 'Cellar') });

const log = (step: number) => ({ step, address: cellar, topics: [], data: '0x' as Hex });
const call = (
  index: number,
  codeAddress: Hex,
  functionName: 'deliver' | 'store',
  steps: readonly number[],
  isUndone = false,
) => ({
  index,
  kind: 'CALL',
  codeAddress,
  input: encodeFunctionData({ abi, functionName, args: [1n] }),
  isUndone,
  logs: steps.map(log),
});
const calls = [
  call(0, cooper, 'deliver', [5, 90]),
  call(1, cellar, 'store', [40]),
  call(2, cellar, 'store', [60], true),
];
const trace = { kind: 'trace', verified: true, omittedCalls: 0, calls };

const target = { chain: 'local', hash: `0x${'11'.repeat(32)}` } as const;
const fetchEmitters = (change: object = {}, isOnLoopback = true, source: object | null = null) =>
  fetchLogEmitters(
    target,
    {
      lookup: async () => ({ ...trace, ...change }) as unknown as TransactionTrace,
      chains: () => [{ selector: 'local', isOnLoopback, isLocal: isOnLoopback }],
      fetchSource: async () => source,
      loadAbis: async () => registry,
      identify: async () => null,
      getName: (address: Hex) => (address === cellar ? 'Cellar' : 'Cooper'),
    } as never,
    new AbortController().signal,
  );

describe('the function that emitted a log', () => {
  test('is that of the call, in the order of the logs, without those that were undone', async () => {
    expect(await fetchEmitters()).toEqual(['Cooper.deliver', 'Cellar.store', 'Cooper.deliver']);
  });

  test('has the name that the source gives it', async () => {
    const source = { calls: [{ call: 1, contract: 'CellarBase', functionName: 'store' }] };
    expect(await fetchEmitters({}, true, source)).toEqual(['Cooper.deliver', 'CellarBase.store', 'Cooper.deliver']);
  });

  test('is the innermost one inside the contract that was running', async () => {
    const inside = { call: 1, depth: 1, contract: 'CellarBase', definition: null, callSite: null };
    const internalCalls = [
      { ...inside, functionName: '_store', step: 30, endStep: 45 },
      { ...inside, functionName: '_check', step: 32, endStep: 36 },
      { ...inside, functionName: '_log', depth: 2, step: 38, endStep: 42 },
      { ...inside, functionName: 'count', contract: null, call: 0, step: 80, endStep: 90 },
    ];
    const calls = [{ call: 1, contract: 'CellarBase', functionName: 'store' }];
    const expected = ['Cooper.deliver', 'CellarBase._log', 'Cooper.deliver'];
    expect(await fetchEmitters({}, true, { calls, internalCalls })).toEqual(expected);
    const many = [...internalCalls, ...Array(MAX_INTERNAL_CALLS).fill(internalCalls[3])];
    expect(await fetchEmitters({}, true, { calls, internalCalls: many })).toEqual(expected.with(1, 'CellarBase.store'));
  });

  test('is unknown where the trace is not that of the chain, or would be paid for', async () => {
    expect(await fetchEmitters({ verified: false })).toEqual([]);
    expect(await fetchEmitters({ omittedCalls: 3 })).toEqual([]);
    expect(await fetchEmitters({}, false)).toEqual([]);
  });
});
