// Hex, EIP-55, amounts, disposables and shared requests.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checksumAddress, getChecksumState } from '../../../src/base/checksumAddress.ts';
import { DisposableStore, disposable } from '../../../src/base/disposable.ts';
import {
  formatAmount,
  formatApproximate,
  formatFullAmount,
  formatInteger,
  formatTokenAmount,
  formatUnits,
} from '../../../src/base/formatUnits.ts';
import {
  bytesToHex,
  type Hex,
  hexToBytes,
  isAddress,
  isHash,
  parseQuantity,
  parseSafeQuantity,
  toQuantity,
} from '../../../src/base/hex.ts';
import { setTranslations } from '../../../src/base/localize.ts';
import { RequestDeduplicator } from '../../../src/base/requestDeduplicator.ts';

describe('EIP-55', () => {
  // The examples of the EIP itself.
  test.each([
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('%s is written as it is', address => {
    expect(checksumAddress(address.toLowerCase())).toBe(address);
    expect(getChecksumState(address as Hex)).not.toBe('invalid');
  });

  test('detects nearly all single changes', () => {
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    expect(getChecksumState(address.replace('a', 'A') as Hex)).toBe('invalid');
    expect(getChecksumState(address.toLowerCase() as Hex)).toBe('none');
    expect(() => checksumAddress('0x12')).toThrow(RangeError);
  });
});

describe('hex', () => {
  test('converts bytes to hex and back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), bytes => {
        expect(hexToBytes(bytesToHex(bytes))).toEqual(bytes);
      }),
      { seed: 1 },
    );
  });

  test.each([0, 1, 4_095, 4_096, 4_097, 300_000])('%i bytes are written in the order they come', length => {
    const bytes = Uint8Array.from({ length }, (_, index) => index * 37);
    expect(bytesToHex(bytes)).toBe(`0x${Buffer.from(bytes).toString('hex')}`);
  });

  test('builds flat strings that take little memory', () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    collect();
    const before = process.memoryUsage().heapUsed;
    const hashes = Array.from({ length: 20_000 }, (_, index) => bytesToHex(new Uint8Array(32).fill(index)));
    collect();
    expect((process.memoryUsage().heapUsed - before) / hashes.length).toBeLessThan(200);
  });

  test.each([
    ['0x1a', 26n, 26],
    ['0x20000000000000', 9007199254740992n, null],
    ['0x', null, null],
    ['1a', null, null],
    ['0xzz', null, null],
    [`0x${'f'.repeat(64)}`, 2n ** 256n - 1n, null],
    [`0x${'0'.repeat(63)}7`, 7n, 7],
    [`0x${'0'.repeat(64)}7`, null, null],
    [26, null, null],
    [null, null, null],
  ])('reads the quantity %j', (text, big, small) => {
    expect(parseQuantity(text)).toBe(big);
    expect(parseSafeQuantity(text)).toBe(small);
  });

  test('recognizes hex, addresses and hashes', () => {
    expect(toQuantity(255)).toBe('0xff');
    expect([
      isAddress(`0x${'a'.repeat(40)}`),
      isAddress(`0x${'a'.repeat(41)}`),
      isHash(`0x${'a'.repeat(64)}`),
      isHash('0x'),
    ]).toEqual([true, false, true, false]);
    expect(() => hexToBytes('0x123')).toThrow(RangeError);
  });
});

test.each([
  [1_500_000_000_000_000_000n, 18, '1.5', '1.5'],
  [0n, 18, '0', '0'],
  [1n, 18, '0.000000000000000001', '0.000000000000000001'],
  [-1_500_000n, 6, '-1.5', '-1.5'],
  [12_345_678_900_000n, 6, '12345678.9', '12,345,678.9'],
  [1_000_000_000_000_000_001n, 18, '1.000000000000000001', '1'],
  [7n, 0, '7', '7'],
])('%d with %d decimals is %s, and shown as %s', (amount, decimals, exact, shown) => {
  expect(formatUnits(amount, decimals)).toBe(exact);
  expect(formatAmount(amount, decimals)).toBe(shown);
});

describe('DisposableStore', () => {
  test('disposes newest first, once, and late additions at once', () => {
    const events: string[] = [];
    const store = new DisposableStore();
    for (const name of ['a', 'b']) store.add(disposable(() => events.push(name)));
    store.dispose();
    store.dispose();
    store.add(disposable(() => events.push('late')));
    expect(events).toEqual(['b', 'a', 'late']);
  });

  test('disposes the others when one throws', () => {
    const events: string[] = [];
    const store = new DisposableStore();
    store.add(disposable(() => events.push('a')));
    store.add(
      disposable(() => {
        throw new Error('no');
      }),
    );
    expect(() => store.dispose()).toThrow(Error);
    expect(events).toEqual(['a']);
  });
});

describe('RequestDeduplicator', () => {
  test('shares the work of calls with one key', async () => {
    const flights = new RequestDeduplicator<number>();
    const gate = Promise.withResolvers<number>();
    let started = 0;
    const work = () => {
      started++;
      return gate.promise;
    };
    const both = [flights.join('a', work), flights.join('a', work)];
    gate.resolve(7);
    expect(await Promise.all(both)).toEqual([7, 7]);
    expect([started, flights.size]).toEqual([1, 0]);
  });

  test('continues while one caller waits, and aborts with the last', async () => {
    const flights = new RequestDeduplicator<number>();
    let seen: AbortSignal | undefined;
    const work = (signal: AbortSignal) => {
      seen = signal;
      return new Promise<number>(() => {});
    };
    const [first, second] = [new AbortController(), new AbortController()];
    const calls = [flights.join('a', work, first.signal), flights.join('a', work, second.signal)];
    first.abort();
    await expect(calls[0]).rejects.toMatchObject({ code: 'cancelled' });
    expect(seen?.aborted).toBe(false);
    second.abort();
    await expect(calls[1]).rejects.toMatchObject({ code: 'cancelled' });
    expect(seen?.aborted).toBe(true);
    expect(flights.size).toBe(0);
  });

  test('rejects all callers and does not cache a failure', async () => {
    const flights = new RequestDeduplicator<number>();
    await expect(flights.join('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(flights.join('a', () => Promise.resolve(1))).resolves.toBe(1);
  });
});

test('formats full and approximate amounts with thousands separators', () => {
  expect(formatFullAmount(49_989_850_000_000_000_000_001n, 18)).toBe('49,989.850000000000000001');
  expect(formatFullAmount(1n, 18)).toBe('0.000000000000000001');
  expect(formatFullAmount(-1_234n, 0)).toBe('-1,234');
  expect([10_000, 9_999.994_9, 0.1 + 0.2, 0, 1e21, 1e-9].map(formatApproximate)).toEqual([
    '10,000',
    '9,999.99',
    '0.3',
    '0',
    '1e+21',
    '1e-9',
  ]);
});

test('formats amounts of tokens with their symbol, all decimals or a few, and the allowance without a limit by a word', () => {
  const hex = { symbol: 'HEX', decimals: 18 };
  expect(formatTokenAmount(1_234_500_000_000_000_000_001n, hex)).toBe('1,234.500000000000000001 HEX');
  expect(formatTokenAmount(1_234_500_000_000_000_000_001n, hex, 2)).toBe('1,234.5 HEX');
  expect(formatTokenAmount(7n, { symbol: null, decimals: 0 })).toBe('7');
  expect(formatTokenAmount(2n ** 256n - 1n, hex)).toBe('Unlimited HEX');
  expect(formatTokenAmount(2n ** 256n - 2n, { symbol: null, decimals: 0 })).toMatch(/^115,792,.*,639,934$/);
});

describe('numbers in German', () => {
  beforeAll(() => setTranslations({ '1,234.5': '1.234,5' }));
  afterAll(() => setTranslations(undefined));

  test('have a point between thousands and a comma before decimals', () => {
    expect(formatInteger(-1_234_567)).toBe('-1.234.567');
    expect(formatAmount(1_234_567n, 3)).toBe('1.234,567');
    expect(formatAmount(5n, 9)).toBe('0,000000005');
    expect(formatApproximate(12_345.5)).toBe('12.345,5');
    expect(formatTokenAmount(1_500n, { symbol: 'HEX', decimals: 3 })).toBe('1,5 HEX');
  });

  test('keep the point in what programs read', () => expect(formatUnits(1_234_567n, 3)).toBe('1234.567'));
});
