// `npm test`: runs every check of the project and prints the total as the last line; `npm test -- hover` runs the tests with that word.
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { findFiles } from '../scripts/findFiles.ts';
import { canInstall } from './apt.ts';
import { findChromium } from './editor/chromium.ts';
import { results as allResults, editorLogs, packageProgram, root, screenshots, unitResults } from './editor/paths.ts';
import { STATE_LIMIT_MS, STEP_LIMIT_MS } from './support/timeLimits.ts';
import { BUILT_VARIABLE, TEST_FOLDERS, UNIT_FOLDERS } from './testFolders.ts';
import { type ReportReader, readE2e, readEditorSuite, readVitest, type TestResult } from './testReports.ts';

const usage = `npm test [-- [--unit] [--dev] [--verbose] [WORD]]
  WORD       only tests whose name or file contains WORD, and the whole of a step whose title contains it; end-to-end
             files run whole, because their tests build on each other
  --unit     only types, format, and the tests without nodes, databases and editors
  --dev      the tests inside VS Code run in development mode, not on the packed extension
  --verbose  prints what the steps print; otherwise it is only in out/test-results/logs, with --unit in out/unit-test-results/logs`;

const SLOWEST = 20;
const MAX_LISTED_FAILURES = 20;
/** Those of an end-to-end test say what it waited for. */
const LINES_OF_AN_ERROR = 6;
const LOG_LINES_OF_A_FAILURE = 40;
/** Later than a step ends itself, with a report. */
const STEP_TIMEOUT_MS = STEP_LIMIT_MS + STATE_LIMIT_MS;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    unit: { type: 'boolean', default: false },
    dev: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const results = options.unit ? unitResults : allResults;
const word = positionals[0]?.toLowerCase();
const includesWord = (text: string): boolean => word === undefined || text.toLowerCase().includes(word);

/** Files of tests, by whether the word is in their name, and whether it is at least somewhere in their text. */
function findTestFiles(pattern: string): { readonly named: readonly string[]; readonly other: readonly string[] } {
  const files = findFiles(pattern);
  const named = files.filter(file => includesWord(file));
  const other = files.filter(file => !named.includes(file) && includesWord(readFileSync(join(root, file), 'utf8')));
  return { named, other };
}

/** A run of a program, whose exit code is not 0 when it failed, and the report that it writes. */
interface Program {
  readonly args: readonly string[];
  readonly report?: { readonly file: string; readonly read: ReportReader };
}

interface Step {
  readonly title: string;
  /** Steps whose results it uses, or beside which it would not run reliably: it starts when they have ended. */
  readonly after?: readonly Step[];
  /** The programs to run, of which there are none when the word is in none of its tests. `isWhole`: the title has the word. */
  programs(isWhole: boolean): readonly Program[];
  /** Files of tests that need a browser. */
  readonly inEditor?: string;
  /** A variable for the steps after it, once it has passed. */
  readonly sets?: string;
  /** Variables of its own. */
  readonly env?: Readonly<Record<string, string>>;
}

const tool = (name: string, ...args: string[]): Program => ({ args: [join(root, 'node_modules', name), ...args] });

const vitest = (report: string, ...filter: string[]): Program => ({
  args: [
    join(root, 'node_modules/vitest/vitest.mjs'),
    ...['run', '--config', 'test/vitest.config.ts', '--reporter=default', '--reporter=json', '--passWithNoTests'],
    ...[`--outputFile.json=${report}`, ...filter],
  ],
  report: { file: report, read: readVitest },
});

/** The word as vitest takes it: as a regular expression, which distinguishes upper and lower case. */
const wordPattern = () =>
  (word ?? '').replace(/[a-z]/g, letter => `[${letter}${letter.toUpperCase()}]`).replace(/[\\^$.*+?(){}|]/g, '\\$&');
const withVsix = ['--vsix', 'out/hexlens.vsix'];
const EDITOR_SUITES = 'test/editor/suite/**/*.suite.ts';
const E2E_FILES = 'test/e2e/*.e2e.ts';
const hasWord = (pattern: string): boolean => {
  const { named, other } = findTestFiles(pattern);
  return named.length + other.length > 0;
};
const EDITOR_TITLE = 'In the editor';
const E2E_TITLE = 'End to end (mouse and keyboard)';
/** Steps for which the extension is packed. */
const needsPackage = () =>
  [EDITOR_TITLE, E2E_TITLE].some(title => includesWord(title)) || hasWord(EDITOR_SUITES) || hasWord(E2E_FILES);

/** Several threads check the same types again, which takes two fifths more processor time; the steps beside it use the rest. */
const typesStep: Step = {
  title: 'Types',
  programs: isWhole => (isWhole ? [tool('typescript/bin/tsc', '-b', '--singleThreaded')] : []),
  // Collecting no garbage below that limit takes a fifth less processor time than at three times the live memory, for 800 MB more.
  env: { GOGC: 'off', GOMEMLIMIT: '3000MiB' },
};
const packageStep: Step = {
  title: 'Package',
  programs: isWhole => (isWhole || needsPackage() ? [{ args: [packageProgram] }] : []),
  sets: BUILT_VARIABLE,
};
const lintStep: Step = {
  title: 'Format and lint',
  after: [typesStep], // the tests wait for the other steps
  programs: isWhole => (isWhole ? [tool('@biomejs/biome/bin/biome', 'ci', '--colors=off', '.')] : []),
};
/** Takes seconds, once in a clone: the steps that need them would all do it at the same time. */
const contractsStep: Step = {
  title: 'Contracts of the test chain',
  programs: isWhole => (isWhole || needsPackage() ? [{ args: ['test/support/chain/compile.ts'] }] : []),
};
const postgresStep: Step = {
  title: 'PostgreSQL',
  programs: isWhole => (isWhole || needsPackage() ? [{ args: ['test/installTools.ts', 'postgres'] }] : []),
};
const editorToolsStep: Step = {
  title: 'VS Code and Chromium',
  after: [postgresStep, packageStep, typesStep], // the first uses apt too; for the others the first tests wait, not for this
  programs: isWhole => (isWhole || needsPackage() ? [{ args: ['test/installTools.ts', 'editor'] }] : []),
};
const folders = options.unit ? UNIT_FOLDERS : TEST_FOLDERS;
const reportFile = join(results, 'vitest.json');
const reportFileByName = join(results, 'vitest-by-name.json');
const vitestStep: Step = {
  title: options.unit ? 'Unit, API, guard' : 'Unit, API, server, service, store, guard, conformance',
  after: options.unit ? [] : [contractsStep, postgresStep, packageStep, typesStep], // a test builds the npm package in the same folders
  programs(isWhole) {
    if (isWhole) return [vitest(reportFile, ...folders.map(folder => `test/${folder}/`))];
    const { named, other } = findTestFiles(`test/{${folders.join()}}/**/*.test.ts`);
    return [
      ...(named.length > 0 ? [vitest(reportFile, ...named)] : []),
      ...(other.length > 0 ? [vitest(reportFileByName, '--testNamePattern', wordPattern(), ...other)] : []),
    ];
  },
};
const editorStep: Step = {
  title: EDITOR_TITLE,
  after: [vitestStep, editorToolsStep, lintStep],
  inEditor: EDITOR_SUITES,
  programs(isWhole) {
    if (!isWhole && !hasWord(EDITOR_SUITES)) return [];
    const args = ['test/editor/run.ts', ...(options.dev ? [] : withVsix), ...(isWhole ? [] : ['--grep', word ?? ''])];
    return [
      {
        args,
        report: { file: join(results, `editor-suite${options.dev ? '' : '-vsix'}.json`), read: readEditorSuite },
      },
    ];
  },
};
const e2eStep: Step = {
  title: E2E_TITLE,
  after: [vitestStep, editorToolsStep, lintStep], // beside vitest both take longer together than one after another
  inEditor: E2E_FILES,
  programs(isWhole) {
    if (!isWhole && !hasWord(E2E_FILES)) return [];
    const args = ['test/e2e/run.ts', ...withVsix, '--pictures', 'failed', '--windows', '3'];
    if (!isWhole) args.push('--grep', word ?? '');
    return [{ args, report: { file: join(results, 'e2e.json'), read: readE2e } }];
  },
};

const steps: readonly Step[] = [
  ...[typesStep, lintStep, vitestStep],
  ...(options.unit ? [] : [contractsStep, packageStep, postgresStep, editorToolsStep, editorStep, e2eStep]),
];

/** Why tests in VS Code cannot run on this machine, or `null`. */
function findWhatIsMissing(): string | null {
  if (process.platform === 'win32') return 'VS Code from npm, which runs on Linux and macOS only';
  return findChromium() === undefined && !canInstall()
    ? 'Chromium or Chrome (install it, or name it in CHROMIUM)'
    : null;
}

const countTests = (pattern: string): number =>
  findFiles(pattern)
    .map(file => readFileSync(join(root, file), 'utf8').match(/^\s*(it|test)(\.\w+)*\(/gm)?.length ?? 0)
    .reduce((sum, count) => sum + count, 0);

/** Runs Node with its output in the log; resolves with whether it succeeded. */
function runNode(args: readonly string[], log: string, variables: Step['env'] = {}): Promise<boolean> {
  const file = createWriteStream(log, { flags: 'a' });
  return new Promise(resolve => {
    const env = { ...process.env, ...(options.verbose ? {} : { NO_COLOR: '1' }), ...variables };
    const child = spawn(process.execPath, args, {
      ...{ cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env },
      timeout: STEP_TIMEOUT_MS,
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        file.write(chunk);
        if (options.verbose) process.stdout.write(chunk);
      });
    child.once('error', error => file.write(String(error)));
    child.once('close', code => {
      if (child.killed) file.write(`\nIt did not end within ${STEP_TIMEOUT_MS / 60_000} minutes, and was ended.\n`);
      file.end(() => resolve(code === 0));
    });
  });
}

const logs = join(results, 'logs');
const all: (TestResult & { readonly step: string })[] = [];
const isFiltered = (isWhole: boolean) => word !== undefined && !isWhole;

const running = new Set<string>();
const ERASE_LINE = '\r\x1b[K';
const eraseLine = () => process.stdout.isTTY && process.stdout.write(ERASE_LINE);
const showRunning = () => process.stdout.isTTY && process.stdout.write(`${ERASE_LINE}${[...running].join(', ')} …`);

async function runStep({ title, programs, inEditor, sets, env }: Step): Promise<void> {
  const isWhole = includesWord(title);
  const toRun = programs(isWhole);
  if (toRun.length === 0) return;
  const missing = inEditor === undefined ? null : findWhatIsMissing();
  if (missing !== null && inEditor !== undefined) {
    const skipped = countTests(inEditor);
    for (let count = 0; count < skipped; count++)
      all.push({ step: title, title: '', file: '', state: 'skipped', durationMs: 0 });
    console.log(`${title}: ${skipped} skipped, because this machine lacks ${missing}.`);
    return;
  }
  const log = join(logs, `${title.split(/\W/)[0]?.toLowerCase()}.log`);
  const started = performance.now();
  running.add(title);
  showRunning();
  const tests: TestResult[] = [];
  for (const { args, report } of toRun) {
    const succeeded = await runNode(args, log, env);
    const read = report?.read(report.file) ?? null;
    // Tests without the word count only where they ran.
    const counted = (read ?? []).filter(
      test => test.state !== 'skipped' || !isFiltered(isWhole) || includesWord(`${test.file} ${test.title}`),
    );
    tests.push(...counted);
    const isExplained =
      counted.some(({ state }) => state === 'failed') || (isFiltered(isWhole) && counted.length === 0);
    if (report === undefined && succeeded) tests.push({ title, file: '', state: 'passed', durationMs: 0 });
    else if ((!succeeded && !(read !== null && isExplained)) || (report !== undefined && read === null))
      tests.push({ title: `${title} ended with an error`, file: '', state: 'failed', durationMs: 0 });
  }
  all.push(...tests.map(test => ({ ...test, step: title })));
  running.delete(title);
  eraseLine();
  console.log(`${title}: ${describe(tests)} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  if (tests.some(({ state }) => state === 'failed')) reportFailure(tests, log, inEditor !== undefined);
  else if (sets !== undefined) process.env[sets] = '1';
  if (running.size > 0) showRunning();
}

function reportFailure(tests: readonly TestResult[], log: string, hasPictures: boolean): void {
  const failed = tests.filter(({ state }) => state === 'failed');
  for (const { title, error } of failed.slice(0, MAX_LISTED_FAILURES)) {
    const lines = (error ?? '').split('\n').filter(line => line.trim() !== '' && !/^\s+at /.test(line));
    console.log(`  ✖ ${[title, ...lines.slice(0, LINES_OF_AN_ERROR)].join('\n      ')}`);
  }
  if (!options.verbose) {
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
    console.log(
      lines
        .slice(-LOG_LINES_OF_A_FAILURE)
        .map(line => `    ${line}`)
        .join('\n'),
    );
  }
  console.log(`  Log: ${relative(root, log)}`);
  if (hasPictures)
    console.log(`  Screenshots: ${relative(root, screenshots)}; logs of the editor: ${relative(root, editorLogs)}`);
}

function describe(tests: readonly TestResult[]): string {
  const count = (state: string) => tests.filter(test => test.state === state).length;
  const skipped = count('skipped');
  return `${count('passed')} passed, ${count('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function listSlowest(): void {
  const slowest = [...all].sort((a, b) => b.durationMs - a.durationMs).slice(0, SLOWEST);
  const lines = slowest
    .filter(({ durationMs }) => durationMs > 0)
    .map(
      ({ durationMs, step, title }) =>
        `  ${(durationMs / 1000).toFixed(1).padStart(6)} s  ${step.split(/\W/)[0]}: ${title}`,
    );
  if (lines.length > 0) console.log(`\nThe slowest tests:\n${lines.join('\n')}`);
}

if (options.help) console.log(usage);
else {
  rmSync(results, { recursive: true, force: true });
  mkdirSync(logs, { recursive: true });
  const started = new Map<Step, Promise<void>>();
  const start = (step: Step): Promise<void> => {
    const run = started.get(step) ?? Promise.all((step.after ?? []).map(start)).then(() => runStep(step));
    started.set(step, run);
    return run;
  };
  await Promise.all(steps.map(start));
  writeFileSync(join(results, 'tests.json'), JSON.stringify(all));
  listSlowest();
  console.log(`\n${describe(all)}`);
  const isAnyRun = all.some(({ state }) => state !== 'skipped');
  process.exitCode = isAnyRun && all.every(({ state }) => state !== 'failed') ? 0 : 1;
}
