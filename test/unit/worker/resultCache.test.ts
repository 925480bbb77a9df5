// The result cache: how long results are valid, resets of a chain, and bounds.
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ChainState, Freshness, Validity } from '../../../src/api/freshness.ts';
import { HexLensError } from '../../../src/base/errors.ts';
import type { Hex } from '../../../src/base/hex.ts';
import { type Log, silentLog } from '../../../src/base/log.ts';
import {
  approximateBytes,
  getLookupCacheKey,
  normalizeLookupInput,
  ResultCache,
  SECONDS_TTL_MS,
  STATE_TTL_MS,
} from '../../../src/worker/resultCache.ts';

const hash = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`;
const state = (genesis: number, head: number, headHash = head): ChainState => ({
  genesisHash: hash(genesis),
  headHash: hash(headHash),
  headNumber: head,
});

let time = 0;
let chain: ChainState | null = state(1, 10);
let requestCount = 0;
let lines: string[] = [];
const log: Log = { ...silentLog, debug: message => void lines.push(message) };
const clock = { now: () => time, sleep: async () => {} };
let reads: ('fresh' | 'recent')[] = [];
const chainState = async (_chain: string, isFresh: boolean): Promise<ChainState> => {
  requestCount++;
  reads.push(isFresh ? 'fresh' : 'recent');
  if (chain === null) throw new HexLensError('node-unreachable', 'Gone.');
  return chain;
};
const fresh = (kind: Validity, at: ChainState, name = 'local'): Freshness => ({
  validity: kind,
  chain: name,
  state: at,
});
const make = (bounds: { maxEntries?: number; maxBytes?: number } = {}) =>
  new ResultCache({ clock, log, chainState, ...bounds });

beforeEach(() => {
  time = 1_000;
  chain = state(1, 10);
  requestCount = 0;
  lines = [];
});

describe('a result', () => {
  test('that is finalized is valid for any head of the same chain', async () => {
    const cache = make();
    cache.write('k', 'v', fresh('finalized', state(1, 10)));
    chain = state(1, 999);
    time += 1e9;
    expect(await cache.read('k')).toBe('v');
  });

  test('is valid until the next head: another block, even of the same height', async () => {
    const cache = make();
    cache.write('k', 'v', fresh('untilNextHead', state(1, 10)));
    time += 1e9;
    expect(await cache.read('k')).toBe('v');
    chain = state(1, 10, 77);
    expect(await cache.read('k')).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  test('is read strictly with the head fetched again, and not where a cheat code may have changed it', async () => {
    const cache = make();
    cache.write('head', 'v', fresh('untilNextHead', state(1, 10)));
    cache.write('now', 'v', fresh('untilStateChange', state(1, 10)));
    cache.write('final', 'v', fresh('finalized', state(1, 10)));
    expect(await cache.read('now')).toBe('v');
    expect(await cache.read('now', { isStrict: true })).toBeUndefined();
    reads = [];
    expect(await cache.read('head', { isStrict: true })).toBe('v');
    expect(await cache.read('final', { isStrict: true })).toBe('v');
    expect(await cache.read('head')).toBe('v');
    expect(reads).toEqual(['fresh', 'recent', 'recent']);
  });

  test('that a cheat code may change without a new head is read again after a moment', async () => {
    const cache = make();
    cache.write('balance', 'v', fresh('untilStateChange', state(1, 10)));
    cache.write('head', 'v', fresh('untilNextHead', state(1, 10)));
    time += STATE_TTL_MS - 1;
    expect(await cache.read('balance')).toBe('v');
    time += 1;
    expect(await cache.read('balance')).toBeUndefined();
    expect(await cache.read('head')).toBe('v');
  });

  test('is valid for a few seconds, although the head moves', async () => {
    const cache = make();
    cache.write('k', 'v', fresh('fewSeconds', state(1, 10)));
    chain = state(1, 11);
    time += SECONDS_TTL_MS - 1;
    expect(await cache.read('k')).toBe('v');
    time += 1;
    expect(await cache.read('k')).toBeUndefined();
  });

  test('that is too old for any state is read again without a request for the state before', async () => {
    const cache = make();
    cache.write('balance', 'v', fresh('untilStateChange', state(1, 10)));
    cache.write('seconds', 'v', fresh('fewSeconds', state(1, 10)));
    time += SECONDS_TTL_MS;
    expect(await cache.read('balance')).toBeUndefined();
    expect(await cache.read('seconds')).toBeUndefined();
    expect({ requestCount, size: cache.size }).toEqual({ requestCount: 0, size: 0 });
  });

  test('that is valid for a few seconds is read strictly until a freshly read head is another block', async () => {
    const cache = make();
    cache.write('k', 'v', fresh('fewSeconds', state(1, 10)));
    reads = [];
    expect(await cache.read('k', { isStrict: true })).toBe('v');
    expect(reads).toEqual(['fresh']);
    chain = state(1, 11);
    expect(await cache.read('k', { isStrict: true })).toBeUndefined();
    expect(await cache.read('k')).toBe('v');
  });

  test('that is finalized is invalid after a lower head: a reverted development chain', async () => {
    const cache = make();
    cache.write('k', 'v', fresh('finalized', state(1, 10)));
    chain = state(1, 9);
    expect(await cache.read('k')).toBeUndefined();
    chain = state(1, 20);
    expect(await cache.read('k')).toBeUndefined();
  });

  test('of a remote host is valid for its time, without a chain state', async () => {
    const cache = make();
    chain = null;
    cache.write('k', 'v', { validity: 'timed', ttlMs: 50 });
    time += 49;
    expect(await cache.read('k')).toBe('v');
    time += 1;
    expect(await cache.read('k')).toBeUndefined();
    expect(requestCount).toBe(0);
  });

  test('is not used while the chain is unreachable, and is afterwards', async () => {
    const cache = make();
    cache.write('k', 'v', fresh('finalized', state(1, 10)));
    chain = null;
    expect(await cache.read('k')).toBeUndefined();
    chain = state(1, 10);
    expect(await cache.read('k')).toBe('v');
  });

  test('that is missing causes no request to the chain', async () => {
    expect(await make().read('k')).toBeUndefined();
    expect(requestCount).toBe(0);
  });
});

describe('reset of a chain', () => {
  test('drops the results of that chain only, and is logged once', async () => {
    const cache = make();
    for (const key of ['a', 'b', 'c']) cache.write(key, key, fresh('finalized', state(1, 10)));
    cache.write('other', 'o', fresh('finalized', state(1, 10), 'eth'));
    cache.write('host', 'h', { validity: 'timed', ttlMs: 1e6 });
    chain = state(2, 10);
    expect(await Promise.all(['a', 'b', 'c'].map(key => cache.read(key)))).toEqual([undefined, undefined, undefined]);
    expect(cache.size).toBe(2);
    expect(lines).toEqual(['The chain "local" was reset (another genesis block): 3 cached results were dropped.']);
    expect(await cache.read('host')).toBe('h');
  });

  test('a written result with another genesis block shows it too', async () => {
    const cache = make();
    cache.write('a', 'old', fresh('finalized', state(1, 10)));
    cache.write('b', 'new', fresh('finalized', state(2, 3)));
    chain = state(2, 3);
    expect(lines).toHaveLength(1);
    expect(await cache.read('a')).toBeUndefined();
    expect(await cache.read('b')).toBe('new');
    expect(lines).toHaveLength(1);
  });

  test('a late result from before the reset is never returned', async () => {
    const cache = make();
    cache.write('new', 'n', fresh('finalized', state(2, 1)));
    chain = state(2, 1);
    cache.write('late', 'l', fresh('finalized', state(1, 10)));
    expect(await cache.read('late')).toBeUndefined();
  });
});

describe('bounds', () => {
  test('the least recently used result is dropped first', async () => {
    const cache = make({ maxEntries: 2 });
    const final = fresh('finalized', state(1, 10));
    cache.write('a', 1, final);
    cache.write('b', 2, final);
    await cache.read('a');
    cache.write('c', 3, final);
    expect(await cache.read('b')).toBeUndefined();
    expect([await cache.read('a'), await cache.read('c')]).toEqual([1, 3]);
  });

  test('a value larger than a quarter of the limit is not cached and drops only its own key', async () => {
    const cache = make({ maxBytes: 4_000 });
    const final = fresh('finalized', state(1, 10));
    cache.write('a', 'small', final);
    cache.write('big', 'x'.repeat(1_100), final);
    expect(await cache.read('big')).toBeUndefined();
    expect(await cache.read('a')).toBe('small');
    cache.write('a', 'x'.repeat(1_100), final);
    expect(await cache.read('a')).toBeUndefined();
    expect(cache.sizeBytes).toBe(0);
  });

  test('clear drops everything, also for a read in progress', async () => {
    const cache = make();
    cache.write('a', 1, fresh('finalized', state(1, 10)));
    const look = cache.read('a');
    cache.clear();
    expect(await look).toBeUndefined();
    expect([cache.size, cache.sizeBytes]).toEqual([0, 0]);
  });

  test('entries and bytes stay within their bounds for any sequence of reads and writes', async () => {
    const operation = fc.record({
      key: fc.integer({ min: 0, max: 12 }).map(String),
      length: fc.nat(400),
      kind: fc.constantFrom<Validity | 'read'>('finalized', 'untilNextHead', 'fewSeconds', 'read'),
      genesis: fc.integer({ min: 1, max: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 60 }), async operations => {
        const cache = make({ maxEntries: 5, maxBytes: 1_200 });
        for (const { key, length, kind, genesis } of operations) {
          chain = state(genesis, 10);
          if (kind === 'read') await cache.read(key);
          else cache.write(key, 'x'.repeat(length), fresh(kind, chain));
          expect(cache.size).toBeLessThanOrEqual(5);
          expect(cache.sizeBytes).toBeLessThanOrEqual(1_200);
          if (cache.size === 0) expect(cache.sizeBytes).toBe(0);
        }
      }),
      { seed: 3, numRuns: 200 },
    );
  });
});

test('the size of a value grows with it and stops counting at the limit', () => {
  const block = { number: 1, hash: hash(1), logs: Array.from({ length: 100 }, () => ({ data: hash(2), n: 5n })) };
  expect(approximateBytes(block)).toBeGreaterThan(100 * 66);
  expect(approximateBytes(block)).toBeLessThan(100 * 66 * 5);
  expect(approximateBytes(Array(1e6).fill('x'), 1_000)).toBeLessThan(1e7);
  expect(approximateBytes(null)).toBeGreaterThan(0);
});

test('lookups that mean the same have one key, whatever the order and the spelling of their input', () => {
  const getKey = (input: object) => getLookupCacheKey('storageWords', normalizeLookupInput(input));
  const key = getKey({ chain: 'local', address: '0xabcd', block: 5n });
  expect(getKey({ block: 5n, address: '0xABCD', chain: 'LOCAL' })).toBe(key);
  expect(getKey({ chain: 'local', address: '0xabcd', block: 6n })).not.toBe(key);
  expect(getKey({ chain: 'local', address: '0xabcd', block: '5n' })).not.toBe(
    getKey({ chain: 'local', address: '0xabcd', block: '5' }),
  );
  expect(normalizeLookupInput({ coin: '0x1::Coin::C' })).toEqual({ coin: '0x1::Coin::C' });
});
