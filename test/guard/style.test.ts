// Source files: a header that is a sentence, a bounded size, a name that says what is in it, no barrels.
import { describe, expect, test } from 'vitest';
import { readFiles, withForwardSlashes } from '../../scripts/findFiles.ts';
import { type Exceptions, findStyleProblems, findUnusedExceptions, MAX_ENTRY_LINES, MAX_LINES } from './style.ts';

/** Longer than the limit, and why. Tables of data and of cases only. */
const longFiles: Exceptions = {};

const files = readFiles(['src/**/*.ts', 'test/**/*.ts', 'scripts/**/*.ts'], ['**/fixtures/**', '**/*.d.ts']);

describe('the project', () => {
  test('keeps to the rules in src', () => {
    const sources = files.filter(({ path }) => path.startsWith('src/'));
    expect(sources.length).toBeGreaterThan(300);
    expect(sources.flatMap(file => findStyleProblems(file, longFiles))).toEqual([]);
  });

  test('lists files by scripts/findFiles.ts only, whose paths are the same on Windows', () => {
    expect(withForwardSlashes('src\\base\\hex.ts')).toBe('src/base/hex.ts');
    const users = files.filter(({ text }) => /^import .*\bglobSync\b.* from/m.test(text)).map(({ path }) => path);
    expect(users).toEqual(['scripts/findFiles.ts']);
  });

  test('keeps to the rules in test, except for the length of tables of cases', () => {
    const tests = files.filter(({ path }) => path.startsWith('test/'));
    expect(tests.length).toBeGreaterThan(300);
    expect(
      tests.flatMap(file => findStyleProblems(file, longFiles)).filter(problem => !problem.includes(' lines; ')),
    ).toEqual([]);
  });

  test('has no unused exception, and a reason for each', () => {
    expect(findUnusedExceptions(files, longFiles)).toEqual([]);
    for (const reason of Object.values(longFiles)) expect(reason).toMatch(/^\S.{10,}\.$/);
  });
});

describe('findStyleProblems', () => {
  const head = '// What this file is responsible for.\n';
  const about = (path: string, text: string) =>
    findStyleProblems({ path, text }, { 'src/base/table.ts': 'A table of data.' });
  const long = head + 'x\n'.repeat(MAX_LINES);

  const good: readonly (readonly [path: string, text: string])[] = [
    ['src/base/hex.ts', head],
    ['src/base/hex.ts', ''],
    ['src/base/hex.ts', 'export const a = 1;\n'],
    ['src/service/commonAncestor.ts', head],
    [
      'src/base/hex.ts',
      '// What this file is responsible for, which takes\n// two lines to say.\nexport const a = 1;\n',
    ],
    ['src/base/hex.ts', head + 'x\n'.repeat(MAX_LINES - 1)],
    ['src/base/table.ts', long],
    ['test/editor/suite/index.ts', head],
    [
      'src/base/hex.ts',
      `${head}const load = lazy(read);\nload().catch(onError);\nload.ifLoaded(run);\nvoid other();\n`,
    ],
    ['src/host/communication.ts', head],
    [
      'test/vitest.config.ts',
      `${head}// biome-ignore lint/style/noDefaultExport: the runner reads it.\nexport default 1;\n`,
    ],
  ];

  test.each(good)('finds no problem in %s', (path, text) => {
    expect(about(path, text)).toEqual([]);
  });

  const bad: readonly (readonly [path: string, text: string, message: RegExp])[] = [
    ['src/base/hex.ts', '// TODO\n', /comment that is not a sentence/],
    ['src/base/hex.ts', '// a comment of some length without an end\n', /comment that is not a sentence/],
    ['src/base/hex.ts', long, /has 601 lines; 600 are allowed/],
    ['src/extension.ts', head + 'x\n'.repeat(MAX_ENTRY_LINES), /has 61 lines; 60 are allowed/],
    ['src/base/utils.ts', head, /"utils"/],
    ['src/host/keyManager.ts', head, /"manager"/],
    ['src/common/x.ts', head, /"common"/],
    ['test/unit/test-helpers.ts', head, /"helpers"/],
    ['src/view/index.ts', head, /is a barrel/],
    ['src/view/all.ts', `${head}export * from './a.ts';\n`, /exports everything/],
    ['src/view/a.ts', `${head}export default function a() {}\n`, /has a default export/],
    ['src/view/a.ts', `${head}const load = lazy(read);\nvoid load().then(run);\n`, /failure of load/],
    ['src/view/a.ts', `${head}const load = lazy(read);\nvoid load.peek()?.then(run);\n`, /failure of load/],
    ['src/extension/a.ts', `${head}void window.showErrorMessage(text);\n`, /text of others may be a link/],
    ['src/extension/a.ts', `${head}void window\n  .withProgress(options, run);\n`, /text of others may be a link/],
    [
      'src/view/a.ts',
      `${head}// biome-ignore lint/style/noDefaultExport:\nexport default 1;\n`,
      /has a default export/,
    ],
  ];

  test.each(bad.map(([path, text, message]) => [path, message, text] as const))(
    'finds a problem in %s: %s',
    (path, message, text) => {
      const problems = about(path, text);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatch(message);
    },
  );

  test('finds exceptions that are not needed', () => {
    const short = { path: 'src/a.ts', text: head };
    expect(
      findUnusedExceptions([short, { path: 'src/b.ts', text: long }], {
        'src/a.ts': 'x',
        'src/b.ts': 'y',
        'src/gone.ts': 'z',
      }),
    ).toEqual(['src/a.ts', 'src/gone.ts']);
  });
});
