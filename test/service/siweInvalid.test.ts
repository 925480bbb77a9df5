// Every kind of invalid message and signature, signed correctly over its exact bytes, is rejected.
import { beforeAll, describe, expect, test } from 'vitest';
import { alice, at, bob, createSignInStage, type MessageParts, messageOf } from './siweStage.ts';

const stage = createSignInStage();
const DAY = 86_400_000;

/** A change to a valid message. */
type Change = (good: string) => string;
const edit =
  (from: string, to: string): Change =>
  good => {
    if (!good.includes(from)) throw new Error(`The message has no ${from}`);
    return good.replace(from, () => to);
  };
const parts =
  (given: MessageParts): Change =>
  () =>
    messageOf(given);
const more = (...lines: string[]) => parts({ more: lines });

const malformed: readonly (readonly [string, Change])[] = [
  ['CRLF', good => good.replaceAll('\n', '\r\n')],
  ['CR', good => good.replaceAll('\n', '\r')],
  ['text in front', good => `x ${good}`],
  ['a space in front', good => ` ${good}`],
  ['a byte order mark in front', good => `\ufeff${good}`],
  ['a line feed in front', good => `\n${good}`],
  ['fields out of order', edit('Version: 1\nChain ID: 1', 'Chain ID: 1\nVersion: 1')],
  ['one blank line', () => messageOf({ statement: null }).replace('\n\n\n', '\n\n')],
  ['no blank line', () => messageOf({ statement: null }).replace('\n\n\n', '\n')],
  ['no blank line behind the statement', edit('please.\n\n', 'please.\n')],
  ['a line feed at the end', good => `${good}\n`],
  ['a junk line at the end', good => `${good}\nx`],
  ['a space at the end', good => `${good} `],
  [
    'a second field block',
    good => `${good}\nURI: https://example.com\nVersion: 1\nChain ID: 1\nNonce: bbbbbbbb\nIssued At: ${at(0)}`,
  ],
  ['a second nonce', edit('Nonce: Px7', 'Nonce: aaaaaaaa\nNonce: Px7')],
  ['a second expiration', more(`Expiration Time: ${at(DAY)}`, `Expiration Time: ${at(-DAY)}`)],
  ['an expiration hidden behind resources', more('Resources:', '- https://a.example', `Expiration Time: ${at(-DAY)}`)],
  ['a line feed in the statement', edit('please.', 'please.\n\nURI: https://evil.example')],
  ['a tab in the statement', edit('Sign in', 'Sign\tin')],
  ['a quotation mark in the statement', edit('Sign in', '"Sign" in')],
  ['é in the statement', edit('Sign in', 'Signé in')],
  ['an emoji in the statement', edit('Sign in', '🥵 in')],
  ['NUL in the statement', edit('Sign in', 'Sign\0in')],
  ['version 2', parts({ version: '2' })],
  ['version 1.0', parts({ version: '1.0' })],
  ['a wrong checksum', parts({ address: alice.address.replace('f39F', 'F39F') })],
  ['an address with a wrong checksum', parts({ address: alice.address.replace('f39F', 'F39F') })],
  ['an address all in upper case', parts({ address: `0x${alice.address.slice(2).toUpperCase()}` })],
  ['0X in front of the address', parts({ address: alice.address.replace('0x', '0X') })],
  ['an address of 39 digits', parts({ address: alice.address.slice(0, -1) })],
  ['a space behind the address', parts({ address: `${alice.address} ` })],
  ['a URI without scheme', parts({ uri: 'example.com/login' })],
  ['a space in the URI', parts({ uri: 'https://example.com/a b' })],
  ['a broken percent in the URI', parts({ uri: 'https://example.com/%zz' })],
  ['no URI', parts({ uri: '' })],
  ['a resource that is no URI', more('Resources:', '- nothing')],
  ['a resource without its dash', more('Resources:', 'https://a.example')],
  ['a space in the request id', more('Request ID: a b')],
  ['a slash in the request id', more('Request ID: a/b')],
  ['no domain', parts({ origin: '' })],
  ['a space in the domain', parts({ origin: 'example .com' })],
  ['a path in the domain', parts({ origin: 'example.com/login' })],
  ['Cyrillic letters in the domain', parts({ origin: 'exаmple.com' })],
  ['a nonce of 7', parts({ nonce: 'abcdefg' })],
  ['a dash in the nonce', parts({ nonce: 'abcd-efgh' })],
  ['chain 01', parts({ chainId: '01' })],
  ['chain 2^60', parts({ chainId: String(2n ** 60n) })],
  ['chain 0x1', parts({ chainId: '0x1' })],
  ['chain -1', parts({ chainId: '-1' })],
  ['chain 1e3', parts({ chainId: '1e3' })],
  ['no chain', parts({ chainId: '' })],
  ['issued at garbage', parts({ issuedAt: 'yesterday' })],
  ['issued at a date only', parts({ issuedAt: '2023-11-14' })],
  ['issued without an offset', parts({ issuedAt: '2023-11-14T22:13:19' })],
  ['issued on 30 February', parts({ issuedAt: '2023-02-30T00:00:00Z' })],
  ['issued on 29 February of a year that has none', parts({ issuedAt: '2023-02-29T00:00:00Z' })],
  ['issued at 24:00', parts({ issuedAt: '2023-11-13T24:00:00Z' })],
  ['issued with an offset of 24:00', parts({ issuedAt: '2023-11-13T00:00:00+24:00' })],
  ['expires never', more('Expiration Time: never')],
  ['expires on 30 February', more('Expiration Time: 2030-02-30T00:00:00Z')],
  ['expired in a leap second', more('Expiration Time: 2016-12-31T23:59:60Z')],
  ['expires in a leap second that never was', more('Expiration Time: 2030-12-30T12:59:60Z')],
  ['no expiration behind its label', more('Expiration Time: ')],
  ['65 resources', more('Resources:', ...Array.from({ length: 65 }, (_, i) => `- https://a.example/${i}`))],
  ['more than 10,000 bytes', edit('please.', 'a'.repeat(10_000))],
];

const untimely: readonly (readonly [string, Change, string])[] = [
  ['expired a day ago', more(`Expiration Time: ${at(-DAY)}`), 'expired'],
  ['expires exactly now', more(`Expiration Time: ${at(0)}`), 'expired'],
  ['expired, in another offset', more('Expiration Time: 2023-11-15T00:13:20+02:00'), 'expired'],
  ['expired, in lower case', more(`Expiration Time: ${at(-1).toLowerCase()}`), 'expired'],
  ['not valid before tomorrow', more(`Not Before: ${at(DAY)}`), 'not valid yet'],
  ['not valid before a minute from now', more(`Not Before: ${at(60_000)}`), 'not valid yet'],
  ['issued a day ahead', parts({ issuedAt: at(DAY) }), 'in the future'],
];

const good: readonly (readonly [string, Change])[] = [
  ['the plain message', message => message],
  ['no statement', parts({ statement: null })],
  ['an empty statement', parts({ statement: '' })],
  [
    'everything',
    () =>
      messageOf({
        origin: 'https://example.com:8443',
        statement: "I accept: https://example.com/tos?a=[1]&b='2' (all of it)!",
        more: [
          `Expiration Time: ${at(DAY)}`,
          `Not Before: ${at(-DAY)}`,
          'Request ID: some-id_%20:@!$',
          'Resources:',
          '- ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/',
          '- https://example.com/claim.json',
        ],
      }),
  ],
  ['an empty list of resources', more('Resources:')],
  ['an empty request id', more('Request ID: ')],
  ['64 resources', more('Resources:', ...Array.from({ length: 64 }, (_, i) => `- https://a.example/${i}`))],
  ['an IPv6 domain', parts({ origin: '[::1]:8545' })],
  ['a user in the domain', parts({ origin: 'user@example.com' })],
  ['localhost', parts({ origin: 'localhost:3000' })],
  ['expires in a millisecond', more(`Expiration Time: ${at(1)}`)],
  ['valid from now on', more(`Not Before: ${at(0)}`)],
  ['times with offsets and small letters', parts({ issuedAt: '2023-11-15t00:13:19.123+02:00' })],
  ['issued three years ago', parts({ issuedAt: at(-3 * 365 * DAY) })],
  ['issued a second ahead: clocks differ', parts({ issuedAt: at(1_000) })],
  ['chain 0', parts({ chainId: 0 })],
  ['chain 2^53 - 1', parts({ chainId: Number.MAX_SAFE_INTEGER })],
];

describe('a message with', () => {
  test.each(malformed)('%s is malformed', async (_, change) => {
    const message = change(messageOf());
    expect(message).not.toBe(messageOf());
    const { status, body } = await stage().signedByAlice(message);
    expect([status, body['name']]).toEqual([400, 'BadRequestException']);
    expect(body['message']).toMatch(/\S{3}/);
    expect(String(body['message']).length).toBeLessThan(600);
  });
});

describe('a message that', () => {
  test.each(untimely)('%s is refused', async (_, change, word) => {
    const { status, body } = await stage().signedByAlice(change(messageOf()));
    expect([status, body['name'], body['message']]).toEqual([
      401,
      'UnauthorizedException',
      expect.stringContaining(word),
    ]);
  });

  test('was used before is rejected', async () => {
    const { signedByAlice } = stage();
    expect((await signedByAlice(messageOf())).status).toBe(201);
    const { status, body } = await signedByAlice(messageOf());
    expect([status, body['message']]).toEqual([401, expect.stringContaining('used before')]);
  });
});

describe('a message', () => {
  test.each(good)('is accepted: %s', async (_, change) => {
    const { status, body } = await stage().signedByAlice(change(messageOf()));
    expect([status, body['message']]).toEqual([201, undefined]);
    expect(body['address']).toBe(alice.address);
  });
});

describe('a signature', () => {
  const message = messageOf();
  let right = '';
  let strangers = '';
  beforeAll(async () => {
    right = await alice.signMessage({ message });
    strangers = await bob.signMessage({ message });
  });
  const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const withV = (v: number) => `${right.slice(0, -2)}${v.toString(16).padStart(2, '0')}`;
  const parity = () => Number.parseInt(right.slice(-2), 16) - 27;
  const s = () => BigInt(`0x${right.slice(66, 130)}`);
  const compact = () => `${right.slice(0, 66)}${(s() | (BigInt(parity()) << 255n)).toString(16).padStart(64, '0')}`;
  const word = (value: bigint) => value.toString(16).padStart(64, '0');

  test.each<readonly [string, number, () => string]>([
    ['as it is', 201, () => right],
    ['in upper case', 201, () => `0x${right.slice(2).toUpperCase()}`],
    ['with v = 0 or 1', 201, () => withV(parity())],
    ['with v = 27 or 28', 201, () => withV(27 + parity())],
    ['with the other v', 401, () => withV(28 - parity())],
    ['with v = 2', 400, () => withV(2)],
    ['with v = 3', 400, () => withV(3)],
    ['with v = 29', 400, () => withV(29)],
    ['with v = 30', 400, () => withV(30)],
    ['with v = 37', 400, () => withV(37)],
    ['with v = 38', 400, () => withV(38)],
    ['its twin with a high s', 400, () => `${right.slice(0, 66)}${word(ORDER - s())}${parity() === 0 ? '1c' : '1b'}`],
    ['in the compact form', 400, () => compact()],
    ['with an odd digit less', 400, () => right.slice(0, -1)],
    ['with an odd digit more', 400, () => `${right}0`],
    ['with a byte more', 400, () => `${right}00`],
    ['with a byte less', 400, () => right.slice(0, -2)],
    ['without 0x', 400, () => right.slice(2)],
    ['with a space in front', 400, () => ` ${right}`],
    ['with r = 0', 400, () => `0x${word(0n)}${right.slice(66)}`],
    ['with s = 0', 400, () => `${right.slice(0, 66)}${word(0n)}1b`],
    ['with r = order', 400, () => `0x${word(ORDER)}${right.slice(66)}`],
    ['with s = order', 400, () => `${right.slice(0, 66)}${word(ORDER)}1b`],
    ['with r that is no x of a point', 401, () => `0x${word(5n)}${right.slice(66)}`],
    ['wrapped by ERC-6492', 400, () => `${right}${'6492'.repeat(16)}`],
    ['that is no hex', 400, () => `0x${'zz'.repeat(65)}`],
    ['that is empty hex', 400, () => '0x'],
    ['of another account', 401, () => strangers],
  ])('%s gets status %i', async (_, status, make) => {
    const answer = await stage().verify(message, make());
    expect([answer.status, answer.body['message'] === undefined]).toEqual([status, status === 201]);
    if (status === 400) expect(answer.body['message']).toMatch(/signature/);
  });

  test('in the compact form, when it is allowed', async () => {
    const { verify } = stage({ auth: { compactSignatures: true } });
    expect((await verify(message, compact())).status).toBe(201);
  });

  test('is invalid after flipping any bit', async () => {
    const { verify } = stage({ auth: { singleUse: false } });
    for (let bit = 0; bit < 65 * 8; bit += 13) {
      const bytes = Buffer.from(right.slice(2), 'hex');
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect((await verify(message, `0x${bytes.toString('hex')}`)).status, `bit ${bit}`).toBeGreaterThanOrEqual(400);
    }
    expect((await verify(message, right)).status).toBe(201);
  });
});

test('the signature is invalid after changing any character of the message', async () => {
  const message = messageOf();
  const signature = await alice.signMessage({ message });
  const { verify } = stage({ auth: { singleUse: false } });
  for (let i = 0; i < message.length; i += 3) {
    const other = message.charAt(i) === 'x' ? 'y' : 'x';
    const changed = message.slice(0, i) + other + message.slice(i + 1);
    expect((await verify(changed, signature)).status, changed).toBeGreaterThanOrEqual(400);
  }
});
