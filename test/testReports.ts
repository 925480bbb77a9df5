// Reads the reports that the runners of `npm test` leave as one list of tests.
import { existsSync, readFileSync } from 'node:fs';
import type { E2eSummary } from './e2e/run.ts';
import type { SuiteSummary } from './editor/suite/index.ts';

export interface TestResult {
  readonly title: string;
  /** Path of its file, where the runner knows it. */
  readonly file: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly durationMs: number;
  readonly error?: string;
}

/** The part of vitest's JSON report that is read. */
interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly duration?: number | null;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

const readReport = <T>(file: string): T | null =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : null;

/** `null` when the runner has written no report. */
export type ReportReader = (file: string) => readonly TestResult[] | null;

export const readVitest: ReportReader = file =>
  readReport<VitestReport>(file)?.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.map((test): TestResult => {
      const [error] = test.failureMessages ?? [];
      return {
        title: test.fullName,
        file: name,
        state: test.status === 'passed' || test.status === 'failed' ? test.status : 'skipped',
        durationMs: test.duration ?? 0,
        ...(error === undefined ? {} : { error }),
      };
    });
    // A file that cannot be loaded, or whose hooks fail, is a failure without a test.
    const fails = status === 'failed' && !tests.some(({ state }) => state === 'failed');
    return fails ? [...tests, { title: name, file: name, state: 'failed', durationMs: 0, error: message }] : tests;
  }) ?? null;

export const readEditorSuite: ReportReader = file =>
  readReport<SuiteSummary>(file)?.titles.map(test => ({
    ...test,
    file: '',
    state: test.state === 'pending' ? 'skipped' : test.state,
  })) ?? null;

export const readE2e: ReportReader = file => readReport<E2eSummary>(file)?.titles ?? null;
