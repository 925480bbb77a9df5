// `npm run test:e2e`: runs every *.e2e.ts against the packed extension and writes a summary.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { ensureChromium } from '../editor/chromium.ts';
import { ensureVSCodeServer } from '../editor/installCodeServer.ts';
import { packedExtension, results } from '../editor/paths.ts';
import { asProgram, onTermination } from '../editor/processes.ts';

/** Written to out/test-results/e2e.json. */
export interface E2eSummary {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly titles: readonly Title[];
  /** Titles that failed at first and were run again, whose second outcome counts. */
  readonly flaky: readonly string[];
}

interface Title {
  readonly file: string;
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly durationMs: number;
}

const usage = `node test/e2e/run.ts [--vsix FILE] [--grep TEXT] [NAME…]
  --vsix  the packed extension (default: out/hexlens.vsix)
  --grep  only tests whose name contains TEXT
  NAME    only files whose name contains NAME`;

const fileTimeoutMs = 180_000;

async function main(): Promise<boolean> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { vsix: { type: 'string' }, grep: { type: 'string' }, help: { type: 'boolean', default: false } },
  });
  if (values.help) {
    console.log(usage);
    return true;
  }
  const files = await e2eFiles(positionals);
  const progress = (line: string) => console.log(line);
  await ensureVSCodeServer({ progress });
  await ensureChromium({ progress });
  const vsix = resolve(values.vsix ?? packedExtension);
  if (!existsSync(vsix)) throw new Error(`${vsix} does not exist. Make it first: npm run package.`);

  const started = performance.now();
  const summary = await runTwiceAtMost(files, file => runFiles(file, vsix, values.grep));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  await mkdir(results, { recursive: true });
  await writeFile(join(results, 'e2e.json'), `${JSON.stringify(summary, null, 2)}\n`);
  const skipped = summary.skipped === 0 ? '' : `, ${summary.skipped} skipped`;
  console.log(`e2e: ${summary.passed} passed, ${summary.failed} failed${skipped} in ${seconds} s`);
  return summary.failed === 0 && summary.passed > 0;
}

async function e2eFiles(names: readonly string[]): Promise<string[]> {
  const all = (await readdir(import.meta.dirname)).filter(file => file.endsWith('.e2e.ts')).sort();
  const selected = names.length === 0 ? all : all.filter(file => names.some(name => file.includes(name)));
  if (selected.length === 0) throw new Error(`No *.e2e.ts matches ${names.join(', ')}. There are: ${all.join(', ')}.`);
  return selected.map(file => join(import.meta.dirname, file));
}

/** On CI, whose machines stall now and then, a file with a failure runs once more. */
async function runTwiceAtMost(
  files: readonly string[],
  runAll: (files: readonly string[]) => Promise<readonly Title[]>,
): Promise<E2eSummary> {
  let titles = await runAll(files);
  const failed = titles.filter(({ state }) => state === 'failed');
  const flaky = process.env.CI === undefined ? [] : failed.map(({ title }) => title);
  if (flaky.length > 0) {
    const again = [...new Set(failed.map(({ file }) => file))];
    console.log(`\ne2e: failed at first, its file runs once more: ${flaky.join('; ')}\n`);
    titles = [...titles.filter(({ file }) => !again.includes(file)), ...(await runAll(again))];
  }
  const count = (state: string) => titles.filter(title => title.state === state).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped'), titles, flaky };
}

async function runFiles(files: readonly string[], vsix: string, grep: string | undefined): Promise<readonly Title[]> {
  const titles: Title[] = [];
  const stopping = new AbortController();
  const stream = run({
    files: [...files],
    // With two cores, two editors at once would only slow each other down.
    concurrency: 1,
    timeout: fileTimeoutMs,
    signal: stopping.signal,
    env: { ...process.env, HEXLENS_VSIX: vsix },
    ...(grep === undefined ? {} : { testNamePatterns: [new RegExp(grep.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i')] }),
  });
  stream.on('test:pass', event => {
    if (event.details.type === 'suite') return;
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
    const failure = event.details.error as { failureType?: unknown };
    if (event.details.type === 'suite' && failure.failureType === 'subtestsFailed') return;
    titles.push({
      file: event.file ?? '',
      title: event.name,
      state: 'failed',
      durationMs: Math.round(event.details.duration_ms),
    });
  });
  const text = stream.compose<NodeJS.ReadableStream>(new spec());
  const finished = once(text, 'close');
  // The files run in processes of their own, which must close their editors.
  const forget = onTermination(() => {
    stopping.abort();
    return finished;
  });
  for await (const chunk of text) process.stdout.write(chunk);
  forget();
  return titles;
}

await asProgram(import.meta.url, async () => {
  if (!(await main())) process.exitCode = 1;
});
