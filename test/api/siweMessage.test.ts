// The sign-in parser: valid and invalid messages, the location and reason of problems, and fixes.
import { describe, expect, test } from 'vitest';
import { parseSiweMessage, safeParseSiweMessage } from '../../src/api/siwe/parseSiweMessage.ts';
import { formatSiweMessage } from '../../src/api/siwe/siweMessage.ts';
import { applyFix, type SiweProblem } from '../../src/api/siwe/siweProblem.ts';
import { HexLensError } from '../../src/base/errors.ts';

const ADDRESS = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const HEAD = `example.com wants you to sign in with your Ethereum account:\n${ADDRESS}\n\n`;
const TAIL =
  'URI: https://example.com/login\nVersion: 1\nChain ID: 1\nNonce: 32891756\nIssued At: 2021-09-30T16:25:24Z';
/** The description's shape: address line, blank lines, URI. */
const PLAIN = `${HEAD}\n${TAIL}`;
const FULL =
  `${HEAD}I accept the Terms: https://example.com/tos\n\n${TAIL}\nExpiration Time: 2021-10-30T16:25:24Z\n` +
  'Not Before: 2021-09-30T16:25:24Z\nRequest ID: some_id\nResources:\n- ipfs://bafy/\n- https://example.com/a.json';

function problemOf(text: string): SiweProblem {
  const reading = safeParseSiweMessage(text);
  if ('message' in reading) throw new Error(`Read as a message: ${JSON.stringify(text)}`);
  return reading.problem;
}

const underlined = (text: string, { line, column, length }: SiweProblem) =>
  (text.split('\n')[line - 1] ?? '').slice(column, column + length);

/** The message with one piece replaced, which must be in it. */
function swap(from: string, to: string, text = FULL): string {
  if (!text.includes(from)) throw new Error(`Nothing to replace: ${from}`);
  return text.replace(from, () => to);
}

describe('messages', () => {
  test('parses the minimal message', () => {
    expect(parseSiweMessage(PLAIN)).toEqual({
      scheme: null,
      domain: 'example.com',
      address: ADDRESS,
      statement: null,
      uri: 'https://example.com/login',
      version: '1',
      chainId: 1,
      nonce: '32891756',
      issuedAt: { text: '2021-09-30T16:25:24Z', time: Date.UTC(2021, 8, 30, 16, 25, 24) },
      expirationTime: null,
      notBefore: null,
      requestId: null,
      resources: null,
    });
  });

  test('parses all fields', () => {
    const message = parseSiweMessage(`https://${FULL}`);
    expect(message).toMatchObject({ scheme: 'https', domain: 'example.com', requestId: 'some_id' });
    expect(message.statement).toBe('I accept the Terms: https://example.com/tos');
    expect(message.resources).toEqual(['ipfs://bafy/', 'https://example.com/a.json']);
  });

  test.each([
    ['an empty statement', `${HEAD}\n\n${TAIL}`],
    ['a statement that looks like a label', `${HEAD}URI: https://a.example\n\n${TAIL}`],
    ['a statement of spaces', `${HEAD}  \n\n${TAIL}`],
    ['an empty request id', `${PLAIN}\nRequest ID: `],
    ['an empty list of resources', `${PLAIN}\nResources:`],
    ['IPv6 with a port', swap('example.com wants', '[2001:db8::1]:8080 wants')],
    ['userinfo (the verifier refuses it)', swap('example.com wants', 'user:pw@example.com wants')],
    ['an empty port', swap('example.com wants', 'example.com: wants')],
    ['an encoded host', swap('example.com wants', 'ex%41mple.com wants')],
    ['a URI of a scheme only', swap('https://example.com/login', 'a:')],
    ['chain 0', swap('Chain ID: 1', 'Chain ID: 0')],
    ['the largest chain id', swap('Chain ID: 1', `Chain ID: ${Number.MAX_SAFE_INTEGER}`)],
    ['a leap day', swap('2021-09-30T', '2024-02-29T', PLAIN)],
    ['lower-case t and z', swap('2021-09-30T16:25:24Z', '2021-09-30t16:25:24z', PLAIN)],
    ['the farthest offset', swap('16:25:24Z', '16:25:24.123456789-23:59', PLAIN)],
  ])('are formatted as they were parsed: %s', (_, text) => {
    expect(formatSiweMessage(parseSiweMessage(text))).toBe(text);
  });

  test('accepts a lower-case address by option only, and never a wrong mixed case', () => {
    const options = { allowLowerCaseAddress: true };
    const lower = swap(ADDRESS, ADDRESS.toLowerCase());
    expect(safeParseSiweMessage(lower)).toHaveProperty('problem');
    expect(parseSiweMessage(lower, options).address).toBe(ADDRESS.toLowerCase());
    expect(safeParseSiweMessage(swap('0xC0', '0xc0'), options)).toHaveProperty('problem');
    expect(safeParseSiweMessage(swap(ADDRESS, `0x${ADDRESS.slice(2).toUpperCase()}`), options)).toHaveProperty(
      'problem',
    );
  });

  test.each([
    ['2016-12-31T23:59:59.9999Z', Date.UTC(2016, 11, 31, 23, 59, 59, 999)],
    ['2021-09-30T16:25:24-02:00', Date.UTC(2021, 8, 30, 18, 25, 24)],
    ['0000-01-01T00:00:00Z', -62_167_219_200_000],
    ['9999-12-31T23:59:59.1+00:30', 253_402_298_999_100],
  ])('have the moment of %s', (text, time) => {
    expect(parseSiweMessage(swap('2021-09-30T16:25:24Z', text, PLAIN)).issuedAt).toEqual({ text, time });
  });
});

/** Name, message, line, underlined, part, found (all or its start). Probes of facts section 3 that a reader answers. */
const refused: readonly (readonly [string, string, number, string, string, string])[] = [
  ['empty', '', 1, '', 'message', 'nothing'],
  ['leading text', `Hello ${PLAIN}`, 1, ' ', 'domain', 'U+0020 (space)'],
  ['leading space', ` ${PLAIN}`, 1, ' ', 'domain', 'U+0020 (space)'],
  ['no domain', PLAIN.slice('example.com'.length), 1, '', 'domain', 'nothing before U+0020'],
  ['a port only', swap('example.com wants', ':80 wants'), 1, '', 'domain', 'nothing before ":"'],
  ['a path in the domain', swap('example.com wants', 'example.com/a wants'), 1, '/', 'domain', '"/"'],
  [
    'a Cyrillic letter in the domain',
    swap('example', 'ex\u0430mple'),
    1,
    '\u0430',
    'domain',
    'U+0430 (Cyrillic, looks like "a")',
  ],
  ['a bad scheme', `1ttp://${PLAIN}`, 1, '1', 'scheme', '"1"'],
  ['IPv6 with two "::"', swap('example.com wants', '[1::2::3] wants'), 1, ':', 'domain', '":"'],
  [
    'IPv6 with nine groups',
    swap('example.com wants', '[1:2:3:4:5:6:7:8:9] wants'),
    1,
    '1:2:3:4:5:6:7:8:9',
    'domain',
    '"1:2',
  ],
  ['IPv6 left open', swap('example.com wants', '[::1 wants'), 1, '', 'domain', 'nothing before'],
  ['other words', swap('Ethereum', 'Solana'), 1, 'S', 'message', '"S"'],
  ['a full-width colon', swap('account:', 'account\uFF1A'), 1, '\uFF1A', 'message', 'U+FF1A (full-width form of ":")'],
  ['words after the greeting', swap('account:', 'account: now'), 1, ' ', 'message', 'U+0020 (space)'],
  ['no address', HEAD.slice(0, HEAD.indexOf('\n')), 1, '', 'address', 'the end of the message'],
  ['a short address', swap('Cc2', 'Cc'), 2, ADDRESS.slice(0, -1), 'address', '"0xC02a'],
  ['0X', swap('0xC', '0XC'), 2, `0X${ADDRESS.slice(2)}`, 'address', '"0XC02a'],
  ['a wrong mixed case', swap('0xC0', '0xc0'), 2, `0xc${ADDRESS.slice(3)}`, 'address', 'the wrong EIP-55 checksum'],
  ['CRLF', FULL.replaceAll('\n', '\r\n'), 1, '\r', 'message', 'U+000D (carriage return)'],
  ['a lone carriage return', swap('account:\n', 'account:\r'), 1, '\r', 'message', 'U+000D (carriage return)'],
  ['non-ASCII in the statement', swap('accept', 'acc\u00E9pt'), 4, '\u00E9', 'statement', 'U+00E9'],
  ['an emoji in the statement', swap('accept', '\u{1F600}'), 4, '\u{1F600}', 'statement', 'U+1F600'],
  ['a quotation mark in the statement', swap('accept', '"accept"'), 4, '"', 'statement', '"""'],
  ['a tab in the statement', swap('I accept', 'I\taccept'), 4, '\t', 'statement', 'U+0009 (tab)'],
  ['NUL in the statement', swap('accept', '\0'), 4, '\0', 'statement', 'U+0000 (NUL)'],
  [
    'a lone surrogate in the statement',
    swap('accept', '\uD83D'),
    4,
    '\uD83D',
    'statement',
    'U+D83D (half of a surrogate pair)',
  ],
  [
    'a line feed in the statement',
    swap('accept the', 'accept\nthe'),
    5,
    'the Terms: https://example.com/tos',
    'statement',
    'a line more',
  ],
  [
    'fields hidden in the statement',
    swap('accept the', 'accept\n\nURI: https://evil.example\nVersion: 1\nx'),
    8,
    'x Terms: https://example.com/tos',
    'message',
    '"x Terms',
  ],
  ['a URI without a scheme', swap('https://example.com/login', '//example.com'), 6, '/', 'uri', '"/"'],
  ['a bad percent', swap('/login', '/%G1'), 6, '%G1', 'uri', '"%G1"'],
  ['a space in the URI', swap('/login', '/a b'), 6, ' ', 'uri', 'U+0020 (space)'],
  ['version 2', swap('Version: 1', 'Version: 2'), 7, '2', 'version', '"2"'],
  ['chain 01', swap('Chain ID: 1', 'Chain ID: 01'), 8, '01', 'chainId', '"01"'],
  ['chain 2^60', swap('Chain ID: 1', `Chain ID: ${2n ** 60n}`), 8, '1152921504606846976', 'chainId', '"1152'],
  ['chain 2^53', swap('Chain ID: 1', `Chain ID: ${2 ** 53}`), 8, '9007199254740992', 'chainId', '"9007'],
  ['no chain', swap('Chain ID: 1', 'Chain ID: '), 8, '', 'chainId', 'the end of the line'],
  ['a nonce of 7', swap('32891756', '3289175'), 9, '3289175', 'nonce', '"3289175"'],
  ['a hyphen in the nonce', swap('32891756', '3289-1756'), 9, '-', 'nonce', '"-"'],
  ['Issued At garbage', swap('Issued At: 2021', 'Issued At: now'), 10, 'n', 'issuedAt', '"n"'],
  ['a leap second', swap('2021-10-30T16:25:24Z', '2016-12-31T23:59:60Z'), 11, '60', 'expirationTime', '"60"'],
  ['never', swap('2021-10-30T16:25:24Z', 'never'), 11, 'n', 'expirationTime', '"n"'],
  ['30 February', swap('2021-10-30', '2021-02-30'), 11, '30', 'expirationTime', '"30"'],
  ['29 February of 1900', swap('2021-10-30', '1900-02-29'), 11, '29', 'expirationTime', '"29"'],
  ['a date only', swap('2021-10-30T16:25:24Z', '2021-10-30'), 11, '', 'expirationTime', 'the end of the line'],
  ['24:00', swap('2021-10-30T16', '2021-10-30T24'), 11, '24', 'expirationTime', '"24"'],
  [
    'an offset of 24:00',
    swap('Expiration Time: 2021-10-30T16:25:24Z', 'Expiration Time: 2021-10-30T16:25:24+24:00'),
    11,
    '+24:00',
    'expirationTime',
    '"+24:00"',
  ],
  [
    'a time without a zone',
    swap('Expiration Time: 2021-10-30T16:25:24Z', 'Expiration Time: 2021-10-30T16:25:24'),
    11,
    '',
    'expirationTime',
    'the end of the line',
  ],
  ['a bad request id', swap('some_id', 'some/id'), 13, '/', 'requestId', '"/"'],
  ['words after Resources', swap('Resources:', 'Resources: none'), 14, ' none', 'resources', '" none"'],
  ['a bad resource', swap('ipfs://bafy/', ':bad'), 15, ':', 'resources', '":"'],
  ['trailing junk', `${PLAIN}\nand more`, 10, 'and more', 'message', '"and more"'],
  [
    'a second expiration',
    swap('Not Before: 2021-09-30T16:25:24Z', 'Expiration Time: 2031-10-30T16:25:24Z'),
    12,
    'Expiration Time: 2031-10-30T16:25:24Z',
    'expirationTime',
    'a second "Expiration Time" line',
  ],
  ['a second block of fields', `${PLAIN}\n${TAIL}`, 10, 'URI: https://example.com/login', 'uri', 'a second "URI" line'],
  ['a missing nonce', swap('Nonce: 32891756\n', ''), 9, 'Issued At: 2021-09-30T16:25:24Z', 'nonce', '"Issued At: '],
  ['an end after Chain ID', PLAIN.slice(0, PLAIN.indexOf('\nNonce')), 7, '', 'nonce', 'the end of the message'],
];

describe('invalid messages', () => {
  test.each(refused)('are explained at the place that is wrong: %s', (_, text, line, piece, field, found) => {
    const problem = problemOf(text);
    expect({ ...problem, underlined: underlined(text, problem) }).toMatchObject({ line, field, underlined: piece });
    expect(problem.found.slice(0, found.length)).toBe(found);
    expect(problem.message).toContain(`found ${problem.found}; allowed is ${problem.allowed}.`);
  });

  test('throws an error with field, location and fix', () => {
    const thrown = (() => {
      try {
        return parseSiweMessage(swap('0xC0', '0xc0'));
      } catch (error) {
        return error;
      }
    })();
    expect(thrown).toBeInstanceOf(HexLensError);
    expect(thrown).toMatchObject({ code: 'bad-input', fix: expect.stringContaining('checksummed') });
    expect(thrown).toMatchObject({
      issues: [{ field: 'message', message: expect.stringContaining('Line 2, address') }],
    });
  });
});

/** Name, broken message, and what its fix (or the fixes one after the other) must make of it. */
const fixable: readonly (readonly [string, string, string])[] = [
  ['a lower-case address', swap(ADDRESS, ADDRESS.toLowerCase()), FULL],
  ['a wrong mixed case', swap('0xC0', '0xc0'), FULL],
  ['CRLF', FULL.replaceAll('\n', '\r\n'), FULL],
  ['CRLF on one line', swap('some_id\n', 'some_id\r\n'), FULL],
  ['CRLF and a line end at the end', `${PLAIN.replaceAll('\n', '\r\n')}\r\n`, PLAIN],
  ['a byte order mark', `\uFEFF${FULL}`, FULL],
  ['a line feed at the end', `${FULL}\n`, FULL],
  ['three line feeds at the end', `${PLAIN}\n\n\n`, PLAIN],
  ['a blank line above', `\n${FULL}`, FULL],
  ['no blank line', swap('\n\n\n', '\n', PLAIN), PLAIN],
  ['one blank line', swap('\n\n\n', '\n\n', PLAIN), PLAIN],
  ['four blank lines', swap('\n\n\n', '\n\n\n\n\n', PLAIN), PLAIN],
  ['no blank line above the statement', swap('\n\nI', '\nI'), FULL],
  ['two blank lines above the statement', swap('\n\nI', '\n\n\nI'), FULL],
  ['no blank line under the statement', swap('\n\nURI', '\nURI'), FULL],
  ['two blank lines under the statement', swap('\n\nURI', '\n\n\nURI'), FULL],
  ['spaces on the blank line', swap('\n\nURI', '\n  \nURI'), FULL],
  ['spaces at the end of a line', swap('Version: 1\n', 'Version: 1  \n').replace('some_id\n', 'some_id \n'), FULL],
  ['blank lines between the parts', swap('\nNonce', '\n\nNonce').replace('\nRequest', '\n\n\nRequest'), FULL],
  ['a label in another case', swap('Chain ID: ', 'Chain Id:'), FULL],
  ['a label with a look-alike', swap('Nonce: ', 'N\u043Ence: '), FULL],
  ['a label with a full-width colon', swap('URI: ', 'URI\uFF1A'), FULL],
  [
    'the URI under the version',
    swap('URI: https://example.com/login\nVersion: 1', 'Version: 1\nURI: https://example.com/login'),
    FULL,
  ],
  ['the request id under the resources', `${FULL.replace('Request ID: some_id\n', '')}\nRequest ID: some_id`, FULL],
  ['resources first', `${HEAD}\nResources:\n- a:b\n- c:d\n${TAIL}`, `${PLAIN}\nResources:\n- a:b\n- c:d`],
];

describe('fixes', () => {
  test.each(fixable)('make the message valid: %s', (_, broken, fixed) => {
    let text = broken;
    for (let step = 0; step < 3 && 'problem' in safeParseSiweMessage(text); step++) {
      const { fix, message } = problemOf(text);
      if (fix === undefined) throw new Error(`No fix for: ${message}`);
      text = applyFix(text, fix);
    }
    expect(text).toBe(fixed);
  });

  test.each([
    ['a second part', swap('Version: 1', 'Version: 1\nVersion: 1')],
    ['a statement of two lines', swap('accept the', 'accept\nthe')],
    ['a missing part, with a blank line in its place', swap('Nonce: 32891756', '')],
    [
      'parts out of order with one of them twice',
      `${PLAIN}\nRequest ID: a\nNot Before: 2021-09-30T16:25:24Z\nRequest ID: b`,
    ],
    ['a look-alike in a value', swap('example', 'ex\u0430mple')],
  ])('offers none for %s', (_, text) => {
    expect(problemOf(text).fix).toBeUndefined();
  });
});
