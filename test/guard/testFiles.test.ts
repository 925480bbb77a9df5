// Every test file is run by exactly one runner, and `npm test` calls all runners.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readFiles } from '../../scripts/findFiles.ts';
import { NODE_FOLDERS } from '../testFolders.ts';
import configuration from '../vitest.config.ts';
import { findRunnerProblems, type Runners } from './testFiles.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(root + path, 'utf8');

const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };

/** Each runner with its patterns, and the words in its own source by which it finds the files. */
const finders = {
  vitest: { patterns: configuration.test?.include ?? [], source: 'test/vitest.config.ts', finds: 'include:' },
  'the editor suite': {
    patterns: ['test/editor/suite/**/*.suite.ts'],
    source: 'test/editor/bundleSuite.ts',
    finds: ".endsWith('.suite.ts')",
  },
  'the end-to-end tests': { patterns: ['test/e2e/*.e2e.ts'], source: 'test/e2e/run.ts', finds: ".endsWith('.e2e.ts')" },
  'the type checker': {
    patterns: ['test/**/*.types.ts'],
    source: 'test/tsconfig.json',
    finds: '"include": ["**/*.ts"',
  },
};

const runners: Runners = Object.fromEntries(Object.entries(finders).map(([name, { patterns }]) => [name, patterns]));

describe('the project', () => {
  test('has no test that no runner picks up', () => {
    const files = readFiles(['test/**/*.{ts,mts,cts,tsx,js,mjs,cjs}', 'src/**/*.ts'], ['**/fixtures/**']);
    expect(files.length).toBeGreaterThan(50);
    expect(findRunnerProblems(files, runners)).toEqual([]);
  });

  test.each(Object.entries(finders))('%s finds its files as this guard expects', (_name, { source, finds }) => {
    expect(read(source).replace(/\s+/g, ' ')).toContain(finds);
  });

  test('`npm test` calls every runner', () => {
    const steps = read('test/run.ts');
    for (const program of ['vitest', 'test/editor/run.ts', 'test/e2e/run.ts', 'tsc']) expect(steps).toContain(program);
    expect(scripts['test']).toContain('test/run.ts');
  });

  test('`npm run test:service` runs the folders whose tests start nodes and databases', () => {
    const folders = scripts['test:service']?.match(/(?<= test\/)\w+(?= |$)/g) ?? [];
    expect(folders.toSorted()).toEqual(NODE_FOLDERS.toSorted());
  });

  test('no test is skipped or run alone by a word left behind', () => {
    const words = /^\s*(describe|test|it)\.(only|todo)\b|\bfdescribe\(|\bfit\(/m;
    const left = readFiles('test/**/*.{test,suite,e2e}.ts').filter(({ text }) => words.test(text));
    expect(left.map(({ path }) => path)).toEqual([]);
  });
});

describe('findRunnerProblems', () => {
  const some: Runners = { unit: ['test/unit/**/*.test.ts'], editor: ['test/editor/*.suite.ts'] };
  const file = (path: string, text = '') => ({ path, text });
  const run = [file('test/unit/a.test.ts'), file('test/unit/b/c.test.ts'), file('test/editor/d.suite.ts')];

  test('is content when every test has its runner and the rest are no tests', () => {
    const others = [
      file('test/unit/rig.ts', "import { test } from 'vitest';\nexport const rig = 1;"),
      file('src/x.ts', 'const retest = (a) => a;'),
    ];
    expect(findRunnerProblems([...run, ...others], some)).toEqual([]);
  });

  test('sees a test file in a folder that no pattern reaches', () => {
    expect(findRunnerProblems([...run, file('test/units/e.test.ts')], some)).toEqual([
      "test/units/e.test.ts is named as a test, but no runner's pattern matches it.",
    ]);
  });

  test('sees a test file with another ending', () => {
    for (const path of [
      'test/unit/e.spec.ts',
      'test/unit/e.test.mjs',
      'test/editor/deep/e.suite.ts',
      'src/base/hex.test.ts',
    ])
      expect(findRunnerProblems([...run, file(path)], some)).toHaveLength(1);
  });

  test('sees hooks in a file that is no test', () => {
    const hooks = file('test/unit/rig.ts', 'export const rig = 1;\nafterEach(() => rig);\n');
    expect(findRunnerProblems([...run, hooks], some)).toEqual([expect.stringContaining('sets hooks')]);
    const called = file('test/unit/rig.ts', 'export function createRig() {\n  afterEach(() => 1);\n}\n');
    expect(findRunnerProblems([...run, called], some)).toEqual([]);
  });

  test('sees tests in a file that is not named as one', () => {
    for (const text of ["describe('x', () => {});", "\ntest('x', () => {});", "it.each([1])('x', () => {});"])
      expect(findRunnerProblems([...run, file('test/unit/forgotten.ts', text)], some)[0]).toMatch(
        /^test\/unit\/forgotten\.ts holds tests/,
      );
  });

  test('sees a file that two runners take', () => {
    expect(findRunnerProblems(run, { ...some, again: ['test/**/d.suite.ts'] })).toEqual([
      'test/editor/d.suite.ts is run by editor and by again.',
    ]);
  });

  test('sees a pattern that matches nothing', () => {
    expect(findRunnerProblems(run, { ...some, mouse: ['test/e2e/*.e2e.ts'] })).toEqual([
      'mouse looks for test/e2e/*.e2e.ts, but there is no such file.',
    ]);
  });
});
