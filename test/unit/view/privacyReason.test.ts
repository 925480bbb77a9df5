import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { detectLiterals } from '../../../src/detect/detectLiterals.ts';
import { checkDisclosure, findSecretReason, TYPED } from '../../../src/view/checkDisclosure.ts';
import { omitRule, RULES_URL, renderReason } from '../../../src/view/privacyReason.ts';

const hash = '0x3c12facc754b02cad873cef7be2f8ddeb7b4d68f3b01638843a78584ba1a72ff';
const [literal] = detectLiterals(`const x = '${hash}';`);
if (literal === undefined) throw new Error('There is no literal.');
const getReason = (isFork: boolean) =>
  checkDisclosure(literal, { isLocal: false, isUserRequested: false, isFork }, TYPED).reason;

test.each([false, true])('links the rule of a reason to the page that has it, of a fork: %s', isFork => {
  const reason = renderReason(getReason(isFork));
  expect(reason).toMatch(/^32 bytes may be a private key, and .* hash \(\[rule 8\]\(https:\S+ "[^"]+"\)\)/);
  expect(reason.includes('A fork asks its source')).toBe(isFork);
  const [page, anchor = ''] = RULES_URL.split('#');
  expect(page).toMatch(/\/docs\/security\.md$/);
  const { homepage } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(page?.startsWith(homepage.replace(/#.*/, ''))).toBe(true);
  const headings = readFileSync('docs/security.md', 'utf8').match(/(?<=^#+ ).*/gm);
  expect(headings?.map(text => text.toLowerCase().replaceAll(' ', '-'))).toContain(anchor);
});

test('names no rule where a text has no links', () => {
  expect(omitRule(getReason(false))).toBe(
    '32 bytes may be a private key, and nothing here proves that this is a hash.',
  );
  expect(omitRule(getReason(true))).not.toMatch(/\d\)/);
  expect(omitRule('32 Bytes können ein Schlüssel sein (Regel 8).')).toBe('32 Bytes können ein Schlüssel sein.');
  expect(findSecretReason([`private key ${hash}`])).toBe('"private key" near it says that this may be a secret.');
});
