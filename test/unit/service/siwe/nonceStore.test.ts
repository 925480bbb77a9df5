// The store of used nonces: once, per domain, until the message expires, within its bounds, and never forgetfully open.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsSignatureEngine } from '../../../../src/service/siwe/jsSignatureEngine.ts';
import { createNonceStore, type NonceStoreDeps } from '../../../../src/service/siwe/nonceStore.ts';
import { createTestClock } from '../../../support/testClock.ts';

const START = 1_700_000_000_000;
const time = (ms: number) => ({ text: new Date(ms).toISOString(), time: ms });
const use = (nonce: string, { domain = 'example.com', issued = START, expires = null as number | null } = {}) => ({
  domain,
  nonce,
  issuedAt: time(issued),
  expirationTime: expires === null ? null : time(expires),
});

function storeOf(deps: NonceStoreDeps) {
  const store = createNonceStore(deps);
  return {
    use: (message: ReturnType<typeof use>) => store.consume(message, jsSignatureEngine.keccak256),
    get size() {
      return store.size;
    },
  };
}

test('a nonce is taken once', () => {
  const store = storeOf({ clock: createTestClock(START) });
  expect([store.use(use('aaaaaaaa')), store.use(use('aaaaaaaa')), store.use(use('bbbbbbbb'))]).toEqual([
    'accepted',
    'used',
    'accepted',
  ]);
  expect(store.size).toBe(2);
});

test('another domain has its own nonces; letter case and tricks with the line between them make no other domain', () => {
  const store = storeOf({ clock: createTestClock(START) });
  expect(store.use(use('aaaaaaaa'))).toBe('accepted');
  expect(store.use(use('aaaaaaaa', { domain: 'example.org' }))).toBe('accepted');
  expect(store.use(use('aaaaaaaa', { domain: 'EXAMPLE.com' }))).toBe('used');
  expect(store.use(use('aAAAAAAA'))).toBe('accepted'); // nonces are told apart by case
  expect(store.use(use('maaaaaaaa', { domain: 'example.co' }))).toBe('accepted');
});

test('a message that expires is remembered until then, whatever comes; one that never does, for good', () => {
  const clock = createTestClock(START);
  const store = storeOf({ clock });
  store.use(use('aaaaaaaa', { expires: START + 1_000 }));
  store.use(use('bbbbbbbb'));
  clock.advance(999);
  expect(store.use(use('aaaaaaaa', { expires: START + 1_000 }))).toBe('used');
  clock.advance(1);
  expect(store.use(use('aaaaaaaa', { issued: START + 1_000, expires: START + 9_000 }))).toBe('accepted');
  clock.advance(400 * 86_400_000);
  expect(store.use(use('bbbbbbbb'))).toBe('used');
});

test('when it is full, what is forgotten can not be used again: messages as old as it are refused', () => {
  const clock = createTestClock(START);
  const store = storeOf({ clock, capacity: 3 });
  for (const [i, nonce] of ['aaaaaaaa', 'bbbbbbbb', 'cccccccc', 'dddddddd'].entries())
    expect(store.use(use(nonce, { issued: START + i }))).toBe('accepted');
  expect(store.size).toBe(3);
  expect(store.use(use('aaaaaaaa'))).toBe('evicted');
  expect(store.use(use('eeeeeeee'))).toBe('evicted'); // nobody can say whether it was
  expect(store.use(use('bbbbbbbb', { issued: START + 1 }))).toBe('used');
  expect(store.use(use('ffffffff', { issued: START + 1 }))).toBe('accepted');
});

test('the doubt ends when everything forgotten has expired; what had expired when it went leaves none', () => {
  const clock = createTestClock(START);
  const store = storeOf({ clock, capacity: 1 });
  store.use(use('aaaaaaaa', { expires: START + 1_000 }));
  store.use(use('bbbbbbbb', { issued: START + 1, expires: START + 500 }));
  expect(store.use(use('zzzzzzzz'))).toBe('evicted');
  clock.advance(1_000);
  expect(store.use(use('cccccccc'))).toBe('accepted');
});

test('whatever is used in whatever order and time: no message that is not expired is ever let in twice', () => {
  const step = fc.record({
    message: fc.nat({ max: 11 }),
    wait: fc.nat({ max: 300 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), fc.integer({ min: 1, max: 6 }), (steps, capacity) => {
      const clock = createTestClock(START);
      const store = storeOf({ clock, capacity });
      const accepted = new Set<number>();
      for (const { message, wait } of steps) {
        clock.advance(wait);
        const expires = message % 3 === 0 ? null : START + 600 + message * 400;
        if (expires !== null && clock.now() >= expires) continue; // refused before the store is asked
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
