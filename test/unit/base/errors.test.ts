// The error class: its codes survive ports and bundles, foreign errors tell nothing, and every text says what to do.
import { describe, expect, test } from 'vitest';
import {
  asFault,
  badInput,
  cancelled,
  faultCode,
  faults,
  fromPlainFault,
  HexLensError,
  isFault,
  readable,
  toPlainFault,
} from '../../../src/base/errors.ts';

/** As thrown by another bundle, where the class is another one. */
function foreignTwin(): Error {
  const error = new Error('Nothing is listening at 127.0.0.1:8545.');
  return Object.assign(error, { name: 'HexLensError', code: 'node-unreachable', fix: 'Start your node.', issues: [] });
}

describe('asFault', () => {
  test('keeps our own error as it is', () => {
    const fault = new HexLensError('not-found', 'Block not found');
    expect(asFault(fault)).toBe(fault);
  });

  test('takes the error of another bundle for ours', () => {
    const fault = asFault(foreignTwin());
    expect(fault).toBeInstanceOf(HexLensError);
    expect(fault.code).toBe('node-unreachable');
    expect(readable(foreignTwin())).toBe('Nothing is listening at 127.0.0.1:8545. Start your node.');
  });

  test("tells nothing of a foreign error's text but in the details", () => {
    const fault = asFault(new TypeError('secret key abc'));
    expect(fault.code).toBe('internal');
    expect(readable(fault)).not.toContain('abc');
    expect(fault.details).toBe('TypeError: secret key abc');
  });

  test.each([null, undefined, 'text', 7, {}, { code: 'ECONNREFUSED' }, { code: 'toString' }])(
    '%j is internal',
    value => {
      expect(asFault(value).code).toBe('internal');
    },
  );

  test('an abort is cancelled', () => {
    expect(faultCode(AbortSignal.abort().reason)).toBe('cancelled');
    expect(isFault(cancelled(), 'cancelled', 'internal')).toBe(true);
  });
});

test('a fault crosses a port and stays the same', () => {
  const fault = new HexLensError('rate-limited', 'Slow down', {
    fix: 'Wait.',
    retryAfterMs: 1500,
    details: 'said 429',
  });
  const back = fromPlainFault(structuredClone(toPlainFault(fault)));
  expect(toPlainFault(back)).toEqual(toPlainFault(fault));
  expect([back.status, back.retryable]).toEqual([429, true]);
});

test('bad input names every field in one text', () => {
  const fault = badInput([
    { field: 'limit', message: 'limit must not be less than 1' },
    { field: 'address', message: 'address is not a valid hex address' },
  ]);
  expect(fault.message).toBe('limit must not be less than 1, address is not a valid hex address');
  expect(fault.status).toBe(400);
});

test.each([
  ['busy', 'Try again.', 'busy. Try again.'],
  ['Busy!', 'Try again.', 'Busy! Try again.'],
  ['Block not found', undefined, 'Block not found'],
])('readable(%j with fix %j) is %j', (message, fix, text) => {
  expect(readable(new HexLensError('host-error', message, { fix }))).toBe(text);
});

test('every code has a status of an error', () => {
  for (const { status } of Object.values(faults)) expect(status).toBeGreaterThanOrEqual(400);
});
