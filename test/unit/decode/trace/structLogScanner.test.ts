// Opcode traces of nodes read in pieces of any size.
import { describe, expect, test } from 'vitest';
import { StructLogScanner } from '../../../../src/decode/trace/structLogScanner.ts';

/** The steps as `pc gas depth op`, from pieces of so many bytes. */
function scan(text: string, size = text.length): readonly string[] {
  const scanner = new StructLogScanner();
  const bytes = new TextEncoder().encode(text);
  for (let from = 0; from < bytes.length; from += size) scanner.feed(bytes.subarray(from, from + size));
  return Array.from({ length: scanner.length }, (_, step) =>
    [scanner.pc[step], scanner.gas[step], scanner.depth[step], scanner.names[scanner.name[step] ?? 0]].join(' '),
  );
}

const steps = [
  {
    pc: 0,
    op: 'PUSH1',
    gas: 100,
    gasCost: 3,
    depth: 1,
    stack: [],
    memory: ['00', '"pc":9'],
    storage: { pc: '07', a: 'b' },
  },
  { op: 'CALL', depth: 1, gas: 97, pc: 2, stack: ['0x1', '0x2'], error: { pc: 5, text: 'a "quoted\\" } word' } },
  { pc: 0, op: 'STOP', gas: 12, gasCost: 0, depth: 2, stack: null },
];
const expected = ['0 100 1 PUSH1', '2 97 1 CALL', '0 12 2 STOP'];

describe.each([1, 2, 7, 100_000])('in pieces of %s bytes', size => {
  test('has each step, whatever else is in it and around it', () => {
    const result = { gas: 5, failed: false, returnValue: 'ab'.repeat(500), structLogs: steps, more: [{ pc: 8 }] };
    expect(scan(JSON.stringify({ jsonrpc: '2.0', id: 1, result }), size)).toEqual(expected);
    expect(scan(JSON.stringify({ result: { structLogs: steps, gas: 5 } }, null, 2), size)).toEqual(expected);
  });
});

test('reads gas in hex', () => {
  expect(scan('{"result":{"structLogs":[{"pc":1,"op":"ADD","gas":"0x10","depth":1}]}}')).toEqual(['1 16 1 ADD']);
});

test.each([
  '{"error":{"code":-32000,"message":"structLogs"}}',
  '{"result":{"structLogs":[]}}',
  '{"result":{}}',
  '',
  '[]',
])('has no steps in %j', text => {
  expect(scan(text)).toEqual([]);
});
