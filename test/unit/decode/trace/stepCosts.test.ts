// What single steps cost, over contracts that run in memory.
import { expect, test } from 'vitest';
import type { Hex } from '../../../../src/base/hex.ts';
import { getColdAccess, getStepCosts } from '../../../../src/decode/trace/stepCosts.ts';
import { assemble, toCreationCode } from '../../../support/assemble.ts';
import { MemoryChain } from '../../../support/source/memoryChain.ts';

const ALICE: Hex = `0x${'a1'.repeat(20)}`;
const [CALL, DELEGATECALL, STATICCALL] = [0xf1, 0xf4, 0xfa];

test.each([
  ['a warm call', CALL, 100, false, 0],
  ['a cold call', CALL, 2_600, false, 2_500],
  ['a warm call with ether', CALL, 100 + 6_700, true, 0],
  ['a cold call with ether', CALL, 2_600 + 6_700, true, 2_500],
  ['a warm call with ether to a new account', CALL, 100 + 6_700 + 25_000, true, 0],
  ['a cold call with ether to a new account', CALL, 2_600 + 6_700 + 25_000, true, 2_500],
  ['a cold DELEGATECALL in a call with ether', DELEGATECALL, 2_600, true, 2_500],
  ['a warm STATICCALL', STATICCALL, 100, false, 0],
])('%s paid for the first access: %#', (_, op, cost, hasValue, expected) => {
  expect(getColdAccess(op, cost, hasValue)).toBe(expected);
});

test('a call pays for memory that it takes for the result, although the called contract has as much memory', async () => {
  const chain = await MemoryChain.create([ALICE]);
  // The called contract ends with five words of memory.
  const callee = await chain.send({
    from: ALICE,
    to: null,
    input: toCreationCode(assemble('1 128 MSTORE 0 0 RETURN')),
  });
  // 160 bytes at 0 for the result are five words too; the word after it is one more.
  const source = `160 0 0 0 ${callee} GAS STATICCALL POP 1 160 MSTORE STOP`;
  const caller = await chain.send({ from: ALICE, to: null, input: toCreationCode(assemble(source)) });
  const trace = await chain.trace({ from: ALICE, to: caller, input: '0x' });
  const { memory } = getStepCosts(trace);
  const own = [...memory].filter(([step]) => trace.steps.frame[step] === 0);
  expect(own.map(([step, gas]) => [trace.steps.op[step], gas])).toEqual([
    [STATICCALL, 15],
    [0x52, 3],
  ]);
});
