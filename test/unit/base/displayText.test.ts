// Chain text in hovers: whatever a token calls itself, it stays one harmless line in a code span.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sanitizeText, shortenHex, toMessageText } from '../../../src/base/displayText.ts';
import { escapeMarkdown, toCodeSpan } from '../../../src/view/hover/markdown.ts';
import { anyText } from '../../support/anyText.ts';

/** The content of a code span as CommonMark reads it; throws when the text is anything else than one span. */
function contentOf(span: string): string {
  const fence = /^`+/.exec(span)?.[0] ?? '';
  expect(fence).not.toBe('');
  const body = span.slice(fence.length);
  const close = new RegExp(`(?<!\`)${fence}(?!\`)`).exec(body);
  expect(close?.index).toBe(body.length - fence.length);
  return body.slice(0, -fence.length);
}

describe('codeSpan', () => {
  test.each([
    ['Apes', '`Apes`'],
    ['a`b', '``a`b``'],
    ['`', '`` ` ``'],
    ['[click](command:evil)', '`[click](command:evil)`'],
    ['<img src=x onerror=alert(1)>', '`<img src=x onerror=alert(1)>`'],
    ['two\nlines', '`two lines`'],
    ['bi\u202edi\u2066', '`bi·di·`'],
    ['ze\u200bro\u2060', '`ze·ro·`'],
    ['$(sync~spin)', '`$ (sync~spin)`'],
    ['   ', ''],
    ['', ''],
  ])('%j becomes %j', (text, span) => {
    expect(toCodeSpan(text)).toBe(span);
  });

  test('any text is one code span of one line, without hidden characters', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 200 }), text => {
        const span = toCodeSpan(text);
        if (span === '') return;
        expect(contentOf(span)).not.toMatch(/[\n\r\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b-\u200f\ufeff\0]/u);
        expect(span.isWellFormed()).toBe(true);
      }),
      { seed: 1, numRuns: 2_000 },
    );
  });

  test('a megabyte is cut, not read to its end', () => {
    const text = toCodeSpan('x'.repeat(1_000_000), 20);
    expect(text).toBe(`\`${'x'.repeat(19)}…\``);
  });
});

test('escapeMarkdown leaves no character that Markdown reads', () => {
  expect(escapeMarkdown('see [x](y) <b> *z* http://a.b')).toBe('see \\[x\\]\\(y\\) \\<b\\> \\*z\\* http\\:\\/\\/a\\.b');
});

test('plainText cuts by characters, not by halves of them', () => {
  expect(sanitizeText('😀😀😀😀', 3)).toBe('😀😀…');
});

test('shortHex keeps both ends', () => {
  expect(shortenHex(`0x${'12'.repeat(20)}`)).toBe('0x1212…1212');
  expect(shortenHex('0xa9059cbb')).toBe('0xa9059cbb');
});

describe('toMessageText', () => {
  /** As VS Code finds links in notifications, `command:` among them. */
  const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

  test.each([
    '[Repair](command:workbench.action.quit)',
    'a [b](https://evil.example "title") c',
    '[[a](file:///etc/passwd)',
    '[a](command:x)[b](command:y)',
  ])('leaves no link in %j', text => {
    expect(text).toMatch(LINK);
    expect(toMessageText(text)).not.toMatch(LINK);
  });

  test('leaves other text as it is', () => {
    expect(toMessageText('balanceOf(address)[0] (1)')).toBe('balanceOf(address)[0] (1)');
  });
});
