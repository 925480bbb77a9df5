// Times, domains and the policy of sign-in verification, at their exact bounds.
import { describe, expect, test } from 'vitest';
import { normalizeDomain } from '../../../../src/api/configuration.ts';
import { HexLensError } from '../../../../src/base/errors.ts';
import { checkDomain, checkNonce, checkTimes, completeSiwePolicy } from '../../../../src/service/siwe/messageChecks.ts';

const NOW = 1_700_000_000_000;
const time = (offset: number) => ({ text: new Date(NOW + offset).toISOString(), time: NOW + offset });

function refusalOf(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(HexLensError);
    expect([(error as HexLensError).code, (error as HexLensError).status]).toEqual(['unauthorized', 401]);
    expect((error as HexLensError).fix).toBeTruthy();
    return (error as HexLensError).message;
  }
}

describe('times', () => {
  // An invalid time (NaN) is formatted too.
  const moment = (offset: number) => ({ text: Number.isNaN(offset) ? 'never' : time(offset).text, time: NOW + offset });
  const check = (parts: { issued?: number; notBefore?: number; expires?: number }, skew = 30_000) =>
    refusalOf(() =>
      checkTimes(
        {
          issuedAt: moment(parts.issued ?? 0),
          notBefore: parts.notBefore === undefined ? null : moment(parts.notBefore),
          expirationTime: parts.expires === undefined ? null : moment(parts.expires),
        },
        NOW,
        skew,
      ),
    );

  test.each([
    [{ expires: 1 }, null],
    [{ expires: 0 }, 'expired'],
    [{ expires: -1 }, 'expired'],
    [{ expires: Number.NaN }, 'expired'],
    [{ notBefore: 0 }, null],
    [{ notBefore: 30_000 }, null],
    [{ notBefore: 30_001 }, 'not valid yet'],
    [{ notBefore: Number.NaN }, 'not valid yet'],
    [{ issued: -100 * 365 * 86_400_000 }, null],
    [{ issued: 30_000 }, null],
    [{ issued: 30_001 }, 'issued in the future'],
    [{ issued: Number.NaN }, 'issued in the future'],
  ])('%o', (parts, expected) => {
    const message = check(parts);
    if (expected === null) expect(message).toBeNull();
    else expect(message).toContain(expected);
  });

  test('without tolerated skew the bounds are exact', () => {
    expect(check({ notBefore: 1 }, 0)).toContain('not valid yet');
    expect(check({ issued: 1 }, 0)).toContain('in the future');
    expect(check({ issued: 0, notBefore: 0, expires: 1 }, 0)).toBeNull();
  });

  test('tolerated skew does not prolong a message', () => {
    expect(check({ expires: 0 }, 60_000)).toContain('expired');
  });
});

describe('policy', () => {
  test('has these defaults', () => {
    expect(completeSiwePolicy()).toEqual({
      expectedDomains: [],
      singleUse: true,
      clockSkewMs: 30_000,
      compactSignatures: false,
      lowerCaseAddresses: true,
    });
  });

  test.each([
    [0, 0],
    [-5, 0],
    [Number.NaN, 0],
    [59_999, 59_999],
    [60_001, 60_000],
    [Number.POSITIVE_INFINITY, 60_000],
  ])('a tolerated skew of %d ms is limited to %d', (given, counted) => {
    expect(completeSiwePolicy({ clockSkewMs: given }).clockSkewMs).toBe(counted);
  });

  test.each([
    ['example.com', 'example.com'],
    ['EXAMPLE.com:8080', 'example.com:8080'],
    ['localhost:3000', 'localhost:3000'],
    ['127.0.0.1', '127.0.0.1'],
    ['[::1]:8545', '[::1]:8545'],
    ['[2001:DB8::1]', '[2001:db8::1]'],
    ['', null],
    ['https://example.com', null],
    ['example.com/', null],
    ['user@example.com', null],
    ['example.com:', null],
    ['example.com:123456', null],
    ['exa mple.com', null],
    ['example.com\n', null],
    ['пример.рф', null],
    ['::1', null],
  ])('the domain %j is normalized to %j', (text, canonical) => {
    expect(normalizeDomain(text)).toBe(canonical);
    if (canonical !== null)
      expect(completeSiwePolicy({ expectedDomains: [text] }).expectedDomains).toEqual([canonical]);
    else expect(() => completeSiwePolicy({ expectedDomains: [text] })).toThrow(/is not a domain/);
  });
});

describe('domain', () => {
  const check = (domain: string, ...expectedDomains: string[]) =>
    refusalOf(() => checkDomain({ domain }, expectedDomains));

  test.each([
    ['example.com', ['example.com'], true],
    ['Example.COM', ['example.com'], true],
    ['example.com', ['Example.Com'], true],
    ['example.com', ['example.org', 'example.com'], true],
    ['example.com:443', ['example.com'], false],
    ['example.com', ['example.com:443'], false],
    ['www.example.com', ['example.com'], false],
    ['example.com.evil.org', ['example.com'], false],
    ['evilexample.com', ['example.com'], false],
    ['example.com.', ['example.com'], false],
    ['[::1]', ['[::1]'], true],
  ])('%s with %j expected: %s', (domain, expected, accepted) => {
    const message = check(domain, ...expected);
    if (accepted) expect(message).toBeNull();
    else expect(message).toBe(`The message is for ${domain}, not for ${expected.join(' or ')}.`);
  });

  test.each(['example.com@evil.org', 'user@example.com', 'user:pass@example.com'])(
    '%s: user names hide hosts',
    domain => {
      expect(check(domain, 'example.com', 'evil.org')).toContain('names a user in its domain');
    },
  );

  test('without expected domains every domain is accepted', () => {
    expect(check('anything.example')).toBeNull();
  });
});

test('an expected nonce is compared to the letter', () => {
  const check = (nonce: string, expected?: string) => refusalOf(() => checkNonce({ nonce }, expected));
  expect(check('Abcdefgh')).toBeNull();
  expect(check('Abcdefgh', 'Abcdefgh')).toBeNull();
  expect(check('Abcdefgh', 'abcdefgh')).toContain('The message has the nonce Abcdefgh, which is not the one');
  expect(check('a'.repeat(5_000), 'abcdefgh')?.length).toBeLessThan(120);
});
