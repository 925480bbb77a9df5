// `npm run test:steady`: runs `npm test` several times on a quiet, a busy and a slow machine, and prints what was unsteady.
import { type ChildProcess, spawn } from 'node:child_process';
import { access, cp, mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { results, root } from './editor/paths.ts';
import { asProgram, onTermination } from './editor/processes.ts';
import type { TestResult } from './testReports.ts';

const modes = {
  quiet: 'nothing else runs',
  busy: 'four busy loops run beside it',
  slow: 'it gets half of the processor time',
} as const;
type Mode = keyof typeof modes;

const usage = `npm run test:steady [-- [--mode quiet|busy|slow]… [--count N] [WORD]]
  --mode   the machine: ${Object.entries(modes)
    .map(([mode, what]) => `${mode} (${what})`)
    .join(', ')}; all of them when not given
  --count  runs in each mode (default 3)
  WORD     only these tests, as npm test takes it`;

const BUSY_LOOPS = 4;
const saved = join(root, 'out', 'steady');

interface Run {
  readonly mode: Mode;
  readonly number: number;
  readonly succeeded: boolean;
  readonly seconds: number;
  readonly failed: readonly string[];
}

/** Starts processes that only use the processor; returns how to end them. */
function startBusyLoops(count: number): () => void {
  const loops = Array.from({ length: count }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  const end = () => {
    for (const loop of loops) loop.kill('SIGKILL');
  };
  const forget = onTermination(end);
  return () => {
    end();
    forget();
  };
}

/** A control group that gets half of the processors' time; `null` where this user must not make one. */
async function createSlowGroup(): Promise<string | null> {
  const group = `/sys/fs/cgroup/hexlens-steady-${process.pid}`;
  const period = 100_000;
  try {
    await mkdir(group);
    // Only a control group has this file: where groups are of the older kind, this is an ordinary folder.
    await access(join(group, 'cpu.max'));
    await writeFile(join(group, 'cpu.max'), `${(period * availableParallelism()) / 2} ${period}`);
    return group;
  } catch {
    await rmdir(group).catch(() => {});
    return null;
  }
}

/** Runs `npm test` once; `group`: in this control group. */
async function runTests(words: readonly string[], group: string | null): Promise<boolean> {
  const args = [join(root, 'test', 'run.ts'), ...words];
  const enter = 'echo $$ > "$0/cgroup.procs" && exec "$@"';
  const child: ChildProcess =
    group === null
      ? spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
      : spawn('sh', ['-c', enter, group, process.execPath, ...args], { cwd: root, stdio: 'inherit' });
  const forget = onTermination(() => child.kill('SIGTERM'));
  const code = await new Promise(resolve => child.once('exit', resolve));
  forget();
  return code === 0;
}

/** Prepares the machine, runs the tests, and leaves the machine as it was. */
async function runOnce(mode: Mode, number: number, words: readonly string[]): Promise<Run> {
  const group = mode === 'slow' ? await createSlowGroup() : null;
  // Without control groups, as many loops as processors take about half of their time.
  const loops = mode === 'busy' ? BUSY_LOOPS : mode === 'slow' && group === null ? availableParallelism() : 0;
  const how = group === null ? `${loops} busy loops` : `control group ${group}`;
  console.log(`\n=== ${mode}, run ${number}: ${modes[mode]}${mode === 'quiet' ? '' : ` (${how})`}`);
  const endLoops = startBusyLoops(loops);
  const started = performance.now();
  let succeeded = false;
  try {
    succeeded = await runTests(words, group);
  } finally {
    endLoops();
    if (group !== null) await rmdir(group).catch(() => {});
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  const tests = JSON.parse(await readFile(join(results, 'tests.json'), 'utf8').catch(() => '[]')) as TestResult[];
  const failed = tests.filter(({ state }) => state === 'failed').map(({ title }) => title);
  if (!succeeded) await cp(results, join(saved, `${mode}-${number}`), { recursive: true });
  return { mode, number, succeeded, seconds, failed };
}

function report(runs: readonly Run[]): void {
  console.log('\nRuns:');
  for (const { mode, number, succeeded, seconds, failed } of runs)
    console.log(`  ${mode} ${number}: ${succeeded ? 'passed' : `${failed.length} failed`} in ${seconds} s`);
  const unsteady = [...new Set(runs.flatMap(({ failed }) => failed))];
  if (unsteady.length > 0) console.log('Unsteady:');
  for (const title of unsteady) {
    const where = runs.filter(({ failed }) => failed.includes(title)).map(({ mode, number }) => `${mode} ${number}`);
    console.log(`  ${title}: failed in ${where.join(', ')}`);
  }
  if (runs.some(({ succeeded }) => !succeeded)) console.log(`Reports and logs: ${relative(root, saved)}`);
  const steady = runs.filter(({ succeeded }) => succeeded).length;
  console.log(`\n${steady} of ${runs.length} runs passed`);
}

await asProgram(import.meta.url, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      mode: { type: 'string', multiple: true, default: Object.keys(modes) },
      count: { type: 'string', default: '3' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(usage);
  const isMode = (text: string): text is Mode => Object.hasOwn(modes, text);
  const unknown = values.mode.find(mode => !isMode(mode));
  const count = Number(values.count);
  if (unknown !== undefined) throw new Error(`There is no mode "${unknown}".\n${usage}`);
  if (!(Number.isInteger(count) && count > 0)) throw new Error(`--count ${values.count} is not a count.\n${usage}`);
  await rm(saved, { recursive: true, force: true });
  const runs: Run[] = [];
  for (const mode of values.mode.filter(isMode))
    for (let number = 1; number <= count; number++) runs.push(await runOnce(mode, number, positionals));
  report(runs);
  if (runs.some(({ succeeded }) => !succeeded)) process.exitCode = 1;
});
