// The store of consumed nonces: once per domain until the message expires, within its bounds, also after evictions.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsSignatureEngine } from '../../../../src/service/siwe/jsSignatureEngine.ts';
import { createMemoryNonceStore, type MemoryNonceStoreDeps } from '../../../../src/service/siwe/memoryNonceStore.ts';
import { createTestClock } from '../../../support/testClock.ts';

const START = 1_700_000_000_000;
const time = (ms: number) => ({ text: new Date(ms).toISOString(), time: ms });
const use = (nonce: string, { domain = 'example.com', issued = START, expires = null as number | null } = {}) => ({
  domain,
  nonce,
  issuedAt: time(issued),
  expirationTime: expires === null ? null : time(expires),
});

function createStore(deps: MemoryNonceStoreDeps) {
  const store = createMemoryNonceStore(deps);
  return {
    use: (message: ReturnType<typeof use>) => store.consume(message, jsSignatureEngine.keccak256),
    get size() {
      return store.size;
    },
  };
}

test('a nonce is accepted once', () => {
  const store = createStore({ clock: createTestClock(START) });
  expect([store.use(use('aaaaaaaa')), store.use(use('aaaaaaaa')), store.use(use('bbbbbbbb'))]).toEqual([
    'accepted',
    'used',
    'accepted',
  ]);
  expect(store.size).toBe(2);
});

test('each domain has its own nonces; letter case and line feeds make no other domain', () => {
  const store = createStore({ clock: createTestClock(START) });
  expect(store.use(use('aaaaaaaa'))).toBe('accepted');
  expect(store.use(use('aaaaaaaa', { domain: 'example.org' }))).toBe('accepted');
  expect(store.use(use('aaaaaaaa', { domain: 'EXAMPLE.com' }))).toBe('used');
  expect(store.use(use('aAAAAAAA'))).toBe('accepted'); // nonces are case-sensitive
  expect(store.use(use('maaaaaaaa', { domain: 'example.co' }))).toBe('accepted');
});

test('a nonce is stored until its message expires, and for good if it never does', () => {
  const clock = createTestClock(START);
  const store = createStore({ clock });
  store.use(use('aaaaaaaa', { expires: START + 1_000 }));
  store.use(use('bbbbbbbb'));
  clock.advance(999);
  expect(store.use(use('aaaaaaaa', { expires: START + 1_000 }))).toBe('used');
  clock.advance(1);
  expect(store.use(use('aaaaaaaa', { issued: START + 1_000, expires: START + 9_000 }))).toBe('accepted');
  clock.advance(400 * 86_400_000);
  expect(store.use(use('bbbbbbbb'))).toBe('used');
});

test('a full store rejects messages as old as an evicted one', () => {
  const clock = createTestClock(START);
  const store = createStore({ clock, capacity: 3 });
  for (const [i, nonce] of ['aaaaaaaa', 'bbbbbbbb', 'cccccccc', 'dddddddd'].entries())
    expect(store.use(use(nonce, { issued: START + i }))).toBe('accepted');
  expect(store.size).toBe(3);
  expect(store.use(use('aaaaaaaa'))).toBe('evicted');
  expect(store.use(use('eeeeeeee'))).toBe('evicted'); // it may have been used
  expect(store.use(use('bbbbbbbb', { issued: START + 1 }))).toBe('used');
  expect(store.use(use('ffffffff', { issued: START + 1 }))).toBe('accepted');
});

test('that ends when all evicted messages have expired; evicting expired ones has no effect', () => {
  const clock = createTestClock(START);
  const store = createStore({ clock, capacity: 1 });
  store.use(use('aaaaaaaa', { expires: START + 1_000 }));
  store.use(use('bbbbbbbb', { issued: START + 1, expires: START + 500 }));
  expect(store.use(use('zzzzzzzz'))).toBe('evicted');
  clock.advance(1_000);
  expect(store.use(use('cccccccc'))).toBe('accepted');
});

test('an evicted nonce whose message had expired rejects no others', () => {
  const clock = createTestClock(START);
  const store = createStore({ clock, capacity: 1 });
  store.use(use('aaaaaaaa', { issued: START + 500, expires: START + 1_000 }));
  clock.advance(1_000);
  expect(store.use(use('bbbbbbbb'))).toBe('accepted');
  // Evicts the one that never expires: only messages as old as that one are rejected.
  expect(store.use(use('cccccccc', { issued: START + 1 }))).toBe('accepted');
  expect(store.use(use('dddddddd', { issued: START + 2 }))).toBe('accepted');
});

test('no unexpired message is accepted twice, in any order and at any time', () => {
  const step = fc.record({
    message: fc.nat({ max: 11 }),
    wait: fc.nat({ max: 300 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), fc.integer({ min: 1, max: 6 }), (steps, capacity) => {
      const clock = createTestClock(START);
      const store = createStore({ clock, capacity });
      const accepted = new Set<number>();
      for (const { message, wait } of steps) {
        clock.advance(wait);
        const expires = message % 3 === 0 ? null : START + 600 + message * 400;
        if (expires !== null && clock.now() >= expires) continue; // rejected before it gets to the store
        const outcome = store.use(use(`nonce${message}`, { issued: START + message * 50, expires }));
        if (outcome === 'accepted') {
          expect(accepted.has(message)).toBe(false);
          accepted.add(message);
        }
        expect(store.size).toBeLessThanOrEqual(capacity);
      }
    }),
    { seed: 4361, numRuns: 1_000 },
  );
});
