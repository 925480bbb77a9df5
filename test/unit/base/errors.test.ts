// The error class: its codes survive ports and bundles, foreign errors tell nothing, and every text says what to do.
import { afterEach, describe, expect, test } from 'vitest';
import {
  asFault,
  badInput,
  cancelled,
  faultCode,
  faults,
  fromPlainFault,
  HexLensError,
  heard,
  isFault,
  readable,
  toPlainFault,
} from '../../../src/base/errors.ts';
import { setTexts } from '../../../src/base/localize.ts';
import { continued, worded } from '../../../src/base/worded.ts';

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

describe('in another language', () => {
  const german = {
    'The node of {0}': 'Der Knoten von {0}',
    '{0} cannot be reached: {1}': '{0} ist nicht erreichbar: {1}',
    'Nothing is listening at {0}.': 'Unter {0} antwortet niemand.',
    'Try again.': 'Erneut versuchen.',
    'must not be empty': 'darf nicht leer sein',
  };
  const lost = () =>
    new HexLensError(
      'node-unreachable',
      worded(
        '{0} cannot be reached: {1}',
        worded('The node of {0}', 'local'),
        continued(worded('Nothing is listening at {0}.', '{0}:8545')),
      ),
      { fix: worded('Try again.') },
    );
  afterEach(() => setTexts(undefined));

  test('is English where it was made, and as the other end of the port speaks', () => {
    const sent = structuredClone(toPlainFault(lost()));
    expect(sent.message).toBe('The node of local cannot be reached: nothing is listening at {0}:8545.');
    expect(readable(heard(sent))).toBe(readable(lost()));
    setTexts(german);
    const fault = heard(sent);
    expect(readable(fault)).toBe(
      'Der Knoten von local ist nicht erreichbar: Unter {0}:8545 antwortet niemand. Erneut versuchen.',
    );
    expect(fault.code).toBe('node-unreachable');
    expect(readable(lost())).toBe(readable(fault));
  });

  test('leaves what has no translation, or no words, in English', () => {
    const sent = toPlainFault(new HexLensError('host-error', worded('{0} is odd.', 'eth'), { fix: 'Look {0} up.' }));
    setTexts(german);
    expect(readable(heard(sent))).toBe('eth is odd. Look {0} up.');
    expect(heard(toPlainFault(foreignTwin())).message).toBe('Nothing is listening at 127.0.0.1:8545.');
  });

  test('says every refused field', () => {
    const message = { ...worded('{0} {1}', 'topic', worded('must not be empty')) };
    const sent = toPlainFault(
      badInput([
        { field: 'topic', message },
        { field: 'x', message: 'x is odd' },
      ]),
    );
    expect(sent.message).toBe('topic must not be empty, x is odd');
    setTexts(german);
    const fault = heard(sent);
    expect(fault.message).toBe('topic darf nicht leer sein, x is odd');
    expect(fault.issues).toEqual([
      { field: 'topic', message: 'topic darf nicht leer sein' },
      { field: 'x', message: 'x is odd' },
    ]);
  });
});
