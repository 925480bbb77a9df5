// What JSON-RPC errors of nodes mean: a missing method, a rate limit, a limit on batches.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRetryAfterMs } from '../../../../src/base/retryAfter.ts';
import { parseLogLimit } from '../../../../src/service/evm/logLimit.ts';
import {
  isMethodNotFound,
  isNotFound,
  isRateLimitError,
  parseBatchLimit,
  parseBatchResponse,
  parseSingleResponse,
  toJsonBody,
  toPrintable,
} from '../../../../src/service/evm/rpcMessage.ts';
import { decodeTextResponse } from '../../../../src/service/evm/tokenProbe.ts';

const rpcError = (message: string, code = -32000) => ({ code, message, data: undefined });

describe('isMethodNotFound', () => {
  it.each<[number, string]>([
    [-32601, 'Method not found'],
    [-32601, ''],
    [-32004, 'Method eth_getBlockReceipts is not supported'],
    [-32700, 'The method eth_getBlockReceipts does not exist/is not available'],
    [-32600, 'Unsupported method: trace_block on ETH_MAINNET. See available methods'],
    [-32000, 'method debug_traceBlockByHash is not whitelisted'],
    [-32000, 'trace_block is not available on the free tier'],
    [-32000, 'The method is disabled'],
    [-32603, 'Unknown method'],
    [0, 'rpc method is not allowed'],
  ])('is true for %i %s', (code, message) => {
    expect(isMethodNotFound(rpcError(message, code))).toBe(true);
  });

  it.each<[number, string]>([
    [-32000, 'header not found'],
    [-32602, 'invalid argument 0: json: cannot unmarshal hex string'],
    [3, 'execution reverted: token does not exist'],
    [-32000, 'VM Exception: reverted with reason string "method not found"'],
    [-32000, 'historical state is not available'],
    [-32001, 'Resource not found'],
    [-32700, 'Parse error'],
  ])('is false for %i %s', (code, message) => {
    expect(isMethodNotFound(rpcError(message, code))).toBe(false);
  });
});

describe('isNotFound', () => {
  it.each<[string, number, string]>([
    ['Avalanche', -32000, 'cannot query unfinalized data'],
    ['Harmony', -32000, 'requested block number greater than current block number'],
    ['zkSync', -32603, "Block with such an ID doesn't exist yet"],
    ['Execution APIs', -39001, 'Unknown block'],
    ['Execution APIs, by code', -39001, ''],
    ['Geth', -32000, 'not found'],
    ['Geth', -32000, 'header for hash not found'],
    ['EIP-1474', -32001, 'Resource not found'],
    ['Filecoin', 12, 'requested epoch was a null round (4021)'],
    ['Filecoin', 1, "requested a future epoch (beyond 'latest')"],
    ['Filecoin', 1, 'bad tipset height: 4021'],
    ['Cosmos', -32000, 'height 5000 must be less than or equal to the current blockchain height 4000'],
    ['Cosmos', -32000, 'could not find results for height #5000'],
    ['a gateway', -32000, 'block #5000 not found'],
    ['a gateway', -32000, 'Requested block height is bigger then the chain length'],
    ['a gateway', -32602, 'block number is out of range'],
    ['a gateway', -32000, 'transaction 0x12 not found'],
    ['a gateway', -32000, 'no transaction found'],
    ['a gateway', -32000, 'block is in the future'],
    ['a gateway', -32000, 'Block not yet available'],
    ['a gateway', -32000, "block hasn't been produced"],
    ['a gateway', -32000, 'block height too high'],
    ['a gateway', -32000, 'upstream does not have the requested block yet'],
    ['a gateway', -32000, 'failed to find header'],
    ['a gateway', -32000, 'receipt does not exist'],
  ])('takes an error of %s for an absent block or transaction: %i %s', (_, code, message) => {
    for (const method of ['eth_getBlockByNumber', 'eth_getTransactionByHash', 'eth_getTransactionReceipt'])
      expect(isNotFound({ method, params: ['0x1388'] }, rpcError(message, code))).toBe(true);
  });

  it.each<[number, string]>([
    [-32000, 'missing trie node 5f3c (path )'],
    [4444, 'pruned history unavailable'],
    [-32000, 'height 5 is not available, lowest height is 120'],
    [-32000, 'block 5 not found: use an archive node'],
    [-32601, 'the method eth_getBlockByNumber does not exist/is not available'],
    [-32000, 'transaction indexing is in progress'],
    [-32005, 'limit exceeded'],
    [-32603, 'internal error'],
    [-32001, 'Unable to complete the request at this time'],
  ])('leaves a failure of the node as it is: %i %s', (code, message) => {
    expect(isNotFound({ method: 'eth_getBlockByNumber', params: ['0x1388'] }, rpcError(message, code))).toBe(false);
  });

  it('leaves errors about the newest block and of other methods as they are', () => {
    const error = rpcError('header not found');
    expect(isNotFound({ method: 'eth_getBlockByNumber', params: ['latest'] }, error)).toBe(false);
    expect(isNotFound({ method: 'eth_call', params: [{}, '0x5'] }, error)).toBe(false);
  });
});

describe('isRateLimitError', () => {
  it.each([
    'Too Many Requests',
    'rate limit exceeded',
    'Your app has exceeded its compute units per second capacity',
    'request limit reached, 25/sec',
    'daily request count exceeded, request rate limited',
    'project ID request rate exceeded',
  ])('is true for "%s"', message => {
    expect(isRateLimitError(rpcError(message, -32005))).toBe(true);
  });

  it('is false for the message of a contract and for too many results', () => {
    for (const message of [
      'execution reverted: rate limit exceeded',
      'query returned more than 10000 results',
      'batch limit exceeded',
    ])
      expect(isRateLimitError(rpcError(message, -32005))).toBe(false);
  });
});

describe('parseBatchLimit', () => {
  it.each<[string, number | null, unknown?]>([
    ['batch not supported', 1],
    ['Batch requests are not allowed', 1],
    ['JSON-RPC 2.0 batch not supported', 1],
    ['batch limit 20 exceeded', 20],
    ['Batch size is too large, maximum allowed is 20', 20],
    ['Batch of more than 3 requests are not allowed on free tier', 3],
    ['batch limit 10 exceeded (can increase by --rpc.batch.limit). Requested batch of size: 41', 10],
    ['Batch request amount 41 exceeds max 10', 10],
    ['maximum 10 calls in 1 batch', 10],
    ['The batch request was too large', 10, 'Exceeded max limit of 10'],
    ['batch too large', null],
    ['maximum number of calls in a batch exceeded', null],
    ['Too many ["eth_getLogs"] methods in the batch', null],
    ['Invalid request', null],
    ['execution reverted: batch of 3', null],
  ])('reads "%s" as a limit of %s', (message, cap, data) => {
    expect(parseBatchLimit({ code: -32600, message, data }, 41)).toBe(cap);
  });
});

describe('Retry-After', () => {
  it.each<[string | undefined, number | undefined]>([
    [undefined, undefined],
    ['5', 5_000],
    [' 0 ', 0],
    ['Tue, 14 Nov 2023 22:13:30 GMT', 10_000],
    ['Tue, 14 Nov 2023 22:13:10 GMT', 0],
    ['soon', undefined],
    ['-3', undefined],
  ])('of %j is a wait of %s ms', (header, ms) => {
    expect(parseRetryAfterMs({ 'retry-after': header }, 1_700_000_000_000)).toBe(ms);
  });
});

describe('toPrintable', () => {
  it('returns one short printable line without URLs', () => {
    expect(toPrintable('a\r\nb\tc\u202ed https://node.example/v3/key?x=1 e')).toBe('a b c d (url) e');
    expect(toPrintable('x'.repeat(500))).toBe(`${'x'.repeat(197)}...`);
  });
});

describe('decodeTextResponse', () => {
  const abi = (text: string, length?: number, offset = 32) => {
    const bytes = Buffer.from(text, 'utf8');
    const word = (value: number) => value.toString(16).padStart(64, '0');
    return `0x${word(offset)}${word(length ?? bytes.length)}${bytes.toString('hex').padEnd(64, '0')}`;
  };
  it.each<[string, string, string | null]>([
    ['a string', abi('Coin'), 'Coin'],
    ['bytes32', `0x${Buffer.from('MKR').toString('hex').padEnd(64, '0')}`, 'MKR'],
    ['bytes32 without a zero byte', `0x${'41'.repeat(32)}`, 'A'.repeat(32)],
    ['an empty string', abi(''), null],
    ['spaces', abi('   '), null],
    ['bytes32 of nothing', `0x${'00'.repeat(32)}`, null],
    ['a length that is too long', abi('Coin', 5_000), null],
    ['an offset past the end', abi('Coin', 4, 4_096), null],
    ['an offset that no number holds', `0x${'ff'.repeat(64)}`, null],
    ['line breaks and directions', abi('A\n\u202eB\u200b\u0007C'), 'ABC'],
    ['bytes that are no UTF-8', `${abi('', 4).slice(0, 130)}ff41ff42${'0'.repeat(56)}`, '\ufffdA\ufffdB'],
    ['a long one', abi('\u{1f98a}'.repeat(100)), '\u{1f98a}'.repeat(64)],
    ['less than a word', '0x1234', null],
    ['nothing', '0x', null],
  ])('reads %s', (_name, result, text) => {
    expect(decodeTextResponse({ result })).toBe(text);
  });

  it('returns null for an error or no response', () => {
    expect(decodeTextResponse({ error: rpcError('execution reverted', 3) })).toBeNull();
    expect(decodeTextResponse(undefined)).toBeNull();
  });
});

it('no function throws, whatever a node sends', () => {
  fc.assert(
    fc.property(fc.anything(), fc.string(), fc.integer(), (value, message, code) => {
      parseSingleResponse(value, 1);
      parseBatchResponse(value, 1, 2);
      parseBatchResponse([value, value], 1, 2);
      toJsonBody({ invalid: message, length: message.length });
      decodeTextResponse({ result: value });
      const error = { code, message, data: value };
      isMethodNotFound(error);
      isRateLimitError(error);
      parseBatchLimit(error, 10);
      parseLogLimit(error);
      toPrintable(message);
    }),
    { seed: 1, numRuns: 1_000 },
  );
});

it('the message of an error has no part of a key where it is cut', () => {
  const key = 'abcdefghij0123456789';
  const message = `denied${' '.repeat(1_984)}${key} and more`; // ten characters of the key are within the first 2,000
  const hideKeys = (text: string) => text.replaceAll(key, '(key)');
  for (const error of [message, { code: -32_000, message }]) {
    const response = parseSingleResponse({ id: 1, error }, 1, hideKeys);
    expect(toPrintable('error' in response ? (response.error?.message ?? '') : '')).toBe('denied (key) and');
  }
});
