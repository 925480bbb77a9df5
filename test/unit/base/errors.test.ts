// The error class: codes survive threads and bundles, foreign errors reveal nothing, all texts have a fix.
import { afterEach, describe, expect, test } from 'vitest';
import {
  createBadInputFault,
  createCancelledFault,
  faults,
  formatFault,
  fromPlainFault,
  getFaultCode,
  HexLensError,
  isFault,
  localizeFault,
  toFault,
  toPlainFault,
} from '../../../src/base/errors.ts';
import { asContinuation, localizable, setTranslations } from '../../../src/base/localize.ts';

/** As thrown by another bundle, where the class is another one. */
function foreignTwin(): Error {
  const error = new Error('Nothing is listening at 127.0.0.1:8545.');
  return Object.assign(error, { name: 'HexLensError', code: 'node-unreachable', fix: 'Start your node.', issues: [] });
}

describe('toFault', () => {
  test('returns a HexLensError unchanged', () => {
    const fault = new HexLensError('not-found', 'Block not found');
    expect(toFault(fault)).toBe(fault);
  });

  test('converts the HexLensError of another bundle', () => {
    const fault = toFault(foreignTwin());
    expect(fault).toBeInstanceOf(HexLensError);
    expect(fault.code).toBe('node-unreachable');
    expect(formatFault(foreignTwin())).toBe('Nothing is listening at 127.0.0.1:8545. Start your node.');
  });

  test('uses the text of a foreign error as details only', () => {
    const fault = toFault(new TypeError('secret key abc'));
    expect(fault.code).toBe('internal');
    expect(formatFault(fault)).not.toContain('abc');
    expect(fault.details).toBe('TypeError: secret key abc');
  });

  test.each([null, undefined, 'text', 7, {}, { code: 'ECONNREFUSED' }, { code: 'toString' }])(
    '%j is internal',
    value => {
      expect(toFault(value).code).toBe('internal');
    },
  );

  test('maps an AbortError to cancelled', () => {
    expect(getFaultCode(AbortSignal.abort().reason)).toBe('cancelled');
    expect(isFault(createCancelledFault(), 'cancelled', 'internal')).toBe(true);
  });
});

test('survives posting to another thread', () => {
  const fault = new HexLensError('rate-limited', 'Slow down', {
    fix: 'Wait.',
    retryAfterMs: 1500,
    details: 'status 429',
  });
  const back = fromPlainFault(structuredClone(toPlainFault(fault)));
  expect(toPlainFault(back)).toEqual(toPlainFault(fault));
  expect([back.status, back.retryable]).toEqual([429, true]);
});

test('joins the messages of all fields', () => {
  const fault = createBadInputFault([
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
  expect(formatFault(new HexLensError('host-error', message, { fix }))).toBe(text);
});

test('has an error status for every code', () => {
  for (const { status } of Object.values(faults)) expect(status).toBeGreaterThanOrEqual(400);
});

describe('localizeFault', () => {
  const german = {
    'The node of {0}': 'Der Node von {0}',
    '{0} cannot be reached: {1}': '{0} ist nicht erreichbar: {1}',
    'Nothing is listening at {0}.': 'Unter {0} antwortet niemand.',
    'Try again.': 'Erneut versuchen.',
    'must not be empty': 'darf nicht leer sein',
  };
  const lost = () =>
    new HexLensError(
      'node-unreachable',
      localizable(
        '{0} cannot be reached: {1}',
        localizable('The node of {0}', 'local'),
        asContinuation(localizable('Nothing is listening at {0}.', '{0}:8545')),
      ),
      { fix: localizable('Try again.') },
    );
  afterEach(() => setTranslations(undefined));

  test('is English in its own thread and localized in the other', () => {
    const sent = structuredClone(toPlainFault(lost()));
    expect(sent.message).toBe('The node of local cannot be reached: nothing is listening at {0}:8545.');
    expect(formatFault(localizeFault(sent))).toBe(formatFault(lost()));
    setTranslations(german);
    const fault = localizeFault(sent);
    expect(formatFault(fault)).toBe(
      'Der Node von local ist nicht erreichbar: Unter {0}:8545 antwortet niemand. Erneut versuchen.',
    );
    expect(fault.code).toBe('node-unreachable');
    expect(formatFault(lost())).toBe(formatFault(fault));
  });

  test('leaves texts without a translation in English', () => {
    const sent = toPlainFault(
      new HexLensError('host-error', localizable('{0} is odd.', 'eth'), { fix: 'Look {0} up.' }),
    );
    setTranslations(german);
    expect(formatFault(localizeFault(sent))).toBe('eth is odd. Look {0} up.');
    expect(localizeFault(toPlainFault(foreignTwin())).message).toBe('Nothing is listening at 127.0.0.1:8545.');
  });

  test('localizes all rejected fields', () => {
    const message = { ...localizable('{0} {1}', 'topic', localizable('must not be empty')) };
    const sent = toPlainFault(
      createBadInputFault([
        { field: 'topic', message },
        { field: 'x', message: 'x is odd' },
      ]),
    );
    expect(sent.message).toBe('topic must not be empty, x is odd');
    setTranslations(german);
    const fault = localizeFault(sent);
    expect(fault.message).toBe('topic darf nicht leer sein, x is odd');
    expect(fault.issues).toEqual([
      { field: 'topic', message: 'topic darf nicht leer sein' },
      { field: 'x', message: 'x is odd' },
    ]);
  });
});
