// Runs every *.suite.ts with Mocha inside the extension host and writes a summary for the launcher.

import { suites } from 'hexlens:suites';
import { writeFileSync } from 'node:fs';
import type Mocha from 'mocha';
import { MAX_FAILURES, TEST_LIMIT_MS } from '../../support/timeLimits.ts';

/** What the run leaves behind as JSON. */
export interface SuiteSummary {
  readonly passes: number;
  readonly failures: number;
  readonly pending: number;
  readonly titles: readonly SuiteTitle[];
}

export interface SuiteTitle {
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'pending';
  readonly durationMs: number;
  readonly error?: string;
}

/** The entry VS Code calls; rejects when a test failed, which makes VS Code end with an exit code of 1. */
export async function run(): Promise<void> {
  const { default: MochaRunner } = (await import('mocha')) as { default: typeof Mocha };
  const mocha = new MochaRunner({ ui: 'bdd', timeout: TEST_LIMIT_MS, color: process.env['NO_COLOR'] === undefined });
  for (const { file, load } of suites) {
    // The interface (describe, it) is installed per file, as Mocha itself does for files it requires.
    mocha.suite.emit('pre-require', globalThis as unknown as Mocha.MochaGlobals, file, mocha);
    await load();
  }
  const words = process.env['HEXLENS_HOST_GREP'];
  if (words) leaveOutOthers(mocha.suite, words.toLowerCase());
  const titles: SuiteTitle[] = [];
  const failures = await new Promise<number>(resolve => {
    const runner = mocha.run(resolve);
    runner.on('pass', test => titles.push(describeTest(test, 'passed')));
    runner.on('pending', test => titles.push(describeTest(test, 'pending')));
    runner.on('fail', (test, error: unknown) => {
      titles.push({ ...describeTest(test, 'failed'), error: text(error) });
      if (runner.failures < MAX_FAILURES) return;
      console.error(`The rest is left out after ${MAX_FAILURES} failures.`);
      runner.abort();
    });
  });
  writeSummary(titles, failures);
  // A filter that matches nothing, or a bundle without suites, must not look like success.
  if (titles.length === 0) throw new Error('No test ran.');
  if (failures > 0) throw new Error(`${failures} of ${titles.length} tests failed.`);
}

/** Leaves the tests whose name or file contains the words. */
function leaveOutOthers(suite: Mocha.Suite, words: string): void {
  suite.tests = suite.tests.filter(test => `${test.file ?? ''} ${test.fullTitle()}`.toLowerCase().includes(words));
  for (const inner of suite.suites) leaveOutOthers(inner, words);
}

function describeTest(test: Mocha.Runnable, state: SuiteTitle['state']): SuiteTitle {
  return { title: test.fullTitle(), state, durationMs: test.duration ?? 0 };
}

function text(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function writeSummary(titles: readonly SuiteTitle[], failures: number): void {
  const path = process.env['HEXLENS_HOST_REPORT'];
  if (!path) return;
  const count = (state: SuiteTitle['state']) => titles.filter(title => title.state === state).length;
  // `failures` also counts failed hooks, which are no tests and so have no title of their own state.
  const summary: SuiteSummary = { passes: count('passed'), failures, pending: count('pending'), titles };
  writeFileSync(path, `${JSON.stringify(summary, null, 2)}\n`);
}
