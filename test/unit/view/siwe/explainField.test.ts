// What people read of a sign-in message: hovers of its parts, remarks on signatures, the record, whom a refusal is about.
import { describe, expect, test } from 'vitest';
import { safeParseSiweMessage } from '../../../../src/api/siwe/parseSiweMessage.ts';
import { explainField } from '../../../../src/view/siwe/explainField.ts';
import {
  checkSignatureText,
  findRejectedPart,
  formatIdentityJson,
  getResultFileName,
  toSigner,
  type VerifiedIdentity,
} from '../../../../src/view/siwe/verificationResult.ts';

const now = Date.parse('2026-06-01T12:00:00Z');
const explain = (field: Parameters<typeof explainField>[0]['field'], value: string) =>
  explainField({ field, value }, { now, clockSkewMs: 10_000 });

describe('the hover of a field', () => {
  test('shows title, value, meaning and what is allowed', () => {
    expect(explain('version', '1')).toBe(
      [
        '**Version** `1`',
        'Version of the message format\\.',
        'Allowed: 1 and nothing else\\.',
        'Part of a sign\\-in message (EIP\\-4361)',
      ].join('  \n'),
    );
  });

  test.each([
    ['expirationTime', '2026-06-01T14:00:00Z', '2026-06-01 14:00:00 UTC · in 2 hours · $(pass) still in force'],
    ['expirationTime', '2026-06-01T13:00:00+02:00', '2026-06-01 11:00:00 UTC · 1 hour ago · $(error) **expired**'],
    ['expirationTime', '2026-06-01T12:00:00Z', '2026-06-01 12:00:00 UTC · just now · $(error) **expired**'],
    ['notBefore', '2026-06-02T12:00:00Z', '2026-06-02 12:00:00 UTC · in 1 day · $(error) **not in force yet**'],
    ['notBefore', '2026-06-01T12:00:00Z', '2026-06-01 12:00:00 UTC · just now · $(pass) in force'],
    ['issuedAt', '2026-05-31T12:00:00Z', '2026-05-31 12:00:00 UTC · 1 day ago'],
    // The verification accepts a clock that is 10 seconds ahead here.
    ['issuedAt', '2026-06-01T12:00:10Z', '2026-06-01 12:00:10 UTC · in 10 seconds'],
    ['notBefore', '2026-06-01T12:00:10Z', '2026-06-01 12:00:10 UTC · in 10 seconds · $(pass) in force'],
    ['issuedAt', '2026-06-01T12:00:10.5Z', '2026-06-01 12:00:10 UTC · in 10 seconds · $(warning) **in the future**'],
  ] as const)('%s %s: %s', (field, value, line) => {
    expect(explain(field, value)?.split('  \n')[1]).toBe(line);
  });

  test.each(['never', '2026-02-30T00:00:00Z', '2026-06-01', '2026-06-01T12:00:60Z'])('%s is no moment', value => {
    expect(explain('expirationTime', value)).not.toMatch(/UTC|force|expired/);
  });

  test.each([
    ['1', '**Ethereum**'],
    ['42161', '**Arbitrum One**'],
    ['31337', '**Local dev chain**'],
    ['777777', 'Chain 777777, not a well\\-known one'],
  ])('chain %s is %s', (value, line) => {
    expect(explain('chainId', value)?.split('  \n')[1]).toBe(line);
  });

  test('text of the message cannot become Markdown', () => {
    const hostile = 'a`b** [x](command:evil) <img> $(bug) \u202e\u0000';
    const [first = ''] = explain('statement', hostile)?.split('  \n') ?? [];
    expect(first).toBe('**Statement** ``a`b** [x](command:evil) <img> $ (bug) ·``');
    expect(explain('requestId', 'x'.repeat(10_000))?.length).toBeLessThan(600);
  });

  test('the address has its own hover, and the whole message none', () => {
    expect(explain('address', `0x${'1'.repeat(40)}`)).toBeNull();
    expect(explain('message', 'x')).toBeNull();
  });
});

describe('checkSignatureText', () => {
  const digits = (count: number) => `0x${'a'.repeat(count)}`;
  test.each([
    ['', 'A signature is 0x and 130 hex digits.'],
    ['abc', 'A signature starts with 0x.'],
    ['0x12g4', 'The character at position 5 is not a hex digit.'],
    [digits(129), 'A signature has 130 hex digits; this has 129, 1 digit too few.'],
    [digits(10), 'A signature has 130 hex digits; this has 10, 120 digits too few.'],
    [digits(133), 'A signature has 130 hex digits; this has 133, 3 digits too many.'],
  ])('%s: %s', (text, remark) => {
    expect(checkSignatureText(text)).toEqual({ severity: 'error', message: remark });
  });

  test('accepts valid lengths; longer ones may be of a contract wallet', () => {
    expect(checkSignatureText(digits(130))).toBeNull();
    expect(checkSignatureText(digits(128))).toBeNull();
    expect(checkSignatureText(digits(260))?.severity).toBe('warning');
  });
});

const identity: VerifiedIdentity = {
  id: 'abcdefghijklmnopq',
  domain: 'shop.example',
  chainId: 1,
  address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  statement: null,
  uri: 'https://shop.example/login',
  expirationTime: new Date('2126-01-15T09:30:00.000Z'),
  notBefore: null,
  resources: ['https://shop.example/terms'],
  version: '1',
  nonce: 'k5Yw2PqT8mZr',
  profileId: `0x${'1'.repeat(64)}`,
};

describe('the identity record', () => {
  test('is shown as the service sends it, without empty fields', () => {
    expect(JSON.parse(formatIdentityJson(identity))).toEqual({
      id: 'abcdefghijklmnopq',
      domain: 'shop.example',
      chainId: 1,
      address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      uri: 'https://shop.example/login',
      expirationTime: '2126-01-15T09:30:00.000Z',
      resources: ['https://shop.example/terms'],
      version: '1',
      nonce: 'k5Yw2PqT8mZr',
      profileId: `0x${'1'.repeat(64)}`,
    });
  });

  test('has a file name and a signer', () => {
    expect(getResultFileName(identity)).toBe('Verified sign-in of 0x7099…79C8.json');
    expect(toSigner(identity)).toEqual({
      address: identity.address,
      domain: 'shop.example',
      chain: 'Ethereum (1)',
    });
  });

  test('of a host that sends invalid values is shown, sanitized', () => {
    const rubbish = { ...identity, address: null, chainId: null, domain: 'a\n\u202eb/../c' };
    expect(getResultFileName(rubbish)).toBe('Verified sign-in of unknown address.json');
    expect(toSigner(rubbish)).toEqual({ address: '?', domain: 'a ·b/../c', chain: 'chain ?' });
  });
});

describe('findRejectedPart', () => {
  const text = (extra: string) => `shop.example wants you to sign in with your Ethereum account:
0x70997970C51812dc3A010C7d01b50e0d17dc79C8


URI: https://shop.example/login
Version: 1
Chain ID: 1
Nonce: k5Yw2PqT8mZr
Issued At: 2026-01-15T09:30:00.000Z${extra}`;
  const part = (words: string, extra = '') => {
    const read = safeParseSiweMessage(text(extra));
    if ('problem' in read) throw new Error(read.problem.message);
    return findRejectedPart(words, read.message, now);
  };

  test.each([
    ['The signature was made by 0x1, not by 0x2 of the message.', 'signature'],
    ['signature ends with v = 29: only 0, 1, 27 and 28 are allowed', 'signature'],
    ['The message was used before: its nonce abc signs in once.', 'nonce'],
    ['The message is for shop.example, not for club.example.', 'domain'],
    ['The message was issued in the future: its Issued At is …', 'issuedAt'],
    ['INVALID', 'signature'],
  ])('%s', (words, expected) => {
    expect(part(words)).toBe(expected);
  });

  test('an expired time is the reason, whatever the host says', () => {
    expect(part('Bad Request', '\nExpiration Time: 2026-01-16T00:00:00Z')).toBe('expirationTime');
    expect(part('Bad Request', '\nNot Before: 2026-07-01T00:00:00Z')).toBe('notBefore');
  });
});
