// Which advisories concern what is shipped: those about the bundled version of a bundled package.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findBundledAdvisories, parseNotices } from '../../../scripts/auditBundles.ts';

const line = `\n${'-'.repeat(80)}\n\n`;
const notices = ['@scope/parser 1.2.3 (MIT)\n\nText 9.9.9 (of a license)', 'http-client 7.0.1 (ISC)\n\nText'].join(
  line,
);

test('reads names and versions of the bundled packages', () => {
  expect([...parseNotices(notices)]).toEqual([
    ['@scope/parser', '1.2.3'],
    ['http-client', '7.0.1'],
  ]);
});

test('does not take notices without packages for a build without advisories', () => {
  expect(() => parseNotices('')).toThrow('name no package');
});

test('reports advisories about bundled versions, and no others', () => {
  const advisory = { title: 'Reads too much', url: 'https://advisories.example/1' };
  const versions: Readonly<Record<string, string>> = {
    'node_modules/http-client': '7.0.1',
    'node_modules/old/node_modules/@scope/parser': '1.0.0',
  };
  const report = {
    vulnerabilities: {
      'http-client': { severity: 'high', via: [advisory, 'other'], nodes: ['node_modules/http-client'] },
      '@scope/parser': { severity: 'low', via: [advisory], nodes: ['node_modules/old/node_modules/@scope/parser'] },
      'test-tool': { severity: 'critical', via: [advisory], nodes: ['node_modules/test-tool'] },
    },
  };
  expect(findBundledAdvisories(report, parseNotices(notices), folder => versions[folder] ?? null)).toEqual([
    'http-client 7.0.1 (high): Reads too much https://advisories.example/1',
  ]);
});

test('the release checks them before it publishes anything', () => {
  const steps = readFileSync('.github/workflows/release.yml', 'utf8');
  const check = steps.indexOf('npm run audit:bundles -- --required');
  expect(check).toBeGreaterThan(steps.indexOf('npm run package:npm'));
  expect(check).toBeLessThan(steps.indexOf('gh release create'));
});
