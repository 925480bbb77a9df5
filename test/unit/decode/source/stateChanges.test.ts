// What transactions changed, over contracts that run in memory.
import { expect, test } from 'vitest';
import type { StateChanges } from '../../../../src/api/stateChanges.ts';
import type { Hex } from '../../../../src/base/hex.ts';
import { TaskPacer } from '../../../../src/base/taskPacer.ts';
import type { ContractProgram } from '../../../../src/decode/source/contractProgram.ts';
import { StateChangeList } from '../../../../src/decode/source/stateChanges.ts';
import { assemble, toCreationCode } from '../../../support/assemble.ts';
import { MemoryChain } from '../../../support/source/memoryChain.ts';

const ALICE: Hex = `0x${'a1'.repeat(20)}`;

test('the storage of a contract that was created and deleted in one transaction did not change', async () => {
  const chain = await MemoryChain.create([ALICE]);
  // The constructor writes slot 1 and deletes the contract.
  const trace = await chain.trace({ from: ALICE, to: null, input: `0x${assemble('7 1 SSTORE CALLER SELFDESTRUCT')}` });
  expect(trace.writes).toHaveLength(1);
  const { accounts } = await new StateChangeList(trace, () => null, new TaskPacer(undefined)).list();
  expect(accounts.map(({ address, storage }) => ({ address, storage }))).toEqual([{ address: ALICE, storage: [] }]);
});

test('the storage of an older contract that runs SELFDESTRUCT lasts (EIP-6780)', async () => {
  const chain = await MemoryChain.create([ALICE]);
  const input = toCreationCode(assemble('7 1 SSTORE CALLER SELFDESTRUCT'));
  const contract = await chain.send({ from: ALICE, to: null, input });
  const trace = await chain.trace({ from: ALICE, to: contract, input: '0x' });
  const { accounts } = await new StateChangeList(trace, () => null, new TaskPacer(undefined)).list();
  const changes = accounts.flatMap(({ storage }) => storage);
  expect(changes.map(({ slots, oldValue, newValue }) => [slots, BigInt(oldValue), BigInt(newValue)])).toEqual([
    [[1n], 0n, 7n],
  ]);
});

test('a contract without a build is not called by the name of a library that it delegates to', async () => {
  const chain = await MemoryChain.create([ALICE]);
  const create = async (code: string) =>
    (await chain.send({ from: ALICE, to: null, input: toCreationCode(code) })) as Hex;
  const library = await create(assemble('STOP'));
  const contract = await create(assemble(`0 0 0 0 ${BigInt(library)} GAS DELEGATECALL STOP`));
  const trace = await chain.trace({ from: ALICE, to: contract, input: '0x', value: 5n });
  const named = (code: Hex, name: string) =>
    new StateChangeList(
      trace,
      ({ codeAddress }) => (codeAddress === code ? ({ name, declarations: null } as ContractProgram) : null),
      new TaskPacer(undefined),
    ).list();
  const nameOf = ({ accounts }: StateChanges) => accounts.find(({ address }) => address === contract)?.contract;
  expect(nameOf(await named(library, 'Rates'))).toBe(null);
  expect(nameOf(await named(contract, 'Vault'))).toBe('Vault');
});
