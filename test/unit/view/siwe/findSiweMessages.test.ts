// Sign-in messages found in the text of files: plain, fenced, in JSON, with and without their signature.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findSiweMessages, SIWE_PHRASE } from '../../../../src/view/siwe/findSiweMessages.ts';
import { findSiweMessageAt, inspectSiweMessages } from '../../../../src/view/siwe/inspectSiwe.ts';
import { measureCpuMs } from '../../../support/cpuTime.ts';

const message = `shop.example wants you to sign in with your Ethereum account:
0x70997970C51812dc3A010C7d01b50e0d17dc79C8

Sign in.

URI: https://shop.example/login
Version: 1
Chain ID: 1
Nonce: k5Yw2PqT8mZr
Issued At: 2026-01-15T09:30:00.000Z
Resources:
- https://shop.example/terms`;
const signature = `0x${'ab'.repeat(64)}1b`;

/** The only message of a text. */
function only(text: string) {
  const found = findSiweMessages(text);
  expect(found).toHaveLength(1);
  const [first] = found;
  if (first === undefined) throw new Error('nothing');
  return first;
}

describe('where a message ends and its signature is', () => {
  test.each([
    ['nothing else', message, null],
    ['a file that ends in a line feed', `${message}\n`, null],
    ['a bare signature below', `${message}\n${signature}\n`, signature],
    ['a blank line and a word before it', `${message}\n\nSignature: ${signature}\n`, signature],
    ['a quoted one', `${message}\nsignature = "${signature}"`, signature],
    ['text above and below', `Dear Bob,\n\n${message}\n\nYours, Alice\n`, null],
    [
      'a fence, and the signature below it',
      `# Title\n\n\`\`\`\n${message}\n\`\`\`\n\nsig: ${signature}\n\nmore`,
      signature,
    ],
    ['a bold word before it', `${message}\n\n**Signature:** \`${signature}\``, signature],
    ['a signature that is none', `${message}\n\nSignature: 12xyz`, '12xyz'],
    ['an empty signature', `${message}\n\nSignature:\n`, ''],
  ])('is found: %s', (_, text, expected) => {
    const found = only(text);
    expect(found.message).toBe(message);
    expect(found.isCertain).toBe(true);
    expect(text.slice(found.start, found.end)).toBe(message);
    expect(found.signature?.text ?? null).toBe(expected);
    if (found.signature !== null) expect(text.slice(found.signature.start, found.signature.end)).toBe(expected);
  });

  test('line ends of the message are LF, whatever those of the file', () => {
    const text = `x\r\n${message.replaceAll('\n', '\r\n')}\r\n\r\nSignature: ${signature}\r\n`;
    const found = only(text);
    expect(found.message).toBe(message);
    const nonce = found.toTextOffset(message.indexOf('Nonce'));
    expect(text.slice(nonce, nonce + 8)).toBe('Nonce: k');
    expect(found.escape('a\nb')).toBe('a\r\nb');
  });

  test('reads JSON strings, and maps every offset to the text', () => {
    const text = JSON.stringify({ note: 'x', message, signature, more: 1 }, null, 2);
    const found = only(text);
    expect(found.message).toBe(message);
    expect(found.signature?.text).toBe(signature);
    for (const part of ['shop', '\n0x', 'Nonce', 'terms']) {
      const at = found.toTextOffset(message.indexOf(part));
      const written = JSON.stringify(part).slice(1, -1);
      expect(text.slice(at, at + written.length)).toBe(written);
    }
    expect(found.escape('a"\n')).toBe('a\\"\\n');
  });

  test('each of several messages has its own signature', () => {
    const other = message.replace('shop', 'club');
    const [one, two] = [`0x${'11'.repeat(65)}`, `0x${'22'.repeat(65)}`];
    const plain = findSiweMessages(`${message}\n${one}\n\n${other}\n${two}\n`);
    expect(plain.map(found => [found.message, found.signature?.text])).toEqual([
      [message, one],
      [other, two],
    ]);
    const json = JSON.stringify([
      { signature: one, message },
      { signature: two, message: other },
    ]);
    expect(findSiweMessages(json).map(found => found.signature?.text)).toEqual([one, two]);
    const unsigned = findSiweMessages(`${message}\n\n${other}\n${two}\n`);
    expect(unsigned.map(found => found.signature?.text)).toEqual([undefined, two]);
  });

  test('a blank line by mistake is part of the message', () => {
    const broken = message.replace('Issued', '\nIssued');
    expect(only(`${broken}\n\nSignature: ${signature}`).message).toBe(broken);
  });

  test('findSiweMessageAt returns the message at the cursor, else the next, else the last', () => {
    const other = message.replace('shop', 'club');
    const text = `first\n${message}\n${signature}\n\n${other}\n`;
    const at = (offset: number) => findSiweMessageAt(text, offset)?.message;
    expect(at(0)).toBe(message);
    expect(at(text.indexOf(signature) + 9)).toBe(message);
    expect(at(text.indexOf('club'))).toBe(other);
    expect(at(text.length)).toBe(other);
    expect(findSiweMessageAt('nothing', 0)).toBeNull();
  });
});

describe('text that is not a message', () => {
  test.each([
    ['prose', `A site ${SIWE_PHRASE}: this is what the first line says.`],
    ['a grammar', `domain %s" ${SIWE_PHRASE}:" LF\n0x`],
    ['a template', `\${domain} ${SIWE_PHRASE}:\n0x\${address}`],
    ['source code', `const text = \`shop.example ${SIWE_PHRASE}:\n0x1\``],
    ['a first line alone', `shop.example ${SIWE_PHRASE}:\n`],
  ])('%s is not certain', (_, text) => {
    expect(inspectSiweMessages(text)).toEqual([]);
  });

  test('ignores incomplete and wrongly escaped JSON', () => {
    expect(findSiweMessages(`{"message": "a ${SIWE_PHRASE}:\\q"}`).map(({ isCertain }) => isCertain)).toEqual([false]);
    expect(findSiweMessages(`{"message": "a ${SIWE_PHRASE}:`).map(({ isCertain }) => isCertain)).toEqual([false]);
  });
});

describe('any text', () => {
  const piece = fc.constantFrom(
    ...message.split('\n'),
    signature,
    `Signature: ${signature}`,
    '```',
    '',
    '{"message": "',
    '"signature": "0x"',
    SIWE_PHRASE,
    '\r',
    '\\u00',
    '"}',
  );

  test('is searched without an error, and every offset is in the text', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.constantFrom('\n', '\r\n', ''), (pieces, feed) => {
        const text = pieces.join(feed);
        let last = 0;
        for (const found of findSiweMessages(text)) {
          expect(found.start).toBeGreaterThanOrEqual(last);
          expect(found.end).toBeLessThanOrEqual(text.length);
          last = found.start;
          for (let at = 0; at <= found.message.length; at += 7) {
            expect(found.toTextOffset(at)).toBeGreaterThanOrEqual(found.start);
            expect(found.toTextOffset(at)).toBeLessThanOrEqual(found.end);
          }
        }
      }),
      { numRuns: 500, seed: 4361 },
    );
  });

  test('a message in JSON is found with any text around it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), statement => {
        const text = message.replace('Sign in.', () => statement.replaceAll('\n', ''));
        const found = only(JSON.stringify({ message: text }));
        expect(found.message).toBe(text);
      }),
      { numRuns: 200, seed: 4361 },
    );
  });

  test.each([
    ['phrases', `${SIWE_PHRASE}\n`.repeat(4_000)],
    ['open strings', '"message": "'.repeat(16_000)],
    ['blank lines below a nonce', `${message}${'\n \n'.repeat(60_000)}`],
    ['fields', `${message}\n${'Nonce: 12345678\n\n'.repeat(10_000)}`],
  ])('searches many %s quickly', (_, text) => {
    expect(measureCpuMs(() => findSiweMessages(`${text}\n${SIWE_PHRASE}`), 1_000)).toBeLessThan(1_000);
  });
});
