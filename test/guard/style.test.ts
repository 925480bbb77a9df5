// Every source file says in its first line what it is for, is short, is named after what is in it, and is no barrel.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ENTRY_LINES, type Exceptions, findStyleProblems, findUnusedExceptions, MAX_LINES } from './style.ts';

/** Longer than 300 lines, and why. Tables of data and of cases only. */
const longFiles: Exceptions = {};

const root = fileURLToPath(new URL('../../', import.meta.url));
const files = globSync(['src/**/*.ts', 'test/**/*.ts'], { cwd: root, exclude: ['**/fixtures/**'] })
  .filter(path => !path.endsWith('.d.ts'))
  .sort()
  .map(path => ({ path, text: readFileSync(root + path, 'utf8') }));

describe('the project', () => {
  test('src keeps to it', () => {
    expect(
      files.filter(({ path }) => path.startsWith('src/')).flatMap(file => findStyleProblems(file, longFiles)),
    ).toEqual([]);
  });

  test('test keeps to it, except for the length of its tables of cases', () => {
    const tests = files.filter(({ path }) => path.startsWith('test/'));
    expect(
      tests.flatMap(file => findStyleProblems(file, longFiles)).filter(complaint => !complaint.includes(' lines; ')),
    ).toEqual([]);
  });

  test('has no exception that nothing needs, and a reason for each', () => {
    expect(findUnusedExceptions(files, longFiles)).toEqual([]);
    for (const reason of Object.values(longFiles)) expect(reason).toMatch(/^\S.{10,}\.$/);
  });
});

describe('complaintsAbout', () => {
  const head = '// What this file is responsible for.\n';
  const about = (path: string, text: string) =>
    findStyleProblems({ path, text }, { 'src/base/table.ts': 'A table of data.' });
  const long = head + 'x\n'.repeat(MAX_LINES);

  const good: readonly (readonly [path: string, text: string])[] = [
    ['src/base/hex.ts', head],
    [
      'src/base/hex.ts',
      '// What this file is responsible for, which takes\n// two lines to say.\nexport const a = 1;\n',
    ],
    ['src/base/hex.ts', head + 'x\n'.repeat(MAX_LINES - 1)],
    ['src/base/table.ts', long],
    ['src/api/operations/operations.ts', head],
    ['src/host/communication.ts', head],
    [
      'test/vitest.config.ts',
      `${head}// biome-ignore lint/style/noDefaultExport: the runner reads it.\nexport default 1;\n`,
    ],
  ];

  test.each(good)('has nothing to say about %s', (path, text) => {
    expect(about(path, text)).toEqual([]);
  });

  const bad: readonly (readonly [path: string, text: string, says: RegExp])[] = [
    ['src/base/hex.ts', '', /does not start with a comment/],
    ['src/base/hex.ts', 'export const a = 1;\n', /does not start with a comment/],
    ['src/base/hex.ts', '/** Hex values, to and from. */\n', /does not start with a comment/],
    ['src/base/hex.ts', '// TODO\n', /does not start with a comment/],
    ['src/base/hex.ts', '// a comment of some length without an end\n', /does not start with a comment/],
    ['src/base/hex.ts', `\n${head}`, /does not start with a comment/],
    ['src/base/hex.ts', long, /has 301 lines; 300 are allowed/],
    ['src/extension.ts', head + 'x\n'.repeat(ENTRY_LINES), /has 61 lines; 60 are allowed/],
    ['src/base/utils.ts', head, /"utils"/],
    ['src/host/keyManager.ts', head, /"manager"/],
    ['src/common/x.ts', head, /"common"/],
    ['test/unit/test-helpers.ts', head, /"helpers"/],
    ['src/view/index.ts', head, /is a barrel/],
    ['src/view/all.ts', `${head}export * from './a.ts';\n`, /exports everything/],
    ['src/view/a.ts', `${head}export default function a() {}\n`, /has a default export/],
    [
      'src/view/a.ts',
      `${head}// biome-ignore lint/style/noDefaultExport:\nexport default 1;\n`,
      /has a default export/,
    ],
  ];

  test.each(bad.map(([path, text, says]) => [path, says, text] as const))(
    'complains about %s: %s',
    (path, says, text) => {
      const complaints = about(path, text);
      expect(complaints).toHaveLength(1);
      expect(complaints[0]).toMatch(says);
    },
  );

  test('sees exceptions that are not needed', () => {
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
