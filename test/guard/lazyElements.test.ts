// Elements of pages that are loaded later take what they share with the page from its bundle, which must export it.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const FOLDER = 'src/webview/inspector';
const read = (path: string) => readFileSync(path, 'utf8');
/** Named values of `import { … }` or `export { … }` statements, without types. */
const listNames = (text: string, keyword: 'import' | 'export'): readonly string[] =>
  [...text.matchAll(new RegExp(`^${keyword} \\{([^}]*)\\} from '([^']+)'`, 'gm'))].flatMap(([, names = '', path]) =>
    path?.endsWith('/protocol/contractReads.ts')
      ? []
      : names
          .split(',')
          .map(name => name.trim())
          .filter(name => name !== '' && !name.startsWith('type ')),
  );

const elements = /lazyElements = \[([^\]]*)\]/.exec(read('esbuild.mjs'))?.[1]?.match(/\w+/g) ?? [];

test('there are elements that are loaded later', () => {
  expect(elements).toContain('stateChangesView');
});

test.each(elements)('the page exports what %s imports', element => {
  const exported = listNames(read(`${FOLDER}/main.ts`), 'export');
  const imported = listNames(read(`${FOLDER}/components/${element}.ts`), 'import');
  expect(imported.filter(name => !exported.includes(name))).toEqual([]);
});
