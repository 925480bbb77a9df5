// Which runner picks up which test file, and which files hold tests that none of them picks up.
import { matchesGlob } from 'node:path';

/** What picks up test files, and by which patterns (from the root of the project). */
export type Runners = Readonly<Record<string, readonly string[]>>;

export interface TestFile {
  readonly path: string;
  readonly text: string;
}

const NAMED_AS_TEST = /\.(test|suite|e2e|spec|types|bench)\.[cm]?[jt]sx?$/;
const HOLDS_TESTS = /^(describe|test|it|suite)(\.\w+)*\(/m;

/** Every complaint about who runs what: tests that nobody runs, that several run, and patterns that match nothing. */
export function findRunnerProblems(files: readonly TestFile[], runners: Runners): readonly string[] {
  const patterns = Object.entries(runners).flatMap(([runner, globs]) => globs.map(glob => ({ runner, glob })));
  const complaints = files.flatMap(({ path, text }) => {
    const takers = patterns.filter(({ glob }) => matchesGlob(path, glob)).map(({ runner }) => runner);
    if (takers.length > 1) return [`${path} is run by ${takers.join(' and by ')}.`];
    if (takers.length === 1) return [];
    if (NAMED_AS_TEST.test(path)) return [`${path} is named as a test, but no runner's pattern matches it.`];
    return HOLDS_TESTS.test(text) ? [`${path} holds tests, but no runner's pattern matches it.`] : [];
  });
  const idle = patterns.filter(({ glob }) => !files.some(({ path }) => matchesGlob(path, glob)));
  return [...complaints, ...idle.map(({ runner, glob }) => `${runner} looks for ${glob}, but there is no such file.`)];
}
