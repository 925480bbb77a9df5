// What a traced call returned, by the ABI of the project.
import { expect, test } from 'vitest';
import type { TransactionTrace } from '../../../../src/api/transactionTrace.ts';
import { parseAbiItem } from '../../../../src/decode/abiItem.ts';
import { createAbiRegistry } from '../../../../src/decode/abiRegistry.ts';
import { formatReturned, toReturnedJson } from '../../../../src/decode/trace/returnedValues.ts';

const status = { name: '', type: 'uint8', internalType: 'enum Lot.Status' };
const registry = createAbiRegistry();
const move = parseAbiItem({ type: 'function', name: 'move', inputs: [status], outputs: [status] }, 'Lot');
registry.set({ id: 'Lot', items: move === null ? [] : [move] });
registry.setEnums('Lot', new Map([['Lot.Status', ['Open', 'Sold']]]));

const word = '1'.padStart(64, '0');
const call = { kind: 'CALL', input: `${move?.hash.slice(0, 10)}${word}`, output: `0x${word}`, outputSize: 32 };
const trace = { status: 'success', calls: [call] } as unknown as TransactionTrace;

test.each([undefined, 'move(uint8)', 'move(uint8) returns (uint8)'])(
  'names the member of an enum that a call returned, with the declaration %s',
  declaration => {
    expect(formatReturned(trace, registry, declaration)).toBe('Status.Sold (1)');
    expect(toReturnedJson(trace, registry, declaration)).toEqual({
      data: `0x${word}`,
      values: [{ value: '1', member: 'Status.Sold' }],
    });
  },
);

test('takes the types of a declaration that differs from the ABI', () => {
  expect(formatReturned(trace, registry, 'move(uint8) returns (bool)')).toBe('true');
});
