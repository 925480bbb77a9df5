// Which runner runs which test file, and which files with tests are run by none.
import { matchesGlob } from 'node:path';
import type { SourceFile } from '../../scripts/findFiles.ts';

/** What picks up test files, and by which patterns (from the root of the project). */
export type Runners = Readonly<Record<string, readonly string[]>>;

const NAMED_AS_TEST = /\.(test|suite|e2e|spec|types|bench)\.[cm]?[jt]sx?$/;
/** Modules are loaded once per worker, so that only the first file of it would get these hooks. */
const HOLDS_HOOKS = /^(before|after)(Each|All)\(/m;
const HOLDS_TESTS = /^(describe|test|it|suite)(\.\w+)*\(/m;

/** Problems: tests that no runner or several runners run, and patterns that match nothing. */
export function findRunnerProblems(files: readonly SourceFile[], runners: Runners): readonly string[] {
  const patterns = Object.entries(runners).flatMap(([runner, globs]) => globs.map(glob => ({ runner, glob })));
  const problems = files.flatMap(({ path, text }) => {
    const takers = patterns.filter(({ glob }) => matchesGlob(path, glob)).map(({ runner }) => runner);
    if (takers.length > 1) return [`${path} is run by ${takers.join(' and by ')}.`];
    if (takers.length === 1) return [];
    if (NAMED_AS_TEST.test(path)) return [`${path} is named as a test, but no runner's pattern matches it.`];
    if (HOLDS_HOOKS.test(text))
      return [`${path} sets hooks when it is imported: set them in a function that each test file calls.`];
    return HOLDS_TESTS.test(text) ? [`${path} holds tests, but no runner's pattern matches it.`] : [];
  });
  const idle = patterns.filter(({ glob }) => !files.some(({ path }) => matchesGlob(path, glob)));
  return [...problems, ...idle.map(({ runner, glob }) => `${runner} looks for ${glob}, but there is no such file.`)];
}
