// Every exported function, constant, class and type of src is used outside of tests.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findFiles } from '../../scripts/findFiles.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const WORD = /[A-Za-z_$][\w$]*/g;
const EXPORT = /^export (?:async )?(?:const|function\*?|class|interface|type) ([A-Za-z_$][\w$]*)/gm;

/** Exports whose name is nowhere but at their declaration. */
function findUnusedExports(sources: ReadonlyMap<string, string>): readonly string[] {
  const uses = new Map<string, number>();
  for (const text of sources.values())
    for (const [word] of text.matchAll(WORD)) uses.set(word, (uses.get(word) ?? 0) + 1);
  return [...sources].flatMap(([file, text]) =>
    Array.from(text.matchAll(EXPORT), ([, name = '']) => name)
      .filter(name => uses.get(name) === 1)
      .map(name => `${file} ${name}`),
  );
}

test('finds what is exported and used nowhere', () => {
  const sources = new Map([
    ['a.ts', 'export function used(): void {}\nexport const unused = 1;\nexport async function own() {}\nvoid own();'],
    ['b.ts', "import { used } from './a.ts';\nused();\nexport class Unused {}\nexport type Spare = 1;"],
  ]);
  expect(findUnusedExports(sources)).toEqual(['a.ts unused', 'b.ts Unused', 'b.ts Spare']);
});

test('the project exports nothing that only tests use', () => {
  const files = [...findFiles('src/**/*.ts'), ...findFiles('scripts/**/*.ts')];
  const sources = new Map(files.map(file => [file, readFileSync(root + file, 'utf8')]));
  expect(findUnusedExports(sources).filter(one => one.startsWith('src/'))).toEqual([]);
});
