// What single steps cost, over contracts that run in memory.
import { expect, test } from 'vitest';
import type { Hex } from '../../../../src/base/hex.ts';
import { TaskPacer } from '../../../../src/base/taskPacer.ts';
import { getStepCosts } from '../../../../src/decode/trace/stepCosts.ts';
import { assemble, toCreationCode } from '../../../support/assemble.ts';
import { MemoryChain } from '../../../support/source/memoryChain.ts';

const ALICE: Hex = `0x${'a1'.repeat(20)}`;
const EMPTY: Hex = `0x${'b2'.repeat(20)}`;
const [CALL, DELEGATECALL, STATICCALL] = [0xf1, 0xf4, 0xfa];

test.each([
  ['berlin', 'a call of an account', `0 0 0 0 0 ${EMPTY} GAS CALL STOP`, [[CALL, 2_500]]],
  ['osaka', 'a second call of it', `0 0 0 0 0 ${EMPTY} GAS CALL 0 0 0 0 0 ${EMPTY} GAS CALL STOP`, [[CALL, 2_500]]],
  ['osaka', 'a call with ether', `0 0 0 0 1 ${EMPTY} GAS CALL STOP`, [[CALL, 2_500]]],
  ['osaka', 'a call of a precompile that costs 3,000 gas itself', '0 0 0 0 1 GAS STATICCALL STOP', []],
  ['osaka', 'a delegate call with much memory', `0xffff 0 0 0 ${EMPTY} GAS DELEGATECALL STOP`, [[DELEGATECALL, 2_500]]],
  ['osaka', 'a slot that is read twice', '9 SLOAD 9 SLOAD STOP', [[0x54, 2_000]]],
  ['osaka', 'a slot that is set', '1 9 SSTORE STOP', [[0x55, 2_100]]],
  ['osaka', 'a slot that was read before it is set', '9 SLOAD 1 9 SSTORE STOP', [[0x54, 2_000]]],
  ['osaka', 'a beneficiary', `${EMPTY} SELFDESTRUCT`, [[0xff, 2_600]]],
  ['istanbul', 'a slot, a balance and a slot that is set', `9 SLOAD ${EMPTY} BALANCE 1 9 SSTORE STOP`, []],
] as const)('by the rules of %s, first accesses cost more: %s', async (hardfork, _, source, expected) => {
  const chain = await MemoryChain.create([ALICE]);
  const to = await chain.send({ from: ALICE, to: null, value: 5n, input: toCreationCode(assemble(source)) });
  const trace = await chain.trace({ from: ALICE, to, input: '0x' }, hardfork);
  const { coldAccess } = await getStepCosts(trace, new TaskPacer(undefined));
  expect([...coldAccess].map(([step, gas]) => [trace.steps.op[step], gas])).toEqual(expected);
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
  const { memory } = await getStepCosts(trace, new TaskPacer(undefined));
  const own = [...memory].filter(([step]) => trace.steps.frame[step] === 0);
  expect(own.map(([step, gas]) => [trace.steps.op[step], gas])).toEqual([
    [STATICCALL, 15],
    [0x52, 3],
  ]);
});
