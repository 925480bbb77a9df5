// The documents name files and scripts that exist, and the changelog has each change once.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findFiles, readFiles } from '../../scripts/findFiles.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = readFileSync(`${root}src/README.md`, 'utf8');
const files = findFiles(['src/**/*.{ts,json}', 'test/**/*.ts', 'scripts/**/*.ts', '*.{mjs,json}']);

test('every file that src/README.md names exists', () => {
  const names = [...text.matchAll(/`([\w./-]+\.(?:ts|mjs))`/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(80);
  expect(names.filter(name => !files.some(file => file === name || file.endsWith(`/${name}`)))).toEqual([]);
});

test('every script that a document names exists', () => {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { scripts: Record<string, string> };
  const named = readFiles(['*.md', '{docs,src,.github}/**/*.md']).flatMap(({ path, text: document }) =>
    [...document.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => ({ path, name })),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(({ name }) => !Object.hasOwn(scripts, name))).toEqual([]);
});

test('the changelog has each change once, also where two branches were merged', () => {
  const changes = readFileSync(`${root}CHANGELOG.md`, 'utf8').match(/^- .*/gm) ?? [];
  expect(changes.length).toBeGreaterThan(10);
  // Two versions of one entry begin alike.
  const repeated = [...Map.groupBy(changes, line => line.slice(0, 40))].filter(([, lines]) => lines.length > 1);
  expect(repeated).toEqual([]);
});
