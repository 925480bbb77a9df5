// Errors of `eth_getLogs` in the words of many providers: the limit in each.
import { describe, expect, it } from 'vitest';
import { isAboveHead, type LogLimit, parseLogLimit } from '../../../../src/service/evm/logLimit.ts';
import { isRateLimitError } from '../../../../src/service/evm/rpcMessage.ts';
import { measureGrowth } from '../../../support/measureGrowth.ts';

const range = (blocks: number | null): LogLimit => ({ kind: 'range', blocks });
const unsaid: LogLimit = { kind: 'unsaid', blocks: null };
const results = (blocks: number | null): LogLimit => ({ kind: 'results', blocks });

const dialects: readonly (readonly [message: string, limit: LogLimit | null])[] = [
  // Ranges with a number.
  ['eth_getLogs is limited to a 10,000 range', range(10_000)],
  ['eth_getLogs is limited to a 5 range, upgrade from the free plan to increase the limit', range(5)],
  ['eth_getLogs is limited to 1024 block range. Please check the parameter requirements', range(1024)],
  ['eth_getLogs is limited to 0 - 10000 blocks range', range(10_000)],
  ['You can make eth_getLogs requests with up to a 500 block range.', range(500)],
  ['exceed maximum block range: 50000', range(50_000)],
  ['exceed max block range: 5000', range(5000)],
  ['requested too many blocks from 100 to 999999, maximum is set to 2048', range(2048)],
  ['Max range: 800', range(800)],
  ['please limit the query to at most 1000 blocks', range(1000)],
  ['block range too large, max 2000', range(2000)],
  ['eth_getLogs range is too large, max is 1k blocks', range(1000)],
  ['eth_getLogs range is too large, max is 10k blocks', range(10_000)],
  ['block range is too wide (maximum 1024)', range(1024)],
  ['Maximum allowed number of requested blocks is 3500', range(3500)],
  ['query exceeds max block range 100000', range(100_000)],
  ['block range greater than 20000 max', range(20_000)],
  ['block range exceeds 1000', range(1000)],
  ['query must be smaller than size 1024', range(1024)],
  ['Block range should be less than 3000', range(3000)],
  ['block range limit is 256', range(256)],
  ['The query exceeds the range allowed for your plan (5000 > 1000).', range(1000)],
  ['exceeds maximum [from, to] blocks distance: 900', range(900)],
  ['eth_getLogs is limited to a 10.000 blocks range', range(10_000)],
  ['Exceeded max range limit for eth_getLogs: 7500', range(7500)],
  ['The range is too long: maximum block range is 9_999 blocks', range(9999)],
  // Ranges without one.
  ['block range is too wide', range(null)],
  ['Invalid block range. Max 1024', range(1024)],
  ['block range exceeds current limit', range(null)],
  ['Requested range exceeds maximum RPC range limit', range(null)],
  ['Block range limit exceeded.', range(null)],
  ['block range too large', range(null)],
  ['Block range is too large', range(null)],
  // Too much in the range.
  ['query returned more than 10000 results', results(null)],
  ['query returned more than 10000 results. Try with this block range [0x64, 0xc7].', results(100)],
  [
    'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response. Based on your parameters and the response size limit, this block range should work: [0x1000, 0x10ff]',
    results(256),
  ],
  [
    'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response.',
    results(2000),
  ],
  [
    'Under the free plan, you can make eth_getLogs requests with up to a 10 block range. Based on your parameters, this block range should work: [0x1, 0xa].',
    results(10),
  ],
  ['query exceeds max results 20000, retry with the range 15000000-15000009', results(10)],
  ['too many logs: 12345 logs matched by query exceeds limit of 10000', results(null)],
  ['logs matched by query exceeds limit of 10000', results(null)],
  ['backend response too large', results(null)],
  ['response size should not greater than 150000000 bytes', results(null)],
  ['Response size is larger than 150MB limit.', results(null)],
  ['response is too big', results(null)],
  ['query timeout exceeded', results(null)],
  ['request timed out', results(null)],
  ['query took too long', results(null)],
  ['context deadline exceeded', results(null)],
  ['query set is too large', results(null)],
  ['invalid epoch range: range between to and from blocks is too large (maximum: 2880)', range(2880)],
  ['The maximum gap between fromBlock and toBlock is 1000', range(1000)],
  ['max gap between blocks exceeded', range(null)],
  // No more than that: of one block too where a node does not offer logs.
  ['limit exceeded', unsaid],
  ['eth_getLogs limit exceeded', unsaid],
  ['request exceeded defined limit', unsaid],
  ['Limit Exceeded: limit exceeded', unsaid],
  ['this endpoint does not support eth_getLogs', unsaid],
  ['eth_getLogs is not supported', unsaid],
  ['Request exceeds limit.', unsaid],
  ['Method not found', unsaid],
  ['the method eth_getLogs does not exist/is not available', unsaid],
  // Something else: less would not help.
  ['execution reverted', null],
  ['invalid argument 0: hex string has length 38, want 40 for common.Address', null],
  ['header not found', null],
  ['missing trie node', null],
  ['BlockOutOfRangeError: block height is 60 but requested was 65535', null],
  ['Please specify an address in your request', null],
  ['', null],
];

describe('errors of eth_getLogs', () => {
  it.each(dialects)('tell what the node accepts: %s', (message, limit) => {
    const refusal = { code: -32000, message, data: undefined };
    expect(parseLogLimit(refusal)).toEqual(limit);
    if (limit !== null) expect(isRateLimitError(refusal)).toBe(false);
  });

  it('reads the data beside the message', () => {
    const data = { message: 'Try with this block range [0x1, 0x2].' };
    expect(parseLogLimit({ code: -32005, message: 'query returned more than 10000 results', data })).toEqual(
      results(2),
    );
    expect(parseLogLimit({ code: -32602, message: 'Invalid params', data: 'max range: 50' })).toEqual(range(50));
  });

  it.each([
    'block range extends beyond current head block: requested 5000, head 4999',
    'block range extends beyond current head block',
    'invalid block range params',
    'requested to block 100 after last accepted block 99',
    'toBlock is greater than the latest block',
    'One of the blocks specified in filter (fromBlock, toBlock or blockHash) cannot be found.',
    'blocks above 4999 are not available',
    'One of the blocks is beyond the latest block',
    'requested block number greater than current block number',
    'bad tipset height: 4000',
    'header not found',
    'BlockOutOfRangeError: block height is 60 but requested was 65535',
  ])('finds no limit but a node that lags in %j', message => {
    const error = { code: -32602, message, data: undefined };
    expect(parseLogLimit(error)).toBeNull();
    expect(isAboveHead(error)).toBe(true);
  });

  it.each(['Too Many Requests', 'block range is too wide', 'missing trie node', 'execution reverted'])(
    'does not take %j for a node that lags',
    message => expect(isAboveHead({ code: -32000, message, data: undefined })).toBe(false),
  );

  it.each([
    'Too Many Requests',
    'daily request count exceeded, request rate limited',
    'no backend is currently healthy to serve traffic',
  ])('finds no limit in %j', message => {
    expect(isRateLimitError({ code: -32005, message, data: undefined })).toBe(true);
  });
});

it.each([
  ['digits', 'query range of '],
  ['digits of a range', 'block range (1 > '],
])('takes linear time for a message of %s', (_, start) => {
  const create = (size: number) => `${start}${'0'.repeat(size)}`;
  const run = (message: string) => void parseLogLimit({ code: -32_005, message, data: undefined });
  expect(measureGrowth(create, run, 1_000)).toBeLessThan(16);
});
