// Detection of sign-in messages in a text, and of their fields, valid or not.
import { describe, expect, test } from 'vitest';
import { detectSiweMessages } from '../../src/api/siwe/detectSiweMessages.ts';
import { locateSiweFields } from '../../src/api/siwe/locateFields.ts';
import { safeParseSiweMessage } from '../../src/api/siwe/parseSiweMessage.ts';

const HEAD =
  'example.com wants you to sign in with your Ethereum account:\n0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2\n\n';
const TAIL =
  'URI: https://example.com/login\nVersion: 1\nChain ID: 1\nNonce: 32891756\nIssued At: 2021-09-30T16:25:24Z';
const PLAIN = `${HEAD}\n${TAIL}`;
const FULL = `${HEAD}Hello there\n\n${TAIL}\nRequest ID: \nResources:\n- a:b\n- c:d`;

const found = (text: string) => detectSiweMessages(text).map(({ start, end }) => text.slice(start, end));

describe('locateSiweFields', () => {
  const summary = (text: string) => locateSiweFields(text).map(({ field, line, value }) => `${line} ${field} ${value}`);

  test('locates all fields of a valid message, in the order of the lines', () => {
    expect(summary(`https://${FULL}`)).toEqual([
      '1 scheme https',
      '1 domain example.com',
      '2 address 0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
      '4 statement Hello there',
      '6 uri https://example.com/login',
      '7 version 1',
      '8 chainId 1',
      '9 nonce 32891756',
      '10 issuedAt 2021-09-30T16:25:24Z',
      '11 requestId ',
      '12 resources Resources:',
      '13 resources a:b',
      '14 resources c:d',
    ]);
  });

  test('returns offsets of the value and of its line', () => {
    for (const { start, end, lineStart, lineEnd, value, line } of locateSiweFields(FULL)) {
      expect(FULL.slice(start, end)).toBe(value);
      expect(FULL.slice(lineStart, lineEnd)).toBe(FULL.split('\n')[line - 1]);
    }
  });

  test('locates fields in invalid messages: other case, other order, invalid values, CRLF', () => {
    const wrong = `${HEAD}Hello\n\nversion: 3\nchain id : x\nURI: \nNonce: 1\nNonce: 2\nwhat`;
    const expected = ['4 statement Hello', '6 version 3', '7 chainId x', '8 uri ', '9 nonce 1', '10 nonce 2'];
    expect(summary(wrong).slice(2)).toEqual(expected);
    expect(summary(wrong.replaceAll('\n', '\r\n')).slice(2)).toEqual(expected);
  });

  test('takes a statement that starts like a label for the statement', () => {
    const text = `${HEAD}URI: https://a.example\n\n${TAIL}`;
    expect(safeParseSiweMessage(text)).toMatchObject({ message: { statement: 'URI: https://a.example' } });
    expect(summary(text).slice(2, 4)).toEqual([
      '4 statement URI: https://a.example',
      '6 uri https://example.com/login',
    ]);
  });

  test('finds no domain in other text, and nothing in empty text', () => {
    expect(locateSiweFields('')).toEqual([]);
    expect(locateSiweFields('one\n\ntwo').map(({ field }) => field)).toEqual(['statement']);
  });
});

describe('detectSiweMessages', () => {
  test.each([
    ['the text as a whole', PLAIN, [PLAIN]],
    ['a file with a line feed at its end', `${FULL}\n`, [FULL]],
    ['among other lines', `# Sign in\n\n${FULL}\n\nSignature: 0x00\n`, [FULL]],
    ['with the signature right under it', `${PLAIN}\n0x${'ab'.repeat(65)}\n`, [PLAIN]],
    ['two of them', `${PLAIN}\n\n---\n${FULL}\nend`, [PLAIN, FULL]],
    ['two of them right after each other', `${PLAIN}\n${FULL}`, [PLAIN, FULL]],
    ['in a fence of Markdown', `\`\`\`\n${FULL}\n\`\`\`\n`, [FULL]],
    ['in a template literal', `const message = \`${FULL}\`;\nsign(message);\n`, [FULL]],
    ['in a text of triple quotes', `message = """${PLAIN}"""\n`, [PLAIN]],
    [
      'in a wrong order and with a blank line',
      `${HEAD}\nVersion: 1\n\nURI: a:b\nrest`,
      [`${HEAD}\nVersion: 1\n\nURI: a:b`],
    ],
    ['cut off under the address', `${HEAD}`, [HEAD.trimEnd()]],
    ['with CRLF', `${PLAIN}\n`.replaceAll('\n', '\r\n'), [PLAIN.replaceAll('\n', '\r\n')]],
  ])('%s', (_, text, messages) => {
    expect(found(text)).toEqual(messages);
  });

  test.each([
    ['JSON', JSON.stringify({ message: FULL })],
    [
      'a string in code',
      `const message = 'example.com wants you to sign in with your Ethereum account:\\n' + address;`,
    ],
    ['prose', 'It says that example.com wants you to sign in with your Ethereum account: and then the address.'],
    ['nothing', ''],
  ])('not in %s', (_, text) => {
    expect(found(text)).toEqual([]);
  });

  test('returns the line number in the text', () => {
    expect(detectSiweMessages(`a\nb\n${PLAIN}\n\n\nc\n${PLAIN}`).map(({ line }) => line)).toEqual([3, 15]);
  });
});
