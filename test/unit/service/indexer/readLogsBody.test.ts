import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFilteredLogs } from '../../../../src/service/indexer/logFilters.ts';
import { LogsStream, ReadLogs, readLogsBody } from '../../../../src/service/indexer/readLogsBody.ts';

const hex = (digits: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: digits, maxLength: digits })
    .map(list => `0x${list.join('')}`);
const quantity = fc.nat(0xffff_ffff).map(value => `0x${value.toString(16)}`);
const log = fc.record({
  address: hex(40),
  topics: fc.array(fc.oneof(hex(64), fc.constant(`0x${'ab'.repeat(32)}`)), { maxLength: 4 }),
  data: fc.oneof(fc.constant('0x'), hex(64), hex(3)),
  blockHash: hex(64),
  blockNumber: quantity,
  blockTimestamp: quantity,
  transactionHash: hex(64),
  transactionIndex: quantity,
  logIndex: quantity,
  removed: fc.constant(false),
});

const toBody = (logs: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 7, result: logs });
function read(body: string): unknown {
  const found = readLogsBody(Buffer.from(body));
  return found !== undefined && 'value' in found ? found.value : found;
}

/** What `JSON.parse` and the parser of logs make of the same body. */
function parse(body: string): unknown {
  const message = JSON.parse(body);
  return { ...message, result: new ReadLogs(parseFilteredLogs(message.result, { topics: [] }, 0, Infinity)) };
}

/** Another form than the reader knows is left to `JSON.parse`; what it reads must be the same. */
function expectSameOrNothing(body: string): void {
  const found = read(body);
  if (found !== undefined) expect(found).toEqual(parse(body));
}

const transfer = {
  address: `0x${'1a'.repeat(20)}`,
  topics: [`0x${'2b'.repeat(32)}`, `0x${'3c'.repeat(32)}`],
  data: `0x${'00'.repeat(31)}2a`,
  blockHash: `0x${'4d'.repeat(32)}`,
  blockNumber: '0x10',
  transactionHash: `0x${'5e'.repeat(32)}`,
  transactionIndex: '0x2',
  logIndex: '0xffffffff',
  removed: false,
};
const body = toBody([transfer]);

describe('LogsStream', () => {
  const readPieces = (text: string, ends: readonly number[]) => {
    const stream = new LogsStream();
    const cuts = [0, ...ends.map(end => end % (text.length + 1)).toSorted((a, b) => a - b), text.length];
    for (const [index, end] of cuts.entries()) stream.add(Buffer.from(text.slice(cuts[index - 1] ?? 0, end)));
    return stream.end()?.value;
  };
  const ends = fc.array(fc.nat(5_000), { maxLength: 12 });

  it('reads the same from a body in pieces, wherever they end', () => {
    fc.assert(
      fc.property(fc.array(log, { maxLength: 5 }), ends, fc.boolean(), (logs, cuts, isIdLast) => {
        const text = isIdLast ? JSON.stringify({ jsonrpc: '2.0', result: logs, id: 7 }) : toBody(logs);
        expect(readPieces(text, cuts)).toEqual(parse(text));
      }),
    );
  });

  it('reads nothing from a body that is not complete, or of another form', () => {
    for (const text of [body.slice(0, -1), body.slice(0, -2), '', '{"jsonrpc":"2.0","id":7,"error":{"code":1}}'])
      expect(readPieces(text, [3, 90])).toBeUndefined();
    expect(readPieces(toBody([transfer, null]), [300])).toBeUndefined();
    expect(readPieces(`${body}${' '.repeat(300)}`, [])).toBeUndefined();
  });
});

describe('readLogsBody', () => {
  it('reads the logs that JSON.parse and the parser of logs read', () => {
    fc.assert(
      fc.property(fc.array(log, { maxLength: 5 }), logs => {
        expect(read(toBody(logs))).toEqual(parse(toBody(logs)));
      }),
    );
  });

  it('reads the fields in any order, without those that are not needed', () => {
    fc.assert(
      fc.property(fc.array(log, { maxLength: 3 }), fc.infiniteStream(fc.nat()), (logs, order) => {
        const shuffled = logs.map(({ removed: _, blockTimestamp: __, ...fields }) =>
          Object.fromEntries(
            Object.entries(fields)
              .map(entry => ({ entry, key: order.next().value ?? 0 }))
              .sort((a, b) => a.key - b.key)
              .map(({ entry }) => entry),
          ),
        );
        expect(read(toBody(shuffled))).toEqual(parse(toBody(shuffled)));
      }),
    );
  });

  it.each([
    ['id after the result', `{"jsonrpc":"2.0","result":[],"id":7}`],
    ['a line break at the end', `${body}\n`],
    ['no error', body.replace('"id"', '"error":null,"id"')],
    ['an error beside the result', body.replace(/}$/, ',"error":{"code":-32000,"message":"too many"}}')],
    [
      'fields of other kinds',
      body.replace('"removed"', '"l1":null,"fee":12,"type":"transfer","__proto__":"0x1","removed"'),
    ],
    ['a field twice', body.replace('"removed"', '"logIndex":"0x1","removed"')],
  ])('reads a response with %s', (_, text) => {
    expect(read(text)).toEqual(parse(text));
  });

  it.each([
    ['no logs but null', toBody(null)],
    ['a batch', `[${body}]`],
    ['an error alone', '{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"[]"}}'],
    ['blanks', body.replace('"data"', ' "data"')],
    ['a removed log', body.replace('false', 'true')],
    ['a missing field', toBody([{ ...transfer, transactionHash: undefined }])],
    ['null as data', toBody([{ ...transfer, data: null }])],
    ['null as topics', toBody([{ ...transfer, topics: null }])],
    ['five topics', toBody([{ ...transfer, topics: Array(5).fill(transfer.blockHash) }])],
    ['hex in upper case', toBody([{ ...transfer, address: `0x${'1A'.repeat(20)}` }])],
    ['a longer address', toBody([{ ...transfer, address: `${transfer.address}00` }])],
    ['a quantity without digits', toBody([{ ...transfer, logIndex: '0x' }])],
    ['a quantity of 14 digits', toBody([{ ...transfer, blockNumber: `0x${'f'.repeat(14)}` }])],
    ['a quantity as a number', toBody([{ ...transfer, blockNumber: 16 }])],
    ['a log index above 32 bits', toBody([{ ...transfer, logIndex: '0x100000000' }])],
    ['an escape in a field', body.replace('0x1a', '0x\\u0031a')],
    ['an escape in a key', body.replace('"data"', '"d\\u0061ta"')],
    ['a nested value', body.replace('"removed"', '"more":{},"removed"')],
    ['a number with a leading zero', body.replace('"removed"', '"more":01,"removed"')],
    ['a comma too many', body.replace('}]', '},]')],
    ['two results', body.replace(/}$/, ',"result":0}')],
    ['two results, one escaped', body.replace(/}$/, ',"r\\u0065sult":0}')],
    ['the list inside another object', `{"id":7,"a":${body}}`],
    ['a list of another key', body.replace('"result"', '"results"')],
    ['an end in the middle', body.slice(0, -20)],
    ['something after its end', `${body}{}`],
    ['more than four megabytes', toBody([{ ...transfer, data: `0x${'0'.repeat(4 * 1024 * 1024)}` }])],
  ])('leaves a response with %s to JSON.parse', (_, text) => {
    expect(read(text)).toBeUndefined();
  });

  it('never reads anything else, whatever bytes are changed', () => {
    const change = fc.record({
      at: fc.nat(body.length + 400),
      length: fc.nat(4),
      text: fc.oneof(
        fc.constantFrom('"', '\\', ',', ':', '{', '}', '[', ']', '0', 'x', 'F', 'g', ' ', '\n', '\0', 'é', 'null'),
        fc.constantFrom('"result":[', '"data":"0x', ',"logIndex":"0x1"', '"removed":true', '{"a":[', '\\u0030'),
        fc.string({ maxLength: 3 }),
      ),
    });
    fc.assert(
      fc.property(
        fc.array(log, { maxLength: 2 }),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        (logs, changes) => {
          let text = toBody([transfer, ...logs]);
          for (const { at, length, text: inserted } of changes)
            text = text.slice(0, at) + inserted + text.slice(at + length);
          expectSameOrNothing(text);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
