// The guide to the code names files that exist.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findFiles } from '../../scripts/findFiles.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = readFileSync(`${root}src/README.md`, 'utf8');
const files = findFiles(['src/**/*.{ts,json}', 'test/**/*.ts', 'scripts/**/*.ts', '*.{mjs,json}']);

test('every file that src/README.md names exists', () => {
  const names = [...text.matchAll(/`([\w./-]+\.(?:ts|mjs))`/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(80);
  expect(names.filter(name => !files.some(file => file === name || file.endsWith(`/${name}`)))).toEqual([]);
});
