// Error bodies: each group's shape for every code, and the faults of any host's responses.
import { describe, expect, test } from 'vitest';
import { encodeFaultBody, faultFromResponse, parseFaultMessage } from '../../src/api/wire/faultBody.ts';
import {
  createBadInputFault,
  type FaultCode,
  faults,
  formatFault,
  getFaultCode,
  HexLensError,
} from '../../src/base/errors.ts';

const codes = Object.keys(faults) as FaultCode[];

describe('encodeFaultBody', () => {
  test.each(codes)('%s has the shape of each group and can be read back', code => {
    const fault = new HexLensError(code, 'It broke.', { fix: 'Repair it.', details: 'secret details' });
    const { status } = faults[code];
    // The fix of an internal fault may name folders of this machine.
    const text = `It broke. ${code === 'internal' ? 'See the log of the service.' : 'Repair it.'}`;
    const bodies = {
      auth: encodeFaultBody('auth', fault),
      evm: encodeFaultBody('evm', fault),
      aptos: encodeFaultBody('aptos', fault),
    };
    expect(bodies.auth).toEqual({
      statusCode: status,
      name: expect.stringMatching(/^[A-Za-z]+Exception$/),
      message: text,
    });
    expect(bodies.evm).toEqual({ message: text });
    expect(bodies.aptos).toEqual({
      statusCode: status,
      message: [text],
      error: expect.stringMatching(/^[A-Z][A-Za-z ]+$/),
    });
    expect(bodies.aptos['error']).not.toBe('Error');
    for (const body of Object.values(bodies)) {
      expect(parseFaultMessage(body)).toBe(text);
      expect(JSON.stringify(body)).not.toContain('secret');
    }
  });

  test('lists rejected fields separately in group C, in one sentence elsewhere', () => {
    const fault = createBadInputFault([
      { field: 'limit', message: 'limit is required: a whole number from 1 to 100' },
      { field: 'offset', message: 'offset must not be less than 0' },
    ]);
    const all = 'limit is required: a whole number from 1 to 100, offset must not be less than 0';
    expect(encodeFaultBody('aptos', fault)).toEqual({
      statusCode: 400,
      message: fault.issues.map(issue => issue.message),
      error: 'Bad Request',
    });
    expect(encodeFaultBody('evm', fault)).toEqual({ message: all });
    expect(encodeFaultBody('auth', fault)).toEqual({ statusCode: 400, name: 'BadRequestException', message: all });
  });
});

describe('parseFaultMessage', () => {
  const bodies: readonly (readonly [body: unknown, text: string | null])[] = [
    [{ message: 'a' }, 'a'],
    [{ message: ['a', 'b', 3, null] }, 'a, b'],
    [{ message: [] }, null],
    [{ message: { message: 'deep' } }, 'deep'],
    [{ error: { code: -32000, message: 'node says' } }, 'node says'],
    [{ error: 'short' }, 'short'],
    [{ message: null, error: 'short' }, 'short'],
    [{ message: 'a', error: 'b' }, 'a'],
    [{ message: 5 }, null],
    [{ message: 'x'.repeat(9999) }, 'x'.repeat(500)],
    [{ message: ['x'.repeat(9999)] }, 'x'.repeat(500)],
    [{}, null],
    [[], null],
    [null, null],
    [undefined, null],
    ['<html>502 Bad Gateway</html>', null],
    [502, null],
  ];

  test.each(bodies)('reads %j', (body, text) => {
    expect(parseFaultMessage(body)).toBe(text);
  });
});

describe('faultFromResponse', () => {
  const answers: readonly (readonly [status: number, body: unknown, code: FaultCode, message: RegExp])[] = [
    [400, { message: 'address is not valid' }, 'bad-input', /^address is not valid$/],
    [422, { message: 'x' }, 'bad-input', /^x$/],
    [
      401,
      { message: 'Token is invalid format' },
      'unauthorized',
      /^The host does not accept the API key\. Set it again/,
    ],
    [
      401,
      { message: 'Your plan: free-plan-daily total included usage has been consumed' },
      'unauthorized',
      /quota is used up\. Wait/,
    ],
    [403, null, 'unauthorized', /does not accept the API key/],
    [404, { message: 'Block not found' }, 'not-found', /^Block not found$/],
    [404, '<html>', 'not-found', /^The host responded with status 404 \(Not Found\) and no readable text\.$/],
    [405, {}, 'method-not-allowed', /405 \(Method Not Allowed\)/],
    [410, { message: 'gone' }, 'removed', /no longer has this operation\. Use the embedded service/],
    [413, {}, 'too-large', /413/],
    [429, {}, 'rate-limited', /is limiting requests\. Try again/],
    [500, 'oops', 'host-error', /500 \(Internal Server Error\).* Try again later\./],
    [501, { message: 'not yet' }, 'not-implemented', /^not yet$/],
    [503, { message: 'busy' }, 'host-error', /^busy\. Try again later\.$/],
    [504, null, 'node-timeout', /504/],
    [418, null, 'host-error', /status 418 and no readable text/],
    [302, '', 'host-error', /status 302/],
  ];

  test.each(answers)('%d %j is %s', (status, body, code, message) => {
    const fault = faultFromResponse('The host', status, body);
    expect(getFaultCode(fault)).toBe(code);
    expect(formatFault(fault)).toMatch(message);
    expect(fault.details).toContain(`The host responded ${status}`);
  });

  test('distinguishes a rejected sign-in from a rejected key', () => {
    const refused = faultFromResponse(
      'The host',
      401,
      { message: 'The signature is not by this account.' },
      undefined,
      'auth',
    );
    expect(formatFault(refused)).toBe('The signature is not by this account.');
    expect(
      formatFault(faultFromResponse('The host', 401, { message: 'API key is missing' }, undefined, 'auth')),
    ).toMatch(/Set API Key/);
    expect(formatFault(faultFromResponse('The host', 401, { message: 'No.' }, undefined, 'evm'))).toMatch(
      /Set API Key/,
    );
  });

  test('passes on the time to wait', () => {
    expect(faultFromResponse('The host', 429, {}, 1500).retryAfterMs).toBe(1500);
    expect(faultFromResponse('The host', 503, {}, 2500).retryAfterMs).toBe(2500);
    expect(faultFromResponse('The host', 429, {}).retryAfterMs).toBeUndefined();
  });

  test('is retryable according to the table of faults', () => {
    expect(faultFromResponse('The host', 500, {}).retryable).toBe(true);
    expect(faultFromResponse('The host', 429, {}).retryable).toBe(true);
    expect(faultFromResponse('The host', 400, {}).retryable).toBe(false);
    expect(faultFromResponse('The host', 410, {}).retryable).toBe(false);
  });
});
