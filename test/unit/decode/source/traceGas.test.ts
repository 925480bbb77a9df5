// The gas of contracts that run in memory.
import { expect, test } from 'vitest';
import { createCancelledFault, isFault } from '../../../../src/base/errors.ts';
import type { Hex } from '../../../../src/base/hex.ts';
import { TaskPacer } from '../../../../src/base/taskPacer.ts';
import { StateChangeList } from '../../../../src/decode/source/stateChanges.ts';
import { toTransactionGas } from '../../../../src/decode/source/traceGas.ts';
import { toGasBlocks } from '../../../../src/view/source/gasBlocks.ts';
import { assemble, toCreationCode } from '../../../support/assemble.ts';
import { MemoryChain } from '../../../support/source/memoryChain.ts';
import { markerOf, traceArtifactCall } from '../../../support/source/tracedArtifact.ts';

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

const SILO = `
contract Silo {
    struct Load { string name; uint64 weight; bool isDry; }
    Load[] internal loads;
    mapping(address => Load) internal byOwner;
    uint64 internal total;

    function add(string calldata name, uint64 weight) external returns (uint256) {
        loads.push(Load(name, weight, true)); //~push
        total += weight; //~total
        return loads.length;
    }

    function set(string calldata name, uint64 weight) external {
        byOwner[msg.sender] = Load(name, weight, false); //~set
    }
}
`;
const optimizer = { enabled: true, runs: 200 };

test.each([
  ['without the optimizer', {}],
  ['with the optimizer', { optimizer }],
  ['by IR', { viaIR: true }],
  ['by IR with the optimizer', { viaIR: true, optimizer }],
])('what helper code of the compiler writes counts to the statement that needs it, %s', async (_, settings) => {
  // Both functions copy a structure with a long text: the optimizer leaves one copy of that code.
  const call = { functionName: 'add', args: ['a'.repeat(40), 7n] };
  const { trace, findProgram } = await traceArtifactCall('Silo', SILO, settings, call);
  const gas = await toTransactionGas({ ...trace, fixedGas: NO_FIXED_GAS }, findProgram, new TaskPacer(undefined));
  const lines = gas?.sources.flatMap(source => source.lines) ?? [];
  const hot = lines.filter(each => each.gas > 10_000);
  expect(hot.map(({ line }) => markerOf(SILO, line))).toEqual(['push', 'total']);
  // The length, two slots of text behind its own, and weight with the flag.
  expect(hot[0]?.gas).toBeGreaterThan(5 * 22_000);
  expect(lines.some(({ line }) => markerOf(SILO, line) === 'set')).toBe(false);
  // The choice of the function, its arguments and its result.
  const around = gas?.unmapped.reduce((sum, each) => sum + each.gas, 0) ?? 0;
  expect(around).toBeLessThan(2_000);
  const own = [...lines, ...(gas?.unmapped ?? [])].reduce((sum, each) => sum + each.gas, 0);
  expect(own).toBe(trace.frames[0]?.gasUsed);
});

const MILL = `
contract Mill {
    uint256 internal total;
    function grind(uint256 a) external {
        _add(a);
        _add(a, 2);
    }
    function _add(uint256 a) internal { total += a; } //~one
    function _add(uint256 a, uint256 b) internal { total += a * b; } //~two
}
`;

test('functions of one name are blocks of their own, each with its line', async () => {
  const call = { functionName: 'grind', args: [7n] };
  const { trace, findProgram } = await traceArtifactCall('Mill', MILL, {}, call);
  const gas = await toTransactionGas({ ...trace, fixedGas: NO_FIXED_GAS }, findProgram, new TaskPacer(undefined));
  if (gas === null) throw new Error('no gas');
  const [grind] = toGasBlocks(gas, () => null).children;
  const blocks = grind?.children.filter(({ kind }) => kind === 'function') ?? [];
  expect(blocks.map(({ label, location }) => [label, markerOf(MILL, location?.start.line ?? -1)]).sort()).toEqual([
    ['Mill._add(uint256)', 'one'],
    ['Mill._add(uint256, uint256)', 'two'],
  ]);
});
