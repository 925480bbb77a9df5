// Problems of sign-in messages as ranges in the text that contains them, and fixes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inspectSiweMessages, type SiweRepair } from '../../../../src/view/siwe/inspectSiwe.ts';

const message = `shop.example wants you to sign in with your Ethereum account:
0x70997970C51812dc3A010C7d01b50e0d17dc79C8

Sign in.

URI: https://shop.example/login
Version: 1
Chain ID: 1
Nonce: k5Yw2PqT8mZr
Issued At: 2026-01-15T09:30:00.000Z`;

const wrongCase = (text: string) => text.replace('dc3A', 'dc3a');
const swapped = (text: string) => text.replace('Version: 1\nChain ID: 1', 'Chain ID: 1\nVersion: 1');

function repaired(text: string, repair: SiweRepair | null | undefined): string {
  if (!repair) throw new Error('There is no repair.');
  let result = text;
  for (const { start, end, text: replacement } of repair.edits.toReversed())
    result = result.slice(0, start) + replacement + result.slice(end);
  return result;
}

/** The ways in which a file can contain a message. */
const forms: readonly (readonly [string, (text: string) => string])[] = [
  ['plain', text => `${text}\n`],
  ['below other text, with CRLF', text => `Hello\n\n${text}\n`.replaceAll('\n', '\r\n')],
  ['in JSON', text => JSON.stringify({ message: text, signature: '0x' }, null, 2)],
  ['in a fence', text => `# x\n\`\`\`\n${text}\n\`\`\`\n`],
];

describe.each(forms)('%s', (_, form) => {
  test('a valid message has no problems', () => {
    expect(inspectSiweMessages(form(message))).toEqual([]);
  });

  test('reports a wrong value at its position', () => {
    const text = form(message.replace('Version: 1', 'Version: 2'));
    const remarks = inspectSiweMessages(text);
    expect(remarks).toHaveLength(1);
    expect(text.slice(remarks[0]?.start, remarks[0]?.end)).toBe('2');
    expect(remarks[0]?.problem).toMatchObject({ line: 7, field: 'version' });
    expect(remarks[0]?.fix).toBeNull();
  });

  test('reports and fixes a wrong checksum in place', () => {
    const text = form(wrongCase(message));
    const [remark, ...others] = inspectSiweMessages(text);
    expect(others).toEqual([]);
    expect(text.slice(remark?.start, remark?.end)).toContain('dc3a');
    expect(repaired(text, remark?.fix)).toBe(form(message));
    expect(remark?.fixAll).toBeNull();
  });

  test('reports two problems, and fixes them one by one or together', () => {
    const text = form(swapped(wrongCase(message)));
    const [first, second, ...others] = inspectSiweMessages(text);
    expect(others).toEqual([]);
    expect([first?.problem.line, second?.problem.line]).toEqual([2, 7]);
    expect(repaired(text, first?.fix)).toBe(form(swapped(message)));
    expect(repaired(text, second?.fix)).toBe(form(wrongCase(message)));
    expect(repaired(text, first?.fixAll)).toBe(form(message));
    expect(second?.fixAll).toBe(first?.fixAll);
  });

  test.each([
    ['a blank line too few', message.replace('\n\nURI', '\nURI')],
    ['a blank line too many', message.replace('\n\nSign', '\n\n\nSign')],
    ['a blank line among the fields', message.replace('\nNonce', '\n\nNonce')],
  ])('fixes %s', (_title, broken) => {
    const text = form(broken);
    const [remark] = inspectSiweMessages(text);
    expect(remark?.end).toBeGreaterThanOrEqual(remark?.start ?? 0);
    expect(repaired(text, remark?.fixAll ?? remark?.fix)).toBe(form(message));
  });
});

test('ranges and edits stay within the message, and fixing terminates, for any damage', () => {
  const lines = message.split('\n');
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...lines, '', ' ', 'Nonce:', '- x', 'Expiration Time: never'), { maxLength: 14 }),
      fc.constantFrom(...forms.map(([, form]) => form)),
      (rest, form) => {
        const text = form([...lines.slice(0, 2), ...rest].join('\n'));
        for (const { start, end, fix, fixAll } of inspectSiweMessages(text)) {
          expect(0 <= start && start <= end && end <= text.length).toBe(true);
          for (const repair of [fix, fixAll])
            for (const edit of repair?.edits ?? [])
              expect(0 <= edit.start && edit.start <= edit.end && edit.end <= text.length).toBe(true);
          if (fixAll !== null) expect(repaired(text, fixAll)).not.toBe(text);
        }
      },
    ),
    { numRuns: 500, seed: 4361 },
  );
});
