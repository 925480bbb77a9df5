// The gas of contracts that run in memory, without a build.
import { expect, test } from 'vitest';
import { createCancelledFault, isFault } from '../../../../src/base/errors.ts';
import type { Hex } from '../../../../src/base/hex.ts';
import { TaskPacer } from '../../../../src/base/taskPacer.ts';
import { StateChangeList } from '../../../../src/decode/source/stateChanges.ts';
import { toTransactionGas } from '../../../../src/decode/source/traceGas.ts';
import { assemble, toCreationCode } from '../../../support/assemble.ts';
import { MemoryChain } from '../../../support/source/memoryChain.ts';

const ALICE: Hex = `0x${'a1'.repeat(20)}`;
const EMPTY: Hex = `0x${'b2'.repeat(20)}`;
const NO_FIXED_GAS = { transaction: 0, data: 0, accessList: 0, authorizations: 0, refund: 0, floor: 0 };

test.each([
  ['a call that was made', `0 0 0 0 ${EMPTY} GAS STATICCALL STOP`, 2_500],
  ['a call that halted, as its memory costs more than there was', `0xffffffff 0 0 0 ${EMPTY} GAS STATICCALL STOP`, 0],
])('says what was paid for the first access of %s', async (_, source, expected) => {
  const chain = await MemoryChain.create([ALICE]);
  const to = await chain.send({ from: ALICE, to: null, input: toCreationCode(assemble(source)) });
  const trace = await chain.trace({ from: ALICE, to, input: '0x' });
  const gas = await toTransactionGas({ ...trace, fixedGas: NO_FIXED_GAS }, () => null, new TaskPacer(undefined));
  expect(gas?.unknown.map(({ coldAccess }) => coldAccess)).toEqual([expected]);
});

test('the work on a trace ends where it was cancelled', async () => {
  const chain = await MemoryChain.create([ALICE]);
  const to = await chain.send({ from: ALICE, to: null, input: toCreationCode(assemble('1 2 SSTORE STOP')) });
  const trace = { ...(await chain.trace({ from: ALICE, to, input: '0x' })), fixedGas: NO_FIXED_GAS };
  const cancelled = { pause: () => Promise.reject(createCancelledFault()) } as unknown as TaskPacer;
  const isCancelled = (error: unknown) => isFault(error, 'cancelled');
  await expect(toTransactionGas(trace, () => null, cancelled)).rejects.toSatisfy(isCancelled);
  await expect(new StateChangeList(trace, () => null, cancelled).list()).rejects.toSatisfy(isCancelled);
});
