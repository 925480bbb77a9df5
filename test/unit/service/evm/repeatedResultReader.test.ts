// Responses to a repeated call: each is read as `JSON.parse` reads it, and the same result is the same object.
import { expect, test } from 'vitest';
import { createRepeatedResultReader } from '../../../../src/service/evm/repeatedResultReader.ts';

const header = { number: '0x1', hash: `0x${'ab'.repeat(32)}`, extraData: '0x"result":' };
const toBody = (id: number, result: unknown) => Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result }));
const read = (reader: ReturnType<typeof createRepeatedResultReader>, body: Buffer) => reader(body) as { value: object };

test('the same result is not parsed again, whatever the id', () => {
  const reader = createRepeatedResultReader();
  const first = read(reader, toBody(9, header)).value;
  const second = read(reader, toBody(10, header)).value;
  expect(first).toEqual({ jsonrpc: '2.0', id: 9, result: header });
  expect(second).toEqual({ jsonrpc: '2.0', id: 10, result: header });
  expect((second as { result: object }).result).toBe((first as { result: object }).result);
});

test('another result is read, also one of the same length', () => {
  const reader = createRepeatedResultReader();
  for (const number of ['0x1', '0x2', '0x1', '0x10', null])
    expect(read(reader, toBody(1, number && { ...header, number })).value).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: number && { ...header, number },
    });
});

test.each([
  ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no"}}'],
  ['a key after the result', `{"jsonrpc":"2.0","result":${JSON.stringify(header)},"id":1}`],
  ['the result twice', '{"jsonrpc":"2.0","id":1,"result":1,"result":2,"x":3}'],
  ['a result inside a text', '{"jsonrpc":"2.0","x":"\\"result":1}'],
  ['a result inside another value', '{"x":{"result":1}}'],
  ['a list', `[{"jsonrpc":"2.0","id":1,"result":${JSON.stringify(header)}}]`],
  ['a body that breaks off', toBody(1, header).toString().slice(0, -5)],
  ['no JSON', '<html>"result":</html>'],
  ['nothing', ''],
])('%s is left to the caller', (_, body) => {
  expect(createRepeatedResultReader()(Buffer.from(body))).toBeUndefined();
});
