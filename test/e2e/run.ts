// `npm run test:e2e`: runs every *.e2e.ts against the packed extension and writes a summary.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { ensureChromium } from '../editor/chromium.ts';
import { ensureVSCodeServer } from '../editor/installCodeServer.ts';
import { editorLogs, packedExtension, results, root, screenshots } from '../editor/paths.ts';
import { asProgram, onTermination } from '../editor/processes.ts';
import { MAX_FAILURES, STEP_LIMIT_MS } from '../support/timeLimits.ts';
import { FAILED_PICTURES_VARIABLE } from './harness.ts';

/** Written to out/test-results/e2e.json. */
export interface E2eSummary {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly titles: readonly Title[];
}

interface Title {
  readonly file: string;
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly durationMs: number;
  readonly error?: string;
}

const usage = `node test/e2e/run.ts [--vsix FILE] [--grep TEXT] [--windows N] [--pictures all|failed] [NAME…]
  --vsix     the packed extension (default: out/hexlens.vsix)
  --grep     only files whose name, or the name of a test in them, contains TEXT
  --windows  3: files run at the same time in three VS Codes (default: with 4 processors and more); else in one
  --pictures screenshots of every step (default), or only of those that fail, which takes a tenth less time
  NAME       only files whose name contains NAME`;

/** The files that run in one process, in this order. Each list takes about a third of the time; what needs a new window is first. */
const PROCESSES: readonly (readonly string[])[] = [
  [
    ...['sidebar', 'inspector', 'inspectorPages', 'inspectorKeyboard', 'readContract', 'simulate'],
    ...['inspectorLarge', 'hover', 'apiKeys', 'siwe', 'aptos'],
  ],
  ['commands', 'debugger', 'keyboard', 'keysInOutputs', 'activity', 'progress', 'german', 'restricted', 'start'],
  ['literals', 'foundry', 'inspectorLife', 'sampleChain', 'web'],
];

const compileCache = join(root, 'out', 'compile-cache');
const DEFAULT_WINDOWS = availableParallelism() < 4 ? 1 : PROCESSES.length;

async function main(): Promise<boolean> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      vsix: { type: 'string' },
      grep: { type: 'string' },
      windows: { type: 'string', default: String(DEFAULT_WINDOWS) },
      pictures: { type: 'string', default: 'all' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return true;
  }
  const named = await e2eFiles(positionals);
  const files = values.grep === undefined ? named : await containing(named, values.grep);
  const progress = (line: string) => console.log(line);
  await ensureVSCodeServer({ progress });
  await ensureChromium({ progress });
  if (values.pictures === 'failed') process.env[FAILED_PICTURES_VARIABLE] = '1';
  const vsix = resolve(values.vsix ?? packedExtension);
  if (!existsSync(vsix)) throw new Error(`${vsix} does not exist. Make it first: npm run package.`);

  const started = performance.now();
  const windows = Math.max(1, Number.parseInt(values.windows, 10));
  const titles = await runInWindows(files, vsix, windows);
  const count = (state: string) => titles.filter(title => title.state === state).length;
  const summary: E2eSummary = { passed: count('passed'), failed: count('failed'), skipped: count('skipped'), titles };
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  await mkdir(results, { recursive: true });
  await writeFile(join(results, 'e2e.json'), `${JSON.stringify(summary, null, 2)}\n`);
  const skipped = summary.skipped === 0 ? '' : `, ${summary.skipped} skipped`;
  console.log(`e2e: ${summary.passed} passed, ${summary.failed} failed${skipped} in ${seconds} s`);
  if (summary.failed > 0) console.log(`Screenshots: ${screenshots}. Logs of editors with a failure: ${editorLogs}.`);
  return summary.failed === 0 && (summary.passed > 0 || values.grep !== undefined);
}

async function e2eFiles(names: readonly string[]): Promise<string[]> {
  const all = (await readdir(import.meta.dirname)).filter(file => file.endsWith('.e2e.ts')).sort();
  const selected = names.length === 0 ? all : all.filter(file => names.some(name => file.includes(name)));
  if (selected.length === 0) throw new Error(`No *.e2e.ts matches ${names.join(', ')}. There are: ${all.join(', ')}.`);
  return selected.map(file => join(import.meta.dirname, file));
}

/** The files whose name or tests' names contain the words. They run whole, because their tests build on each other. */
async function containing(files: readonly string[], words: string): Promise<string[]> {
  const wanted = words.toLowerCase();
  const texts = await Promise.all(files.map(file => readFile(file, 'utf8')));
  return files.filter((file, index) =>
    [basename(file), ...(texts[index]?.match(/\b(it|describe)(\.\w+)*\(.*/g) ?? [])].some(text =>
      text.toLowerCase().includes(wanted),
    ),
  );
}

async function runInWindows(files: readonly string[], vsix: string, windows: number): Promise<readonly Title[]> {
  const lists = PROCESSES.map(names =>
    names.flatMap(name => files.filter(file => basename(file) === `${name}.e2e.ts`)),
  );
  const others = files.filter(file => !lists.flat().includes(file));
  if (others.length > 0) throw new Error(`PROCESSES lacks ${others.map(file => basename(file)).join(', ')}.`);
  const processes = (windows > 1 ? lists : [lists.flat()]).filter(list => list.length > 0);
  return (await Promise.all(processes.map(list => runFiles(list, vsix)))).flat();
}

/** Runs files in one process. */
async function runFiles(files: readonly string[], vsix: string): Promise<readonly Title[]> {
  const titles: Title[] = [];
  let failures = 0;
  const stopping = new AbortController();
  const entry = join(import.meta.dirname, 'runFiles.ts');
  const stream = run({
    files: [entry],
    timeout: STEP_LIMIT_MS,
    signal: stopping.signal,
    env: {
      // Every file loads the same modules, and starts the same test chain.
      NODE_COMPILE_CACHE: compileCache,
      ...process.env,
      HEXLENS_VSIX: vsix,
      HEXLENS_E2E_FILES: JSON.stringify(files),
    },
  });
  stream.on('test:pass', event => {
    // A file whose tests are all left out passes as if it were a test.
    if (event.details.type === 'suite' || event.name === entry) return;
    const state = event.skip === undefined && event.todo === undefined ? 'passed' : 'skipped';
    titles.push({
      file: event.file ?? '',
      title: event.name,
      state,
      durationMs: Math.round(event.details.duration_ms),
    });
  });
  stream.on('test:fail', event => {
    // A suite fails because of a test, which is counted by itself, or in a hook, which is counted here.
    const failure = event.details.error as Error & { failureType?: unknown };
    if (event.details.type === 'suite' && failure.failureType === 'subtestsFailed') return;
    titles.push({
      file: event.file ?? '',
      title: event.name,
      state: 'failed',
      durationMs: Math.round(event.details.duration_ms),
      error: failure.cause instanceof Error ? failure.cause.message : String(failure.cause ?? failure.message),
    });
    // Tests of a suite whose hook failed fail at once.
    if (failure.failureType === 'cancelledByParent' || ++failures !== MAX_FAILURES) return;
    console.error(`The rest of a process is left out after ${MAX_FAILURES} failures.`);
    stopping.abort();
  });
  const text = stream.compose<NodeJS.ReadableStream>(new spec());
  const finished = once(text, 'close');
  // The files run in processes of their own, which must close their editors.
  const forget = onTermination(() => {
    stopping.abort();
    return finished;
  });
  // Printed when the file is done, because another one may run beside it.
  let output = '';
  for await (const chunk of text) output += chunk;
  process.stdout.write(output);
  forget();
  return titles;
}

await asProgram(import.meta.url, async () => {
  if (!(await main())) process.exitCode = 1;
});
