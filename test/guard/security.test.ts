// Every promise of docs/security.md names a test that exists.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = readFileSync(`${root}docs/security.md`, 'utf8');

const promises = [...text.matchAll(/^\| ([^|\n]+) \| `(test\/[^`\n]+)`: "([^"\n]+)" \|$/gm)].map(
  ([, promise = '', file = '', title = '']) => ({ promise, file, title }),
);

test('every row of the tables of promises is a promise with a file and a title', () => {
  // The rows of the table of rules have numbers; `rules.test.ts` runs their examples.
  const rows = text.split('\n').filter(line => /^\| (?!Promise|Rule|\d+ \||\*\*)/.test(line));
  expect(promises.length).toBe(rows.length);
  expect(promises.length).toBeGreaterThan(20);
});

test.each(promises)('$file has the test of "$promise"', ({ file, title }) => {
  expect(existsSync(root + file)).toBe(true);
  expect(readFileSync(root + file, 'utf8')).toContain(`'${title}'`);
});

test('SECURITY.md leads to the promises', () => {
  expect(readFileSync(`${root}SECURITY.md`, 'utf8')).toContain('(docs/security.md)');
});

test('only optional packages for other operating systems are in the lockfile without integrity, as known limits say', () => {
  interface Locked {
    readonly link?: boolean;
    readonly integrity?: string;
    readonly optional?: boolean;
    readonly dev?: boolean;
    readonly os?: readonly string[];
  }
  const lock = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')) as { packages: Record<string, Locked> };
  const without = Object.entries(lock.packages).filter(
    ([path, { link, integrity }]) => path.startsWith('node_modules/') && link !== true && integrity === undefined,
  );
  expect(without.filter(([, { optional, dev, os }]) => !(optional && dev && os !== undefined))).toEqual([]);
  expect(text).toContain(`In \`package-lock.json\` ${without.length} optional packages for other operating systems`);
});
