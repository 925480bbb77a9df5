// The gas of contracts that run in memory, without a build.
import { expect, test } from 'vitest';
import type { Hex } from '../../../../src/base/hex.ts';
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
  const gas = toTransactionGas({ ...trace, fixedGas: NO_FIXED_GAS }, () => null);
  expect(gas?.unknown.map(({ coldAccess }) => coldAccess)).toEqual([expected]);
});
